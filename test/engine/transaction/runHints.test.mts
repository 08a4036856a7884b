import type { IDataObject } from 'n8n-workflow';

import { borrowers, CLOSING, createClosing, id, TITLE, toForm } from '../../support/closing.mts';
import { businessFile, closingFile, DEED, withFiles } from '../../support/createAndSend.mts';
import { hints, run } from '../../support/operations.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** What came of a run stands below its output: the answer first, then what it's about. */

useSandbox();

let count = 0;
const newNumber = () => `HINT${++count}`;
const row = (loan: string, more: IDataObject = {}): IDataObject => ({
	'Borrower Email': `${loan}@example.com`.toLowerCase(),
	'Borrower First Name': 'Jane',
	'Borrower Last Name': 'Miller',
	'Property Address': '100 Harbor Street',
	'Property City': 'Boston',
	'Property State': 'MA',
	'Property Zip': '02110',
	'Loan #': loan,
	...more,
});
const sheet = async (parameters: IDataObject, rows: IDataObject[]) =>
	hints(
		await run(
			{ ...parameters, fieldsFrom: 'row' },
			{ items: rows.map((json, index) => ({ json: { row_number: index + 2, ...json } })) },
		),
	);

const FOUND = { ...TITLE, ifExists: 'return', matchBy: 'loan_number' };

describe.each<[string, IDataObject]>([
	['Create Closing', { ...CLOSING, additionalFields: FOUND }],
	['Create and Send', closingFile({ documentRules: {}, ...toForm({ ifItDiffers: 'keep' }) })],
])('of a sheet with %s', (name, parameters) => {
	const choice = name === 'Create and Send' ? 'If It Differs' : 'If It Exists';

	test('that runs again: the counts, then each row that differs and in what, in lines of their own', async () => {
		const rows = Array.from({ length: 3 }, () => row(newNumber()));
		const late = row(newNumber());
		const withoutZip = { ...rows[2], 'Property Zip': '' };
		const first = await sheet(parameters, [rows[0], rows[1], withoutZip]);
		expect(first).toMatch(
			new RegExp(
				`^3 created\\..*<br>Row 4 [^<]*: no zip code of the property, which [^<]* Correct the sheet, and run it again with '${choice}' set to Update It\\.<br>(?:[^<]*<br>)?Columns matched: [^.]*$`,
			),
		);
		const again = await sheet(parameters, [...rows, late]);
		expect(again).toMatch(
			/^1 created, 1 different, 2 equal\..*<br>Row 4 \(Jane Miller, loan HINT\d+\): differs from what is there: Street Address \(zip code\)\.<br>(?:[^<]*<br>)?Columns matched: [^.]*$/,
		);
		// Who runs it again knows the columns.
		expect(await sheet(parameters, rows)).not.toMatch(/Columns matched|Next:/);
	});
});

describe('of a sheet', () => {
	const parameters = { ...CLOSING, additionalFields: FOUND };

	test('with Update It: each row that was updated, and in what, also in the output', async () => {
		const rows = Array.from({ length: 3 }, () => row(newNumber()));
		await sheet(parameters, rows);
		const changed = [rows[0], { ...rows[1], 'Property Zip': '02111' }, rows[2]];
		const outcome = await run(
			{
				...parameters,
				fieldsFrom: 'row',
				ifExists: 'update',
				...toForm({ settingsNotShown: 'none' }),
			},
			{ items: changed.map((json) => ({ json })) },
		);
		expect(hints(outcome)).toMatch(
			/^2 equal, 1 updated\.<br>Item 2 \(Jane Miller, loan HINT\d+\): updated: Street Address \(zip code\)\.<br>Before /,
		);
		expect(outcome.items.map(({ json }) => json.updated)).toEqual([
			undefined,
			[
				expect.objectContaining({
					field: 'Street Address (zip code)',
					actual: expect.stringContaining('02110'),
				}),
			],
			undefined,
		]);
	});
	test('of which all rows have something in common: it is said of all', async () => {
		const rows = Array.from({ length: 3 }, () => row(newNumber(), { 'Property Zip': '' }));
		expect(await sheet(parameters, rows)).toContain('<br>All 3 rows: no zip code');
	});
	test('with contacts that have no email address: the reason why their columns are not used', async () => {
		const rows = [row(newNumber(), { 'Title Company': 'Harbor Title', Remarks: 'x' })];
		expect(await sheet(parameters, rows)).toContain(
			"Not used: 'Title Company' (a contact needs an email address), 'Remarks'",
		);
	});
	test('with a check box for somebody: it is used, and what is no answer to it is not', async () => {
		const rowsOf = (...answers: string[]) =>
			answers.map((answer) => row(newNumber(), { 'Has Co-Borrower': answer, Remarks: 'x' }));
		expect(await sheet(parameters, rowsOf('no', ''))).toMatch(/Not used: 'Remarks'$/);
		expect(await sheet(parameters, rowsOf('no', 'ask Jane'))).toMatch(
			/Not used: 'Remarks', 'Has Co-Borrower'$/,
		);
	});
	test('what the service never shows is no difference', async () => {
		const rows = [row(newNumber(), { 'Paper Note Consent': 'yes' })];
		await sheet(parameters, rows);
		const { json } = await run(
			{ ...parameters, fieldsFrom: 'row' },
			{ items: [{ json: rows[0] }] },
		);
		expect([json.existing, json.differences]).toEqual([true, []]);
	});
});

test('of a form: files are no columns that are not used', async () => {
	const file = { filename: 'Deed of Trust.pdf', mimetype: 'application/pdf', size: 9 };
	const { items } = await withFiles(
		{ 'Deed of Trust.pdf': '%' },
		{ ...row(newNumber()), Deed: [file], Other: file, Nothing: [], submittedAt: 'now' },
	);
	const said = hints(
		await run({ ...closingFile({ documentRules: DEED }), fieldsFrom: 'row' }, { items }),
	);
	expect(said).toContain("Not used: 'submittedAt'");
	expect(said).not.toMatch(/'Deed'|'Other'|'Nothing'/);
});

test('of items that differ from what is there: each is named', async () => {
	const [first, second] = [newNumber(), newNumber()];
	const parameters = {
		...CLOSING,
		...toForm({ ...FOUND, loan_number: '={{ $json.loan }}' }),
	};
	const items = [first, second].map((loan) => ({ json: { loan } }));
	await run(parameters, { items });
	const changed = {
		...parameters,
		addressZipCode: '={{ $json.loan === "' + second + '" ? "02111" : "02110" }}',
	};
	const said = hints(await run(changed, { items }));
	expect(said).toMatch(
		/^1 different, 1 equal\. Item 2 differs from what is there: Street Address \(zip code\)\. To write to a draft what differs, run it with 'If It Exists' set to Update It$/,
	);
});

test.each([
	['borrower-1', 'signature', true],
	['notary', 'seal', false],
])(
	'of a notarized document with a place for %s alone, on Business',
	async (signer, type, isSaid) => {
		const place = { signer_identifier: signer, type, page: 1, x: 72, y: 96, width: 90, height: 24 };
		const rule = { ...DEED.row[0], designations: { row: [place] } };
		const said = hints(
			await run(
				businessFile({
					documentRules: { row: [rule] },
					...toForm({ external_id: newNumber() }),
				}),
				await withFiles({ 'Deed of Trust.pdf': '%' }),
			),
		);
		expect(said.includes('no place is for the notary')).toBe(isSaid);
	},
);

describe('of a check', () => {
	const check = (transactionId: string | IDataObject, more: IDataObject = {}): IDataObject => ({
		resource: 'transaction',
		operation: 'check',
		platform: 'realEstate',
		transactionId: typeof transactionId === 'string' ? id(transactionId) : transactionId,
		...more,
	});

	test.each([{}, { checkOutput: 'findings' }])('%j: what is missing', async (more) => {
		const closing = await createClosing(credential());
		expect(hints(await run(check(closing, more)))).toMatch(/^Can't be sent yet: .*no document/i);
	});
	test('of several transactions names each of them', async () => {
		const ids = [await createClosing(credential()), await createClosing(credential())];
		const items = ids.map((transaction_id) => ({ json: { transaction_id } }));
		const said = hints(await run(check(id('={{ $json.transaction_id }}')), { items }));
		expect(said).toMatch(
			/^'Refinance 100 Harbor Street' \(ot_\w+\) can't be sent yet: .*\) can't be sent yet:/s,
		);
	});
	test('in Create and Send: after it was created, and first in the output', async () => {
		const files = await withFiles({ 'Deed of Trust.pdf': '%' });
		const form = (more: IDataObject) =>
			closingFile({
				documentRules: DEED,
				then: 'check',
				signers: borrowers(),
				...toForm({ loan_number: newNumber(), ...more }),
			});
		const well = await run(form({}), files);
		expect(hints(well)).toBe('1 created. Nothing is missing');
		expect(Object.keys(well.json)[0]).toBe('check');
		expect(hints(await run(form({ titleAgencyId: id('') }), files))).toBe(
			"1 created. Can't be sent yet: A lender needs a title agency. Set 'Title Agency' with 'Transaction: Update'",
		);
	});
});
