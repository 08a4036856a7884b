/**
 * `npm run hostile`: tries what an attacker would enter, answer, upload, link to or deliver, and
 * prints how many cases of each kind were tried (test/engine/hostile).
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { installRuntime } from '../install.mjs';
import { printLine, runScript } from '../progress.mjs';
import { RUN_DIR } from '../runtime.mjs';
import { runTests } from '../jest/run.mjs';

const REPORT = join(RUN_DIR, 'results', 'hostile.json');

async function main() {
	await installRuntime();
	mkdirSync(dirname(REPORT), { recursive: true });
	rmSync(REPORT, { force: true });
	const code = await runTests(['test/engine/hostile', '--json', '--outputFile', REPORT]);
	const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
	const rows = testResults.map(({ name, assertionResults }) => ({
		kind: basename(name, '.test.mts'),
		cases: assertionResults.length,
		failed: assertionResults.filter(({ status }) => status !== 'passed').length,
	}));
	const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
	printLine();
	for (const { kind, cases, failed } of [
		...rows.sort((one, other) => one.kind.localeCompare(other.kind)),
		{ kind: 'all', cases: sum('cases'), failed: sum('failed') },
	])
		printLine(`${kind.padEnd(12)} ${String(cases).padStart(5)} cases, ${failed} failed`);
	return code;
}

runScript(main);
