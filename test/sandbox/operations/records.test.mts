/**
 * Notarization records and the recording (docs/service/notarization.md#notarization-record,
 * docs/service/notarization.md#meeting-video).
 */

import { addDocument, download, newClosing, newCompleted, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const link = expect.stringMatching(/^http/);

/** Has a business transaction notarized. @returns its record */
async function newRecord(more: object = {}): Promise<any> {
	const id = await newSent(client, more, { requirement: 'notarization' });
	await sandbox.act.complete(id);
	return await client.ok('GET', `/notarization_records/${client.stored(id).recordId}`);
}

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

test.each(['', '/mortgage/v2'])('%s: a record that does not exist', async (prefix) => {
	const path = `${prefix}/notarization_records/me_none`;
	await client.refuses('GET', path, undefined, 404, 'resource not found');
});

test('a documented-only service answers the documented fields, and the documented address of the video', async () => {
	await withDocumented(async (other, documented) => {
		const transaction = await newClosing(other);
		await addDocument(other, transaction, { requirement: 'notarization', witness_required: true });
		await documented.act.sendToSigner(transaction);
		await documented.act.complete(transaction);
		const id = (await other.transaction(transaction)).notarization_record;
		const record = await other.ok('GET', `/notarization_records/${id}`);
		expect(Object.keys(record).sort().join(' ')).toBe(
			'id meeting_end meeting_start notarized_documents notary_county_city notary_name notary_registration signer_info signer_photo_identification signers verification_credentials video_url',
		);
		expect(record.notarized_documents).toMatchObject([{ notarial_acts: [expect.any(String)] }]);
		expect(record.video_url).toBe(
			`${documented.url}/v1/transactions/${transaction}/notarization_records/${id}/download_asset/generic_video_session`,
		);
		const { type } = await download(record.video_url, { ApiKey: documented.keys.full });
		expect(type).toBe('video/mp4');
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
