import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { hints } from '../../support/operations.mts';
import { withService, type Answer } from '../../support/live/service.mts';

/** What the links of a notarization record lead to. */

beforeAll(async () => await useBinaryMode('filesystem'));

const RECORD = {
	resource: 'notarizationRecord',
	platform: 'realEstate',
	recordId: id('me_1'),
	binaryPropertyName: 'data',
};
/** The address of the service of a test. */
let url = '';

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** Downloads from a record whose links lead to the file. */
async function download(
	operation: 'downloadVideo' | 'downloadIdentityImages' | 'downloadDocuments',
	file: Answer,
) {
	const record = (): IDataObject => ({
		id: 'me_1',
		video_url: `${url}/video`,
		notarized_documents: [{ document_url: `${url}/1` }],
		signers: [{ primary_front: `${url}/1f`, selfie: `${url}/s` }],
	});
	return await withService(
		({ path }) => (path.endsWith('/notarization_records/me_1') ? { body: record() } : file),
		async (service) => {
			({ url } = service);
			const parameters = { ...RECORD, operation };
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
	await forEachCase(items, async ({ binary }) =>
		expect(await readFile(binary!.data)).toEqual(PICTURE),
	);
});
test('each notarized document is an item, an old link is renewed, a missing one is told', async () => {
	const pdf = Buffer.from('%PDF-1.7\n%%EOF');
	let retrieved = 0;
	await withService(
		({ path }) => {
			if (path.endsWith('/old')) return { status: 403 };
			if (!path.endsWith('/me_1')) return { body: pdf };
			retrieved += 1;
			const own = (name: string) => `${url}/${retrieved === 1 ? 'old' : name}`;
			const notarized_documents = [
				{ document_url: own('1'), notorial_acts: ['jurat'], tracking_id: 7 },
				{ id: 'do_2', document_name: 'Deed: Trust', final_document_url: own('2') },
				{ id: 'do_3', document_name: 'Unpaid', final_document_url: null },
			];
			return { body: { id: 'me_1', notarized_documents } };
		},
		async (service) => {
			({ url } = service);
			const outcome = await runNode({
				credential: service.credential,
				parameters: { ...RECORD, operation: 'downloadDocuments' },
			});
			expect(outcome.error).toBeUndefined();
			expect(outcome.items.map(({ json }) => json)).toMatchObject([
				{
					tracking_id: 7,
					notarial_acts: ['jurat'],
					document_id: null,
					file_name: 'me_1 document 1.pdf',
				},
				{ document_id: 'do_2', notarial_acts: null, file_name: 'Deed Trust.pdf' },
			]);
			await forEachCase(outcome.items, async ({ binary }) =>
				expect(await readFile(binary!.data)).toEqual(pdf),
			);
			expect(hints(outcome)).toMatch(/1 of 3/);
			// Both links were old, and one retrieval gave a new one for each.
			expect(retrieved).toBe(2);
		},
	);
});

test.each<[string, Answer]>([
	['a page', { body: '<!DOCTYPE html><html>Sign in</html>' }],
	['an answer in JSON', { body: '{"errors":["Not ready"]}' }],
	['a refusal of a storage', { body: '<?xml version="1.0"?><Error><Code>x</Code></Error>' }],
])('%s is saved neither as an image nor as a video or PDF', async (_what, file) => {
	await forEachCase(
		[
			['downloadIdentityImages', /isn't an image/],
			['downloadVideo', /isn't a video/],
			['downloadDocuments', /isn't a PDF/],
		] as const,
		async ([operation, expected]) => {
			const { items, error } = await download(operation, file);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(expected);
		},
	);
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
