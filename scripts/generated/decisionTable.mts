import { fileURLToPath } from 'node:url';

import {
	DECISIONS,
	type Decision,
} from '../../nodes/SignAndClose/resources/transaction/createAndSend/decisions.ts';
import { generatedPage, tableOf, type Page } from './page.mts';

/** The table of docs/create-and-send.md, which `npm run generate` writes from what the node decides. */

const PAGE = fileURLToPath(new URL('../../docs/create-and-send.md', import.meta.url));
const TITLES = ['Difference', '_Stop_', '_Update It_', '_Keep It_', 'Sent already'];

const WORDS: Record<Decision, string> = {
	adds: 'added',
	changes: 'changed',
	deletes: 'deleted',
	keeps: 'kept and named',
	names: 'named',
	replaces: 'replaced',
	stops: '**stops**',
	stopsSend: 'stops a _Send_',
};

/** The page now, and as it should be. */
export async function decisionPage(): Promise<Page> {
	const rows = Object.values(DECISIONS).map(({ description: what, stop, update, keep, sent }) => [
		what,
		...[stop, update, keep, sent].map((decision) => WORDS[decision]),
	]);
	return await generatedPage(PAGE, () => tableOf([TITLES, ...rows]));
}
