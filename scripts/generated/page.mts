import { readFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

/** A page with parts that `npm run generate` writes, each between two comments. The first names it. */

const BLOCK = /(<!-- generated: ([^>]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** A page as it is now, and as it should be. */
export interface Page {
	file: string;
	now: string;
	text: string;
}

/**
 * Writes the generated parts of a page, and formats it as Prettier does.
 * @param generate gives the Markdown of a part by its name
 */
export async function generatedPage(
	file: string,
	generate: (name: string) => string,
): Promise<Page> {
	const now = readFileSync(file, 'utf8');
	const written = now.replaceAll(
		BLOCK,
		(_, begin: string, name: string, end: string) => `${begin}\n${generate(name.trim())}\n\n${end}`,
	);
	const text = await format(written, { ...(await resolveConfig(file)), filepath: file });
	return { file, now, text };
}

/** A table in Markdown: first the titles, then a row each. */
export const tableOf = ([titles, ...rows]: string[][]): string =>
	[titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
