import { beforeAll, expect, test } from 'vitest';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode } from '../../support/engine.mts';
import { withService, type Answer } from '../../support/live/service.mts';

/** What the links of a notarization record lead to. */

beforeAll(async () => await useBinaryMode('filesystem'));

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** Downloads from a record whose links lead to the file. */
async function download(operation: 'downloadVideo' | 'downloadIdentityImages', file: Answer) {
	let url = '';
	const record = (): IDataObject => ({
		id: 'me_1',
		video_url: `${url}/video`,
		signers: [{ primary_front: `${url}/1f`, selfie: `${url}/s` }],
	});
	return await withService(
		({ path }) => (path.endsWith('/notarization_records/me_1') ? { body: record() } : file),
		async (service) => {
			({ url } = service);
			const parameters = {
				resource: 'notarizationRecord',
				operation,
				platform: 'realEstate',
				recordId: id('me_1'),
				binaryPropertyName: 'data',
			};
			return await runNode({ credential: service.credential, parameters });
		},
	);
}

test('each image is an item with its file', async () => {
	const { items } = await download('downloadIdentityImages', {
		body: PICTURE,
		headers: { 'content-type': 'image/png' },
	});
	expect(items.map(({ json }) => [json.signer, json.side])).toEqual([
		[1, 'primary_front'],
		[1, 'selfie'],
	]);
	for (const { binary } of items) expect(await readFile(binary!.data)).toEqual(PICTURE);
});
test.each<[string, Answer]>([
	['a page', { body: '<!DOCTYPE html><html>Sign in</html>' }],
	['an answer in JSON', { body: '{"errors":["Not ready"]}' }],
	['a refusal of a storage', { body: '<?xml version="1.0"?><Error><Code>x</Code></Error>' }],
])('%s is saved neither as an image nor as a video', async (_what, file) => {
	for (const [operation, expected] of [
		['downloadIdentityImages', /isn't an image/],
		['downloadVideo', /isn't a video/],
	] as const) {
		const { items, error } = await download(operation, file);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(expected);
	}
});
test.each(['video/mp4', 'application/octet-stream'])(
	'a recording is saved as %s, whatever its first bytes',
	async (type) => {
		const body = Buffer.from([0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70]);
		const file = { body, headers: { 'content-type': type } };
		const { items, error } = await download('downloadVideo', file);
		expect(error).toBeUndefined();
		expect(await readFile(items[0].binary!.data)).toEqual(body);
		expect(items[0].json).toMatchObject({ mime_type: 'video/mp4', bytes: 8 });
	},
);
