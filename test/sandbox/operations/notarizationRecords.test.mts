/**
 * Notarization records and the recording (docs/service/notarization.md#notarization-record,
 * docs/service/notarization.md#meeting-video).
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	Client,
	newClosing,
	newCompleted,
	newSent,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

/** A closing with one document that is with its signer. */
async function ordered(more: object = {}, document: object = {}): Promise<string> {
	const id = await newClosing(client, more);
	await addDocument(client, id, document);
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
	return id;
}

describe('records and video', () => {
	test('the record of a notarization, with pictures and the video behind the key', async () => {
		const id = await newCompleted(client);
		const { notarization_record: record } = await client.transaction(id);
		const found = await client.ok('GET', `/notarization_records/${record}`);
		expect(found).toMatchObject({
			notary_name: 'Nora Notary',
			notarized_documents: [{ tracking_id: 1, notarial_acts: ['acknowledgement'] }],
			signer_info: { dob: '1980-05-17', address: { postal: '02110' } },
		});
		expect(found.video_url).toBe(
			`${sandbox.url}/v1/transactions/${id}/notarization_records/${record}/download_asset/generic_video_session`,
		);
		expect((await fetch(found.video_url)).status).toBe(401);
		const video = await fetch(found.video_url, { headers: { ApiKey: sandbox.keys.full } });
		expect([
			video.headers.get('content-type'),
			Buffer.from(await video.arrayBuffer()).toString('latin1', 4, 8),
		]).toEqual(['video/mp4', 'ftyp']);
		const picture = await fetch(found.signers[0].primary_front);
		expect([
			picture.headers.get('content-type'),
			Buffer.from(await picture.arrayBuffer()).readUInt32BE(16),
		]).toEqual(['image/png', 320]);
	});
	test('the current layout has an object, a list, another spelling and another video address', async () => {
		const id = await newCompleted(client);
		const { notarization_record: record, notarization_records } = await client.ok(
			'GET',
			`/v1/transactions/${id}`,
		);
		expect(notarization_records).toEqual([record]);
		const found = await client.ok('GET', `/v1/notarization_records/${record.id}`);
		expect(found.notarized_documents[0].notorial_acts).toEqual(['acknowledgement']);
		expect(found.video_url).toMatch(/download_asset\?asset_key=generic_video_session$/);
		expect((await fetch(found.video_url, { headers: { ApiKey: sandbox.keys.full } })).status).toBe(
			200,
		);
		expect((await client.ok('GET', '/notarization_records?limit=1')).records[0].id).toBe(record.id);
	});
	test('the recording can lag the meeting', async () => {
		const lagging = await startSandbox({ videoLagSeconds: 600 });
		const other = new Client(lagging);
		const { video_url } = await other.ok(
			'GET',
			`/notarization_records/${(await other.transaction(await newCompleted(other))).notarization_record}`,
		);
		const ask = async () =>
			(await fetch(video_url, { headers: { ApiKey: lagging.keys.full } })).status;
		expect(await ask()).toBe(409);
		await lagging.clock.advance(600_000);
		expect(await ask()).toBe(200);
		await lagging.close();
	});
	test('Notarization record: Retrieve Meeting Record answers every field of it', async () => {
		const id = (await client.transaction(await newCompleted(client))).notarization_record;
		const found = await client.ok('GET', `/notarization_records/${id}`);
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
		const link = expect.stringMatching(/^http/);
		const pictures = { primary_front: link, primary_back: link, secondary_front: link };
		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
		expect(found).toMatchObject({
			...{
				id,
				meeting_start: time,
				meeting_end: time,
				notary_name: expect.any(String),
				notary_county_city: expect.any(String),
				notary_registration: expect.any(String),
			},
			...{
				signer_info: person,
				signers: [{ ...person, ...pictures }],
				signer_photo_identification: pictures,
			},
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
		});
		expect((await client.refused('GET', '/notarization_records/me_none'))[0]).toBe(404);
	});
	test('Meeting video: the video_url has the documented shape and returns the recording', async () => {
		const id = await newCompleted(client);
		const record = (await client.transaction(id)).notarization_record;
		const { video_url } = await client.ok('GET', `/notarization_records/${record}`);
		expect(video_url).toBe(
			`${sandbox.url}/v1/transactions/${id}/notarization_records/${record}/download_asset/generic_video_session`,
		);
		const answer = await fetch(video_url, { headers: { ApiKey: sandbox.keys.full } });
		expect(answer.headers.get('content-type')).toBe('video/mp4');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(sandbox.world.records.get(record)!.video!),
		).toBe(true);
	});
});

describe('witnesses and cosigner', () => {
	const record = async (id: string) =>
		await client.ok(
			'GET',
			`/notarization_records/${(await client.transaction(id)).notarization_record}`,
		);
	test('witnesses: those whom witness_required and the designations ask for', async () => {
		const seal = { type: 'signature', page_number: 0, x: 72, y: 100, width: 180, height: 24 };
		const none = await ordered({}, { requirement: 'notarization' });
		const one = await ordered({}, { requirement: 'notarization', witness_required: true });
		const two = await ordered(
			{},
			{
				requirement: 'notarization',
				signing_designations: [{ ...seal, signer_identifier: 'witness2' }],
			},
		);
		for (const id of [none, one, two]) await sandbox.act.complete(id);
		const emails = async (id: string) =>
			(await record(id)).witnesses.map(({ email }: any) => email);
		expect(await emails(none)).toEqual([]);
		expect(await emails(one)).toEqual(['walter@witnesses.example']);
		expect(await emails(two)).toEqual(['walter@witnesses.example', 'wilma@witnesses.example']);
		expect((await record(one)).witnesses[0]).toMatchObject({
			first_name: 'Walter',
			last_name: 'Witness',
		});
	});
	test('cosigner_info: the second signer; none where there is one signer', async () => {
		const id = await newSent(
			client,
			{
				signers: [
					{ email: 'a@example.com' },
					{ email: 'b@example.com', first_name: 'Bo', last_name: 'Borrower' },
				],
			},
			{ requirement: 'notarization' },
		);
		await sandbox.act.complete(id);
		expect((await record(id)).cosigner_info).toMatchObject({
			email: 'b@example.com',
			first_name: 'Bo',
		});
		const alone = await ordered({ street_address: ADDRESS }, { requirement: 'notarization' });
		await sandbox.act.complete(alone);
		expect((await record(alone)).cosigner_info).toBeNull();
	});
	test('a documented-only record has neither', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const id = await newClosing(other);
		await addDocument(other, id, { requirement: 'notarization', witness_required: true });
		await documented.act.sendToSigner(id);
		await documented.act.complete(id);
		const found = await other.ok(
			'GET',
			`/notarization_records/${(await other.transaction(id)).notarization_record}`,
		);
		expect(found).not.toHaveProperty('witnesses');
		expect(found).not.toHaveProperty('cosigner_info');
		await documented.close();
	});
});
