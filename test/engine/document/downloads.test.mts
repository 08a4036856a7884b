import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer, type AskedFor } from '../../support/live/service.mts';

/** Document: Download of what live services send, and of what they send on a bad day. */

beforeAll(async () => await useBinaryMode('filesystem'));

const [TRANSACTION, DOCUMENT] = ['ot_od4kenk', 'do_5f0c2a1e'];
const PDF = Buffer.from('%PDF-1.7\nfinal\n%%EOF\n');
const XML = Buffer.from('\uFEFF<?xml version="1.0"?>\n<SMART_DOCUMENT/>');
const COMPLETED = { status: 'completed', detailed_status: 'complete' };

interface Scene {
	/** The document in the transaction. */
	document: IDataObject;
	/** Status of the transaction. */
	state?: IDataObject;
	/** Get Document. */
	get?: (request: AskedFor) => Answer;
	/** What a link leads to. */
	file?: Answer;
	platform?: string;
	version?: string;
}

/** Downloads the document of a scene. `LINK` in the document is a link to the file. */
const download = async ({ document, state, get, file, platform, version = 'final' }: Scene) => {
	let url = '';
	return await withService(
		(request) => {
			const linked = (answer: unknown) =>
				JSON.parse(JSON.stringify(answer).replaceAll('LINK', `${url}/file`)) as object;
			if (request.path === '/file') return file ?? { body: PDF };
			if (request.path.endsWith(`/documents/${DOCUMENT}`)) {
				const given = get?.(request);
				return given?.body === undefined || typeof given.body === 'string'
					? given
					: { ...given, body: linked(given.body) };
			}
			return { body: linked(liveClosing([document], state ?? COMPLETED)) };
		},
		async (service) => {
			({ url } = service);
			const outcome = await runNode({
				credential: service.credential,
				limits: { stallMs: 500 },
				parameters: {
					resource: 'document',
					operation: 'download',
					platform: platform ?? 'realEstate',
					transactionId: id(TRANSACTION),
					documentId: id(DOCUMENT),
					version,
					binaryPropertyName: 'data',
				},
			});
			const { error } = outcome;
			return {
				...outcome,
				requests: service.requests,
				said: `${error?.message}. ${error?.description}`,
				content: error ? undefined : await readFile(outcome.items[0].binary!.data),
			};
		},
	);
};

describe('the finished document', () => {
	test.each(['final_document_url', 'signed_url'])('is behind %s', async (name) => {
		const { content, items } = await download({ document: liveDocument({ [name]: 'LINK' }) });
		expect(content).toEqual(PDF);
		expect(items[0].json).toMatchObject({ version: 'final', file_name: 'Deed of Trust.pdf' });
	});
	test('of business is behind the link of Get Document, because the transaction shows none', async () => {
		const { content, requests } = await download({
			platform: 'business',
			document: liveBusinessDocument({ completion_state: 'complete' }),
			get: ({ query }) =>
				query.encoding === 'uri'
					? { body: liveDocument({ final_document_url: 'LINK' }) }
					: { status: 400, body: { errors: ['Invalid encoding'] } },
		});
		expect(content).toEqual(PDF);
		expect(requests.filter(({ path }) => path.endsWith(DOCUMENT))).toHaveLength(1);
	});
	test('of a completed transaction without a link: says what is really so', async () => {
		const none = await download({
			document: liveDocument({ completion_state: 'complete' }),
			get: () => ({ body: liveDocument({ completion_state: 'complete' }) }),
		});
		expect(none.said).toMatch(
			/^The service gives no link to 'Deed of Trust', although .* completed/,
		);
		expect(none.said).toMatch(/Released/);
	});
	test.each([
		[{ status: 'started', detailed_status: 'draft' }, 'draft'],
		[{ status: 'sent', detailed_status: undefined }, 'sent'],
		[{ status: 'expired', detailed_status: 'expired' }, 'expired'],
	])('of a transaction that is not completed (%j) names its state', async (state, named) => {
		const { said } = await download({ document: liveDocument(), state });
		expect(said).toMatch(
			new RegExp(`^'Deed of Trust' isn't finished \\(the transaction is ${named}\\)`),
		);
	});
});

describe('an eNote', () => {
	const enote = (more: IDataObject = {}) =>
		liveDocument({
			document_name: 'enote.xml',
			is_enote: true,
			final_document_url: 'LINK',
			...more,
		});
	test('is saved as XML before completion', async () => {
		const { content, items } = await download({
			version: 'current',
			state: { status: 'started', detailed_status: 'draft' },
			document: enote({ final_document_url: null, document_name: 'Note' }),
			get: () => ({ body: { id: DOCUMENT, data: XML.toString('base64') } }),
		});
		expect(content).toEqual(XML);
		expect(items[0].json).toMatchObject({ file_name: 'Note.xml', mime_type: 'application/xml' });
	});
	test('is saved as XML where only its name tells that it is one', async () => {
		const { content, items } = await download({
			document: enote({ is_enote: undefined }),
			file: { body: XML },
		});
		expect(content).toEqual(XML);
		expect(items[0].json).toMatchObject({ file_name: 'enote.xml', mime_type: 'application/xml' });
	});
});

describe('the uploaded file, on a bad day', () => {
	const uploaded = async (get: () => Answer) =>
		await download({
			version: 'current',
			state: { status: 'started', detailed_status: 'draft' },
			document: liveDocument(),
			get,
		});
	const cut: Answer = {
		respond: (response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
			response.write(`{"data":"${PDF.toString('base64').slice(0, 12)}`);
			setTimeout(() => response.socket?.destroy(), 30);
		},
	};
	test.each<[string, Answer, RegExp]>([
		['no data', { body: liveDocument() }, /sent no content/],
		['a cut connection', cut, /was cut/],
		[
			'text that is no base64',
			{ body: liveDocument({ data: 'JVBERi0xLjcK!!!!' }) },
			/can't be read/,
		],
	])('%s: a sentence, and no rejection that Jest would report', async (_what, answer, expected) => {
		const { said, items } = await uploaded(() => answer);
		expect(items).toEqual([]);
		expect(said).toMatch(expected);
		// What nothing catches is reported once the microtasks are done.
		await new Promise(setImmediate);
	});
});
