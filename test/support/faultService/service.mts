import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	File,
	findRoute,
	noResource,
	Refusal,
	refuse,
	usualEncoding,
	type Found,
} from './endpoints.mts';
import { Injector, type Injected, type Injection, type RandomFaults } from './injector.mts';
import type {
	Answer,
	Effect,
	Host,
	Json,
	RequestEntry,
	ServiceOptions,
	Target,
	Wire,
} from './types.mts';
import { World } from './world.mts';

/** A service that fails as it's told, with a ledger of what it really did. */

const DEFAULTS: ServiceOptions = {
	key: 'key-of+the/fault~service=1',
	interval: 3,
	slowMs: 30,
	secondMs: 1_000,
	bigBytes: 12 * 1024 * 1024,
};

/** Ports that neither the system nor host/run/ports.mts gives to anybody. */
const FIRST_PORT = 10_000;
const PORTS = 10_000;
let taken = process.pid * 997;

/**
 * Listens on a port that no other service gets soon: one that is closed for a while could be another's
 * before it's opened again.
 */
async function listen(server: Server): Promise<number> {
	for (;;) {
		const port = FIRST_PORT + (taken++ % PORTS);
		server.listen(port, '127.0.0.1');
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (isFree) return port;
	}
}

/** A running service. All its ports are on 127.0.0.1. */
export interface FaultService {
	/** Base URL, without a trailing slash. */
	url: string;
	/** Origin of the signed links. */
	filesUrl: string;
	key: string;
	state: World;
	/** What was really done, in order. */
	effects: Effect[];
	/** What came in, in order, on all three ports. */
	requests: RequestEntry[];
	/** Mistakes of the double itself. A test should find none. */
	problems: Error[];
	openSockets(): number;
	inject(injection: Injection): Injected;
	randomFaults(wish: RandomFaults): void;
	/** Ends injected and random faults. What has been struck stays struck. */
	clearFaults(): void;
	/** Lets all signers sign: documents get links, and a notarized transaction its record. */
	complete(transactionId: string): void;
	/** Waits until all writes are done that are done later. */
	settle(): Promise<void>;
	/** Forgets requests and effects, not the state. */
	forget(): void;
	close(): Promise<void>;
}

export async function startFaultService(
	given: Partial<ServiceOptions> = {},
): Promise<FaultService> {
	const options = { ...DEFAULTS, ...given };
	const world = new World(options.key);
	const requests: RequestEntry[] = [];
	const problems: Error[] = [];
	const injector = new Injector();
	const sockets = new Set<Socket>();
	const ends = new AbortController();
	const late: Array<Promise<void>> = [];
	const origins: Record<Host, string> = { api: '', files: '', elsewhere: '' };

	/** The way of one request: find the endpoint, carry it out, answer or strike. */
	async function dispatch(wire: Wire, entry: RequestEntry): Promise<void> {
		const { request } = wire;
		const { host, method, path } = entry;
		const url = new URL(path.replace(/^\/+/, '/'), 'http://localhost');
		const loop = /^\/loop\/(\d{3})\/([12])$/.exec(url.pathname);
		if (loop) {
			const location = `${wire.origin}/loop/${loop[1]}/${loop[2] === '1' ? 2 : 1}`;
			return wire.reply(Number(loop[1]), { location }, 'moved');
		}
		const found = findRoute(host, method, url.pathname);
		entry.kind = kindOf(found, url.searchParams);
		entry.hasBody =
			Number(request.headers['content-length'] ?? 0) > 0 ||
			Boolean(request.headers['transfer-encoding']);
		const { kind, hasBody, write } = entry;
		const target: Target = { host, method, path, write, hasBody, kind, key: options.key };
		const fault = host === 'elsewhere' ? undefined : injector.pick(target);
		entry.fault = fault?.name;
		if (fault?.unread) return fault.strike(target, wire, undefined);
		const bytes = await readBytes(request);
		if (!bytes) return;
		if (host === 'elsewhere') return wire.reply(200, JSON_TYPE, '{"id":"ot_elsewhere"}');
		if (fault && fault.when !== 'after') {
			fault.strike(target, wire, undefined);
			if (fault.laterS !== undefined)
				late.push(later(fault.laterS, async () => await carryOut(entry, found, url, bytes)));
			return;
		}
		fault?.rewrite?.(url.searchParams);
		const answer = await carryOut(entry, found, url, bytes);
		if (fault && entry.applied) return fault.strike(target, wire, answer);
		// A refusal has no fields or entries to change, so it stays itself.
		if (fault) injector.giveBack(fault);
		entry.fault = undefined;
		wire.reply(answer.status, answer.headers, answer.body);
	}

	/** Does a work some seconds later, if the service is still open then. */
	async function later(seconds: number, work: () => Promise<unknown>): Promise<void> {
		const isOpen = await sleep(seconds * options.secondMs, true, { signal: ends.signal }).catch(
			() => false,
		);
		if (isOpen) await work();
	}

	async function carryOut(
		entry: RequestEntry,
		found: Found | undefined,
		{ searchParams }: URL,
		bytes: Buffer,
	): Promise<Answer> {
		const traced = { 'x-amz-trace-id': `Root=1-fault-${entry.number}` };
		try {
			if (entry.host === 'api') checkAccess(entry, bytes, options.key);
			if (!found) noResource();
			const { platform, params, handler } = found;
			const { path, number } = entry;
			const body = await parseBody(bytes, String(entry.headers['content-type'] ?? ''));
			const result = handler({ world, platform, params, query: searchParams, body, number, path });
			entry.applied = true;
			if (result instanceof File) {
				const disposition = `attachment; filename="${result.name}"`;
				const headers = { 'content-type': result.type, 'content-disposition': disposition };
				return { status: 200, headers, body: result.content, json: undefined };
			}
			if (result === undefined)
				return { status: 204, headers: traced, body: Buffer.alloc(0), json: undefined };
			return toAnswer(200, result, traced);
		} catch (error) {
			if (error instanceof Refusal) return toAnswer(error.status, error.body, traced, error.type);
			problems.push(error as Error);
			return toAnswer(500, {}, {});
		}
	}

	const open = async (host: Host): Promise<Server> => {
		const server = createServer((request, response) => {
			const method = request.method ?? '';
			const entry: RequestEntry = {
				number: requests.length + 1,
				host,
				method,
				path: request.url ?? '',
				headers: request.headers,
				write: !['GET', 'HEAD', 'OPTIONS'].includes(method),
				applied: false,
			};
			requests.push(entry);
			const { socket } = request;
			const timers = timersOf(socket);
			const wire: Wire = {
				request,
				socket,
				options,
				origin: origins.api,
				elsewhere: origins.elsewhere,
				reply(status, headers, body = '') {
					if (socket.destroyed) return;
					entry.status = status;
					const isEmpty = status === 204 || status === 304;
					const bytes = isEmpty ? Buffer.alloc(0) : Buffer.from(body);
					const length = isEmpty ? {} : { 'content-length': String(bytes.length) };
					response.writeHead(status, { ...length, ...headers }).end(bytes);
				},
				raw: (bytes) => void (socket.writable && socket.write(bytes)),
				close: () => void socket.end(),
				reset(bytes) {
					if (bytes === undefined) return void socket.resetAndDestroy();
					wire.raw(bytes);
					// What was written has to arrive before the reset does.
					timers.add(setTimeout(() => socket.resetAndDestroy(), options.interval));
				},
				every: (task) => void (socket.destroyed || timers.add(setInterval(task, options.interval))),
				later: (task) => void (socket.destroyed || timers.add(setTimeout(task, options.slowMs))),
				refuseConnections: () => pause(server, options.slowMs, ends.signal),
			};
			dispatch(wire, entry).catch((error) => problems.push(error));
		});
		server.requestTimeout = 0;
		server.headersTimeout = 0;
		server.on('connection', (socket) => {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
			// A client that breaks the connection is part of what is tested.
			socket.on('error', () => {});
		});
		server.on('clientError', (_error, socket) => socket.destroy());
		origins[host] = `http://127.0.0.1:${await listen(server)}`;
		return server;
	};

	const servers = [await open('api'), await open('files'), await open('elsewhere')];
	world.origin = origins.api;
	world.files = origins.files;
	return {
		url: origins.api,
		filesUrl: origins.files,
		key: options.key,
		state: world,
		effects: world.effects,
		requests,
		problems,
		openSockets: () => sockets.size,
		inject: (injection) => injector.inject(injection),
		randomFaults: (wish) => injector.randomFaults(wish),
		clearFaults: () => injector.clear(),
		complete: (id) => world.complete(id),
		settle: async () => void (await Promise.all(late)),
		forget: () => {
			requests.length = 0;
			world.effects.length = 0;
		},
		close: async () => {
			ends.abort();
			const closed = servers.map((server) => new Promise((done) => server.close(done)));
			const gone = [...sockets].map((socket) => once(socket.destroy(), 'close'));
			await Promise.all([...closed, ...gone]);
		},
	};
}

const TIMERS = new WeakMap<Socket, Set<NodeJS.Timeout>>();

/** The timers of strikes on a connection. They end with it. */
function timersOf(socket: Socket): Set<NodeJS.Timeout> {
	const known = TIMERS.get(socket);
	if (known) return known;
	const timers = new Set<NodeJS.Timeout>();
	TIMERS.set(socket, timers);
	socket.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
	return timers;
}

/** Stops listening for a while; open connections stay. */
function pause(server: Server, milliseconds: number, signal: AbortSignal): void {
	const { port } = server.address() as AddressInfo;
	server.close();
	setTimeout(() => {
		if (!signal.aborted) server.listen(port, '127.0.0.1');
	}, milliseconds).unref();
}

/** Reads the whole body, or nothing if the client hangs up before. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of request) chunks.push(chunk);
	} catch {
		return undefined;
	}
	return request.complete ? Buffer.concat(chunks) : undefined;
}

/** The fields of a body: JSON, or a form with a file in it (docs/service/documents.md#resource). */
async function parseBody(bytes: Buffer, type: string): Promise<Json> {
	if (bytes.length === 0) return {};
	if (!type.startsWith('multipart/form-data')) {
		try {
			return JSON.parse(String(bytes)) ?? {};
		} catch {
			refuse(400, 'Invalid JSON');
		}
	}
	const headers = { 'content-type': type };
	const form = await new Response(new Uint8Array(bytes), { headers }).formData();
	const fields: Json = {};
	for (const [name, value] of form.entries()) {
		// Arrays and objects come as JSON in a form; everything else is text.
		if (typeof value === 'string')
			fields[name] = /^\s*[[{]/.test(value) ? JSON.parse(value) : value;
		else fields[name] = Buffer.from(await value.arrayBuffer());
	}
	return fields;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function checkAccess({ headers, method }: RequestEntry, bytes: Buffer, key: string): void {
	if (headers.apikey !== key) {
		const message = 'Invalid authentication credentials';
		throw new Refusal(401, { message, errors: [message] });
	}
	// docs/service/api.md#base-url-and-requests.
	if (method === 'GET' && bytes.length > 0)
		throw new Refusal(403, { errors: ['A GET request must not have a body'] });
}

function toAnswer(
	status: number,
	value: unknown,
	headers: Record<string, string>,
	type = 'application/json',
): Answer {
	const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
	const json = typeof value === 'string' ? undefined : JSON.parse(String(body));
	return { status, headers: { ...headers, 'content-type': type }, body, json };
}

/** Two endpoints have a file in base64 or not, by their query. */
function kindOf(found: Found | undefined, query: URLSearchParams): Target['kind'] {
	if (!found) return 'object';
	const { kind, platform } = found;
	const encoding = query.get('encoding');
	if (kind === 'encoded')
		return (encoding ?? usualEncoding(platform)) === 'base64' ? 'encoded' : 'object';
	return kind === 'file' && encoding === 'base64' ? 'encoded' : kind;
}
