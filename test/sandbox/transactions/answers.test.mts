/**
 * How transactions and signers look in answers (docs/service/transactions.md#answer-fields,
 * docs/service/transactions.md#request-names-and-answer-names,
 * docs/service/signers.md#signer-answer).
 */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	Client,
	CLOSING,
	IAL2,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const closing = async (more: object = {}): Promise<any> =>
	await client.ok('POST', '/mortgage/v1/transactions', { ...CLOSING, ...more });
const business = async (more: object = {}): Promise<any> =>
	await client.ok('POST', '/transactions', {
		draft: true,
		signers: [{ email: 'kim@example.com' }],
		...more,
	});

describe('names of the answer differ from those of the request', () => {
	test('redirect has redirect_url, redirect_msg and forced_redirect', async () => {
		expect(
			(await business({ redirect: { url: 'https://a.example/', message: 'Thank you' } })).redirect,
		).toEqual({
			redirect_url: 'https://a.example/',
			redirect_msg: 'Thank you',
			forced_redirect: false,
		});
	});
	test('chosen ids come back as objects with a name, organizations without the underscore', async () => {
		expect(
			await closing({
				recording_jurisdiction_id: 'rlboston',
				title_underwriter_id: 'or_underwriter_atlantic',
			}),
		).toMatchObject({
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
		});
	});
	test('require_secondary_id comes back as require_secondary_photo_id', async () => {
		const answer = await closing({ require_secondary_id: 'true' });
		expect(answer.require_secondary_photo_id).toBe(true);
		expect(answer).not.toHaveProperty('require_secondary_id');
		expect((await business()).require_secondary_photo_id).toBe(false);
	});
	test('a zip code comes back as postal, beside the full address', async () => {
		expect(
			(await closing({ street_address: { ...ADDRESS, zip_code: '02110' } })).street_address,
		).toEqual({
			...ADDRESS,
			line2: '',
			country: '',
			postal: '02110',
			full_address: '100 Harbor Street, Boston, MA 02110',
		});
	});
	test('signer comes back as signer_info, cosigner as cosigner_info, both also in signers', async () => {
		const answer = await closing({ cosigner: { first_name: 'Joe', last_name: 'Borrower' } });
		expect(answer.signers.map(({ first_name }: any) => first_name)).toEqual(['Jane', 'Joe']);
		expect(answer.signer_info).toEqual(answer.signers[0]);
		expect(answer.cosigner_info).toEqual(answer.signers[1]);
		expect(answer.cosigner_info.email).toBe('');
	});
	test('what is never answered: draft, suppress_email, skip_closing_ops, paper_note_consent, authentication_requirement', async () => {
		const answers = [
			await closing({ draft: true, suppress_email: true, skip_closing_ops: true }),
			await business({ suppress_email: true, authentication_requirement: 'none' }),
		];
		for (const answer of answers)
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
	test('contacts have the times of their creation and update', async () => {
		const contact = { email: 'c@example.com', role: 'closer', phone_number: '6175550123' };
		const { id, contacts } = await closing({ contacts: [contact] });
		expect(contacts).toEqual([
			{ ...contact, date_created: expect.any(String), date_updated: expect.any(String) },
		]);
		await sandbox.clock.advance(60_000);
		const [changed] = (
			await client.ok('PUT', `/mortgage/v1/transactions/${id}`, {
				contacts: [{ ...contact, role: 'attorney' }],
			})
		).contacts;
		expect(changed).toMatchObject({ role: 'attorney', date_created: contacts[0].date_created });
		expect(changed.date_updated > contacts[0].date_updated).toBe(true);
	});
});

describe('fields that are not set', () => {
	test('are left out, but some are empty: redirect {}, status_description "", lists', async () => {
		const answer = await client.ok('POST', '/mortgage/v1/transactions', {
			signer: { email: 'jane@example.com' },
		});
		expect(answer).toMatchObject({
			redirect: {},
			status_description: '',
			attachments: [],
			contacts: [],
			cc_recipient_emails: [],
			notarization_records: [],
			underwriter_override: false,
			cost: 0,
		});
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
	test('an address that is set is shown, with empty texts for its unset parts', async () => {
		expect(
			(await closing({ street_address: { city: 'Boston', state: 'MA' } })).street_address,
		).toEqual({
			line1: '',
			line2: '',
			city: 'Boston',
			state: 'MA',
			postal: '',
			country: '',
			full_address: 'Boston, MA',
		});
	});
	test('every call on a closing without an address leaves it out', async () => {
		const path = `/mortgage/v1/transactions/${await newClosing(client, {
			street_address: undefined,
			recording_jurisdiction_id: undefined,
			contacts: [{ email: 'closer@example.com', role: 'closer' }],
		})}`;
		await addDocument(client, path.split('/').at(-1)!);
		const calls: Array<[method: string, path: string, body?: object]> = [
			['GET', path],
			['PUT', path, { loan_number: '77' }],
			['POST', `${path}/place_order`],
			['POST', `${path}/send_email`],
			['POST', `${path}/send_contacts_email`],
			['POST', `${path}/recall`],
		];
		const answers = [];
		for (const call of calls) answers.push(await client.ok(...call));
		answers.push((await client.ok('GET', '/mortgage/v1/transactions')).data[0]);
		for (const answer of answers)
			for (const name of ['street_address', 'recording_jurisdiction', 'title_underwriter'])
				expect(answer).not.toHaveProperty(name);
	});
	test('without a name, business is "Untitled Transaction" and a closing its address in one line', async () => {
		expect((await business()).transaction_name).toBe('Untitled Transaction');
		expect((await closing()).transaction_name).toBe('100 Harbor Street, Boston, MA');
	});
	test('without config_id, business has notarization and a closing of type other has other', async () => {
		expect((await business()).config_id).toBe('notarization');
		expect((await closing({ transaction_type: 'other' })).config_id).toBe('other');
		expect(await closing()).not.toHaveProperty('config_id');
	});
	test('without recording_jurisdiction_id, the service looks it up; of several places it takes none', async () => {
		expect((await closing()).recording_jurisdiction.id).toBe('rlboston');
		expect(
			await closing({ street_address: { ...ADDRESS, city: 'Springfield' } }),
		).not.toHaveProperty('recording_jurisdiction');
	});
	test('with the switch, detailed_status is missing where the status is started', async () => {
		sandbox.world.settings.switches.detailedStatus = 'sometimes';
		expect(await business()).not.toHaveProperty('detailed_status');
		expect((await client.transaction(await newSent(client))).detailed_status).toBe(
			'sent_to_signer',
		);
		sandbox.world.settings.switches.detailedStatus = 'always';
		expect((await business()).detailed_status).toBe('draft');
	});
});

describe('fields that come later', () => {
	test('business has a payer and a sender', async () => {
		expect(await business()).toMatchObject({ payer: 'sender', sender_name: 'Harbor Lending' });
		expect((await business({ payer: 'signer' })).payer).toBe('signer');
	});
	test('links to the audit trail, the charge statement and the identity report', async () => {
		const id = await newSent(client, {
			signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
		});
		await sandbox.act.sign(id);
		const { audit_trail_url, charge_statement_url, identity_report, cost } =
			await client.transaction(id);
		for (const url of [audit_trail_url, charge_statement_url, identity_report.url])
			expect((await (await fetch(url)).text()).slice(0, 5)).toBe('%PDF-');
		expect(cost).toBe(2250);
		expect(await client.transaction(await newCompleted(client))).not.toHaveProperty(
			'identity_report',
		);
	});
	test('order_progress tells how far the closing team is', async () => {
		const manual = await startSandbox({ closingTeam: 'manual' });
		const other = new Client(manual);
		const progress = async (id: string) =>
			(await other.ok('GET', `/mortgage/v1/transactions/${id}`)).order_progress;
		try {
			const id = await newClosing(other);
			await addDocument(other, id);
			await other.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
			expect(await progress(id)).toBe('received');
			await manual.act.prepareForReview(id);
			expect(await progress(id)).toBe('in_qc');
			await manual.act.review(id);
			await manual.act.putOnHold(id);
			expect(await progress(id)).toBe('on_hold_other');
			await manual.act.resume(id);
			await manual.act.sendToTitleAgency(id);
			expect(await progress(id)).toBe('preparing_order');
			await manual.act.sendToSigner(id);
			expect(await progress(id)).toBeUndefined();
		} finally {
			await manual.close();
		}
	});
	test('messages lose their HTML and Markdown', async () => {
		expect(
			(
				await business({
					message_to_signer: '<b>Read</b> [this](https://a.example/) ![x](y.png)`rm`today',
				})
			).message_to_signer,
		).toBe('Read this today');
	});
});

describe('times', () => {
	test('a closing ends at 23:59:59 of its day and begins at 00:00 of it', async () => {
		const day = new Date(sandbox.clock.now() + 5 * 86_400_000).toISOString().slice(0, 10);
		expect(
			await closing({
				expiration_time: `${day}T10:30:00Z`,
				activation_time: `${day}T10:30:00+02:00`,
			}),
		).toMatchObject({
			expiration_time: `${day}T23:59:59.000Z`,
			expiry: `${day}T23:59:59.000Z`,
			activation_time: `${day}T00:00:00.000Z`,
		});
	});
	test('business keeps the times, with milliseconds; one without an offset is in the zone of the account', async () => {
		expect(
			await business({
				expiry: '2099-01-02T10:30:00+02:00',
				activation_time: '2099-01-01T09:00:00',
			}),
		).toMatchObject({
			expiry: '2099-01-02T08:30:00.000Z',
			activation_time: '2099-01-01T09:00:00.000Z',
		});
	});
});

describe('signers', () => {
	test('of a draft have an empty access link that is expired, no sdk_token and no signing_status', async () => {
		for (const { signers } of [await closing(), await business()]) {
			expect(signers[0]).toMatchObject({
				signer_id: expect.stringMatching(/^oc_/),
				link_expired: true,
				transaction_access_link: '',
				personally_known_to_notary: false,
				signatory_capacities: [],
				address: { line1: '', city: '', state: '', postal: '' },
			});
			for (const name of ['sdk_token', 'signing_status', 'phone', 'id'])
				expect(signers[0]).not.toHaveProperty(name);
		}
	});
	test('that are sent have a link of their own, which is the sdk_token, too', async () => {
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		const [a, b] = (await client.transaction(id)).signers;
		expect(a).toMatchObject({ link_expired: false, signing_status: 'incomplete' });
		expect(a.transaction_access_link).toMatch(/^http/);
		expect(a.sdk_token).toBe(a.transaction_access_link);
		expect(b.transaction_access_link).not.toBe(a.transaction_access_link);
		expect((await fetch(a.transaction_access_link)).status).toBe(200);
		await sandbox.act.complete(id);
		expect((await client.transaction(id)).signers[0].link_expired).toBe(true);
	});
	test('have vesting_type non_borrower on business and borrower on real estate, unless they are sent with one', async () => {
		expect((await business()).signers[0].vesting_type).toBe('non_borrower');
		expect((await closing()).signers[0].vesting_type).toBe('borrower');
		expect(
			(await business({ signers: [{ email: 'kim@example.com', vesting_type: 'borrower' }] }))
				.signers[0].vesting_type,
		).toBe('borrower');
	});
	test.each([
		['6175550123', { country_code: '1', number: '6175550123' }],
		['+16175550123', { country_code: '1', number: '6175550123' }],
		['+447700900123', { country_code: '44', number: '7700900123' }],
		['+3536000123', { country_code: '353', number: '6000123' }],
		// Without a + the country code is 1, whatever the digits are.
		['16175550123', { country_code: '1', number: '16175550123' }],
	])('with the phone_number %s have a phone in two parts', async (phone_number, phone) => {
		const { signers } = await business({ signers: [{ email: 'kim@example.com', phone_number }] });
		expect(signers[0].phone).toEqual(phone);
		expect(signers[0]).not.toHaveProperty('phone_number');
	});
	test('keep what else they were sent with', async () => {
		const signer = {
			email: 'kim@example.com',
			middle_name: 'Q',
			external_id: 'kim',
			dob: '1980-05-17',
			order: 1,
			capacity: 'Trustee',
			entity: 'Harbor Trust',
			assurance_requirement: IAL2,
		};
		expect((await business({ signers: [signer] })).signers[0]).toMatchObject(signer);
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
		].sort();
		const id = await newSent(client, {
			signers: [
				{
					email: 'kim@example.com',
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
				},
				{ recipient_group: { shared_inbox_email: 'desk@example.com' }, order: 2 },
			],
		});
		await sandbox.act.failSelfie(id);
		const { signers } = await client.transaction(id);
		const names = signers.map((signer: object) => Object.keys(signer).sort());
		const whenSent = [...always, 'sdk_token', 'signing_status'];
		expect(names).toEqual([[...whenSent, 'external_id', 'phone'].sort(), whenSent.sort()]);
		expect(Object.keys((await business()).signers[0]).sort()).toEqual(always);
	});
});

test('ids are understood with and without their underscore, in paths and bodies', async () => {
	const { id } = await closing({ title_agency_id: 'oragency_harbor' });
	const bare = id.replace('_', '');
	const answer = await client.ok('GET', `/mortgage/v1/transactions/${bare}`);
	expect([answer.id, answer.title_agency.name]).toEqual([id, 'Harbor Title & Escrow']);
	expect((await closing({ organization_id: 'orharbor_branch' })).organization_id).toBe(
		'or_harbor_branch',
	);
	expect(
		(await client.ok('GET', '/mortgage/v1/transactions?organization_id=orharbor_branch'))
			.total_count,
	).toBe(1);
	expect((await client.refused('GET', `/transactions/${await newDraft(client)}x`))[0]).toBe(404);
});

test('a documented-only service answers what is documented, and nothing else', async () => {
	const documented = await startSandbox({ profile: 'documented' });
	const other = new Client(documented);
	try {
		const { id, ...answer } = await other.ok('POST', '/transactions', {
			draft: true,
			transaction_name: 'Contract',
			signers: [{ email: 'kim@example.com', first_name: 'Kim', external_id: 'kim' }],
			message_to_signer: 'Please sign',
		});
		expect(answer).toEqual({
			organization_id: 'or_harbor',
			status: 'started',
			detailed_status: 'draft',
			transaction_name: 'Contract',
			date_created: expect.any(String),
			date_updated: expect.any(String),
			external_id: null,
			audit_trail_url: null,
			documents: [],
			signer_info: { email: 'kim@example.com', first_name: 'Kim' },
			signers: [{ email: 'kim@example.com', first_name: 'Kim', external_id: 'kim' }],
			notarization_record: null,
		});
		expect((await other.transaction(id)).id).toBe(id);
	} finally {
		await documented.close();
	}
});
