import { readFileSync } from 'node:fs';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type RunOptions } from '../../support/engine.mts';
import { complaint, hints, lastBody, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';
import { toForm } from '../../support/closing.mts';

/** Transaction: Create Closing from rows whose columns nobody has adapted. */

useSandbox();

const FROM_ROW: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	fieldsFrom: 'row',
	transactionType: 'refinance',
	additionalFields: {},
};
const ROW: IDataObject = {
	borrower_email: 'jane@example.com',
	borrower_first_name: 'Jane',
	borrower_last_name: 'Borrower',
	property_address: '100 Harbor Street',
	property_city: 'Boston',
	property_state: 'MA',
	property_zip: '02110',
};
const BORROWER = ['borrower_email', 'borrower_first_name', 'borrower_last_name'];
/** The row without some of its columns. */
const without = (row: IDataObject, ...columns: string[]): IDataObject =>
	Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
const items = (...rows: IDataObject[]): INodeExecutionData[] => rows.map((json) => ({ json }));
/** The rows as items. */
const given = (rows: IDataObject[], more: Partial<RunOptions> = {}): Partial<RunOptions> => ({
	items: items(...rows),
	...more,
});
const create = async (row: IDataObject, parameters: IDataObject = {}) =>
	await run({ ...FROM_ROW, ...parameters }, given([row]));
const refused = async (row: IDataObject, parameters: IDataObject = {}) =>
	await complaint({ ...FROM_ROW, ...parameters }, given([row]));
const created = () => sandbox.requests.filter(({ method }) => method === 'POST');
beforeEach(() => void sandbox.requests.splice(0));

describe('the example', () => {
	const { nodes } = JSON.parse(
		readFileSync(new URL('../../../examples/closings-from-a-sheet.json', import.meta.url), 'utf8'),
	) as { nodes: Array<{ name: string; parameters: IDataObject }> };
	const node = nodes.find(({ name }) => name === 'Create closings')!;
	const sheet = nodes.find(({ name }) => name === 'Sheet')!;
	const { rows } = JSON.parse(String(sheet.parameters.jsonOutput)) as { rows: IDataObject[] };

	test('makes 30 closings of 30 rows', async () => {
		const outcome = await run(node.parameters, { items: items(...rows) });
		expect(rows).toHaveLength(30);
		expect(JSON.stringify(node.parameters)).not.toContain('{{');
		expect(outcome.items).toHaveLength(30);
		expect(outcome.items.map(({ json }) => json.loan_number)).toEqual(
			rows.map((row) => String(row['Loan #'])),
		);
		expect(new Set(outcome.items.map(({ json }) => json.transaction_id)).size).toBe(30);
		const bodies = created().map(({ body }) => body as IDataObject);
		const second = bodies.find(({ loan_number: number }) => number === '7001201')!;
		expect(second).toEqual({
			external_id: expect.stringMatching(/^n8n-/),
			transaction_type: 'refinance',
			transaction_name: 'Refinance, Ann Alvarez, 107 Elm Street',
			loan_number: '7001201',
			signers: [
				{
					external_id: 'signer-1',
					email: 'ann.alvarez@example.com',
					first_name: 'Ann',
					last_name: 'Alvarez',
					phone_number: '6175550101',
				},
				{
					external_id: 'signer-2',
					email: 'grace.alvarez@example.com',
					first_name: 'Grace',
					last_name: 'Alvarez',
				},
			],
			street_address: {
				line1: '107 Elm Street',
				city: 'Springfield',
				state: 'MA',
				zip_code: '01103',
				postal: '01103',
			},
			contacts: [
				{
					role: 'title_agent',
					first_name: 'Sam',
					last_name: 'Officer',
					email: 'orders@harbor-title.example.com',
				},
			],
		});
		expect(new Set(bodies.map(({ transaction_type: type }) => type))).toEqual(
			new Set(['refinance', 'heloc']),
		);
		expect(hints(outcome)).toContain("Not used: 'Loan Amount', 'Closing Date'");
	});
});

describe('columns', () => {
	test('are found by the words of sheets and loan systems', async () => {
		await create({
			LoanNo: 7001234,
			'Borrower E-mail Address': 'jane@example.com',
			BorrowerFirstName: 'Jane',
			'Borrower LNAME': 'Borrower',
			borrower_mobile: '617 555 0123',
			'Co-Borrower': 'Borrower, Joe',
			coborrower_email: 'joe@example.com',
			Borrower3FirstName: 'Pat',
			borrower_3_last_name: 'Trustee',
			'Borrower 3 Email': 'pat@example.com',
			Street: '100 Harbor Street',
			Unit: '4',
			CITY: 'Boston',
			State: 'Massachusetts',
			'Postal Code': 2110,
			'Escrow Number': 'F-7',
		});
		expect(lastBody()).toMatchObject({
			loan_number: '7001234',
			file_number: 'F-7',
			signers: [
				{
					email: 'jane@example.com',
					first_name: 'Jane',
					last_name: 'Borrower',
					phone_number: '6175550123',
				},
				{
					email: 'joe@example.com',
					first_name: 'Joe',
					last_name: 'Borrower',
					external_id: 'signer-2',
				},
				{
					email: 'pat@example.com',
					first_name: 'Pat',
					last_name: 'Trustee',
					external_id: 'signer-3',
				},
			],
			street_address: {
				line1: '100 Harbor Street',
				line2: '4',
				city: 'Boston',
				state: 'MA',
				postal: '02110',
			},
		});
	});
	test('of a signer fill in the details, the identity checks and the external ID', async () => {
		await create({
			...ROW,
			borrower_id: 'b-1',
			borrower_dob: '1980-05-17',
			borrower_vesting: 'Non-Borrower',
			borrower_phone: '6175550123',
			borrower_identity_checks: 'selfie, sms',
			borrower_mailing_address: '12 Elm Street',
			borrower_city: 'Boston',
			borrower_state: 'Massachusetts',
			borrower_zip: 2110,
		});
		expect(lastBody().signer).toMatchObject({
			external_id: 'b-1',
			dob: '1980-05-17',
			vesting_type: 'non_borrower',
			address: { line1: '12 Elm Street', city: 'Boston', state: 'MA', postal: '02110' },
			assurance_requirement: { id_verification: { selfie: true } },
		});
	});
	test('fill in additional fields before those of the form', async () => {
		await create(
			{
				...ROW,
				'Transaction Name': 'Loan 77',
				'Paper Note': 'Yes',
				'CC Recipients': 'a@example.com, b@example.com',
				'Message to Signer': 'From the row',
				'Title Agency ID': 'or_agency_harbor',
			},
			{
				...toForm({
					message_to_signer: 'From the form',
					file_number: 'F-1',
					contacts: { row: [{ role: 'closer', email: 'c@example.com' }] },
				}),
			},
		);
		expect(lastBody()).toMatchObject({
			transaction_name: 'Loan 77',
			paper_note_consent: true,
			cc_recipient_emails: ['a@example.com', 'b@example.com'],
			message_to_signer: 'From the row',
			file_number: 'F-1',
			title_agency_id: 'or_agency_harbor',
			contacts: [{ role: 'closer', email: 'c@example.com' }],
		});
	});
	test('that say whose they are win over those that do not, which a hint names', async () => {
		const outcome = await create({
			...ROW,
			email: 'clerk@example.com',
			phone_2: '6175550199',
			'Loan Officer': 'Lee Officer',
			borrower_phone: '6175550123',
		});
		expect(lastBody().signer).toMatchObject({
			email: 'jane@example.com',
			phone_number: '6175550123',
		});
		expect(lastBody()).not.toHaveProperty('contacts');
		expect(hints(outcome)).toContain("Not used: 'email', 'phone_2', 'Loan Officer'");
	});
	test('that differ about the same are refused, equal ones are not', async () => {
		expect(await refused({ ...ROW, 'Applicant Email': 'sue@example.com' })).toMatch(
			/'Applicant Email' and 'borrower_email' are about the same, and differ.*Remove or rename/,
		);
		expect(created()).toEqual([]);
		await create({ ...ROW, 'Applicant Email': ' JANE@example.com', Borrower1Email: '' });
		expect(lastBody().signer).toMatchObject({ email: 'jane@example.com' });
	});
	test.each([
		['REFINANCE', 'refinance'],
		['Purchase, Buyer Loan', 'purchase_buyer_loan'],
		['HYBRID_REFINANCE', 'hybrid_refinance'],
		['', 'heloc'],
	])('the type "%s" is %s', async (written, expected) => {
		await create({ ...ROW, 'Closing Type': written }, { transactionType: 'heloc' });
		expect(lastBody().transaction_type).toBe(expected);
	});
	test('a type that could be several is refused', async () => {
		expect(await refused({ ...ROW, 'Closing Type': 'Purchase' })).toMatch(
			/'Closing Type' is 'Purchase', which isn't a type of closing.*Purchase, Buyer Loan; Purchase, Seller/,
		);
	});
});

describe('a row that lacks something is refused before anything is sent', () => {
	test('all that is missing is named at once', async () => {
		const text = await refused(without(ROW, 'borrower_email', 'property_city'));
		expect(text).toMatch(
			/^Heading row: 'Borrower Email' and 'Property City' can't be used\. \(1\) 'Borrower Email' has no column\. \(2\) 'Property City' has no column\. Give a column this heading, or set 'Fields From' to 'Input Items, Columns Mapped by Hand'/,
		);
		expect(await refused({ ...ROW, borrower_email: ' ', property_state: null })).toMatch(
			/'borrower_email' is empty\. .*'property_state' is empty\. Fill in the cell/,
		);
		expect(created()).toEqual([]);
	});
	test('a co-borrower without an email address', async () => {
		const couple = { co_borrower_first_name: 'Joe', co_borrower_last_name: 'Borrower' };
		expect(await refused({ ...ROW, ...couple })).toMatch(/'Borrower 2 Email' has no column/);
		expect(await refused({ ...ROW, ...couple, co_borrower_email: 'N/A' })).toMatch(
			/'co_borrower_email' is empty/,
		);
		expect(created()).toEqual([]);
	});
});

describe('a sheet', () => {
	const others = (count: number): IDataObject[] =>
		Array.from({ length: count }, (_, index) => ({ ...ROW, 'Loan #': index + 1 }));

	test('is checked as a whole before its first row is sent', async () => {
		const rows = [...others(3), { ...ROW, borrower_email: '' }, { ...ROW, property_city: '' }];
		const text = await complaint(FROM_ROW, given(rows));
		expect(text).toMatch(
			/^2 of 5 rows can't be used\. Nothing was created\. Item 4 \(Jane Borrower\): 'borrower_email' is empty\. Item 5 \(Jane Borrower\): 'property_city' is empty\. Fill in the cell, or leave the row out\. Correct the rows/,
		);
		expect(created()).toEqual([]);
	});
	test('has each row checked with the parameters of its own item', async () => {
		const kinds = ['refinance', 'purchase_seller'];
		const seller = { seller_email: 'sue@example.com', seller_first_name: 'Sue' };
		const first = { ...ROW, Kind: kinds[0] };
		const second = { ...ROW, ...seller, seller_last_name: 'Seller', Kind: kinds[1] };
		const parameters = { ...FROM_ROW, transactionType: '={{ $json.Kind }}' };
		await run(parameters, given([first, without(second, ...BORROWER)]));
		const types = created().map(({ body }) => (body as IDataObject).transaction_type);
		expect(types).toEqual(kinds);
	});
	test("goes on with the other rows if 'On Error' says so", async () => {
		const [first, third] = others(2);
		const rows = [first, { ...ROW, borrower_email: '' }, third];
		const { items: made } = await run(
			FROM_ROW,
			given(rows, { node: { onError: 'continueRegularOutput' } }),
		);
		expect(made.map(({ json }) => typeof json.error)).toEqual(['undefined', 'string', 'undefined']);
		expect(created()).toHaveLength(2);
	});
});

describe('columns that a person has mapped', () => {
	const mapped = (value: IDataObject) => ({
		...FROM_ROW,
		fieldsFrom: 'mapped',
		columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
	});
	const VALUES = {
		signer1_email: '={{ $json.Mail }}',
		signer1_first_name: 'Jane',
		signer1_last_name: 'Borrower',
		property_line1: '100 Harbor Street',
		property_city: 'Boston',
		property_state: 'Massachusetts',
		signer2_email: '={{ $json.Second }}',
		signer2_first_name: '={{ $json.Second ? "Joe" : "" }}',
		signer2_last_name: '={{ $json.Second ? "Borrower" : "" }}',
		loan_officer_email: 'lo@example.com',
	};

	test('fill in the same fields', async () => {
		const rows = [{ Mail: 'a@example.com' }, { Mail: 'b@example.com', Second: 'c@example.com' }];
		const outcome = await run(mapped(VALUES), given(rows));
		expect(outcome.items).toHaveLength(2);
		const [one, two] = created().map(({ body }) => body as any);
		expect(one).toMatchObject({
			signer: { email: 'a@example.com', external_id: 'signer-1' },
			contacts: [{ role: 'loan_officer', email: 'lo@example.com' }],
		});
		expect(two.signers.map(({ email }: IDataObject) => email)).toEqual([
			'b@example.com',
			'c@example.com',
		]);
		expect(hints(outcome)).not.toMatch(/Columns matched|Not used/);
	});
	test('and make no contact without an email address are named', async () => {
		const values = { ...VALUES, loan_officer_email: '', escrow_officer_first_name: 'Sam' };
		const outcome = await run(mapped(values), given([{ Mail: 'a@example.com' }]));
		expect(lastBody()).not.toHaveProperty('contacts');
		expect(hints(outcome)).toContain("Not used: 'Escrow Officer First Name'");
	});
	test('and lack something are named by their fields', async () => {
		const rest = without(VALUES, 'signer1_first_name');
		expect(await complaint(mapped(rest), given([{ Mail: '' }]))).toMatch(
			/^Item 1 \(Borrower\): 'Signer 1 Email' and 'Signer 1 First Name' can't be used.*Map a column that has/,
		);
		expect(created()).toEqual([]);
	});
});
