import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { CHROMIUM_INSTALL_HINT, findChromium } from './chromium.mts';
import { buildPackage } from './install.mjs';
import {
	isInterrupted,
	lastLines,
	printLine,
	runLogged,
	showProgress,
	SIGNALS,
	stopCommands,
} from './progress.mjs';
import { ROOT, RUN_DIR } from './runtime.mjs';
import { addResults, Summary } from './testResults.mts';
import { runTests } from './vitest.mjs';

/**
 * `npm test`: lints, builds, and runs every test that this machine can run. The last line of the
 * output is the total.
 */

/** Queue mode alone has five processes of n8n. */
const HAS_MUCH_MEMORY = totalmem() > 12 * 1024 ** 3;
/**
 * The tests in a real n8n mostly wait for it, so three files at a time share the cores well with the
 * tests without n8n. A machine with little memory runs one.
 */
const N8N_WORKERS = HAS_MUCH_MEMORY ? 3 : 1;
/**
 * The tests without n8n wait, too: for the pauses of the node before it tries again. What they
 * calculate takes only the time that n8n leaves, because the tests in n8n are the ones that last.
 */
const WORKERS = Math.max(HAS_MUCH_MEMORY ? 3 : 2, availableParallelism() - 1);
const NICENESS = 5;
const LINT_SCRIPTS = ['lint:format', 'lint:package', 'lint:house', 'lint:types'];
const LINT_LOG_LINES = 60;
/** What a shell reports for a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

const summary = new Summary();

/** Runs a check that isn't a test of Vitest; it counts as one test. */
async function runCheck(title: string, work: () => Promise<void>): Promise<void> {
	try {
		await showProgress(title, work);
		summary.addPass();
	} catch (error) {
		summary.addFailure(title);
		printLine(error instanceof Error ? error.message : String(error));
	}
}

async function lint(script: string): Promise<void> {
	const { code, log, text } = await runLogged(script, 'npm', ['run', '--silent', script]);
	if (code !== 0)
		throw new Error(`${lastLines(text, LINT_LOG_LINES)}\n(full log: ${relative(ROOT, log)})`);
}

/**
 * Runs a project of vitest.config.mjs and adds the results to the summary.
 * @param niceness of its processes: 0 is normal, and whoever has more yields to others
 */
async function runProject(
	title: string,
	project: string,
	{ workers, niceness = 0 }: { workers: number; niceness?: number },
	filters: string[],
): Promise<void> {
	const startTime = Date.now();
	const outputFile = join(RUN_DIR, 'results', `${project}.json`);
	mkdirSync(dirname(outputFile), { recursive: true });
	rmSync(outputFile, { force: true });
	const args = ['--project', project, '--maxWorkers', String(workers), ...filters];
	const code = await runTests(args, outputFile, { niceness });
	const failedBefore = summary.failed;
	addResults(summary, outputFile, skipReason());
	if (code !== 0 && summary.failed === failedBefore && !isInterrupted())
		summary.addFailure(`${title}: Vitest exited with code ${code}`);
	printLine(`${title}: done (${secondsSince(startTime)} s)`);
}

function skipReason(): string {
	return findChromium() === undefined
		? ` (no Chromium on this machine: ${CHROMIUM_INSTALL_HINT})`
		: '';
}

const secondsSince = (startTime: number) => Math.round((Date.now() - startTime) / 1000);

async function main(): Promise<number> {
	const filters = process.argv.slice(2).filter((arg) => arg !== '--');
	const startTime = Date.now();
	for (const signal of SIGNALS) process.on(signal, stopCommands);
	await Promise.all([
		runCheck('build and pack', async () => void (await buildPackage())),
		...(filters.length === 0 || filters.includes('lint') ? LINT_SCRIPTS : []).map(
			async (script) => await runCheck(script, async () => await lint(script)),
		),
	]);
	const testFilters = filters.filter((filter) => filter !== 'lint');
	if (!isInterrupted() && (filters.length === 0 || testFilters.length > 0)) {
		printLine('\nTests without n8n, and tests in a real n8n');
		await Promise.all([
			runProject(
				'Tests without n8n',
				'code',
				{ workers: WORKERS, niceness: NICENESS },
				testFilters,
			),
			runProject('Tests in a real n8n', 'n8n', { workers: N8N_WORKERS }, testFilters),
		]);
		if (!isInterrupted())
			await runProject('Tests of times', 'measured', { workers: 1 }, testFilters);
	}
	if (isInterrupted()) return EXIT_INTERRUPTED;
	return report(startTime, filters);
}

/** Prints the total and what didn't pass. Returns the exit code. */
function report(startTime: number, filters: string[]): number {
	printLine();
	if (filters.length > 0) printLine(`Filtered by: ${filters.join(', ')}`);
	if (findChromium() === undefined)
		printLine(
			`This machine has no Chromium, so the tests in a browser were skipped. To run them: ${CHROMIUM_INSTALL_HINT}`,
		);
	for (const line of summary.skippedTests) printLine(`Skipped: ${line}`);
	for (const line of summary.failures) printLine(`Failed:  ${line}`);
	printLine(`${secondsSince(startTime)} s`);
	printLine(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
	return summary.failed === 0 ? 0 : 1;
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(1);
	},
);
