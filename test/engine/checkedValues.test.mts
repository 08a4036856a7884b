import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { borrowers, ADD_DOCUMENT, CLOSING, createClosing, id } from '../support/closing.mts';
import {
	BUSINESS,
	complaint,
	JANE,
	lastBody,
	run,
	transaction,
	UPDATE_CLOSING,
} from '../support/operations.mts';
import { credential, sandbox, useSandbox } from '../support/useSandbox.mts';

/**
 * Values beyond the service's limits (docs/service/api.md#limits): refused before anything is sent,
 * the same when a transaction is created and when it is updated.
 */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const update = (updateFields: IDataObject, transactionId = 'ot_1') => ({
	...UPDATE_CLOSING,
	transactionId: id(transactionId),
	updateFields,
});
const updateBusiness = (updateFields: IDataObject) => ({
	...update(updateFields),
	platform: 'business',
});
const signer = (more: IDataObject) => ({ row: [{ ...JANE, ...more }] });

/** Expects a complaint, and that nothing was written. */
async function refused(parameters: IDataObject, expected: RegExp): Promise<void> {
	expect(await complaint(parameters)).toMatch(expected);
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
}

describe('the address of a property', () => {
	const create = (part: string, value: string): IDataObject => ({ ...CLOSING, [part]: value });
	const change = (part: string, value: string | number) =>
		update({ street_address: { row: { [part]: value } } });
	test.each<[string, IDataObject, RegExp]>([
		[
			'create',
			create('addressState', 'Bay State'),
			/'State' is 'Bay State', which isn't a state.*two-letter/,
		],
		[
			'update',
			change('state', 'Bay State'),
			/'Address: State' is 'Bay State', which isn't.*two-letter/,
		],
		['create', create('addressZipCode', 'Boston 02110-1234'), /'Zip Code' is longer than 10/],
		['update', change('zipCode', 'Boston 02110-1234'), /'Address: Zip Code' is longer than 10/],
		[
			'create',
			create('addressZipCode', '={{ 2110 }}'),
			/'Zip Code' is '2110'.*five digits.*leading zeros/,
		],
		['update', change('zipCode', 2110), /'Address: Zip Code' is '2110'.*five digits/],
		[
			'create',
			{ ...CLOSING, additionalFields: { country: 'Freedonia' } },
			/'Property Country' is 'Freedonia', which isn't a country.*two-letter code of the country/,
		],
		['update', update({ country: 'the US' }), /'Property Country' is 'the US'.*two-letter/],
		[
			'update',
			change('line1', '={{ ({ street: "1 Main St" }) }}'),
			/'Street Address' must be text, but is an object/,
		],
	])('%s %j', async (_name, parameters, expected) => await refused(parameters, expected));
	test('an update brings it into form as a create does', async () => {
		const transactionId = await createClosing(credential());
		await run(
			update(
				{
					street_address: { row: { line1: ' 2 Main St ', state: 'massachusetts' } },
					country: 'USA',
				},
				transactionId,
			),
		);
		expect(transaction(transactionId).fields.street_address).toMatchObject({
			line1: '2 Main St',
			state: 'MA',
			country: 'US',
		});
	});
});

describe('a signer', () => {
	const LONG = 'Maximiliana Theodora Wilhelmina';
	const cases: Array<[string, IDataObject, RegExp]> = [
		['a name', { first_name: LONG }, /row 1: First Name' has 31 characters.*up to 30/],
		['a name', { last_name: LONG }, /row 1: Last Name' has 31 characters/],
		['a state', { details: { address_state: 'Mass.' } }, /row 1: State' is 'Mass\.'/],
		['a zip code', { details: { address_postal: '2110' } }, /row 1: Zip Code' is '2110'/],
		['a country', { details: { address_country: 'the US' } }, /row 1: Country' is 'the US'/],
		['an order', { details: { order: 0 } }, /row 1: Order' is '0'.*whole number from 1/],
		['an order', { details: { order: 1.5 } }, /row 1: Order' is '1.5'/],
		['a birthday', { details: { dob: '17.05.1980' } }, /row 1: Date of Birth' is '17.05.1980'/],
		[
			'a country code',
			{ phone_number: '6175550123', details: { country_code: 'US' } },
			/row 1: Phone Country Code' is 'US'.*digits/,
		],
		[
			'a capacity without entity',
			{ details: { capacity: 'Trustee' } },
			/row 1: Entity' is empty.*'Capacity'/,
		],
		[
			'an entity without capacity',
			{ details: { entity: 'Harbor Street Trust' } },
			/row 1: Capacity' is empty.*'Entity'/,
		],
		['a phone', { phone_number: 'call me' }, /row 1: Phone' is 'call me'/],
	];
	test.each(cases)('%s of a new transaction %j', async (_name, more, expected) => {
		await refused({ ...BUSINESS, signers: signer(more) }, expected);
	});
	test.each(cases)('%s of an update %j', async (_name, more, expected) => {
		await refused(updateBusiness({ signers: signer(more) }), expected);
		await refused(update({ signers: signer(more) }), expected);
	});
	test('every signer needs a phone where all authenticate by SMS', async () => {
		const signers = {
			row: [
				{ ...JANE, phone_number: '6175550123' },
				{ email: 'joe@example.com', external_id: 's2' },
			],
		};
		const fields = { authentication_requirement: 'sms' };
		const expected = /'Signers, row 2: Phone' is empty.*'Authentication Requirement'/;
		await refused({ ...BUSINESS, signers, additionalFields: fields }, expected);
		await refused(updateBusiness({ ...fields, signers }), expected);
		const { row } = signers;
		await run({ ...BUSINESS, signers: { row: [row[0]] }, additionalFields: fields });
		expect(lastBody().authentication_requirement).toBe('sms');
	});
	test('the primary signer of a closing, by its row', async () => {
		await refused(
			{ ...CLOSING, signers: borrowers({ first_name: LONG }) },
			/'Signers, row 1: First Name' has 31 characters/,
		);
		await refused(
			{ ...CLOSING, signers: borrowers({ details: { address_state: 'Mass.' } }) },
			/'Signers, row 1: State' is 'Mass\.'/,
		);
	});
	test('capacity and entity go together, also from JSON; a correction may have only one', async () => {
		const capacity = { capacity: 'Trustee', additionalJson: '{"entity": "The Trust"}' };
		await run({ ...BUSINESS, signers: signer({ details: capacity }) });
		expect(lastBody().signers).toMatchObject([{ capacity: 'Trustee', entity: 'The Trust' }]);
		const { json } = await run({ ...BUSINESS, signers: signer({ details: capacity }) });
		await run({
			resource: 'transaction',
			operation: 'correctSigner',
			settingsNotShown: 'none',
			platform: 'business',
			transactionId: id(String(json.transaction_id)),
			signerId: id('s1'),
			corrections: { details: { capacity: 'Attorney' } },
		});
		expect(transaction(json.transaction_id).signers).toMatchObject([
			{ capacity: 'Attorney', entity: 'The Trust' },
		]);
	});
	test.each([
		['a choice', { vestingType: 'non_borrower', signingRequirement: 'identify' }],
		['an expression', { vestingType: '={{ "co_owner" }}', signingRequirement: '={{ "later" }}' }],
	])('vesting type and signing requirement from %s', async (_name, details) => {
		const [vesting, requirement] = Object.values(details).map((text) =>
			text.replace(/^=\{\{ "(.*)" \}\}$/, '$1'),
		);
		await run({ ...BUSINESS, signers: signer({ details }) });
		expect(lastBody().signers).toEqual([
			{ ...JANE, vesting_type: vesting, signing_requirement: requirement },
		]);
	});
	test('a corrected one', async () => {
		const correct = {
			resource: 'transaction',
			operation: 'correctSigner',
			settingsNotShown: 'none',
			platform: 'business',
			transactionId: id('ot_1'),
			signerId: id('s1'),
		};
		await refused(
			{ ...correct, corrections: { last_name: LONG } },
			/'Corrections: Last Name' has 31 characters/,
		);
	});
	test('a name of 30 characters of any script goes', async () => {
		const { json } = await run({ ...BUSINESS, signers: signer({ first_name: '𝒜'.repeat(30) }) });
		expect(transaction(json.transaction_id).signers[0].first_name).toBe('𝒜'.repeat(30));
	});
	test('a foreign postal code of four digits goes', async () => {
		await run({
			...BUSINESS,
			signers: signer({ details: { address_postal: '8001', address_country: 'ch' } }),
		});
		expect(lastBody().signers).toMatchObject([{ address: { postal: '8001', country: 'CH' } }]);
	});
});

describe('the contacts of a closing', () => {
	const contacts = (more: IDataObject) => ({
		contacts: { row: [{ role: 'escrow_officer', email: 'sam@title.example', ...more }] },
	});
	test.each<[IDataObject, RegExp]>([
		[{ phone_number: '+44 7700 900123' }, /'Contacts, row 1: Phone' is '\+44.*ten digits/],
		[{ phone_number: '555-0100' }, /'Contacts, row 1: Phone' is '555-0100'.*ten digits/],
		[{ email: 'sam' }, /'Contacts, row 1: Email' is 'sam'.*complete email address/],
	])('%j', async (more, expected) => {
		await refused({ ...CLOSING, additionalFields: contacts(more) }, expected);
		await refused(update(contacts(more)), expected);
	});
	test.each(['(617) 555-0100', '+1 617 555 0100', '1-617-555-0100', '={{ 6175550100 }}'])(
		'the phone %s is sent as ten digits',
		async (phone) => {
			await run({ ...CLOSING, additionalFields: contacts({ phone_number: phone }) });
			expect(lastBody().contacts).toEqual([
				{ role: 'escrow_officer', email: 'sam@title.example', phone_number: '6175550100' },
			]);
		},
	);
});

describe('the details of a document', () => {
	const add = (additionalFields: IDataObject) => ({
		...ADD_DOCUMENT,
		transactionId: id('ot_1'),
		source: 'url',
		fileUrl: 'https://files.example.com/a.pdf',
		additionalFields,
	});
	const group = (more: IDataObject) => ({
		signing_designation_groups: {
			row: [{ name: 'either', min_required: 1, max_required: 1, ...more }],
		},
	});
	test.each<[IDataObject, RegExp]>([
		[group({ name: '' }), /'Designation Groups', row 1: 'Name' is empty/],
		[group({ name: 'a or b' }), /row 1: 'Name' is 'a or b'.*letters, digits/],
		[group({ name: 'x'.repeat(65) }), /row 1: 'Name' is 'x+'.*up to 64/],
		[group({ min_required: -1 }), /row 1: 'At Least' is '-1'.*whole number from 0/],
		[group({ min_required: 3 }), /row 1: 'At Most' is '1'.*from 3/],
		[group({ max_required: 1.5 }), /row 1: 'At Most' is '1.5'.*whole number/],
		[{ bundle_position: 0.5 }, /'Bundle Position' is '0.5'.*whole number from 0/],
		[
			{ notarization_required: true, identity_confirmation_required: true },
			/'Notarization Required'.*'Identity Confirmation Required'/,
		],
	])('%j', async (more, expected) => {
		await refused(add(more), expected);
	});
	test('numbers of a group may come as texts', async () => {
		sandbox.faults.add({ method: 'POST', status: 200, body: [{ id: 'do_1' }] });
		await run(add(group({ min_required: '={{ "0" }}', max_required: '={{ "2" }}' })));
		expect(lastBody().signing_designation_groups).toEqual([
			{ name: 'either', min_required: 0, max_required: 2 },
		]);
	});
	test('those of a document of a new transaction, with its row', async () => {
		const row = { source: 'url', fileUrl: 'https://files.example.com/a.pdf' };
		const details = { bundle_position: -1 };
		await refused(
			{ ...BUSINESS, signers: signer({}), documents: { row: [{ ...row, details }] } },
			/'Documents', row 1: 'Bundle Position' is '-1'/,
		);
	});
});

describe('look-ups', () => {
	const underwriters = {
		resource: 'underwriter',
		operation: 'getAll',
		transactionType: 'refinance',
		returnAll: true,
	};
	test.each([
		['in its own field', { addressState: 'ma' }],
		['by its name', { addressState: 'Massachusetts' }],
	])('the state of underwriters, %s', async (_name, more) => {
		await run({ ...underwriters, ...more });
		expect(sandbox.requests.at(-1)!.query).toEqual({
			transaction_type: 'refinance',
			state_abbreviation: 'MA',
		});
	});
	test('underwriters without a state', async () => {
		expect(await complaint({ ...underwriters, addressState: '={{ $json.state }}' })).toMatch(
			/'State' is empty/,
		);
		expect(await complaint({ ...underwriters, addressState: 'Mass.' })).toMatch(
			/'State' is 'Mass\./,
		);
		expect(sandbox.requests).toEqual([]);
	});
	test('a title agent that is not known, as a text', async () => {
		const body = { title_agent_found: 'false', eligible_title_underwriters: [{ id: 'or1' }] };
		sandbox.faults.add({ method: 'GET', status: 200, body });
		const filters = { title_agent_email: 'a@b.example' };
		const outcome = await run({ ...underwriters, addressState: 'MA', filters });
		expect(outcome.json.title_agent_found).toBe(false);
	});
	test('the address of a title agency', async () => {
		const agencies = (filters: IDataObject) => ({
			resource: 'titleAgency',
			operation: 'getAll',
			returnAll: true,
			filters,
		});
		expect(await complaint(agencies({ addressState: 'Bay State' }))).toMatch(
			/'State' is 'Bay State'/,
		);
		expect(await complaint(agencies({ addressZipCode: '2110' }))).toMatch(/'Zip Code' is '2110'/);
		expect(sandbox.requests).toEqual([]);
		await run(agencies({ addressState: 'ma', addressCountry: 'us' }));
		expect(sandbox.requests.at(-1)!.query).toEqual({
			'address[state]': 'MA',
			'address[country]': 'US',
		});
	});
});

describe('messages and recipients', () => {
	const tooLong = 'x'.repeat(30_001);
	test.each(['message_to_signer', 'message_subject', 'message_signature'])(
		'%s of more than 30,000 characters',
		async (name) => {
			const expected = /'Message.*' has 30001 characters.*up to 30000/;
			await refused({ ...BUSINESS, additionalFields: { [name]: tooLong } }, expected);
			await refused(updateBusiness({ [name]: tooLong }), expected);
		},
	);
	test('the message of a closing', async () => {
		const additionalFields = { message_to_signer: tooLong };
		await refused({ ...CLOSING, additionalFields }, /'Message to Signer' has 30001 characters/);
		await refused(update(additionalFields), /'Message to Signer' has 30001 characters/);
	});
	test('a recipient that is no email address', async () => {
		await refused(
			{ ...BUSINESS, additionalFields: { cc_recipient_emails: ['a@b.example', 'files'] } },
			/'CC Recipients' is 'files'.*complete email address/,
		);
	});
});
