import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAnswers, Refused, type Call } from './answers.mts';
import { Description, type Operation } from './description.mts';
import { Generator, TINY_PDF, type Variant } from './generate.mts';
import { Memory } from './memory.mts';
import { RequestCheck } from './requestCheck.mts';

/**
 * A service that knows nothing but its published description (sandbox/openapi.yaml): it answers
 * every operation with something made from the schemas, and refuses what they do not allow. It
 * shares no idea of the service with the sandbox, so what works with both was not built for one.
 */

export interface PublishedRequest {
	method: string;
	/** As it was asked for. */
	path: string;
	query: Record<string, string>;
	headers: IncomingMessage['headers'];
	body: unknown;
	/** Undefined when there is no such operation. */
	operationId?: string;
	status: number;
	/** What was answered, if it was JSON. */
	answer?: any;
	/** The ID of what the answer is about, even if the answer does not show it. */
	about?: unknown;
}

export interface Published {
	/** Origin of the service. */
	url: string;
	/** Origin of the storage that signed links lead to. */
	filesUrl: string;
	description: Description;
	requests: PublishedRequest[];
	/** What requests did that the description does not allow, or that took the key elsewhere. */
	problems: string[];
	close(): Promise<void>;
}

interface Options {
	variant?: Variant;
	/** The same seed makes the same answers. */
	seed?: number;
	/** Writes answer with an empty body, which the documented interface leaves open. */
	emptyWrites?: boolean;
}

interface Matched {
	operation: Operation;
	params: Record<string, string>;
}

interface Reply {
	status: number;
	type: string;
	body: Buffer;
	json?: unknown;
}

/** Of JSON, or of a form. */
type Body = Record<string, unknown> | undefined;

// Read and compiled once for all servers of a test file.
const description = new Description();
const check = new RequestCheck(description);

export async function startPublished({
	variant = 'all',
	seed = 1,
	emptyWrites = false,
}: Options = {}): Promise<Published> {
	const requests: PublishedRequest[] = [];
	const problems: string[] = [];
	const origins = { service: '', files: '' };
	const generator = new Generator(description, variant, seed, origins);
	const answers = createAnswers(new Memory(generator), generator, origins);

	/** Finds the operation of a request. */
	function find({ method, path, headers, body }: PublishedRequest): Matched {
		const matched = description.match(method, toDocumented(path));
		if (matched === undefined) throw new Refused(404, { errors: ['Not Found'] });
		if (!headers.apikey) {
			const text = 'Invalid authentication credentials';
			throw new Refused(401, { message: text, errors: [text] });
		}
		if (method === 'GET' && body !== undefined) throw new Refused(403, { message: 'Forbidden' });
		return matched;
	}

	/** Refuses what the description does not allow. */
	function judge({ operation }: Matched, { method, path, query, body }: PublishedRequest): void {
		const refusal = check.judge(operation, query, body);
		if (refusal === undefined) return;
		const { status, text, detail } = refusal;
		if (detail !== undefined) problems.push(`${method} ${path}: ${detail}`);
		// The templates have an error body of their own.
		throw new Refused(status, {
			errors: operation.id === 'listTemplates' ? { request: [text] } : [text],
		});
	}

	function perform({ operation, params }: Matched, logged: PublishedRequest): Reply {
		const { query, body } = logged;
		const { id, status, method, answer } = operation;
		// What has no answer of its own is made up as a whole.
		const known = answers[id]?.({ params, query, body: (body ?? {}) as Call['body'] });
		logged.about = ([known].flat()[0] as { id?: unknown } | undefined)?.id;
		if (FILES[id] !== undefined && query.encoding !== 'base64') return { status, ...FILES[id] };
		const json =
			answer === undefined || (emptyWrites && method !== 'GET')
				? undefined
				: generator.make(answer, placeOf(operation, params, known), known);
		return { status, ...asJson(json) };
	}

	/** Answers a request of the interface. */
	async function handle(request: IncomingMessage): Promise<Reply> {
		const { pathname, searchParams } = new URL(request.url!, origins.service);
		const logged: PublishedRequest = {
			method: request.method!,
			path: pathname,
			query: Object.fromEntries(searchParams),
			headers: request.headers,
			body: undefined,
			status: 500,
		};
		requests.push(logged);
		let reply: Reply;
		try {
			logged.body = await readBody(request);
			const matched = find(logged);
			logged.operationId = matched.operation.id;
			judge(matched, logged);
			reply = perform(matched, logged);
		} catch (thrown) {
			if (!(thrown instanceof Refused)) throw thrown;
			reply = { status: thrown.status, ...asJson(thrown.body) };
		}
		logged.status = reply.status;
		logged.answer = reply.json;
		return reply;
	}

	const service = createServer((request, response) => {
		handle(request)
			.catch((thrown: unknown): Reply => {
				problems.push(`The published server failed: ${(thrown as Error).stack}`);
				return { status: 500, ...asJson({ error: 'The published server failed' }) };
			})
			.then((reply) => send(response, reply));
	});
	const files = createServer((request, response) => {
		if (request.headers.apikey !== undefined)
			problems.push(`The API key was sent to the storage: ${request.url}`);
		send(response, { status: 200, ...(request.url!.includes('.png') ? IMAGE : PDF) });
	});
	origins.service = await listen(service);
	origins.files = await listen(files);
	return {
		url: origins.service,
		filesUrl: origins.files,
		description,
		requests,
		problems,
		async close() {
			await Promise.all([stop(service), stop(files)]);
		},
	};
}

/**
 * Both path layouts are served (docs/service/api.md#path-layouts). The notaries of real estate and
 * the webhooks have one path in both.
 */
function toDocumented(path: string): string {
	const bare = path.replace(/(.)\/+$/, '$1');
	if (bare.startsWith('/mortgage/v2/webhooks')) return bare;
	if (bare.startsWith('/mortgage/v2/notaries')) return '/nowhere';
	return bare.replace(/^\/mortgage\/v2\//, '/mortgage/v1/').replace(/^\/v1\//, '/');
}

/** What an answer is about, so that the same thing looks the same in every answer. */
function placeOf({ id }: Operation, params: Record<string, string>, known: unknown): string {
	const own = (known as { id?: unknown } | undefined)?.id;
	return typeof own === 'string' ? own : `${id}/${Object.values(params).join('/')}`;
}

async function readBody(request: IncomingMessage): Promise<Body> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const bytes = Buffer.concat(chunks);
	if (bytes.length === 0) return undefined;
	const type = request.headers['content-type'] ?? '';
	try {
		if (type.startsWith('multipart/form-data')) return await readForm(bytes, type);
		return JSON.parse(bytes.toString('utf8')) as Body;
	} catch {
		throw new Refused(400, { errors: ['The body can not be read'] });
	}
}

/** The fields of a form are text: those that are no text are written as JSON. A file is base64. */
async function readForm(bytes: Buffer, type: string): Promise<Body> {
	const form = await new Response(new Uint8Array(bytes), {
		headers: { 'content-type': type },
	}).formData();
	const body: Record<string, unknown> = {};
	for (const [name, value] of form.entries()) {
		if (typeof value !== 'string')
			body[name] = Buffer.from(await value.arrayBuffer()).toString('base64');
		else
			body[name] =
				/^(true|false|-?\d+|[[{].*)$/s.test(value) && name !== 'tracking_id'
					? JSON.parse(value)
					: value;
	}
	return body;
}

const PDF = { type: 'application/pdf', body: TINY_PDF };
const VIDEO = {
	type: 'video/mp4',
	body: Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
};
const IMAGE = {
	type: 'image/png',
	body: Buffer.from(
		'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
		'base64',
	),
};
/** Operations that answer with a file. */
const FILES: Record<string, typeof PDF> = { getVideo: VIDEO, getAsset: VIDEO, getAuditTrail: PDF };

const asJson = (json: unknown) => ({
	json,
	type: 'application/json',
	body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
});

function send(response: ServerResponse, { status, type, body }: Reply): void {
	response.writeHead(status, { 'content-type': type, 'x-amz-trace-id': 'Root=1-published' });
	response.end(body);
}

async function listen(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}
