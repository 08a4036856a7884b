import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startN8n } from '../host/run/n8n.mts';
import { startQueueMode } from '../host/run/queueMode.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { median } from './statistics.mts';
import { stopRun, type Stopped } from './stopRun.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures how long a run of many reads goes on after somebody has stopped it in n8n: until the
 * service gets its last request, and until n8n shows the execution as canceled. With --queue in
 * queue mode, which needs Redis and PostgreSQL. Run: node bench/cancel.mts [--rounds 5] [--queue],
 * after npm start has installed everything.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		queue: { type: 'boolean', default: false },
	},
});

await inTemporaryFolder(async (folder) => {
	const tarball = join(RUN_DIR, 'package.tgz');
	const queueMode = values.queue ? await startQueueMode(folder, tarball) : undefined;
	const n8n = queueMode?.n8n ?? (await startN8n({ userFolder: folder, tarball }));
	try {
		const outcomes: Stopped[] = [];
		for (let round = 0; round < Number(values.rounds); round++) outcomes.push(await stopRun(n8n));
		const of = (what: keyof Stopped) => median(outcomes.map((outcome) => outcome[what])).toFixed(0);
		process.stdout.write(
			`${values.queue ? 'Queue mode' : 'Main process'}, medians of ${values.rounds}: last request ` +
				`${of('lastRequestMs')} ms after the stop, shown as canceled after ${of('canceledMs')} ms\n`,
		);
	} finally {
		await (queueMode ?? n8n).stop();
	}
});
