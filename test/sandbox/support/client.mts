/**
 * An independent client of the sandbox, and helpers to create transactions with it. Every answer is
 * validated against openapi.yaml.
 */

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { PDFDocument, PDFHexString, PDFName, StandardFonts } from '@cantoo/pdf-lib';

import type { Sandbox } from '../../../sandbox/index.mts';

interface Answer {
	status: number;
	body: any;
	headers: Headers;
}

export class Client {
	readonly sandbox: Sandbox;
	readonly key: string;

	constructor(sandbox: Sandbox, key = sandbox.keys.full) {
		this.sandbox = sandbox;
		this.key = key;
	}

	async call(method: string, path: string, body?: unknown): Promise<Answer> {
		const answer = await fetch(this.sandbox.url + path, {
			method,
			headers: {
				ApiKey: this.key,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await answer.text();
		const parsed =
			text === ''
				? undefined
				: answer.headers.get('content-type')?.includes('json')
					? JSON.parse(text)
					: text;
		const { operationId } = this.sandbox.requests.at(-1)!;
		const wrong =
			operationId === undefined || parsed === undefined || typeof parsed === 'string'
				? undefined
				: this.sandbox.validator.validateAnswer(operationId, answer.status, parsed);
		if (wrong !== undefined)
			throw new Error(`${method} ${path} answered what openapi.yaml does not allow: ${wrong}`);
		return { status: answer.status, body: parsed, headers: answer.headers };
	}

	/** Makes a call that has to succeed. @returns the body of the answer */
	async ok(method: string, path: string, body?: unknown): Promise<any> {
		const answer = await this.call(method, path, body);
		if (answer.status !== 200)
			throw new Error(
				`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
			);
		return answer.body;
	}

	/** Makes a call that should be refused. @returns the status, and the text of whatever shape */
	async refused(method: string, path: string, body?: unknown): Promise<[number, string]> {
		const { status, body: shape } = await this.call(method, path, body);
		return [status, reasonOf(shape)];
	}

	/** Lets the service process what was added (docs/service/documents.md#processing). */
	async processed(): Promise<void> {
		const { clock, world } = this.sandbox;
		await clock.advance(world.settings.processingMs);
	}

	async transaction(id: string): Promise<any> {
		return await this.ok('GET', `/transactions/${id}`);
	}

	/** The documents that were added to a transaction, without its consent forms. */
	async added(id: string): Promise<any[]> {
		return (await this.transaction(id)).documents.filter(
			({ document_name }: any) => !/^eSign Consent Form/.test(document_name),
		);
	}
}

/** The text of any of the six error shapes (docs/service/errors.md#error-bodies). */
export function reasonOf(shape: any): string {
	if (typeof shape === 'string') return shape;
	if (Array.isArray(shape)) return shape.map(reasonOf).join(' ');
	return reasonOf(shape.errors ?? shape.error ?? shape.request ?? shape.message ?? '');
}

export const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');

/**
 * A real PDF. `bookmarks` are [title, page] at the top level of its outline. `text` stands on every
 * page.
 */
export async function makePdf(
	pages = 1,
	bookmarks: Array<[string, number]> = [],
	text = 'Page',
): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	for (let index = 0; index < pages; index++)
		pdf.addPage([612, 792]).drawText(`${text} ${index + 1}`, { x: 72, y: 700, font });
	if (bookmarks.length > 0) {
		const refs = bookmarks.map(() => pdf.context.nextRef());
		const outlines = pdf.context.nextRef();
		for (const [index, [title, page]] of bookmarks.entries()) {
			const item = pdf.context.obj({
				Parent: outlines,
				Dest: [pdf.getPage(page).ref, 'XYZ', null, null, null],
				...(refs[index + 1] && { Next: refs[index + 1] }),
				...(index > 0 && { Prev: refs[index - 1] }),
			});
			item.set(PDFName.of('Title'), PDFHexString.fromText(title));
			pdf.context.assign(refs[index], item);
		}
		pdf.context.assign(
			outlines,
			pdf.context.obj({ Type: 'Outlines', First: refs[0], Last: refs.at(-1), Count: refs.length }),
		);
		pdf.catalog.set(PDFName.of('Outlines'), outlines);
	}
	return Buffer.from(await pdf.save());
}

export const ADDRESS = { line1: '100 Harbor Street', city: 'Boston', state: 'MA' };
export const CLOSING = {
	transaction_type: 'refinance',
	paper_note_consent: true,
	signer: {
		email: 'jane@example.com',
		first_name: 'Jane',
		last_name: 'Borrower',
		external_id: 'borrower-1',
	},
	street_address: ADDRESS,
	title_agency_id: 'or_agency_harbor',
};
export const IAL2 = {
	id_verification: { selfie: true },
	knowledge_based_authentication: true,
	multi_factor_authentication: { type: 'sms' },
};

/** Creates a draft closing. @returns its id */
export async function newClosing(client: Client, more: object = {}): Promise<string> {
	return (await client.ok('POST', '/mortgage/v1/transactions', { ...CLOSING, ...more })).id;
}

/** Creates a draft of the business platform. @returns its id */
export async function newDraft(client: Client, more: object = {}): Promise<string> {
	return (
		await client.ok('POST', '/transactions', {
			draft: true,
			signers: [{ email: 'kim@example.com', external_id: 'kim' }],
			...more,
		})
	).id;
}

/** Adds a document and waits until it is processed. @returns the document as it was answered */
export async function addDocument(client: Client, id: string, more: object = {}): Promise<any> {
	const document = await client.ok('POST', `/transactions/${id}/documents`, {
		resource: base64(await makePdf(2)),
		requirement: 'esign',
		filename: 'Contract',
		...more,
	});
	await client.processed();
	return document;
}

/** Sends a business transaction with one document to its signer. @returns its id */
export async function newSent(
	client: Client,
	more: object = {},
	document: object = {},
): Promise<string> {
	const id = await newDraft(client, more);
	await addDocument(client, id, document);
	await client.ok('POST', `/transactions/${id}/notarization_ready`);
	return id;
}

/** Has a closing signed and notarized. @returns its id */
export async function newCompleted(client: Client, more: object = {}): Promise<string> {
	const id = await newClosing(client, more);
	await addDocument(client, id, { requirement: 'notarization', filename: 'Deed' });
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
	await client.sandbox.act.complete(id);
	return id;
}

interface Received {
	body: string;
	event: string;
	data: any;
	headers: IncomingHttpHeaders;
}

/** An endpoint for webhooks. It answers with the statuses in `answers`, then with 200. */
export class Receiver {
	readonly received: Received[] = [];
	answers: number[] = [];
	readonly server: Server;

	private constructor(server: Server) {
		this.server = server;
	}

	static async start(): Promise<Receiver> {
		const server = createServer();
		const receiver = new Receiver(server);
		server.on('request', async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const body = Buffer.concat(chunks).toString();
			const { event, data } = JSON.parse(body);
			receiver.received.push({ body, event, data, headers: request.headers });
			response.writeHead(receiver.answers.shift() ?? 200).end('seen');
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
	}

	get events(): string[] {
		return this.received.map(({ event }) => event);
	}

	/** Subscribes this endpoint. */
	async subscribe(client: Client, subscriptions: string[], more: object = {}): Promise<string> {
		return (await client.ok('POST', '/v2/webhooks/', { url: this.url, subscriptions, ...more })).id;
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}
}

/** Deletes webhooks and closes the endpoints they call. */
export async function stopReceivers(
	client: Client,
	hooks: string[],
	...receivers: Receiver[]
): Promise<void> {
	for (const hook of hooks) await client.ok('DELETE', `/v2/webhooks/${hook}`);
	for (const receiver of receivers) receiver.close();
}
