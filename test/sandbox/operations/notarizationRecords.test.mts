/**
 * Notarization records and the recording (docs/service/notarization.md#notarization-record,
 * docs/service/notarization.md#meeting-video).
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { addDocument, Client, newClosing, newCompleted, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

let documented: Sandbox;
let documentedClient: Client;
beforeAll(async () => {
	documented = await startSandbox({ profile: 'documented' });
	documentedClient = new Client(documented);
});
afterAll(async () => await documented.close());

const link = expect.stringMatching(/^http/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
const PICTURES = { primary_front: link, primary_back: link, secondary_front: link };
const IDENTIFICATION = {
	...PICTURES,
	primary_type: 'driver_license',
	primary_issuer: 'US',
	primary_expiry_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
};

/** Has a business transaction notarized. @returns its id and the id of its record */
async function newNotarized(more: object = {}, document: object = {}): Promise<[string, string]> {
	const id = await newSent(client, more, { requirement: 'notarization', ...document });
	await sandbox.act.complete(id);
	return [id, sandbox.world.transactions.get(id)!.recordId!];
}

/** The same on a documented-only service, where the closing team sends. */
async function newDocumented(): Promise<[string, string]> {
	const id = await newClosing(documentedClient);
	await addDocument(documentedClient, id, {
		requirement: 'notarization',
		witness_required: true,
	});
	await documented.clock.advance(1_000);
	await documented.act.sendToSigner(id);
	await documented.act.complete(id);
	return [id, (await documentedClient.transaction(id)).notarization_record];
}

describe('records', () => {
	test('a record of business: identification, acts spelled with an o, codes of capitals and digits', async () => {
		const [, record] = await newNotarized(
			{ signers: [{ email: 'kim@example.com', first_name: 'Kim', last_name: 'Client' }] },
			{ tracking_id: 'T-1' },
		);
		const found = await client.ok('GET', `/notarization_records/${record}`);
		const person = {
			email: 'kim@example.com',
			first_name: 'Kim',
			middle_name: null,
			last_name: 'Client',
			dob: '1980-05-17',
			address: expect.objectContaining({ postal: '02110' }),
		};
		expect(found).toEqual({
			id: record,
			meeting_start: time,
			meeting_end: time,
			notary_name: 'Nora Notary',
			notary_county_city: 'Suffolk County, MA',
			notary_registration: '7712093',
			signer_info: person,
			cosigner_info: null,
			signers: [{ ...person, ...IDENTIFICATION }],
			signer_photo_identification: IDENTIFICATION,
			witnesses: [],
			notarized_documents: [
				{ document_url: link, notorial_acts: ['acknowledgement'], tracking_id: 'T-1' },
			],
			verification_credentials: {
				retrieval_id: expect.stringMatching(/^[A-Z0-9]{8}$/),
				retrieval_pin: expect.stringMatching(/^[A-Z0-9]{6}$/),
				last_name: 'Client',
				date_completed: expect.stringMatching(/^[1-9]\d?\/[1-9]\d?\/\d{4}$/),
			},
			video_url: link,
			chat_url: null,
		});
	});
	test('what was not given is null or missing: tracking_id, and the last name of the credentials', async () => {
		const [, record] = await newNotarized({ signers: [{ email: 'kim@example.com' }] });
		const { notarized_documents, verification_credentials } = await client.ok(
			'GET',
			`/notarization_records/${record}`,
		);
		expect(notarized_documents[0].tracking_id).toBeNull();
		expect(verification_credentials).not.toHaveProperty('last_name');
	});
	test('a record of real estate has whole documents without acts, and the recording under the business prefix', async () => {
		const id = await newCompleted(client);
		const record = sandbox.world.transactions.get(id)!.recordId!;
		const found = await client.ok('GET', `/mortgage/v2/notarization_records/${record}`);
		expect(found.notarized_documents).toMatchObject([
			{
				document_name: 'Deed',
				is_enote: false,
				permissions: ['NOTARIZATION_REQUIRED'],
				final_document_url: link,
			},
		]);
		expect(found.notarized_documents[0]).not.toHaveProperty('notorial_acts');
		expect(found.video_url).toBe(
			`${sandbox.url}/v1/transactions/${id}/notarization_records/${record}/download_asset?asset_key=generic_video_session`,
		);
	});
	test('a transaction carries the whole record, twice', async () => {
		const [id, record] = await newNotarized();
		const transaction = await client.transaction(id);
		expect(transaction.notarization_record).toMatchObject({
			id: record,
			notary_name: 'Nora Notary',
			notarized_documents: [{ notorial_acts: ['acknowledgement'] }],
		});
		expect(transaction.notarization_records).toMatchObject([{ id: record, signers: [{}] }]);
		const closing = await newCompleted(client);
		const { notarization_record } = await client.ok('GET', `/mortgage/v2/transactions/${closing}`);
		expect(notarization_record.notarized_documents).toMatchObject([{ document_name: 'Deed' }]);
	});
	test('the list has the newest first and no count', async () => {
		const [, first] = await newNotarized();
		const [, second] = await newNotarized();
		const list = await client.ok('GET', '/notarization_records?limit=2');
		expect(Object.keys(list)).toEqual(['records']);
		expect(list.records.map(({ id }: any) => id)).toEqual([second, first]);
	});
	test('a record that does not exist', async () => {
		for (const path of ['/notarization_records', '/mortgage/v2/notarization_records']) {
			const { status, body } = await client.call('GET', `${path}/me_none`);
			expect([status, body]).toEqual([404, { errors: { request: 'resource not found' } }]);
		}
	});
	test('Notarization record: Retrieve Meeting Record answers every field of it', async () => {
		const [, id] = await newDocumented();
		const found = await documentedClient.ok('GET', `/notarization_records/${id}`);
		const person = {
			email: 'jane@example.com',
			first_name: 'Jane',
			middle_name: null,
			last_name: 'Borrower',
			dob: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			address: {
				city: 'Boston',
				line1: expect.any(String),
				line2: '',
				state: 'MA',
				postal: '02110',
				country: 'US',
			},
		};
		expect(found).toEqual({
			id,
			meeting_start: time,
			meeting_end: time,
			notary_name: expect.any(String),
			notary_county_city: expect.any(String),
			notary_registration: expect.any(String),
			signer_info: person,
			signers: [{ ...person, ...PICTURES }],
			signer_photo_identification: PICTURES,
			notarized_documents: [
				{
					tracking_id: expect.any(Number),
					notarial_acts: [expect.any(String)],
					document_url: link,
				},
			],
			verification_credentials: {
				retrieval_id: expect.any(String),
				retrieval_pin: expect.any(String),
				last_name: 'Borrower',
				date_completed: expect.stringMatching(/^[1-9]\d?\/[1-9]\d?\/\d{4}$/),
			},
			video_url: link,
		});
	});
});

describe('identity pictures and video', () => {
	test('pictures need no key, the recording does', async () => {
		const [, record] = await newNotarized();
		const { signers, video_url } = await client.ok('GET', `/notarization_records/${record}`);
		const picture = await fetch(signers[0].primary_front);
		expect([
			picture.headers.get('content-type'),
			Buffer.from(await picture.arrayBuffer()).readUInt32BE(16),
		]).toEqual(['image/png', 320]);
		expect((await fetch(video_url)).status).toBe(401);
		const video = await fetch(video_url, { headers: { ApiKey: sandbox.keys.full } });
		expect([
			video.headers.get('content-type'),
			Buffer.from(await video.arrayBuffer()).toString('latin1', 4, 8),
		]).toEqual(['video/mp4', 'ftyp']);
	});
	test('the recording can lag the meeting', async () => {
		const lagging = await startSandbox({ videoLagSeconds: 600 });
		const other = new Client(lagging);
		const { recordId } = lagging.world.transactions.get(await newCompleted(other))!;
		const { video_url } = await other.ok('GET', `/notarization_records/${recordId}`);
		const ask = async () =>
			(await fetch(video_url, { headers: { ApiKey: lagging.keys.full } })).status;
		expect(await ask()).toBe(409);
		await lagging.clock.advance(600_000);
		expect(await ask()).toBe(200);
		await lagging.close();
	});
	test('Meeting video: the video_url has the documented shape and returns the recording', async () => {
		const [id, record] = await newDocumented();
		const { video_url } = await documentedClient.ok('GET', `/notarization_records/${record}`);
		expect(video_url).toBe(
			`${documented.url}/v1/transactions/${id}/notarization_records/${record}/download_asset/generic_video_session`,
		);
		const answer = await fetch(video_url, { headers: { ApiKey: documented.keys.full } });
		expect(answer.headers.get('content-type')).toBe('video/mp4');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(documented.world.records.get(record)!.video!),
		).toBe(true);
	});
});

describe('witnesses and cosigner', () => {
	test('witnesses: those whom witness_required and the designations ask for', async () => {
		const place = { type: 'signature', page_number: 0, x: 72, y: 100, width: 180, height: 24 };
		const namesOf = async (document: object) => {
			const [, record] = await newNotarized({}, document);
			const { witnesses } = await client.ok('GET', `/notarization_records/${record}`);
			return witnesses.map(({ first_name }: any) => first_name);
		};
		expect(await namesOf({})).toEqual([]);
		expect(await namesOf({ witness_required: true })).toEqual(['Walter']);
		expect(
			await namesOf({ signing_designations: [{ ...place, signer_identifier: 'witness2' }] }),
		).toEqual(['Walter', 'Wilma']);
	});
	test('a witness has names, an address and pictures of a credential', async () => {
		const [, record] = await newNotarized({}, { witness_required: true });
		const { witnesses } = await client.ok('GET', `/notarization_records/${record}`);
		expect(witnesses).toEqual([
			{
				first_name: 'Walter',
				middle_name: '',
				last_name: 'Witness',
				address: expect.objectContaining({ line1: '1 Witness Way', state: 'MA' }),
				credential_assets: [
					{
						credential_type: 'primary',
						credential_images: [{ url: link, descriptor: 'front' }],
					},
				],
			},
		]);
		const { url } = witnesses[0].credential_assets[0].credential_images[0];
		expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
	});
	test('cosigner_info: the second signer', async () => {
		const [, record] = await newNotarized({
			signers: [
				{ email: 'a@example.com' },
				{ email: 'b@example.com', first_name: 'Bo', last_name: 'Borrower' },
			],
		});
		expect((await client.ok('GET', `/notarization_records/${record}`)).cosigner_info).toMatchObject(
			{ email: 'b@example.com', first_name: 'Bo' },
		);
	});
});
