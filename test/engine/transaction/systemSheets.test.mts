import type { IDataObject } from 'n8n-workflow';

import { attempt } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';
import { readSheets } from './sheets/playRow.mts';

/**
 * Sheets with the headings of 25 systems. Their rows and what is expected of them were written by
 * somebody who hadn't seen the code. What isn't certain may be refused or left out; nothing may reach
 * another person, another property or another number.
 */

useSandbox();

interface Expected extends IDataObject {
	signers?: IDataObject[];
	street_address?: IDataObject;
	loan_number?: string | null;
	refused?: string;
	refusal_ok?: boolean;
	/** Where what was expected isn't certain: what is right instead, and why. */
	decided?: { refusal?: boolean; line2?: null; why: string };
}
interface SystemSheet {
	system: string;
	assumed_type: string;
	rows: IDataObject[];
	expected: Expected[];
}

const FIXTURE = new URL('../../fixtures/rows/systems.json', import.meta.url);
const TYPES: Array<[RegExp, string]> = [
	[/^purchase, buyer/, 'purchase_buyer_loan'],
	[/^HELOC/, 'heloc'],
	[/^loan mod/, 'loan_mod_borrower'],
	[/^refinance/, 'refinance'],
];
const CASES = readSheets<SystemSheet[]>(FIXTURE).flatMap((sheet) =>
	sheet.rows.map(
		(row, index) =>
			[`${sheet.system}, row ${index + 1}`, sheet, row, sheet.expected[index]] as const,
	),
);

const toText = (value: unknown) => String(value ?? '').toLowerCase();
const listNames = ({ first_name: first, last_name: last, email }: IDataObject) =>
	[first, last, email].map(toText).join(' ');
/** Digits of a phone without the country code. */
const listPhones = (people: IDataObject[], name: string) =>
	people.map((person) =>
		toText(person[name])
			.replace(/\D/g, '')
			.replace(/^1(?=\d{10}$)/, ''),
	);
/** Street and unit as one text, and the five digits of the zip code. */
const toPlace = ({ line1, line2, city, state, zip_code: zip }: IDataObject) => [
	[line1, line2].map(toText).join(' ').trim(),
	toText(city),
	toText(state),
	toText(zip).slice(0, 5),
];

test.each(CASES)('%s', async (_name, sheet, row, expected) => {
	sandbox.requests.splice(0);
	const outcome = await attempt(
		{
			resource: 'transaction',
			operation: 'createClosing',
			fieldsFrom: 'row',
			transactionType: TYPES.find(([words]) => words.test(sheet.assumed_type))![1],
			ifExists: 'another',
			additionalFields: {},
		},
		{ items: [{ json: row }] },
	);
	const said = `${outcome.error?.message}. ${outcome.error?.description}`;
	const [body] = sandbox.requests
		.filter(({ method }) => method === 'POST')
		.map((request) => request.body as IDataObject);
	const { signers = [], street_address: place = {}, loan_number: number } = expected;
	if (expected.refused !== undefined || body === undefined) {
		const mayRefuse = [expected.refused, expected.refusal_ok, expected.decided?.refusal];
		expect([said, body]).toEqual([said, undefined]);
		expect([said, mayRefuse.some(Boolean)]).toEqual([said, true]);
		return;
	}
	const people = (body.signers as IDataObject[] | undefined) ?? [body.signer as IDataObject];
	expect(people.map(listNames)).toEqual(signers.map(listNames));
	const phones = listPhones(signers, 'phone');
	for (const [index, phone] of listPhones(people, 'phone_number').entries())
		expect(['', phones[index]]).toContain(phone);
	expect(toPlace(body.street_address as IDataObject)).toEqual(
		toPlace(expected.decided?.line2 === null ? { ...place, line2: '' } : place),
	);
	expect([number, undefined]).toContain(body.loan_number);
});
