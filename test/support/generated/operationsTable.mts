import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { RESOURCES } from '../../../nodes/SignAndClose/run/operation.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';

/** The README's table of operations, which `npm run generate` writes. */

const README = fileURLToPath(new URL('../../../README.md', import.meta.url));
/** Prettier aligns the columns, so the number of blanks is anything. */
const TABLE = /^\| Resource +\|(?:.|\n(?!\n))*\n/m;

/** The table as the list of operations says it, formatted as Prettier formats the README. */
export async function operationsTable(): Promise<string> {
	const rows = operations
		.map(
			({ resource, name, description }) => `| ${RESOURCES[resource]} | ${name} | ${description} |`,
		)
		.sort();
	const lines = ['| Resource | Operation | What it does |', '|---|---|---|', ...rows, ''];
	return await format(lines.join('\n'), { ...(await resolveConfig(README)), filepath: README });
}

/** The table that the README has now. */
export function tableOfReadme(readme = readFileSync(README, 'utf8')): string {
	const [table] = TABLE.exec(readme) ?? [];
	if (table === undefined)
		throw new Error("README.md has no table that begins with '| Resource |': put one line back");
	return table;
}

/** The README with the table as it should be. */
export async function readmeWithTable(): Promise<{ file: string; text: string }> {
	const readme = readFileSync(README, 'utf8');
	const table = await operationsTable();
	return { file: README, text: readme.replace(tableOfReadme(readme), () => table) };
}
