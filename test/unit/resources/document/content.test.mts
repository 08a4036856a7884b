import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	readContent,
	isSameName,
} from '../../../../nodes/SignAndClose/resources/document/content.ts';
import { Failure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import {
	shortenDigest,
	buildDocumentReference,
} from '../../../../nodes/SignAndClose/values/reference.ts';
import { withClient } from '../../../support/live/client.mts';
import type { Answer } from '../../../support/live/service.mts';

/** What is known of the content of a document that the service shows. */

const DEED = Buffer.from('%PDF-1.7\nthe deed');
const NOTE = Buffer.from('<?xml version="1.0"?><SMART_DOCUMENT/>');
const contentIn = (bytes: Buffer) =>
	shortenDigest(createHash('sha256').update(bytes).digest('hex'));
const CONTENT = contentIn(DEED);

/** Asks for the content of a document whose Get Document answers this. */
const shown = async (answer: Answer, document: IDataObject = {}) =>
	await withClient(
		() => answer,
		async (service, { requests }) => {
			const place = { transactionId: 'ot_1', platform: 'realEstate' } as const;
			const context = { getExecutionCancelSignal: () => undefined } as never;
			const known = readContent({ service, context }, place, { id: 'do_1', ...document });
			const content = await known.catch((thrown: unknown) => thrown);
			return { content, asked: requests.map(({ path, query }) => [path, query.encoding]) };
		},
		{ limits: { stallMs: 200 } },
	);
const withData = (bytes: Buffer): Answer => ({ body: { data: bytes.toString('base64') } });
const ENOTE = { is_enote: true };

test('a reference of the node says it, without a request', async () => {
	const digest = createHash('sha256').update(DEED).digest('hex');
	const tracking_id = buildDocumentReference('add', digest, {});
	expect(await shown({ status: 500 }, { tracking_id })).toEqual({ content: CONTENT, asked: [] });
});
test.each([undefined, null, '1042', 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427'])(
	'with the Tracking ID %j, it is that of the uploaded file',
	async (tracking_id) => {
		const { content, asked } = await shown(withData(DEED), { tracking_id });
		expect(content).toBe(CONTENT);
		expect(asked).toEqual([['/mortgage/v2/transactions/ot_1/documents/do_1', 'base64']]);
	},
);
test.each<[string, Answer, IDataObject?]>([
	...[400, 401, 403, 404, 409, 422].map((status): [string, Answer] => [
		`is refused with ${status}`,
		{ status, body: { errors: ['Document processing: done'] } },
	]),
	['is empty', withData(Buffer.alloc(0))],
	['is missing', { body: { id: 'do_1' } }],
	['is no PDF', withData(NOTE)],
	["isn't base64", { body: { data: '*' } }],
	['is a web page', { body: '<html></html>' }],
	['of an eNote is a PDF', withData(DEED), ENOTE],
])('it is unknown if the file %s', async (_name, answer, document = {}) => {
	expect((await shown(answer, document)).content).toBeUndefined();
});
test.each([{ completion_state: 'complete' }, { final_document_url: 'https://x.example/1' }])(
	'it is unknown once the file is finished (%j), and nothing is asked',
	async (document) => {
		expect(await shown(withData(DEED), document)).toEqual({ content: undefined, asked: [] });
	},
);
test('that of an eNote is that of its XML', async () => {
	expect((await shown(withData(NOTE), ENOTE)).content).toBe(contentIn(NOTE));
});
test.each<[string, Answer]>([
	['is down', { status: 503, headers: { 'retry-after': '9999' } }],
	[
		'breaks off within the file',
		{
			respond: (response) => {
				response.writeHead(200, { 'content-length': '9999' }).write('{"data":"JVBERi0xLjcK');
				setTimeout(() => response.destroy(), 20);
			},
		},
	],
])("that of a service that %s isn't taken for unknown", async (_name, answer) => {
	expect((await shown(answer)).content).toBeInstanceOf(Failure);
});

test.each([
	['Deed', 'Deed', true],
	['Re\u0301sume\u0301', 'R\u00e9sum\u00e9', true],
	[' Deed\u00a0 of\nTrust', 'Deed of Trust ', true],
	['Deed', 'deed', false],
	['Deed', 'Deed.pdf', false],
	['', '', true],
	[undefined, undefined, false],
	['Deed', undefined, false],
])('the names %j and %j are the same: %j', (one, other, expected) => {
	expect([isSameName(one, other), isSameName(other, one)]).toEqual([expected, expected]);
});
