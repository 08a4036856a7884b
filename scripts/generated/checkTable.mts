import { fileURLToPath } from 'node:url';

import { CHECKS, type Check } from '../../nodes/SignAndClose/resources/transaction/check/codes.ts';
import { generatedPage, tableOf, type Page } from './page.mts';

/** The table of docs/check.md, which `npm run generate` writes from the checks of the node. */

const PAGE = fileURLToPath(new URL('../../docs/check.md', import.meta.url));
const TITLES = ['Code', 'Asks', 'Shown by', '`missing`', '`warning`', '`unknown`'];

/** Values and names of the service have an underscore, other words don't. */
const asCode = (text = '') => text.replace(/\b\w+_\w+\b/g, '`$&`');
/** A field, or an operation of the node. */
const asField = (field: string) => (field.includes(': ') ? `**${field}**` : `\`${field}\``);

/** The page now, and as it should be. */
export async function checkPage(): Promise<Page> {
	const rows = Object.entries<Check>(CHECKS).map(([code, check]) => [
		`\`${code}\``,
		check.realEstate === true ? `Closings: ${check.asks}` : check.asks,
		check.fields.map(asField).join(', '),
		...[check.missing, check.warning, check.unknown].map(asCode),
	]);
	return await generatedPage(PAGE, () => tableOf([TITLES, ...rows]));
}
