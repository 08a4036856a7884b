/** How Jest is started, from `npm test` and from the scripts beside it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { runInForeground } from './progress.mjs';
import { nodeEnvironment, NODE_BINARY, ROOT } from './runtime.mjs';

/** Jest's program, for Node.js. */
export const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** The arguments for a line for each test file, as it ends. */
export const LINE_PER_FILE = ['--reporters', join(ROOT, 'scripts', 'jestReporter.mjs')];

/** How long a test may take that waits for a real n8n. */
export const N8N_TEST_TIMEOUT_MS = 180_000;

/** Node.js loads it before Jest and its workers. */
const END_WITH_PARENT = join(ROOT, 'scripts', 'endWithParent.cjs');

/** The environment for Jest: the tests are ES modules. */
export function jestEnvironment(more = {}) {
	const options = [
		process.env.NODE_OPTIONS,
		'--experimental-vm-modules',
		'--disable-warning=ExperimentalWarning',
		`--require=${JSON.stringify(END_WITH_PARENT)}`,
	];
	return { ...nodeEnvironment(), NODE_OPTIONS: options.filter(Boolean).join(' '), ...more };
}

/**
 * Runs one file with Jest without showing it, because Jest knows how to load the node's sources
 * (jest.config.mjs).
 * @returns its status and what it has written
 */
export function runFileWithJest(file, more = {}) {
	return spawnSync(
		NODE_BINARY,
		[JEST, '--rootDir', ROOT, '--testMatch', `**/${file}`, '--ci', '--forceExit', '--silent'],
		{ cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30, env: jestEnvironment(more) },
	);
}

/**
 * Runs the files whose path matches a pattern, and shows a line for each.
 * @returns Jest's exit code
 */
export async function showFilesWithJest(pattern, args = []) {
	return await runInForeground(
		NODE_BINARY,
		[JEST, '--forceExit', ...LINE_PER_FILE, ...args, '--testPathPatterns', pattern],
		jestEnvironment(),
	);
}
