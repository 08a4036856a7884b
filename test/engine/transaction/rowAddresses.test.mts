import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';
import { REFINANCE as CLOSING } from './sheets/playRow.mts';

/** Whatever a row has of addresses, none is sent that is mixed of two, or that loses a word. */

useSandbox();

const BORROWER = {
	'Borrower Email': 'jane@example.com',
	'Borrower First Name': 'Jane',
	'Borrower Last Name': 'Miller',
};

/** The addresses of the closings that come of rows, by the index of the row. */
async function playRows(rows: IDataObject[]): Promise<Map<number, IDataObject>> {
	sandbox.requests.splice(0);
	for (const [index, row] of rows.entries()) {
		const json = { ...BORROWER, ...row, 'Loan #': index };
		await run(CLOSING, { items: [{ json }], node: { onError: 'continueRegularOutput' } });
	}
	return new Map(
		sandbox.requests
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => body as IDataObject)
			.map((body) => [Number(body.loan_number), body.street_address as IDataObject]),
	);
}

test('no address is mixed of what says that it is the property and of what says nothing', async () => {
	const OF_PROPERTY = ['12 Elm Street', 'Unit 4', 'Boston', 'MA', '02110'];
	const BARE = ['9 Oak Lane', 'Unit 9', 'Austin', 'TX', '73301'];
	const TOLD = ['Address', 'Address 2', 'City', 'State', 'Zip'];
	const subset = fc.subarray(TOLD);
	const rows = fc
		.sample(fc.tuple(subset, subset), { numRuns: 300, seed: 5 })
		.map(([own, bare]) =>
			Object.fromEntries([
				...own.map((name) => [`Property ${name}`, OF_PROPERTY[TOLD.indexOf(name)]]),
				...bare.map((name) => [name, BARE[TOLD.indexOf(name)]]),
			]),
		);
	const sent = await playRows(rows);
	expect(sent.size).toBeGreaterThan(20);
	for (const [index, { line1, line2, city, state, zip_code: zip }] of sent) {
		const parts = [line1, line2, city, state, zip].map(String);
		const isMixed = [OF_PROPERTY, BARE].every((all) => parts.some((part) => all.includes(part)));
		// Beside the street of the property, parts of nobody's address are the property's.
		const isMixedOfTwo = isMixed && 'Address' in rows[index];
		expect([rows[index], isMixedOfTwo]).toEqual([rows[index], false]);
	}
});

test('an address in one cell keeps each of its words, in their places', async () => {
	const PARTS = (
		'12 Elm Street|Unit 4|#5|Apt B|Boston|Kansas City|Back Bay|MA|MO|KS 66101|MA 02110|02110-1234|' +
		'Boston MA 02110|Suffolk|PO Box 7|Lot 5'
	).split('|');
	const joined = fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(', ', ',', '\n', ' '));
	const random = fc.array(joined, { minLength: 1, maxLength: 5 });
	const good = fc
		.tuple(
			fc.constantFrom('12 Elm Street', 'PO Box 7', 'N123W456 Oak Road'),
			fc.subarray(['Unit 4', '#5', 'Apt B']),
			fc.constantFrom('Boston, MA 02110', 'Kansas City MO 64105', 'Kansas City, KS, 66101'),
		)
		.map(([street, units, place]) =>
			[street, ...units, place].map((part): [string, string] => [part, ', ']),
		);
	const texts = fc.sample(fc.oneof(random, good), { numRuns: 300, seed: 9 }).map((parts) =>
		parts
			.flat()
			.join('')
			.replace(/[,\s]+$/, ''),
	);
	const sent = await playRows(texts.map((text) => ({ 'Property Address': text })));
	expect(sent.size).toBeGreaterThan(80);
	const listWords = (text: string) => text.match(/[\w#-]+/g);
	for (const [index, { line1, line2, city, state, zip_code: zip }] of sent) {
		const words = listWords([line1, line2, city, state, zip].filter(Boolean).join(' '));
		expect([texts[index], words]).toEqual([texts[index], listWords(texts[index])]);
		expect(city).toMatch(/^(?:(?:Boston|Kansas City|Suffolk|Back Bay) ?)+$/);
		expect(line1).toMatch(/^(?:12 Elm Street|PO Box 7|N123W456 Oak Road)/);
	}
});
