/**
 * `npm run canaries`: searches what n8n keeps and shows for secrets, and prints what was searched.
 * The tests say where a secret may be and why (test/support/canaries/search.mts,
 * test/e2e/canaries.test.mts).
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { buildPackage } from '../install.mjs';
import { printLine, runScript } from '../progress.mjs';
import { RUN_DIR } from '../runtime.mjs';
import { runTests } from '../jest/run.mjs';

const FOLDER = join(RUN_DIR, 'results', 'canaries');

async function main() {
	rmSync(FOLDER, { recursive: true, force: true });
	await buildPackage();
	// The filter doesn't tell capitals from small letters.
	const code = await runTests(['canaries']);
	printTable();
	return code;
}

function printTable() {
	const all = existsSync(FOLDER)
		? readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
		: [];
	const rows = [
		['Searched', 'Canaries', 'Places', 'Searches', 'Bytes', 'Where expected', 'Leaks'],
		...all.map(({ title, canaries, places, bytes, expected, leaks }) => [
			title,
			canaries,
			Object.keys(places).length,
			Object.values(places).reduce((sum, count) => sum + count, 0),
			bytes.toLocaleString('en-US'),
			expected,
			leaks,
		]),
	].map((row) => row.map(String));
	const widths = rows[0].map((_title, column) =>
		Math.max(...rows.map((row) => row[column].length)),
	);
	printLine();
	for (const row of rows)
		printLine(
			row
				.map((cell, column) =>
					column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
				)
				.join('  '),
		);
	for (const { title, places } of all)
		printLine(
			`${title}: ${Object.entries(places)
				.map(([place, count]) => `${place} ${count}`)
				.join(', ')}`,
		);
}

runScript(main);
