/**
 * `npm test`: lints, builds, and runs the tests that say whether the package works; `npm run test:all`
 * runs every test that this machine can run. The last line says what came of it.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { buildPackage } from './install.mjs';
import { runTests } from './jest/run.mjs';
import {
	isInterrupted,
	printLine,
	runScript,
	runStep,
	SIGNALS,
	stopCommands,
} from './progress.mjs';

const LINT_SCRIPTS = ['lint:format', 'lint:package', 'lint:house', 'lint:types'];
/** Most tests wait, for the pauses of the node before it tries again. */
const WORKERS = Math.max(3, availableParallelism());

/** Names of what failed. */
const failures = [];

async function check(title, work) {
	try {
		await work();
	} catch (error) {
		failures.push(title);
		printLine(error.message);
	}
}

/** Runs projects of jest.config.mjs. */
async function runProjects(projects, workers, filters) {
	const args = ['--selectProjects', ...projects, '--maxWorkers', String(workers)];
	if (filters.length > 0) args.push('--testPathPatterns', ...filters);
	if (!isInterrupted() && (await runTests(args)) !== 0) failures.push(`${projects} tests`);
}

/** Seconds that the cores have worked for this process and those that it has waited for, on Linux. */
function cpuSeconds() {
	try {
		// The name of the process, in brackets, may have spaces.
		const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[A-Z] )/);
		const ticks = fields.split(' ').slice(11, 15).map(Number);
		// Linux counts in hundredths of a second.
		return Math.round(ticks.reduce((sum, one) => sum + one, 0) / 100);
	} catch {
		return undefined;
	}
}

async function main() {
	const [size, ...args] = process.argv.slice(2);
	const filters = args.filter((arg) => arg !== '--');
	// A filter finds every test.
	const isAll = size === 'all' || filters.length > 0;
	const startTime = Date.now();
	for (const signal of SIGNALS) process.on(signal, stopCommands);
	const scripts = filters.length === 0 || filters.includes('lint') ? LINT_SCRIPTS : [];
	await Promise.all([
		check('build and pack', buildPackage),
		...scripts.map(async (script) => {
			await check(script, async () => await runStep(script, 'npm', ['run', '--silent', script]));
		}),
	]);
	const patterns = filters.filter((filter) => filter !== 'lint');
	if (filters.length === 0 || patterns.length > 0) {
		if (isAll) {
			// One real n8n at a time. Its tests mostly wait, so the others use the cores meanwhile.
			await Promise.all([
				runProjects(['code', 'long'], WORKERS, patterns),
				runProjects(['n8n', 'long-n8n'], 1, patterns),
			]);
			// Nothing may run beside what is measured.
			await runProjects(['measured'], 1, patterns);
		} else {
			await runProjects(['code'], WORKERS, patterns);
			await runProjects(['n8n'], 1, patterns);
		}
	}
	// What a shell reports for a program that Ctrl-C ended.
	if (isInterrupted()) return 130;
	const cpu = cpuSeconds();
	const took = `${Math.round((Date.now() - startTime) / 1000)} s${cpu === undefined ? '' : `, ${cpu} CPU-seconds`}`;
	printLine();
	printLine(
		failures.length === 0 ? `All passed (${took})` : `Failed: ${failures.join(', ')} (${took})`,
	);
	return failures.length === 0 ? 0 : 1;
}

runScript(main);
