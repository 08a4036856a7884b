import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Script } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/** Documents as live services answer them: Get and Get Many. */

beforeAll(async () => await useBinaryMode('filesystem'));

const [TRANSACTION, DOCUMENT] = ['ot_od4kenk', 'do_5f0c2a1e'];
const BASE64 = Buffer.from('%PDF-1.7').toString('base64');

/** Runs an operation on the document against a service that follows the script. */
const runOn = async (script: Script, operation: string, more: IDataObject = {}) =>
	await withService(script, async ({ credential, requests }) => ({
		...(await runNode({
			credential,
			parameters: {
				resource: 'document',
				operation,
				platform: 'realEstate',
				transactionId: id(TRANSACTION),
				documentId: id(DOCUMENT),
				...more,
			},
		})),
		requests,
	}));

/** A service with one document, whose content comes unless it is asked for a link. */
const holding = (document: IDataObject, more: IDataObject = {}): Script => {
	return ({ path, query }) =>
		path.endsWith(`/documents/${DOCUMENT}`)
			? { body: { ...document, ...(query.encoding !== 'uri' && { data: BASE64 }) } }
			: { body: liveClosing([liveDocument({ id: 'do_other' }), document], more) };
};

describe('Get', () => {
	test('the link, simplified, is there however the service calls it', async () => {
		const link = { signed_url: 'https://files.example.com/1' };
		const script = holding(liveDocument({ completion_state: 'complete', ...link }));
		const { items, error } = await runOn(script, 'get', { content: 'uri' });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			document_id: DOCUMENT,
			final_document_url: 'https://files.example.com/1',
			is_finished: true,
		});
		expect(items[0].json).not.toHaveProperty('data');
	});
	test('without a link yet: null, and why', async () => {
		const outcome = await runOn(holding(liveDocument()), 'get', { content: 'uri' });
		expect(outcome.items[0].json).toMatchObject({ final_document_url: null, is_finished: false });
		expect(hints(outcome)).toMatch(/no link/);
	});
	test.each(['realEstate', 'business'])(
		'the content is in the item only when it was asked for (%s)',
		async (platform) => {
			await forEachCase([true, false], async (simplify) => {
				const more = { platform, simplify };
				const none = await runOn(holding(liveDocument()), 'get', { ...more, content: 'none' });
				expect(none.items[0].json).toMatchObject({
					document_id: DOCUMENT,
					requirement: 'notarization',
				});
				expect(none.items[0].json).not.toHaveProperty('data');
				const base64 = await runOn(holding(liveDocument()), 'get', { ...more, content: 'base64' });
				expect(base64.items[0].json.data).toBe(BASE64);
			});
		},
	);
	test('a document that is still being processed can be got on real estate, which has no content yet', async () => {
		const pending = liveDocument({ processing_state: 'pending' });
		const { items, error } = await runOn(
			(request) =>
				request.path.endsWith(`/documents/${DOCUMENT}`)
					? { status: 409, body: { errors: ['Document processing: done'] } }
					: holding(pending)(request),
			'get',
			{ content: 'none' },
		);
		expect(error).toBeUndefined();
		expect(items[0].json.processing_state).toBe('pending');
	});
});

describe('Get Many', () => {
	const listed = async (documents: unknown, platform: string) =>
		await runOn(() => ({ body: liveClosing([], { documents: documents as never }) }), 'getAll', {
			platform,
			returnAll: true,
		});
	// A missing field and null mean the same (docs/service/transactions.md#unset-fields), and neither
	// says that there are no documents.
	test.each([
		['undefined', undefined],
		['an object', { data: [liveDocument()] }],
	])('of a transaction whose documents are %s is not "no items"', async (_what, documents) => {
		await forEachCase(['realEstate', 'business'], async (platform) => {
			const { items, error } = await listed(documents, platform);
			expect(items).toEqual([]);
			expect(error?.message).toBe("The service sent the transaction without 'documents'");
		});
	});
	test('of a transaction whose documents are an empty list is no failure', async () => {
		const { items, error } = await listed([], 'realEstate');
		expect([items, error]).toEqual([[], undefined]);
	});
});
