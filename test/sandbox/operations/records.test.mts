/**
 * Notarization records and the recording (docs/service/notarization.md#notarization-record,
 * docs/service/notarization.md#meeting-video).
 */

import { expect, test } from '@jest/globals';

import {
	addDocument,
	download,
	newClosing,
	newCompleted,
	newSent,
	SIGNATURE,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const text = expect.any(String);
const link = expect.stringMatching(/^http/);
const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
const DATE_COMPLETED = expect.stringMatching(/^[1-9]\d?\/[1-9]\d?\/\d{4}$/);
const PICTURES = { primary_front: link, primary_back: link, secondary_front: link };
const IDENTIFICATION = {
	...PICTURES,
	primary_type: 'driver_license',
	primary_issuer: 'US',
	primary_expiry_date: day,
};

/** Has a business transaction notarized. @returns its record */
async function newRecord(more: object = {}, document: object = {}): Promise<any> {
	const id = await newSent(client, more, { requirement: 'notarization', ...document });
	await sandbox.act.complete(id);
	return await client.ok('GET', `/notarization_records/${client.stored(id).recordId}`);
}

test('business: identification, acts spelled with an o, codes of capitals and digits', async () => {
	const kim = { email: 'kim@example.com', first_name: 'Kim', last_name: 'Client' };
	const address = expect.objectContaining({ postal: '02110' });
	const person = { ...kim, middle_name: null, dob: '1980-05-17', address };
	expect(await newRecord({ signers: [kim] }, { tracking_id: 'T-1' })).toEqual({
		id: expect.stringMatching(/^me_/),
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
			date_completed: DATE_COMPLETED,
		},
		video_url: link,
		chat_url: null,
	});
});

test('what was not given is null or missing: tracking_id, and the last name of the credentials', async () => {
	const record = await newRecord({ signers: [{ email: 'kim@example.com' }] });
	expect(record.notarized_documents[0].tracking_id).toBeNull();
	expect(record.verification_credentials).not.toHaveProperty('last_name');
});

test('real estate: whole documents without acts, and the recording under the business prefix', async () => {
	const id = await newCompleted(client);
	const { recordId } = client.stored(id);
	const record = await client.ok('GET', `/mortgage/v2/notarization_records/${recordId}`);
	expect(record.notarized_documents).toMatchObject([
		{
			document_name: 'Deed',
			is_enote: false,
			permissions: ['NOTARIZATION_REQUIRED'],
			final_document_url: link,
		},
	]);
	expect(record.notarized_documents[0]).not.toHaveProperty('notorial_acts');
	expect(record.video_url).toBe(
		`${sandbox.url}/v1/transactions/${id}/notarization_records/${recordId}/download_asset?asset_key=generic_video_session`,
	);
});

test('the list has the newest first and no count', async () => {
	const ids = [(await newRecord()).id, (await newRecord()).id];
	const { records, ...rest } = await client.ok('GET', '/notarization_records?limit=2');
	expect([records.map(({ id }: any) => id), rest]).toEqual([ids.reverse(), {}]);
});

test.each(['', '/mortgage/v2'])('%s: a record that does not exist', async (prefix) => {
	const path = `${prefix}/notarization_records/me_none`;
	await client.refuses('GET', path, undefined, 404, 'resource not found');
});

test('a documented-only service answers every documented field, and the documented address of the video', async () => {
	await withDocumented(async (other, documented) => {
		const transaction = await newClosing(other);
		const document = { requirement: 'notarization', witness_required: true };
		await addDocument(other, transaction, document);
		await documented.act.sendToSigner(transaction);
		await documented.act.complete(transaction);
		const id = (await other.transaction(transaction)).notarization_record;
		const person = {
			email: 'jane@example.com',
			first_name: 'Jane',
			middle_name: null,
			last_name: 'Borrower',
			dob: day,
			address: {
				city: 'Boston',
				line1: text,
				line2: '',
				state: 'MA',
				postal: '02110',
				country: 'US',
			},
		};
		const video_url = `${documented.url}/v1/transactions/${transaction}/notarization_records/${id}/download_asset/generic_video_session`;
		expect(await other.ok('GET', `/notarization_records/${id}`)).toEqual({
			id,
			meeting_start: time,
			meeting_end: time,
			notary_name: text,
			notary_county_city: text,
			notary_registration: text,
			signer_info: person,
			signers: [{ ...person, ...PICTURES }],
			signer_photo_identification: PICTURES,
			notarized_documents: [
				{ tracking_id: expect.any(Number), notarial_acts: [text], document_url: link },
			],
			verification_credentials: {
				retrieval_id: text,
				retrieval_pin: text,
				last_name: 'Borrower',
				date_completed: DATE_COMPLETED,
			},
			video_url,
		});
		const { type, bytes } = await download(video_url, { ApiKey: documented.keys.full });
		expect(type).toBe('video/mp4');
		expect(bytes.equals(documented.world.records.get(id)!.video!)).toBe(true);
	});
});

test('pictures need no key, the recording does and can lag the meeting', async () => {
	sandbox.world.settings.videoLagSeconds = 600;
	const { signers, video_url } = await newRecord();
	const picture = await download(signers[0].primary_front);
	expect([picture.type, picture.bytes.readUInt32BE(16)]).toEqual(['image/png', 320]);
	expect((await download(video_url)).status).toBe(401);
	const ask = async () => await download(video_url, { ApiKey: sandbox.keys.full });
	expect((await ask()).status).toBe(409);
	await sandbox.clock.advance(600_000);
	const { type, bytes } = await ask();
	expect([type, bytes.toString('latin1', 4, 8)]).toEqual(['video/mp4', 'ftyp']);
});

test('witnesses: those whom witness_required and the designations ask for, with a picture', async () => {
	const witness2 = { ...SIGNATURE, signer_identifier: 'witness2' };
	for (const [document, names] of [
		[{ witness_required: true }, ['Walter']],
		[{ signing_designations: [witness2] }, ['Walter', 'Wilma']],
	] as const) {
		const { witnesses } = await newRecord({}, document);
		expect(witnesses.map(({ first_name }: any) => first_name)).toEqual(names);
		expect(witnesses[0]).toEqual({
			first_name: 'Walter',
			middle_name: '',
			last_name: 'Witness',
			address: expect.objectContaining({ line1: '1 Witness Way', state: 'MA' }),
			credential_assets: [
				{ credential_type: 'primary', credential_images: [{ url: link, descriptor: 'front' }] },
			],
		});
		const { url } = witnesses[0].credential_assets[0].credential_images[0];
		expect((await download(url)).type).toBe('image/png');
	}
});

test('cosigner_info: the second signer', async () => {
	const bo = { email: 'b@example.com', first_name: 'Bo', last_name: 'Borrower' };
	const { cosigner_info } = await newRecord({ signers: [{ email: 'a@example.com' }, bo] });
	expect(cosigner_info).toMatchObject(bo);
});
