/**
 * How transactions and signers look in answers (docs/service/transactions.md#answer-fields,
 * docs/service/transactions.md#request-names-and-answer-names,
 * docs/service/signers.md#signer-answer).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import { B, download, IAL2, newSent, R } from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const KIM = { email: 'kim@example.com' };
const business = async (more: object = {}): Promise<any> =>
	await client.ok('POST', B, { draft: true, signers: [KIM], ...more });

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
		forEachCase(
			[
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
			],
			(name) => expect(answer).not.toHaveProperty(name),
		);
	});
	test('with the switch, detailed_status is missing where the status is started', async () => {
		sandbox.world.settings.switches.detailedStatus = 'sometimes';
		expect(await business()).not.toHaveProperty('detailed_status');
		expect(await client.state(await newSent(client))).toBe('sent sent_to_signer');
	});
});

describe('signers', () => {
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
		const always =
			'signer_id email first_name last_name address link_expired personally_known_to_notary signatory_capacities transaction_access_link vesting_type';
		const full = {
			...KIM,
			external_id: 'kim',
			phone_number: '6175550123',
			dob: '1980-05-17',
			order: 1,
			capacity: 'Trustee',
			entity: 'Harbor Trust',
			signing_requirement: 'esign',
			assurance_requirement: IAL2,
		};
		const group = { recipient_group: { shared_inbox_email: 'desk@example.com' }, order: 2 };
		const id = await newSent(client, { signers: [full, group] });
		await sandbox.act.failSelfie(id);
		const namesOf = ({ signers }: any) => signers.map((found: object) => Object.keys(found).sort());
		const sent = [...always.split(' '), 'sdk_token', 'signing_status'];
		expect(namesOf(await client.transaction(id))).toEqual([
			[...sent, 'external_id', 'phone'].sort(),
			sent.sort(),
		]);
		expect(namesOf(await business())).toEqual([always.split(' ').sort()]);
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
