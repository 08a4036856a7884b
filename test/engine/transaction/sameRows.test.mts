import type { IDataObject } from 'n8n-workflow';

import { CLOSING, TITLE, toForm } from '../../support/closing.mts';
import { businessFile, closingFile } from '../../support/createAndSend.mts';
import { attempt, BUSINESS, complaint, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Rows of one sheet that can't both be created are refused before anything of it is written. */

useSandbox();
beforeEach(() => {
	sandbox.requests.length = 0;
	sandbox.world.transactions.clear();
});

const ROW: IDataObject = {
	'Borrower Email': 'jane@example.com',
	'Borrower First Name': 'Jane',
	'Borrower Last Name': 'Miller',
	'Property Address': '1 Main St',
	'Property City': 'Boston',
	'Property State': 'MA',
	'Property Zip': '02110',
};
const COLUMNS = {
	signer1_email: 'Borrower Email',
	signer1_first_name: 'Borrower First Name',
	signer1_last_name: 'Borrower Last Name',
	property_line1: 'Property Address',
	property_city: 'Property City',
	property_state: 'Property State',
	property_zip: 'Property Zip',
	external_id: 'External ID',
	loan_number: 'Loan Number',
	file_number: 'File Number',
};
const MAPPED: IDataObject = {
	fieldsFrom: 'mapped',
	columns: {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(
			Object.entries(COLUMNS).map(([column, heading]) => [column, `={{ $json["${heading}"] }}`]),
		),
	},
};
const READ: IDataObject = { fieldsFrom: 'row' };
const sheet = (...numbers: IDataObject[]) => ({
	items: numbers.map((number, index) => ({ json: { row_number: index + 2, ...ROW, ...number } })),
});
const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET');

const CREATE_CLOSING = { ...CLOSING, additionalFields: TITLE, ifExists: 'return' };
const CREATE = { ...BUSINESS, ifExists: 'return' };
const CASES: Array<[string, IDataObject, string, IDataObject]> = [
	['Create Closing', CREATE_CLOSING, 'Loan Number', {}],
	['Create Closing', CREATE_CLOSING, 'External ID', {}],
	[
		'Create Closing',
		{ ...CREATE_CLOSING, ifExists: 'update' },
		'File Number',
		{ matchBy: 'file_number' },
	],
	['Create', CREATE, 'External ID', {}],
	['Create and Send', closingFile({ documentRules: {} }), 'Loan Number', {}],
	['Create and Send, business', businessFile({ documentRules: {} }), 'External ID', {}],
];

describe.each([
	['by their headings', READ],
	['mapped by hand', MAPPED],
])('columns %s', (_way, from) => {
	test.each(CASES)(
		'%s (%#): two rows with one number are refused before anything is written',
		async (_name, parameters, label, more) => {
			const all = { ...parameters, ...more, ...from };
			const said = await complaint(
				all,
				sheet(
					{ [label]: '70012' },
					{ [label]: '70013' },
					{ [label]: '70012' },
					{ [label]: '70014' },
				),
			);
			expect(said).toMatch(
				new RegExp(
					`^1 of 4 rows can't be used: Row 4 \\(Jane Miller.*\\. Nothing was created.*'${label}' is 70012, which is the same transaction as row 2`,
				),
			);
			expect(said).not.toMatch(/leave them out|Create Another/);
			expect(writes()).toEqual([]);
		},
	);

	test('a number that is none stops the sheet before anything is written', async () => {
		const said = await complaint(
			{ ...CREATE_CLOSING, ...from },
			sheet({ 'Loan Number': '70012' }, { 'Loan Number': 'TBD' }),
		);
		expect(said).toMatch(/^1 of 2 rows can't be used: Row 3 \(Jane Miller.*is 'TBD'/);
		expect(writes()).toEqual([]);
	});
});

test.each([
	['first', [{ 'Loan Number': '7' }, { 'Loan Number': '7', 'External ID': 'a' }]],
	['last', [{ 'Loan Number': '7', 'External ID': 'a' }, { 'Loan Number': '7' }]],
])(
	'a row without an External ID that comes %s is the same as one with its loan number',
	async (_place, rows) => {
		const said = await complaint({ ...CREATE_CLOSING, ...READ }, sheet(...rows));
		expect(said).toMatch(/Row 3 .*'Loan Number' is 7, which is the same transaction as row 2/);
		expect(writes()).toEqual([]);
	},
);

test.each<[string, IDataObject, IDataObject[]]>([
	[
		'External IDs of their own',
		{},
		[
			{ 'Loan Number': '7', 'External ID': 'a' },
			{ 'Loan Number': '7', 'External ID': 'b' },
		],
	],
	[
		'other types',
		{},
		[
			{ 'Loan Number': '7', 'Transaction Type': 'Refinance' },
			{ 'Loan Number': '7', 'Transaction Type': 'HELOC' },
		],
	],
	[
		'If It Exists set to Create Another',
		{ ifExists: 'another' },
		[{ 'Loan Number': '7' }, { 'Loan Number': '7' }],
	],
])('rows of one loan number with %s are all created', async (_name, more, rows) => {
	const { items } = await run({ ...CREATE_CLOSING, ...more, ...READ }, sheet(...rows));
	expect(new Set(items.map(({ json }) => json.transaction_id)).size).toBe(2);
});

test('where On Error continues, the other rows are created, and the second one is refused', async () => {
	const { items, errorItems } = await attempt(
		{ ...CREATE_CLOSING, ...READ },
		{
			...sheet({ 'Loan Number': '70012' }, { 'Loan Number': '70012' }, { 'Loan Number': '70014' }),
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(items.map(({ json }) => json.loan_number)).toEqual(['70012', '70014']);
	expect(errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(
			/^Row 3 \(Jane Miller, loan 70012\): .* as row 2\. Leave one of the two out, or correct the number$/,
		),
	]);
});

test('items of a form that end a run: what is done is found by the next one, if that looks', async () => {
	const form = (ifExists: string) => ({
		...CLOSING,
		...toForm({ ...TITLE, ifExists, loan_number: '={{ $json.loan }}' }),
		addressZipCode: '={{ $json.zip }}',
	});
	const items = (first: string) =>
		[first, `${first}1`, 'TBD'].map((loan) => ({ json: { loan, zip: '02110' } }));
	expect(await complaint(form('return'), { items: items('8') })).toContain(
		'Items 1 and 2 are done, and found if you run the workflow again',
	);
	expect(await complaint(form('stop'), { items: items('9') })).toContain(
		'Items 1 and 2 are done: leave them out if you run the workflow again',
	);
});

test('items that are rows of a sheet are named by the numbers of these rows', async () => {
	const form = { ...CLOSING, ...toForm({ ...TITLE, loan_number: '={{ $json.loan }}' }) };
	const items = ['1', '2', '3', '1E+17'].map((loan, index) => ({
		json: { loan, row_number: index + 12 },
	}));
	const said = await complaint(
		{ ...form, ...toForm({ ...TITLE, ifExists: 'return', loan_number: '={{ $json.loan }}' }) },
		{ items },
	);
	expect(said).toMatch(
		/^'Loan Number' is '1E\+17'.* \(row 15\)\. .* Rows 12 to 14 are done, and found/,
	);
});
