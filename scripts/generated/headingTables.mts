import { fileURLToPath } from 'node:url';

import {
	FORM_FIELDS,
	formatCellLabel,
	type FormField,
} from '../../nodes/SignAndClose/resources/transaction/sheet/rowFields.ts';
import {
	ADDRESS_WORDS,
	COMPANY_WORDS,
	PERSON_ADDRESSES,
	PEOPLE,
	PERSON_WORDS,
	ORDINALS,
	PROPERTY_WORDS,
	CONTACT_ROLES,
} from '../../nodes/SignAndClose/resources/transaction/sheet/words.ts';
import { generatedPage, tableOf, type Page } from './page.mts';

/** The tables of docs/rows.md, which `npm run generate` writes from the tables of the node. */

const PAGE = fileURLToPath(new URL('../../docs/rows.md', import.meta.url));

const fieldRows = (fields: readonly FormField[]): Array<[string, string[]]> =>
	fields
		.filter(({ target }) => target.owner === 'transaction')
		.map(({ displayName, headings }) => [displayName, headings]);

/** A line for each meaning, with all of its words. */
const meanings = (words: ReadonlyMap<string, string>): Array<[string, string[]]> =>
	[...new Set(words.values())].map((meaning) => [
		formatCellLabel(meaning).replace(/(?<=[a-z])(?=\d)/, ' '),
		[...words].filter(([, other]) => other === meaning).map(([word]) => word),
	]);

const ADDRESSES = PERSON_ADDRESSES.slice(1);
const TABLES: Record<string, Array<[string, string[]]>> = {
	people: meanings(PEOPLE),
	places: meanings(ORDINALS).map(([place, words]) => [`Number ${place}`, words]),
	person: meanings(PERSON_WORDS),
	address: [
		...meanings(ADDRESS_WORDS),
		['Before them, for the property', [...PROPERTY_WORDS]],
		['Before them, for addresses of a person', ADDRESSES],
	],
	contacts: [
		...meanings(CONTACT_ROLES).filter(([role]) => role !== 'Nobody'),
		...meanings(COMPANY_WORDS),
	],
	closing: fieldRows(FORM_FIELDS.closing),
	transaction: fieldRows(FORM_FIELDS.transaction),
};

/** The page now, and as it should be. */
export async function rowsPage(): Promise<Page> {
	return await generatedPage(PAGE, (name) =>
		tableOf([
			['What', 'Words'],
			...TABLES[name].map(([what, words]) => [what, words.map((word) => `\`${word}\``).join(', ')]),
		]),
	);
}
