import type { IDataObject } from 'n8n-workflow';

import { toTransaction } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import {
	listDocuments,
	describeFile,
	findDocument,
	retrieveDocument,
} from '../../../../nodes/SignAndClose/resources/document/api.ts';
import { findFinalLink } from '../../../../nodes/SignAndClose/resources/document/downloads.ts';
import { id } from '../../../support/closing.mts';
import { readFile, runNode } from '../../../support/engine.mts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';
import { withService } from '../../../support/live/service.mts';

/** How documents, the links to their files and the files themselves are found. */

const transaction = (more: IDataObject) => toTransaction({ id: 'ot_1', ...more })!;
const PDF = '%PDF-1.7\n%%EOF\n';

describe('the documents of a transaction', () => {
	test('are not taken for none when they are not shown', () => {
		expect(listDocuments(transaction({ documents: [] }))).toEqual([]);
		expect(() => listDocuments(transaction({}))).toThrow(
			expect.objectContaining({
				reason: { code: 'incompletelyRead', missing: ['documents'], toWriteBack: false },
			}),
		);
	});
	test('are found by their ID, however it is written', () => {
		const documents = [{ id: 'do_1' }, { id: 'do_2' }];
		expect(findDocument(transaction({ documents }), 'do2')).toEqual({ id: 'do_2' });
	});
	test('have no other one, which no repetition changes', () => {
		expect(() => findDocument(transaction({ documents: [{ id: 'do_1' }] }), 'do_9')).toThrow(
			expect.objectContaining({
				reason: { code: 'documentNotInTransaction', documentId: 'do_9' },
				flags: { final: true },
			}),
		);
	});
	test('are saved under their name, an eNote as XML', () => {
		expect(describeFile({ id: 'do_1', document_name: 'Deed' })).toEqual({
			name: 'Deed',
			mimeType: 'application/pdf',
		});
		expect(describeFile({ id: 'do_1', document_name: '', is_enote: true })).toEqual({
			name: 'do_1',
			mimeType: 'application/xml',
		});
	});
});

describe('a document', () => {
	test('is asked for as wanted', async () => {
		await withClient(inTurn({ id: 'do_1' }), async (service, { requests }) => {
			await retrieveDocument(service, 'ot_1', 'do_1', 'realEstate', 'uri');
			await retrieveDocument(service, 'ot_1', 'do_1', 'business');
			expect(requests.map(({ path, query }) => [path, query])).toEqual([
				['/mortgage/v2/transactions/ot_1/documents/do_1', { encoding: 'uri' }],
				['/v1/transactions/ot_1/documents/do_1', {}],
			]);
		});
	});
	test('is none without an ID', async () => {
		await withClient(inTurn({ document_name: 'Deed' }), async (service) => {
			expect(await thrownBy(retrieveDocument(service, 'ot_1', 'do_1', 'business'))).toMatchObject({
				reason: { code: 'unexpectedAnswer' },
			});
		});
	});
});

describe('the link to a finished document', () => {
	const LINK = 'https://files.example.com/1';
	const find = async (
		{ status = 'completed', document = {} }: { status?: string; document?: IDataObject },
		answer: { status?: number; body: unknown } = { body: { id: 'do_1', uri: LINK } },
	) =>
		await withClient(
			() => answer,
			async (service, { requests }) => {
				const finding = findFinalLink(service, 'business', transaction({ status }), {
					id: 'do_1',
					...document,
				});
				const link = await finding.catch((thrown: unknown) => thrown);
				return { link, asked: requests.map(({ query }) => query) };
			},
		);
	test.each(['completed', 'a new word'])(
		'is asked for once the transaction is %s',
		async (status) => {
			expect(await find({ status })).toEqual({ link: LINK, asked: [{ encoding: 'uri' }] });
		},
	);
	test.each(['sent', 'started'])('is not asked for while it is %s', async (status) => {
		expect(await find({ status })).toEqual({ link: undefined, asked: [] });
	});
	test('is not asked for when it is there', async () => {
		const document = { final_document_url: LINK };
		expect(await find({ document })).toEqual({ link: LINK, asked: [] });
	});
	test.each([400, 404, 405, 409, 422, 501])('is missing after a %i', async (status) => {
		const { link, asked } = await find({}, { status, body: { errors: ['No'] } });
		expect([link, asked.length]).toEqual([undefined, 1]);
	});
	test('is not known after another refusal', async () => {
		expect((await find({}, { status: 403, body: { errors: ['No'] } })).link).toMatchObject({
			reason: { code: 'refused', status: 403 },
		});
	});
});

describe('the download of a finished document', () => {
	/** Downloads a document whose first link has expired. */
	const download = async (documents: (url: string, renewed: boolean) => IDataObject[]) => {
		let [url, shown] = ['', 0];
		return await withService(
			({ path }) => {
				if (path.endsWith('/new'))
					return { headers: { 'content-type': 'application/pdf' }, body: PDF };
				if (path.endsWith('/old')) return { status: 403, body: '' };
				return {
					body: { id: 'ot_1', status: 'completed', documents: documents(url, shown++ > 0) },
				};
			},
			async ({ credential, requests, url: own }) => {
				url = own;
				const outcome = await runNode({
					credential,
					parameters: {
						resource: 'document',
						operation: 'download',
						platform: 'realEstate',
						transactionId: id('ot_1'),
						documentId: id('do_1'),
						version: 'final',
						binaryPropertyName: 'data',
					},
				});
				return { outcome, asked: requests.map(({ path }) => path.split('/').at(-1)) };
			},
		);
	};
	test('renews a link that has expired, once, and saves the file', async () => {
		const { outcome, asked } = await download((url, renewed) => [
			{ id: 'do_2', final_document_url: `${url}/files/other` },
			{ id: 'do_1', final_document_url: `${url}/files/${renewed ? 'new' : 'old'}` },
		]);
		expect(outcome.error).toBeUndefined();
		expect((await readFile(outcome.items[0].binary!.data)).toString()).toBe(PDF);
		expect(asked).toEqual(['ot_1', 'old', 'ot_1', 'new']);
	});
});
