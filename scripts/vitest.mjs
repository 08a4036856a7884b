/** How Vitest is started, from `npm test` and from the scripts beside it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { runInForeground } from './progress.mjs';
import { nodeEnvironment, NODE_BINARY, ROOT } from './runtime.mjs';

/** Vitest's program, for Node.js. */
export const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** Node.js loads it before Vitest and its workers. */
const END_WITH_PARENT = join(ROOT, 'scripts', 'endWithParent.cjs');
/** A line for each test file, as it ends. */
const REPORTER = join(ROOT, 'scripts', 'testReporter.mjs');

function environment(more) {
	const options = [process.env.NODE_OPTIONS, `--require=${JSON.stringify(END_WITH_PARENT)}`];
	return { ...nodeEnvironment(), NODE_OPTIONS: options.filter(Boolean).join(' '), ...more };
}

/**
 * Runs one of the files that are no tests (`*.run.mts`) without showing it, because Vitest knows how
 * to load the node's sources (vitest.config.mjs).
 * @returns its status and what it has written
 */
export function runProgram(file, more = {}) {
	return spawnSync(NODE_BINARY, [VITEST, 'run', '--project', 'programs', file], {
		cwd: ROOT,
		encoding: 'utf8',
		maxBuffer: 2 ** 30,
		env: environment(more),
	});
}

/**
 * Runs tests and shows a line for each file.
 * @param args filters and options of Vitest
 * @param outputFile where the results are written, as JSON
 * @param options niceness of its processes: 0 is normal, and whoever has more yields to others; env
 *   has further variables
 * @returns Vitest's exit code
 */
export async function runTests(args, outputFile, { niceness = 0, env = {} } = {}) {
	const output =
		outputFile === undefined ? [] : ['--reporter', 'json', '--outputFile.json', outputFile];
	return await runInForeground(
		NODE_BINARY,
		[VITEST, 'run', '--passWithNoTests', '--reporter', REPORTER, ...output, ...args],
		environment(env),
		niceness,
	);
}
