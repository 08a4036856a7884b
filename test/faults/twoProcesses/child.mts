import { createInterface } from 'node:readline';

import { useBinaryMode } from '../../support/engine.mts';
import { runPapersOnce, textOf, type PapersTask } from '../newPapers.mts';

/**
 * A process of n8n in queue mode, with its own copy of the node: runs one task after the other, a line of
 * JSON each, and answers each with a line, which is what the run has said.
 */

await useBinaryMode('filesystem');
for await (const line of createInterface({ input: process.stdin })) {
	const outcome = await runPapersOnce(JSON.parse(line) as PapersTask);
	// n8n may write lines of its own.
	process.stdout.write(`@${JSON.stringify(textOf(outcome))}\n`);
}
