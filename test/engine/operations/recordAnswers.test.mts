import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode } from '../../support/engine.mts';
import { liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer } from '../../support/live/service.mts';

/** Notarization records as live services answer them, and what their links lead to. */

beforeAll(async () => await useBinaryMode('filesystem'));

const RECORD = 'me_4x7k2ab';
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** A record (docs/service/notarization.md#notarization-record). */
const liveRecord = (more: IDataObject = {}): IDataObject => ({
	id: RECORD,
	meeting_start: '2026-11-21T10:00:00.000000Z',
	meeting_end: '2026-11-21T10:20:00.000000Z',
	notary_name: 'Nora Notary',
	notary_county_city: 'Suffolk, MA',
	notary_registration: '123',
	signer_info: { email: 'jane@example.com', first_name: 'Jane', last_name: 'Borrower' },
	signers: [],
	witnesses: [],
	notarized_documents: [liveDocument()],
	verification_credentials: { retrieval_id: 'AB12CD34', retrieval_pin: 'A1B2C3' },
	video_url: 'LINK/video',
	...more,
});

/** Runs an operation on a record. `LINK` is the service, whose files are `file`. */
const runOn = async (
	operation: string,
	record: IDataObject,
	file: Answer = { body: PICTURE, headers: { 'content-type': 'image/png' } },
) => {
	let url = '';
	return await withService(
		({ path }) =>
			path.endsWith(`/notarization_records/${RECORD}`)
				? { body: JSON.stringify(record).replaceAll('LINK', url) }
				: { ...file, ...(file.body === undefined && { body: path }) },
		async (service) => {
			({ url } = service);
			const outcome = await runNode({
				credential: service.credential,
				parameters: {
					resource: 'notarizationRecord',
					operation,
					platform: 'realEstate',
					recordId: id(RECORD),
					binaryPropertyName: 'data',
				},
			});
			return { ...outcome, opened: service.requests.slice(1).map(({ path }) => path) };
		},
	);
};

describe('the identity images', () => {
	const assets = (person: string) => [
		{
			credential_type: 'primary',
			credential_images: [
				{ url: `LINK/${person}/1f`, descriptor: 'front' },
				{ url: `LINK/${person}/1b`, descriptor: 'back' },
			],
		},
		{
			credential_type: 'secondary',
			credential_images: [{ url: `LINK/${person}/2b`, descriptor: 'back' }],
		},
		{ credential_type: 'selfie', credential_images: [{ url: `LINK/${person}/s` }] },
	];
	const flat = (person: string) => ({
		primary_front: `LINK/${person}/1f`,
		primary_back: null,
		primary_type: 'driver_license',
		primary_issuer: 'US',
		secondary_front: `LINK/${person}/2f`,
	});
	const images = async (more: IDataObject) => {
		const { items, error, opened } = await runOn('downloadIdentityImages', liveRecord(more));
		if (error) throw error;
		for (const { binary } of items) expect(await readFile(binary!.data)).toEqual(PICTURE);
		return items.map(({ json }, index) => [json.signer, json.side, opened[index]]);
	};
	test('of each signer: in the signer, in its identification and in its credential assets', async () => {
		expect(
			await images({
				signers: [
					{ email: 'a@example.com', ...flat('a') },
					{ email: 'b@example.com', identification: flat('b') },
					{ email: 'c@example.com', credential_assets: assets('c') },
					{ email: 'd@example.com', ...flat('d'), credential_assets: assets('d') },
				] as never,
			}),
		).toEqual([
			[1, 'primary_front', '/a/1f'],
			[1, 'secondary_front', '/a/2f'],
			[2, 'primary_front', '/b/1f'],
			[2, 'secondary_front', '/b/2f'],
			[3, 'primary_front', '/c/1f'],
			[3, 'primary_back', '/c/1b'],
			[3, 'secondary_back', '/c/2b'],
			[3, 'selfie', '/c/s'],
			[4, 'primary_front', '/d/1f'],
			[4, 'secondary_front', '/d/2f'],
			[4, 'primary_back', '/d/1b'],
			[4, 'secondary_back', '/d/2b'],
			[4, 'selfie', '/d/s'],
		]);
	});
	test('of a signer who has none in the list: those beside the list', async () => {
		const beside = { signer_photo_identification: flat('a') };
		const first = [
			[1, 'primary_front', '/a/1f'],
			[1, 'secondary_front', '/a/2f'],
		];
		expect(await images(beside)).toEqual(first);
		expect(
			await images({ ...beside, signers: [{ email: 'a' }, { email: 'b', ...flat('b') }] as never }),
		).toEqual([...first, [2, 'primary_front', '/b/1f'], [2, 'secondary_front', '/b/2f']]);
		expect(
			await images({
				signers: null,
				signer_info: { email: 'a', credential_assets: assets('a').slice(1) } as never,
				cosigner_info: { email: 'b', credential_assets: assets('b').slice(2) } as never,
			}),
		).toEqual([
			[1, 'secondary_back', '/a/2b'],
			[1, 'selfie', '/a/s'],
			[2, 'selfie', '/b/s'],
		]);
	});
});

describe('what is no picture or recording', () => {
	test.each<[string, Answer]>([
		['a page', { body: '<!DOCTYPE html><html>Sign in</html>' }],
		['an answer in JSON', { body: '{"errors":["Not ready"]}' }],
		['a refusal of a storage', { body: '<?xml version="1.0"?><Error><Code>x</Code></Error>' }],
	])('%s is not saved as one', async (_what, file) => {
		const one = { signer_photo_identification: { primary_front: 'LINK/1' } };
		const image = await runOn('downloadIdentityImages', liveRecord(one), file);
		expect(image.items).toEqual([]);
		expect(image.error?.message).toMatch(/isn't an image/);
		const video = await runOn('downloadVideo', liveRecord(), file);
		expect(video.items).toEqual([]);
		expect(video.error?.message).toMatch(/isn't a video/);
	});
	test('a recording is, whatever its first bytes and its type', async () => {
		const body = Buffer.from([0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70]);
		for (const type of ['video/mp4', 'application/octet-stream']) {
			const headers = { 'content-type': type };
			const { items, error } = await runOn('downloadVideo', liveRecord(), { body, headers });
			expect(error).toBeUndefined();
			expect(await readFile(items[0].binary!.data)).toEqual(body);
			expect(items[0].json).toMatchObject({ mime_type: 'video/mp4', bytes: 8 });
		}
	});
});

test('a record, simplified, has the e-mail address of its first signer wherever it stands', async () => {
	for (const record of [
		liveRecord(),
		liveRecord({ signer_info: null, signers: [{ email: 'jane@example.com' }] as never }),
	]) {
		const { items } = await runOn('get', record);
		expect(items[0].json).toMatchObject({
			notarization_record_id: RECORD,
			signer_email: 'jane@example.com',
			notarized_documents: 1,
			has_video: true,
		});
	}
});
