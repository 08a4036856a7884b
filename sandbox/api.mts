import { readFileSync } from 'node:fs';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OpenAPIBackend, type Context } from 'openapi-backend';
import { parse } from 'yaml';

import type { FaultSpec, Faults } from './faults.mts';
import { toCanonicalPath } from './layouts.mts';
import type { OperationHandler } from './operations.mts';
import { Refusal, refusalBody } from './refusal.mts';
import type { World } from './world.mts';

/** The API: routing and validation by openapi.yaml, authentication, refusals in the service's shapes. */

export interface LoggedRequest {
	method: string;
	path: string;
	query: Record<string, string>;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	status: number;
	operationId?: string;
}

export interface ApiParts {
	world: World;
	operations: Record<string, OperationHandler>;
	faults: Faults;
	requests: LoggedRequest[];
	/** Requests that broke openapi.yaml, in words. */
	problems: string[];
	latencyMs: number;
}

const DEFINITION = readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8');

/** Operations a client-only key may use: it may only create (gaps.md §2). */
const CREATES = new Set(['createTransaction', 'createClosing', 'addDocument', 'addClosingDocument', 'addEnote']);

let loaded: Promise<OpenAPIBackend> | undefined;

/** Routing and validation know nothing of a sandbox's state: one for all sandboxes of a process, since compiling the schemas takes half a second. */
async function loadBackend(): Promise<OpenAPIBackend> {
	loaded ??= new OpenAPIBackend({
		definition: parse(DEFINITION, { merge: true }),
		ajvOpts: { strict: false, formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) } },
		coerceTypes: true,
	}).init();
	return await loaded;
}

export async function registerApi(app: FastifyInstance, parts: ApiParts): Promise<void> {
	const backend = await loadBackend();
	app.all('/*', async (request, reply) => {
		const logged = log(parts, request);
		const fault = parts.faults.take(request.method, logged.path);
		if (parts.latencyMs + (fault?.delayMs ?? 0) > 0) await new Promise((wake) => setTimeout(wake, parts.latencyMs + (fault?.delayMs ?? 0)));
		if (fault !== undefined && (await interfere(fault, reply, 'before'))) return reply;
		const { status, body, headers } = await perform(backend, parts, request, reply, logged);
		logged.status = status;
		if (reply.sent) return reply;
		if (fault !== undefined && (await interfere(fault, reply, 'after'))) return reply;
		reply.status(status).headers({ date: new Date(parts.world.clock.now()).toUTCString(), ...headers });
		return body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body));
	});
}

async function perform(
	backend: OpenAPIBackend,
	parts: ApiParts,
	request: FastifyRequest,
	reply: FastifyReply,
	logged: LoggedRequest,
): Promise<{ status: number; body?: unknown; headers?: Record<string, string> }> {
	const { path, realEstateVersion = 1 } = toCanonicalPath(logged.path);
	const call = { method: request.method, path, query: logged.query, headers: { 'content-type': 'application/json' }, body: logged.body as never };
	const operation = backend.router.matchOperation(call);
	const operationId = operation?.operationId;
	logged.operationId = operationId;
	const refuse = (status: number, text: string) => ({ status, body: refusalBody(operationId ?? '', status, text), headers: { 'x-amz-trace-id': `Root=1-${parts.requests.length}` } });
	try {
		if (request.method === 'GET' && Number(request.headers['content-length'] ?? 0) > 0) throw new Refusal(403, 'GET with a body is not allowed');
		const key = parts.world.keys.find(({ value }) => value === request.headers.apikey);
		if (key === undefined) throw new Refusal(401, 'Not authenticated');
		const mark = (operation as { 'x-mark'?: string } | undefined)?.['x-mark'];
		if (operation === undefined || operationId === undefined || (parts.world.profile === 'documented' && mark !== 'doc')) throw new Refusal(404, 'Not found');
		if (key.role === 'clientOnly' && !CREATES.has(operationId)) throw new Refusal(403, 'A client-only key may only create');
		// A body that openapi.yaml does not allow is refused loudly: the sandbox is stricter than a live service.
		const checked = backend.validator.validateRequest(withoutFile(call), operation);
		if (!checked.valid) {
			const text = (checked.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join('; ');
			parts.problems.push(`${request.method} ${logged.path}: ${text}`);
			throw new Refusal(422, text);
		}
		const params = (backend.router.parseRequest(call, operation).params ?? {}) as Context['request']['params'] as Record<string, string>;
		const body = await parts.operations[operationId]({ key, params, query: logged.query, body: (logged.body ?? {}) as Record<string, any>, realEstateVersion, reply });
		return { status: 200, body: reply.sent ? undefined : body };
	} catch (thrown) {
		if (thrown instanceof Refusal) return refuse(thrown.status, thrown.message);
		throw thrown;
	}
}

/** The bytes of a multipart file stand for the text that the schema asks for. */
function withoutFile<T extends { body: unknown }>(call: T): T {
	const body = call.body as Record<string, unknown> | undefined;
	return body !== undefined && Buffer.isBuffer(body?.resource) ? { ...call, body: { ...body, resource: 'file' } } : call;
}

function log(parts: ApiParts, request: FastifyRequest): LoggedRequest {
	const logged: LoggedRequest = {
		method: request.method,
		path: request.url.split('?')[0],
		query: request.query as Record<string, string>,
		headers: request.headers,
		body: request.body ?? undefined,
		status: 0,
	};
	parts.requests.push(logged);
	return logged;
}

/** @returns true when the fault has answered or hung up */
async function interfere(fault: FaultSpec, reply: FastifyReply, when: 'before' | 'after'): Promise<boolean> {
	const { kind = 'respond' } = fault;
	if (kind === 'cutAfter' ? when === 'after' : kind === 'cutBefore' && when === 'before') {
		reply.hijack();
		reply.raw.socket?.destroy();
		return true;
	}
	if (when === 'after') return false;
	if (kind === 'cutMidBody' || kind === 'stall') {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
		reply.raw.write('{"id": "ot_');
		if (kind === 'cutMidBody') setTimeout(() => reply.raw.socket?.destroy(), 10);
		return true;
	}
	if (kind === 'respond' && fault.status !== undefined) {
		const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? { error: 'On demand' });
		await reply.status(fault.status).headers(fault.headers ?? {}).type(fault.headers?.['content-type'] ?? 'application/json').send(text);
		return true;
	}
	return false;
}
