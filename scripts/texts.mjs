/**
 * `npm run texts`: lists every text of the nodes, the credential, their messages, the sandbox's console
 * and the terminal, each once, with a number and where it is, for somebody who reads all of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUN_DIR } from './runtime.mjs';
import { runProgram } from './vitest.mjs';

const FILE = join(RUN_DIR, 'results', 'texts.txt');
const { status, stdout, stderr } = runProgram('test/support/texts/list.run.mts', {
	SIGN_AND_CLOSE_TEXTS: FILE,
});
if (status === 0) process.stdout.write(readFileSync(FILE, 'utf8'));
else process.stderr.write(`${stderr}${stdout}`);
process.exitCode = status ?? 1;
