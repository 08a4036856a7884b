import { readFileSync } from 'node:fs';

import {
	parseFieldName,
	parseParty,
} from '../../nodes/SignAndClose/resources/document/places/formFields/fieldNames.ts';
import { forEachCase } from '../support/forEachCase.mts';

/** The table of words in docs/where-to-sign.md says what the node reads in names of form fields. */

const page = readFileSync('docs/where-to-sign.md', 'utf8');
const [, table] = /\n\| In the name.*\n.*\n((?:\|.*\n)+)/.exec(page)!;
const words = new Map(
	table
		.trim()
		.split('\n')
		.map((row) => row.split('|').map((cell) => cell.trim()))
		.map(([, all, meaning]) => [meaning, all.split(/[,;] /)] as const),
);
const find = (start: string): string[] =>
	[...words].filter(([meaning]) => meaning.startsWith(start)).flatMap(([, all]) => all);

test.each(['borrower', 'buyer', 'seller', 'signer'])('words for the %s', (party) => {
	const all = find(`the ${party}`);
	expect(all).toContain(party);
	forEachCase(all, (word) => expect(parseParty(word)).toEqual({ party, number: 1 }));
});
test('parties with one word', () => {
	const all = find('the grantor');
	expect(all).toHaveLength(6);
	forEachCase(all, (party) => expect(parseParty(party)).toEqual({ party, number: 1 }));
});
test.each([
	['a signature', 'signature', 'signature'],
	['initials', 'signature', 'initials'],
	['the date', 'text', 'date_signed'],
	['the full name', 'text', 'full_name'],
	['the notary', 'signature', 'seal'],
] as const)('words for %s', (meaning, kind, type) => {
	const all = find(meaning);
	expect(all.length).toBeGreaterThan(1);
	forEachCase(all, (word) =>
		expect(parseFieldName(`Notary ${word}`, kind)).toEqual({ party: 'notary', number: 1, type }),
	);
});
test('words that say nothing', () => {
	const all = find('nothing');
	expect(all.length).toBeGreaterThan(1);
	forEachCase(all, (word) =>
		expect(parseFieldName(`${word} Buyer ${word}`, 'signature')?.party).toBe('buyer'),
	);
});
test.each([
	['Borrower Signature', 'signature', 'borrower', 1, 'signature'],
	['CoBorrowerSigDate', 'text', 'borrower', 2, 'date_signed'],
	['Initials of Seller 2', 'signature', 'seller', 2, 'initials'],
	['Third Buyer', 'signature', 'buyer', 3, 'signature'],
] as const)('%s', (name, kind, party, number, type) => {
	expect(parseFieldName(name, kind)).toEqual({ party, number, type });
});
test.each(['Date of Birth', 'Buyer or Seller Signature', 'Borrower 1 2', 'Signature 1'])(
	'%s says nothing',
	(name) => expect(parseFieldName(name, 'signature')).toBeUndefined(),
);
test.each([
	['borrower-1', 'borrower', 1],
	['Co-Borrower', 'borrower', 2],
	['second_seller', 'seller', 2],
	['signer-2', 'signer', 2],
] as const)('the external ID %s is a party', (id, party, number) => {
	expect(parseParty(id)).toEqual({ party, number });
});
