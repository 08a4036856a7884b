/**
 * How transactions and signers look in answers (docs/service/transactions.md#answer-fields,
 * docs/service/transactions.md#request-names-and-answer-names,
 * docs/service/signers.md#signer-answer).
 */

import { describe, expect, test } from '@jest/globals';

import {
	addDocument,
	ADDRESS,
	B,
	CLOSING,
	download,
	IAL2,
	newClosing,
	newCompleted,
	newSent,
	R,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const KIM = { email: 'kim@example.com' };
const closing = async (more: object = {}): Promise<any> =>
	await client.ok('POST', R, { ...CLOSING, ...more });
const business = async (more: object = {}): Promise<any> =>
	await client.ok('POST', B, { draft: true, signers: [KIM], ...more });
/** Times of the sandbox's clock. */
const inDays = (days: number) => new Date(sandbox.clock.now() + days * 86_400_000).toISOString();

describe('what was sent comes back', () => {
	const address = { ...ADDRESS, line2: '', country: '', postal: '' };
	test.each<[string, object, object]>([
		[
			'redirect, with other names',
			{ redirect: { url: 'https://a.example/', message: 'Thank you' } },
			{
				redirect: {
					redirect_url: 'https://a.example/',
					redirect_msg: 'Thank you',
					forced_redirect: false,
				},
			},
		],
		[
			'messages, without HTML and Markdown',
			{ message_to_signer: '<b>Read</b> [this](https://a.example/) ![x](y.png)`rm`today' },
			{ message_to_signer: 'Read this today' },
		],
		['the payer', { payer: 'signer' }, { payer: 'signer', sender_name: 'Harbor Lending' }],
		[
			'times with milliseconds, and without an offset in the zone of the account',
			{ expiry: '2099-01-02T10:30:00+02:00', activation_time: '2099-01-01T09:00:00' },
			{ expiry: '2099-01-02T08:30:00.000Z', activation_time: '2099-01-01T09:00:00.000Z' },
		],
		[
			'fields of signers',
			{ signers: [{ ...KIM, middle_name: 'Q', external_id: 'kim', dob: '1980-05-17', order: 1 }] },
			{ signers: [{ ...KIM, middle_name: 'Q', external_id: 'kim', dob: '1980-05-17', order: 1 }] },
		],
		[
			'what signers sign for, and how they show who they are',
			{ signers: [{ ...KIM, capacity: 'Trustee', entity: 'Trust', assurance_requirement: IAL2 }] },
			{ signers: [{ ...KIM, capacity: 'Trustee', entity: 'Trust', assurance_requirement: IAL2 }] },
		],
	])('business: %s', async (_name, sent, answered) => {
		expect(await business(sent)).toMatchObject(answered);
	});
	test.each<[string, object, object]>([
		[
			'require_secondary_id, as require_secondary_photo_id',
			{ require_secondary_id: 'true' },
			{ require_secondary_photo_id: true, require_secondary_id: undefined },
		],
		[
			'a zip code, as postal, beside the full address',
			{ street_address: { ...ADDRESS, zip_code: '02110' } },
			{
				street_address: {
					...address,
					postal: '02110',
					full_address: '100 Harbor Street, Boston, MA 02110',
				},
			},
		],
		[
			'an address, with empty texts for its unset parts',
			{ street_address: { city: 'Boston', state: 'MA' } },
			{ street_address: { ...address, line1: '', full_address: 'Boston, MA' } },
		],
		[
			'chosen ids, as objects with a name, organizations without the underscore',
			{ recording_jurisdiction_id: 'rlboston', title_underwriter_id: 'or_underwriter_atlantic' },
			{
				organization_id: 'or_harbor',
				lender: { id: 'orharbor', name: 'Harbor Lending' },
				title_agency: {
					id: 'oragency_harbor',
					name: 'Harbor Title & Escrow',
					company_notaries: true,
				},
				title_underwriter: { id: 'orunderwriter_atlantic', name: 'Atlantic Title Insurance' },
				recording_jurisdiction: {
					id: 'rlboston',
					name: 'Boston County',
					state: 'MA',
					recording_type: 'electronic',
				},
			},
		],
	])('real estate: %s', async (_name, sent, answered) => {
		const answer = await closing(sent);
		for (const [name, value] of Object.entries(answered))
			if (value === undefined) expect(answer).not.toHaveProperty(name);
			else expect(answer[name]).toEqual(value);
	});
	test('signer as signer_info, cosigner as cosigner_info, both also in signers', async () => {
		const answer = await closing({ cosigner: { first_name: 'Joe', last_name: 'Borrower' } });
		expect(answer.signers.map(({ first_name }: any) => first_name)).toEqual(['Jane', 'Joe']);
		expect([answer.signer_info, answer.cosigner_info]).toEqual(answer.signers);
	});
	test('contacts, with the times of their creation and update', async () => {
		const contact = { email: 'c@example.com', role: 'closer', phone_number: '6175550123' };
		const times = { date_created: expect.any(String), date_updated: expect.any(String) };
		const { id, contacts } = await closing({ contacts: [contact] });
		expect(contacts).toEqual([{ ...contact, ...times }]);
		await sandbox.clock.advance(60_000);
		const body = { contacts: [{ ...contact, role: 'attorney' }] };
		const [changed] = (await client.ok('PUT', `${R}/${id}`, body)).contacts;
		expect(changed).toMatchObject({ role: 'attorney', date_created: contacts[0].date_created });
		expect(changed.date_updated > contacts[0].date_updated).toBe(true);
	});
	test('a closing ends at 23:59:59 of its day and begins at 00:00 of it', async () => {
		const day = inDays(5).slice(0, 10);
		const [expiration_time, activation_time] = [`${day}T10:30:00Z`, `${day}T10:30:00+02:00`];
		expect(await closing({ expiration_time, activation_time })).toMatchObject({
			expiration_time: `${day}T23:59:59.000Z`,
			expiry: `${day}T23:59:59.000Z`,
			activation_time: `${day}T00:00:00.000Z`,
		});
	});
	test('never draft, suppress_email, skip_closing_ops, paper_note_consent and the ids', async () => {
		for (const answer of [
			await closing({ draft: true, suppress_email: true, skip_closing_ops: true }),
			await business({ suppress_email: true, authentication_requirement: 'none' }),
		])
			for (const name of [
				'draft',
				'suppress_email',
				'skip_closing_ops',
				'paper_note_consent',
				'authentication_requirement',
				'recording_jurisdiction_id',
				'title_agency_id',
				'signer',
			])
				expect(answer).not.toHaveProperty(name);
	});
});

describe('fields that are not set', () => {
	test('are left out, but some are empty: redirect {}, status_description "", lists', async () => {
		const empty = {
			redirect: {},
			status_description: '',
			attachments: [],
			contacts: [],
			cc_recipient_emails: [],
			notarization_records: [],
			underwriter_override: false,
			cost: 0,
		};
		const answer = await client.ok('POST', R, { signer: KIM });
		expect(answer).toMatchObject(empty);
		for (const name of [
			'activation_time',
			'audit_trail_url',
			'cosigner_info',
			'expiration_time',
			'expiry',
			'external_id',
			'file_number',
			'loan_number',
			'message_to_signer',
			'notarization_record',
			'order_progress',
			'recall_reason',
			'recording_jurisdiction',
			'street_address',
			'title_agency',
			'title_underwriter',
			'transaction_name',
			'transaction_type',
		])
			expect(answer).not.toHaveProperty(name);
	});
	test('every call on a closing without an address leaves it out', async () => {
		const id = await newClosing(client, {
			street_address: undefined,
			contacts: [{ email: 'closer@example.com', role: 'closer' }],
		});
		await addDocument(client, id);
		const answers = [(await client.ok('GET', R)).data[0]];
		for (const [method, call, body] of [
			['GET', ''],
			['PUT', '', { loan_number: '77' }],
			['POST', '/place_order'],
			['POST', '/send_email'],
			['POST', '/send_contacts_email'],
			['POST', '/recall'],
		] as const)
			answers.push(await client.ok(method, `${R}/${id}${call}`, body));
		for (const answer of answers)
			for (const name of ['street_address', 'recording_jurisdiction', 'title_underwriter'])
				expect(answer).not.toHaveProperty(name);
	});
	test('have defaults: names, config_id, payer, and the only recording jurisdiction', async () => {
		expect(await business()).toMatchObject({
			transaction_name: 'Untitled Transaction',
			config_id: 'notarization',
			payer: 'sender',
			require_secondary_photo_id: false,
		});
		const found = await closing();
		expect(found.transaction_name).toBe('100 Harbor Street, Boston, MA');
		expect(found.recording_jurisdiction.id).toBe('rlboston');
		expect(found).not.toHaveProperty('config_id');
		expect((await closing({ transaction_type: 'other' })).config_id).toBe('other');
		// Of several places it takes none.
		const springfield = { street_address: { ...ADDRESS, city: 'Springfield' } };
		expect(await closing(springfield)).not.toHaveProperty('recording_jurisdiction');
	});
	test('with the switch, detailed_status is missing where the status is started', async () => {
		sandbox.world.settings.switches.detailedStatus = 'sometimes';
		expect(await business()).not.toHaveProperty('detailed_status');
		expect(await client.state(await newSent(client))).toBe('sent sent_to_signer');
	});
});

test('links to the audit trail, the charge statement and the identity report', async () => {
	const signers = [{ ...KIM, assurance_requirement: IAL2 }];
	const id = await newSent(client, { signers });
	await sandbox.act.sign(id);
	const { audit_trail_url, charge_statement_url, identity_report, cost } =
		await client.transaction(id);
	for (const url of [audit_trail_url, charge_statement_url, identity_report.url])
		expect((await download(url)).bytes.toString('latin1', 0, 5)).toBe('%PDF-');
	expect(cost).toBe(2250);
	const unasked = await client.transaction(await newCompleted(client));
	expect(unasked).not.toHaveProperty('identity_report');
});

describe('signers', () => {
	test('of a draft have an empty access link that is expired, no sdk_token and no signing_status', async () => {
		for (const [{ signers }, vesting_type] of [
			[await closing(), 'borrower'],
			[await business(), 'non_borrower'],
			[await business({ signers: [{ ...KIM, vesting_type: 'borrower' }] }), 'borrower'],
		]) {
			expect(signers[0]).toMatchObject({
				signer_id: expect.stringMatching(/^oc_/),
				link_expired: true,
				transaction_access_link: '',
				personally_known_to_notary: false,
				signatory_capacities: [],
				address: { line1: '', city: '', state: '', postal: '' },
				vesting_type,
			});
			for (const name of ['sdk_token', 'signing_status', 'phone', 'id'])
				expect(signers[0]).not.toHaveProperty(name);
		}
	});
	test('that are sent have a link of their own, which is the sdk_token, too', async () => {
		const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		const id = await newSent(client, { signers });
		const [a, b] = (await client.transaction(id)).signers;
		expect(a).toMatchObject({ link_expired: false, signing_status: 'incomplete' });
		expect((await download(a.transaction_access_link)).status).toBe(200);
		expect(a.sdk_token).toBe(a.transaction_access_link);
		expect(b.transaction_access_link).not.toBe(a.transaction_access_link);
		await sandbox.act.complete(id);
		expect((await client.transaction(id)).signers[0].link_expired).toBe(true);
	});
	test.each([
		['6175550123', '1', '6175550123'],
		['+16175550123', '1', '6175550123'],
		['+447700900123', '44', '7700900123'],
		['+3536000123', '353', '6000123'],
		// Without a + the country code is 1, whatever the digits are.
		['16175550123', '1', '16175550123'],
	])('with the phone_number %s have a phone in two parts', async (sent, country_code, number) => {
		const { signers } = await business({ signers: [{ ...KIM, phone_number: sent }] });
		expect(signers[0].phone).toEqual({ country_code, number });
		expect(signers[0]).not.toHaveProperty('phone_number');
	});
	test('with the switch, have only the fields that an example has', async () => {
		sandbox.world.settings.switches.schemaOnlySigners = 'hidden';
		const always = [
			'signer_id',
			'email',
			'first_name',
			'last_name',
			'address',
			'link_expired',
			'personally_known_to_notary',
			'signatory_capacities',
			'transaction_access_link',
			'vesting_type',
		];
		const full = {
			...KIM,
			middle_name: 'Q',
			external_id: 'kim',
			phone_number: '6175550123',
			dob: '1980-05-17',
			order: 1,
			notary_id: 'us_nora_notary',
			capacity: 'Trustee',
			entity: 'Harbor Trust',
			signing_requirement: 'esign',
			suppress_communications: true,
			assurance_requirement: IAL2,
			primary_id_allow_list_by_country: { US: ['passport'] },
			verify_tool_configuration: { requirement: 'run' },
		};
		const group = { recipient_group: { shared_inbox_email: 'desk@example.com' }, order: 2 };
		const id = await newSent(client, { signers: [full, group] });
		await sandbox.act.failSelfie(id);
		const namesOf = ({ signers }: any) => signers.map((found: object) => Object.keys(found).sort());
		const sent = [...always, 'sdk_token', 'signing_status'];
		expect(namesOf(await client.transaction(id))).toEqual([
			[...sent, 'external_id', 'phone'].sort(),
			sent.sort(),
		]);
		expect(namesOf(await business())).toEqual([always.sort()]);
	});
});

test('a documented-only service answers what is documented, and nothing else', async () => {
	await withDocumented(async (other) => {
		const kim = { ...KIM, first_name: 'Kim', external_id: 'kim' };
		const body = { draft: true, transaction_name: 'Contract', message_to_signer: 'Please sign' };
		expect(await other.ok('POST', B, { ...body, signers: [kim] })).toEqual({
			id: expect.any(String),
			organization_id: 'or_harbor',
			status: 'started',
			detailed_status: 'draft',
			transaction_name: 'Contract',
			date_created: expect.any(String),
			date_updated: expect.any(String),
			external_id: null,
			audit_trail_url: null,
			documents: [],
			signer_info: { ...KIM, first_name: 'Kim' },
			signers: [kim],
			notarization_record: null,
		});
	});
});
