import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import {
	CHECKS,
	type Check,
} from '../../../nodes/SignAndClose/resources/transaction/check/codes.ts';

/** The table of docs/check.md, which `npm run generate` writes from the checks of the node. */

const PAGE = fileURLToPath(new URL('../../../docs/check.md', import.meta.url));
const BLOCK = /(<!-- generated: checks -->\n)[^]*?(<!-- end -->)/;
const TITLES = ['Code', 'Asks', 'Shown by', '`missing`', '`warning`', '`unknown`'];

/** Values and names of the service have an underscore, other words don't. */
const asCode = (text = '') => text.replace(/\b\w+_\w+\b/g, '`$&`');
/** A field, or an operation of the node. */
const asField = (field: string) => (field.includes(': ') ? `**${field}**` : `\`${field}\``);

/** The page now, and as it should be. */
export async function checkPage(): Promise<{ file: string; now: string; text: string }> {
	const now = readFileSync(PAGE, 'utf8');
	const rows = Object.entries<Check>(CHECKS).map(([code, check]) => [
		`\`${code}\``,
		check.realEstate === true ? `Closings: ${check.asks}` : check.asks,
		check.fields.map(asField).join(', '),
		...[check.missing, check.warning, check.unknown].map(asCode),
	]);
	const table = [TITLES, TITLES.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	const written = now.replace(BLOCK, (_, begin: string, end: string) =>
		[begin, ...table, '', end].join('\n'),
	);
	const text = await format(written, { ...(await resolveConfig(PAGE)), filepath: PAGE });
	return { file: PAGE, now, text };
}
