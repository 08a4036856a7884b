/** How Jest is started, and programs that load the node's sources, from `npm test` and other scripts. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { runInForeground } from '../progress.mjs';
import { nodeEnvironment, NODE_BINARY, ROOT } from '../runtime.mjs';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const LOADER = join(ROOT, 'scripts', 'jest', 'loader.cjs');
const QUIET = '--disable-warning=ExperimentalWarning';

/**
 * Runs tests and shows a line for each file.
 * @param args filters and options of Jest
 * @param env further variables
 * @returns Jest's exit code
 */
export async function runTests(args, env = {}) {
	return await runInForeground(NODE_BINARY, [QUIET, JEST, '--passWithNoTests', ...args], {
		...nodeEnvironment(),
		...env,
	});
}

/**
 * Runs a program that loads the node's sources, without showing it.
 * @returns its status and what it has written
 */
export function runProgram(args) {
	return spawnSync(NODE_BINARY, [QUIET, '--require', LOADER, ...args], {
		cwd: ROOT,
		encoding: 'utf8',
		maxBuffer: 2 ** 30,
		env: nodeEnvironment(),
	});
}
