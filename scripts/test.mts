import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

import { CHROMIUM_HINT, findChromium } from './chromium.mts';
import { ROOT, RUN_DIR } from './runtime.mjs';
import { buildPackage } from './install.mjs';
import {
	during,
	handOver,
	isInterrupted,
	runLogged,
	say,
	SIGNALS,
	stopAll,
	tail,
} from './progress.mjs';

/**
 * `npm test`: every check and test this machine can run, phase by phase; the last line is the sum.
 */

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** Folders of test/ whose tests start a real n8n: one at a time, and with patience. */
const HOST_FOLDERS = ['e2e', 'load'];
const HOST_TEST_MS = 180_000;
const LINTS = ['lint:format', 'lint:package', 'lint:house', 'lint:types'];
const INTERRUPTED = 130;

interface JestResults {
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ fullName: string; status: string }>;
	}>;
}

const sum = { passed: 0, failed: 0, skipped: 0 };
const notRun: string[] = [];
const failures: string[] = [];

/** A check that is no Jest test counts as one. */
async function check(title: string, work: () => Promise<void>): Promise<void> {
	try {
		await during(title, work);
		sum.passed += 1;
	} catch (thrown) {
		sum.failed += 1;
		failures.push(title);
		say(thrown instanceof Error ? thrown.message : String(thrown));
	}
}

async function lint(script: string): Promise<void> {
	const { code, log, text } = await runLogged(script, 'npm', ['run', '--silent', script]);
	if (code !== 0) throw new Error(`${tail(text, 60)}\n(all of it: ${relative(ROOT, log)})`);
}

function foldersOf(kind: 'host' | 'other'): string[] {
	return readdirSync(join(ROOT, 'test'), { withFileTypes: true })
		.filter(
			(entry) => entry.isDirectory() && HOST_FOLDERS.includes(entry.name) === (kind === 'host'),
		)
		.map(({ name }) => name);
}

/** One run of Jest over some folders of test/; what it found is added to the sum. */
async function jest(
	title: string,
	folders: string[],
	filters: string[],
	args: string[],
): Promise<void> {
	if (folders.length === 0) return;
	say(`\n${title}`);
	const began = Date.now();
	const output = join(
		RUN_DIR,
		'results',
		`${title.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}.json`,
	);
	mkdirSync(join(RUN_DIR, 'results'), { recursive: true });
	rmSync(output, { force: true });
	const only = filters.length === 0 ? [] : ['--testPathPatterns', ...filters];
	const roots = folders.flatMap((folder) => ['--roots', join(ROOT, 'test', folder)]);
	const env = {
		...process.env,
		NODE_OPTIONS:
			`${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
	};
	const reporter = join(ROOT, 'scripts', 'jestReporter.mjs');
	const code = await handOver(
		process.execPath,
		[
			JEST,
			'--passWithNoTests',
			'--json',
			'--outputFile',
			output,
			'--reporters',
			reporter,
			...roots,
			...args,
			...only,
		],
		env,
	);
	const before = sum.failed;
	add(output, title);
	if (code !== 0 && sum.failed === before && !isInterrupted()) {
		sum.failed += 1;
		failures.push(`${title}: Jest itself ended with exit code ${code}`);
	}
	say(`${title}: done (${Math.round((Date.now() - began) / 1000)} s)`);
}

function add(output: string, title: string): void {
	if (!existsSync(output)) return;
	const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as JestResults;
	for (const { name, status, assertionResults } of testResults) {
		const file = relative(ROOT, name);
		// A file that could not be loaded has no tests to count.
		if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
			sum.failed += 1;
			failures.push(`${file}: could not be run`);
		}
		for (const test of assertionResults) {
			if (test.status === 'passed') sum.passed += 1;
			else if (test.status === 'failed') {
				sum.failed += 1;
				failures.push(`${file}: ${test.fullName}`);
			} else {
				sum.skipped += 1;
				notRun.push(`${file}: ${test.fullName}${reason(title)}`);
			}
		}
	}
}

function reason(title: string): string {
	return title.includes('n8n') && findChromium() === undefined
		? ` (no Chromium on this machine: ${CHROMIUM_HINT})`
		: '';
}

async function main(): Promise<number> {
	const filters = process.argv.slice(2).filter((arg) => arg !== '--');
	const began = Date.now();
	for (const signal of SIGNALS) process.on(signal, stopAll);
	const wantsLint = filters.length === 0 || filters.includes('lint');
	const tests = filters.filter((filter) => filter !== 'lint');
	if (wantsLint) for (const script of LINTS) await check(script, async () => await lint(script));
	if (!isInterrupted()) await check('build and pack', async () => void (await buildPackage()));
	if (filters.length === 0 || tests.length > 0) {
		if (!isInterrupted()) await jest('Tests without n8n', foldersOf('other'), tests, []);
		if (!isInterrupted())
			await jest('Tests in a real n8n', foldersOf('host'), tests, [
				'--runInBand',
				'--forceExit',
				'--testTimeout',
				String(HOST_TEST_MS),
			]);
	}
	if (isInterrupted()) return INTERRUPTED;
	return conclude(began, filters);
}

function conclude(began: number, filters: string[]): number {
	say();
	if (filters.length > 0) say(`Only what matches ${filters.join(', ')} was run.`);
	if (findChromium() === undefined)
		say(
			`No Chromium on this machine, so the tests in a browser were not run. To run them: ${CHROMIUM_HINT}`,
		);
	for (const line of notRun) say(`Not run: ${line}`);
	for (const line of failures) say(`Failed:  ${line}`);
	say(`${Math.round((Date.now() - began) / 1000)} s`);
	say(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
	return sum.failed === 0 ? 0 : 1;
}

main().then(
	(code) => process.exit(code),
	(reason: unknown) => {
		process.stderr.write(`\n${reason instanceof Error ? reason.message : String(reason)}\n`);
		process.exit(1);
	},
);
