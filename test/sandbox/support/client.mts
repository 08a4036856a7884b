/**
 * An independent client of the sandbox, and helpers to create transactions with it. Every answer is
 * validated against openapi.yaml.
 */

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { PDFDocument, PDFHexString, PDFName, StandardFonts } from '@cantoo/pdf-lib';

import type { Sandbox } from '../../../sandbox/index.mts';
import type { Transaction } from '../../../sandbox/world/world.mts';

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

	/** Makes a call that has to be refused, with this status and, if given, this text in any shape. */
	async refuses(
		method: string,
		path: string,
		body: unknown,
		status: number,
		text: string | RegExp = /^/,
	): Promise<void> {
		const answer = await this.call(method, path, body);
		expect([answer.status, reasonOf(answer.body)]).toEqual([
			status,
			typeof text === 'string' ? text : expect.stringMatching(text),
		]);
	}

	/** The statuses of calls without a body. */
	async statuses(method: string, paths: string[]): Promise<number[]> {
		const found: number[] = [];
		for (const path of paths) found.push((await this.call(method, path)).status);
		return found;
	}

	/** Lets the service process what was added (docs/service/documents.md#processing). */
	async processed(): Promise<void> {
		const { clock, world } = this.sandbox;
		await clock.advance(world.settings.processingMs);
	}

	async transaction(id: string): Promise<any> {
		return await this.ok('GET', `/transactions/${id}`);
	}

	/** Status and detailed status of a transaction. */
	async state(id: string): Promise<string> {
		const { status, detailed_status } = await this.transaction(id);
		return `${status} ${detailed_status}`;
	}

	/** A transaction as the sandbox stores it. */
	stored(id: string): Transaction {
		return this.sandbox.world.transactions.get(id)!;
	}

	/** Get Document of business. */
	async document(id: string, document: string, query = ''): Promise<any> {
		return await this.ok('GET', `/transactions/${id}/documents/${document}${query}`);
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

/** The documented paths of transactions: business and real estate. */
export const B = '/transactions';
export const R = '/mortgage/v1/transactions';

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
export const PLACE = { page_number: 0, x: 72, y: 100, width: 180, height: 24 };
/** A signature of the signer of `newDraft`. */
export const SIGNATURE = { ...PLACE, signer_identifier: 'kim', type: 'signature' };
export const IAL2 = {
	id_verification: { selfie: true },
	knowledge_based_authentication: true,
	multi_factor_authentication: { type: 'sms' },
};

/** Creates a draft closing. @returns its id */
export async function newClosing(client: Client, more: object = {}): Promise<string> {
	return (await client.ok('POST', R, { ...CLOSING, ...more })).id;
}

/** Creates a draft of the business platform. @returns its id */
export async function newDraft(client: Client, more: object = {}): Promise<string> {
	return (
		await client.ok('POST', B, {
			draft: true,
			signers: [{ email: 'kim@example.com', external_id: 'kim' }],
			...more,
		})
	).id;
}

/** The body of a document with two pages. */
export async function newDocument(more: object = {}): Promise<object> {
	return { resource: base64(await makePdf(2)), requirement: 'esign', ...more };
}

/** Adds a document and waits until it is processed. @returns the document as it was answered */
export async function addDocument(client: Client, id: string, more: object = {}): Promise<any> {
	const body = await newDocument({ filename: 'Contract', ...more });
	const document = await client.ok('POST', `${B}/${id}/documents`, body);
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

/** A closing with one document that was ordered. @returns its id */
export async function newOrdered(
	client: Client,
	more: object = {},
	document: object = { requirement: 'notarization' },
): Promise<string> {
	const id = await newClosing(client, more);
	await addDocument(client, id, { filename: 'Deed', ...document });
	await client.ok('POST', `${R}/${id}/place_order`, {});
	return id;
}

/** Has a closing signed and notarized. @returns its id */
export async function newCompleted(client: Client): Promise<string> {
	const id = await newOrdered(client);
	await client.sandbox.act.complete(id);
	return id;
}

/** The status and the content of an address. */
export async function download(
	url: string,
	headers: Record<string, string> = {},
): Promise<{ status: number; type: string | null; bytes: Buffer }> {
	const answer = await fetch(url, { headers });
	return {
		status: answer.status,
		type: answer.headers.get('content-type'),
		bytes: Buffer.from(await answer.arrayBuffer()),
	};
}

interface Received {
	body: string;
	event: string;
	data: any;
	headers: IncomingHttpHeaders;
}

/**
 * An endpoint for webhooks, which is subscribed to events of a sandbox. It answers with the statuses
 * in `answers`, then with 200. `useSandbox` closes it after the test.
 */
export class Receiver {
	static readonly open = new Set<Receiver>();
	readonly received: Received[] = [];
	answers: number[] = [];
	/** The id of its webhook. */
	hook = '';

	readonly client: Client;
	readonly server: Server;

	private constructor(client: Client, server: Server) {
		this.client = client;
		this.server = server;
		server.on('request', async (request, response) => {
			const body = Buffer.concat(await request.toArray()).toString();
			const { event, data } = JSON.parse(body);
			this.received.push({ body, event, data, headers: request.headers });
			response.writeHead(this.answers.shift() ?? 200).end('seen');
		});
		Receiver.open.add(this);
	}

	/** Starts an endpoint and subscribes it. */
	static async on(client: Client, subscriptions: string[], more: object = {}): Promise<Receiver> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const receiver = new Receiver(client, server);
		const body = { url: receiver.url, subscriptions, ...more };
		const made = await client.ok('POST', '/v2/webhooks/', body);
		// A documented-only service answers nothing.
		receiver.hook = made?.id ?? (await client.ok('GET', '/v2/webhooks')).at(-1);
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
	}

	/** What it has received, once every delivery under way has ended. */
	async all(): Promise<Received[]> {
		await this.client.sandbox.clock.settled();
		return this.received;
	}

	/** The names of the events that it has received. */
	async events(): Promise<string[]> {
		return (await this.all()).map(({ event }) => event);
	}

	/** The event records of its webhook. */
	async records(query = ''): Promise<any[]> {
		await this.client.sandbox.clock.settled();
		return await this.client.ok('GET', `/v2/webhooks/${this.hook}/events${query}`);
	}

	static closeAll(): void {
		for (const { server } of Receiver.open) {
			server.closeAllConnections();
			server.close();
		}
		Receiver.open.clear();
	}
}
