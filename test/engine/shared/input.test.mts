import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	borrowers,
	CLOSING,
	createClosing,
	id,
	toForm,
} from '../../support/closing.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { attempt, BUSINESS, complaint, JANE, UPDATE_CLOSING } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * What is filled in and what expressions return: values that can't be used are refused before
 * anything is sent, and what can be written in several ways reaches the service in one
 * (docs/service/api.md#limits). How single values are parsed is tested with test/unit.
 */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const closing = (more: IDataObject): IDataObject => ({ ...CLOSING, ...more });
const withFields = (fields: IDataObject) => closing(toForm(fields));
const borrower = (more: IDataObject) => closing({ signers: borrowers(more) });
const business = (fields: IDataObject) => ({ ...BUSINESS, ...toForm(fields) });
const signer = (more: IDataObject) => ({ signers: { row: [{ ...JANE, ...more }] } });
const contact = (more: IDataObject) => ({
	contacts: { row: [{ role: 'escrow_officer', email: 'sam@title.example', ...more }] },
});
const ON = { platform: 'realEstate', transactionId: id('ot_1') };
const ON_BUSINESS = { ...ON, platform: 'business' };
const update = (updateFields: IDataObject) => ({ ...UPDATE_CLOSING, ...ON, updateFields });
const updateBusiness = (updateFields: IDataObject) => ({ ...update(updateFields), ...ON_BUSINESS });
const moved = (row: IDataObject) => update({ street_address: { row } });
const correct = (corrections: IDataObject) => ({
	...UPDATE_CLOSING,
	...ON_BUSINESS,
	operation: 'correctSigner',
	signerId: id('s1'),
	corrections,
});
const FILE = { source: 'url', fileUrl: 'https://files.example.com/a.pdf' };
const add = (more: IDataObject) => ({ ...ADD_DOCUMENT, ...ON, ...FILE, ...more });
const details = (additionalFields: IDataObject) => add({ additionalFields });
const group = (more: IDataObject) => ({
	signing_designation_groups: {
		row: [{ name: 'either', min_required: 1, max_required: 1, ...more }],
	},
});
const listed = (resource: string, more: IDataObject): IDataObject => ({
	resource,
	operation: 'getAll',
	returnAll: true,
	...more,
});
const underwriters = (addressState: string) =>
	listed('underwriter', { transactionType: 'refinance', addressState });
const agencies = (filters: IDataObject) => listed('titleAgency', { filters });
const get = (more: IDataObject) => ({ resource: 'transaction', operation: 'get', ...ON, ...more });
const LONG = 'Maximiliana Theodora Wilhelmina';
const LONG_TEXT = 'x'.repeat(30_001);

/** Expects that each of them is refused with the sentence, and that nothing was asked. */
async function refused(expected: RegExp, ...all: IDataObject[]): Promise<void> {
	await forEachCase(all, async (parameters) =>
		expect(await complaint(parameters)).toMatch(expected),
	);
	expect(sandbox.requests).toEqual([]);
}

describe("what can't be used is refused before anything is sent", () => {
	test.each<[RegExp, IDataObject, ...IDataObject[]]>([
		[/'Transaction' is empty: its expression/, get({ transactionId: id('={{ $json.nothing }}') })],
		[/'Platform' is 'Business'.*realEstate, business/, get({ platform: 'Business' })],
		[/'State' is 'Bay State', which isn't.*two-letter/, closing({ addressState: 'Bay State' })],
		[/'Address: State' is 'Bay State'.*two-letter/, moved({ state: 'Bay State' })],
		[/'Zip Code' is longer than 10/, closing({ addressZipCode: 'Boston 02110-1234' })],
		[/'Zip Code' is '2110'.*five digits.*zeros/, closing({ addressZipCode: '={{ 2110 }}' })],
		[/'Address: Zip Code' is '2110'.*five digits/, moved({ zipCode: 2110 })],
		[/'Street Address' must be text, but is an object/, moved({ line1: '={{ ({ a: 1 }) }}' })],
		[
			/'Property Country' is 'Freedonia', which isn't a country.*two-letter/,
			withFields({ country: 'Freedonia' }),
			update({ country: 'Freedonia' }),
		],
		[/'Additional Fields \(JSON\)' is not a JSON object/, withFields({ additionalJson: '[1]' })],
		[/'Signers, entry 1: Email' is empty/, borrower({ email: '={{ $json.email }}' })],
		[/'Signers, entry 1: Phone' is empty/, borrower({ identityChecks: ['sms'], phone_number: '' })],
		[
			/entry 1: Identity Checks' holds 'kba'.*selfie, knowledge, sms/,
			borrower({ identityChecks: '={{ ["kba"] }}' }),
		],
		[
			/entry 1: Phone Country Code' has no phone number.*'Phone'/,
			borrower({ phone_number: '', details: { country_code: '1' } }),
		],
		[/'Corrections: Last Name' has 31 characters/, correct({ last_name: LONG })],
		[/'Expiration' is 'next Tuesday'.*year-month-day/, business({ expiry: 'next Tuesday' })],
		[/'CC Recipients' is 'files'/, business({ cc_recipient_emails: ['a@b.example', 'files'] })],
		[
			/'Documents', entry 1: 'Source' is 'File'/,
			{ ...BUSINESS, documents: { row: [{ source: 'File' }] } },
		],
		[
			/'Documents', entry 1: 'Bundle Position' is '-1'/,
			{ ...BUSINESS, documents: { row: [{ ...FILE, details: { bundle_position: -1 } }] } },
		],
		[/'Source' is 'URL'.*binary.*url/, add({ source: 'URL' })],
		[/'Where to Sign' is 'JSON'.*json, /, add({ whereToSign: 'JSON' })],
		[/'Designation Groups', entry 1: 'Name' is empty/, details(group({ name: '' }))],
		[/entry 1: 'Name' is 'a or b'.*letters, digits/, details(group({ name: 'a or b' }))],
		[/entry 1: 'Name' is 'x+'.*up to 64/, details(group({ name: 'x'.repeat(65) }))],
		[/entry 1: 'At Least' is '-1'.*from 0/, details(group({ min_required: -1 }))],
		[/entry 1: 'At Most' is '1'.*from 3/, details(group({ min_required: 3 }))],
		[/entry 1: 'At Most' is '1.5'.*whole/, details(group({ max_required: 1.5 }))],
		[/'Bundle Position' is '0.5'.*whole number from 0/, details({ bundle_position: 0.5 })],
		[
			/'Notarization Required'.*'Identity Check Required'/,
			details({ notarization_required: true, identity_confirmation_required: true }),
		],
		[/'State' is empty/, underwriters('={{ $json.state }}')],
		[/'State' is 'Bay State/, underwriters('Bay State')],
		[/'State' is 'Bay State'/, agencies({ addressState: 'Bay State' })],
		[/'Zip Code' is '2110'/, agencies({ addressZipCode: '2110' })],
	])('%s', refused);
	test('messages of more than 30,000 characters', async () => {
		const expected = /'Message.*' has 30001 characters.*up to 30000/;
		for (const name of ['message_to_signer', 'message_subject', 'message_signature'])
			await refused(
				expected,
				business({ [name]: LONG_TEXT }),
				updateBusiness({ [name]: LONG_TEXT }),
			);
		const fields = { message_to_signer: LONG_TEXT };
		await refused(expected, withFields(fields), update(fields));
	});
	test.each<[RegExp, IDataObject]>([
		[/First Name' has 31 characters.*up to 30/, { first_name: LONG }],
		[/Last Name' has 31 characters/, { last_name: LONG }],
		[/Phone' is 'call me'.*6175550123/, { phone_number: 'call me' }],
		[/Phone' is '999-999-9999', which no phone has/, { phone_number: '999-999-9999' }],
		[/Email' is 'jane@example\.com\.', which isn't/, { email: 'jane@example.com.' }],
		[/Email' is 'jane@example\.\.com', which isn't/, { email: 'jane@example..com' }],
		[
			/Email' is .*in which '\u0430' is a letter of another alphabet/,
			{ email: 'j\u0430ne@example.com' },
		],
		[/Shared Inbox' is 'x@y', which/, { email: '', details: { shared_inbox_email: 'x@y' } }],
		[/State' is 'Bay State'/, { details: { address_state: 'Bay State' } }],
		[/Zip Code' is '2110'/, { details: { address_postal: '2110' } }],
		[/Country' is 'the US'/, { details: { address_country: 'the US' } }],
		[/Order' is '0'.*whole number from 1/, { details: { order: 0 } }],
		[/Date of Birth' is '17.05.1980'/, { details: { dob: '17.05.1980' } }],
		[
			/Phone Country Code' is 'US'.*digits/,
			{ phone_number: '6175550123', details: { country_code: 'US' } },
		],
		[/Entity' is empty.*'Capacity'/, { details: { capacity: 'Trustee' } }],
		[/Capacity' is empty.*'Entity'/, { details: { entity: 'Harbor Street Trust' } }],
	])('a signer of a new or an updated transaction: %s', async (expected, more) => {
		const inRow = new RegExp(`'Signers, entry 1: ${expected.source}`);
		const signers = signer(more);
		await refused(inRow, { ...BUSINESS, ...signers }, updateBusiness(signers), update(signers));
	});
	test('signers without a phone where all authenticate by SMS', async () => {
		const row = [{ ...JANE, phone_number: '6175550123' }, { email: 'joe@example.com' }];
		const fields = { authentication_requirement: 'sms' };
		await refused(
			/'Signers, entry 2: Phone' is empty.*'Authentication Requirement'/,
			{ ...business(fields), signers: { row } },
			updateBusiness({ ...fields, signers: { row } }),
		);
	});
	test.each<[RegExp, IDataObject]>([
		[/'Contacts, entry 1: Phone' is '\+44.*ten digits/, { phone_number: '+44 7700 900123' }],
		[/'Contacts, entry 1: Phone' is '555-0100'.*ten/, { phone_number: '555-0100' }],
		[
			/'Contacts, entry 1: Phone' is '\(000\) 000-0000', which no/,
			{ phone_number: '(000) 000-0000' },
		],
		[/'Contacts, entry 1: Email' is 'sam'.*complete email address/, { email: 'sam' }],
	])('a contact of a closing: %s', async (expected, more) => {
		await refused(expected, withFields(contact(more)), update(contact(more)));
	});
});

describe('what can be written in several ways reaches the service in one', () => {
	/** Runs an operation, and gives the body and the query that the service was sent. */
	async function sent(parameters: IDataObject, method: string) {
		sandbox.requests.length = 0;
		const { error } = await attempt(parameters);
		expect(error?.message).toBeUndefined();
		return sandbox.requests.filter((request) => request.method === method).at(-1)!;
	}
	const address = { address_postal: '8001', address_country: 'ch' };
	const trustee = { capacity: 'Trustee', additionalJson: '{"entity": "The Trust"}' };
	const choices = { vestingType: 'non_borrower', signingRequirement: '={{ "later" }}' };
	const TOKYO = `={{ DateTime.fromISO('2027-07-15T17:00:00', { zone: 'Asia/Tokyo' }) }}`;
	test.each<[string, IDataObject, IDataObject]>([
		// The workflow's zone is America/New_York.
		[
			'a local time',
			business({ expiry: '2027-01-15T17:00:00' }),
			{ expiry: '2027-01-15T17:00:00-05:00' },
		],
		[
			'a time of an expression',
			business({ expiry: TOKYO }),
			{ expiry: '2027-07-15T17:00:00+09:00' },
		],
		[
			'days, which are included',
			business({ expiry: '2027-03-05', activation_time: '2027-03-01' }),
			{ expiry: '2027-03-05T23:59:59-05:00', activation_time: '2027-03-01T00:00:00-05:00' },
		],
		[
			'the last day of a closing',
			withFields({ expiration_time: '2027-03-05' }),
			{ expiration_time: '2027-03-05T23:59:59-05:00' },
		],
		[
			'identity checks as text',
			borrower({ identityChecks: '={{ "selfie, SMS" }}' }),
			{
				signer: {
					assurance_requirement: {
						id_verification: { selfie: true },
						knowledge_based_authentication: false,
						multi_factor_authentication: { type: 'sms' },
					},
				},
			},
		],
		[
			'the phone of a signer',
			borrower({ phone_number: '617/555‑0123', details: { country_code: '+1' } }),
			{
				signer: {
					phone_number: '6175550123',
					phone: { country_code: '1', number: '6175550123' },
				},
			},
		],
		[
			'an address that was copied with its link and marks',
			borrower({ email: '\u202Amailto:jane@example.com\u202C\u200B' }),
			{ signer: { email: 'jane@example.com' } },
		],
		[
			'addresses of copies and contacts',
			withFields({
				...contact({ email: '={{ "mailto:sam@example.com" }}' }),
				cc_recipient_emails: 'mailto:a@example.com, b@example.com\u200B',
			}),
			{
				contacts: [expect.objectContaining({ email: 'sam@example.com' })],
				cc_recipient_emails: ['a@example.com', 'b@example.com'],
			},
		],
		[
			'a phone as it is dialed from abroad',
			borrower({ phone_number: '001-212-555-1111', details: { country_code: '+1' } }),
			{ signer: { phone: { country_code: '1', number: '2125551111' } } },
		],
		[
			'the phone of a contact',
			withFields(contact({ phone_number: '={{ "+1 (617) 555-0100" }}' })),
			{ contacts: [expect.objectContaining({ phone_number: '6175550100' })] },
		],
		[
			'a phone for all',
			{
				...business({ authentication_requirement: 'sms' }),
				...signer({ phone_number: '6175550123' }),
			},
			{ authentication_requirement: 'sms' },
		],
		[
			'a name of 30 characters of any script',
			{ ...BUSINESS, ...signer({ first_name: '𝒜'.repeat(30) }) },
			{ signers: [expect.objectContaining({ first_name: '𝒜'.repeat(30) })] },
		],
		[
			'a foreign postal code of four digits',
			{ ...BUSINESS, ...signer({ details: address }) },
			{ signers: [expect.objectContaining({ address: { postal: '8001', country: 'CH' } })] },
		],
		[
			'a capacity whose entity is in JSON',
			{ ...BUSINESS, ...signer({ details: trustee }) },
			{ signers: [expect.objectContaining({ capacity: 'Trustee', entity: 'The Trust' })] },
		],
		[
			'choices of a signer',
			{ ...BUSINESS, ...signer({ details: choices }) },
			{ signers: [{ ...JANE, vesting_type: 'non_borrower', signing_requirement: 'later' }] },
		],
	])('%s', async (_name, parameters, expected) => {
		expect((await sent(parameters, 'POST')).body).toMatchObject(expected);
	});
	test('the address of a closing that is updated', async () => {
		const transactionId = id(await createClosing(credential()));
		const row = { line1: ' 2 Main St ', state: 'massachusetts' };
		const parameters = { ...update({ street_address: { row }, country: 'USA' }), transactionId };
		expect((await sent(parameters, 'PUT')).body).toMatchObject({
			street_address: { line1: '2 Main St', state: 'MA', country: 'US' },
		});
	});
	test('the phone that an SMS goes to', async () => {
		const resend = { resource: 'transaction', operation: 'resendSms', ...ON_BUSINESS };
		await attempt({ ...resend, phoneNumber: '7700 900123', phoneCountryCode: '+44' });
		expect(sandbox.requests.at(-1)).toMatchObject({
			query: { phone: '+447700900123', phone_number: '+447700900123' },
			body: { phone: { country_code: '44', number: '7700900123' } },
		});
	});
	test('a correction of the capacity alone', async () => {
		await attempt(correct({ details: { capacity: 'Attorney' } }));
		expect(sandbox.requests).not.toEqual([]);
	});
	test('numbers of a designation group', async () => {
		sandbox.faults.add({ method: 'POST', status: 200, body: [{ id: 'do_1' }] });
		const texts = details(group({ min_required: '={{ "0" }}', max_required: '={{ "2" }}' }));
		expect((await sent(texts, 'POST')).body).toMatchObject({
			signing_designation_groups: [{ name: 'either', min_required: 0, max_required: 2 }],
		});
	});
	test('states and countries of look-ups', async () => {
		await forEachCase(['ma', 'Massachusetts'], async (state) =>
			expect((await sent(underwriters(state), 'GET')).query).toEqual({
				transaction_type: 'refinance',
				state_abbreviation: 'MA',
			}),
		);
		const there = agencies({ addressState: 'ma', addressCountry: 'us' });
		expect((await sent(there, 'GET')).query).toEqual({
			'address[state]': 'MA',
			'address[country]': 'US',
		});
	});
});

describe('a transaction that nobody has chosen', () => {
	const operation = (value: string) => ({
		resource: 'transaction',
		operation: value,
		platform: 'realEstate',
	});
	const itemOf = async () => ({ json: { transaction_id: await createClosing(credential()) } });

	test('is that of the item', async () => {
		const items = [await itemOf(), await itemOf()];
		const outcome = await attempt(operation('get'), { items });
		expect(outcome.items.map(({ json }) => json.transaction_id)).toEqual(
			items.map(({ json }) => json.transaction_id),
		);
	});
	test('has to be chosen for a deletion', async () => {
		const deletion = attempt(operation('delete'), { items: [await itemOf()] });
		await expect(deletion).rejects.toThrow(/"Transaction" is required/);
	});
	test('is named in the failure where the item has none', async () => {
		await refused(/^'Transaction' is empty/, operation('get'));
	});
});
