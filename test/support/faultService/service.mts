import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { makeRouter } from './api/router.mts';
import { dispatch } from './dispatch.mts';
import { Injector, type Injected, type Injection, type RandomFaults } from './injector.mts';
import { complete } from './state/complete.mts';
import { World, type WebhookRecord } from './state/world.mts';
import type { Effect, Host, Json, RequestEntry, ServiceOptions } from './types.mts';
import { makeWire } from './wire.mts';

const DEFAULTS: ServiceOptions = {
	key: 'key-of+the/fault~service=1',
	account: 'title',
	layouts: ['documented', 'current'],
	verifyAddress: 'published',
	strictPut: false,
	deliver: false,
	processingMs: 0,
	splitMs: 0,
	splitInto: 2,
	linkSeconds: 900,
	templates: 3,
	notaries: 2,
	interval: 20,
	slowMs: 200,
	bigBytes: 50 * 1024 * 1024,
	bombBytes: 200 * 1024 * 1024,
	endlessBytes: 1024 * 1024 * 1024,
};

/** A running service. All its ports are on 127.0.0.1. */
export interface FaultService {
	/** Base URL, without a trailing slash. */
	url: string;
	/** Origin of the signed links. */
	filesUrl: string;
	/** Origin that redirects lead to. No request should arrive there with the key. */
	elsewhereUrl: string;
	key: string;
	/** May be changed while it runs. */
	options: ServiceOptions;
	state: World;
	/** What was really done, in order. */
	effects: Effect[];
	/** What came in, in order, on all three ports. */
	requests: RequestEntry[];
	/** Mistakes of the double itself. */
	problems: Error[];
	openSockets(): number;
	inject(injection: Injection): Injected;
	randomFaults(wish: RandomFaults): void;
	/** Ends injected and random faults. What has been struck stays struck. */
	clearFaults(): void;
	/** Lets all signers sign: documents get links, and a notarized transaction its record. */
	complete(transactionId: string, status?: 'completed' | 'completed_with_rejections'): void;
	/** Forgets requests and effects, not the state. */
	forget(): void;
	close(): Promise<void>;
}

export async function startFaultService(
	wishes: Partial<ServiceOptions> = {},
): Promise<FaultService> {
	const options = { ...DEFAULTS, ...wishes };
	const world = new World(options);
	const requests: RequestEntry[] = [];
	const problems: Error[] = [];
	const injector = new Injector();
	const sockets = new Set<Socket>();
	const ends = new AbortController();
	const surroundings = { world, router: makeRouter(options), injector, problems };
	const origins: Record<Host, string> = { api: '', files: '', elsewhere: '' };
	let requestNumber = 0;

	const open = async (host: Host): Promise<Server> => {
		const server = createServer((request, response) => {
			const entry: RequestEntry = {
				number: ++requestNumber,
				host,
				method: request.method ?? '',
				path: request.url ?? '',
				headers: request.headers,
				size: 0,
				at: Date.now(),
				write: !['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? ''),
				applied: false,
				answered: false,
				honest: false,
				aborted: false,
			};
			requests.push(entry);
			const wire = makeWire(request, response, {
				entry,
				options,
				origin: origins.api,
				elsewhere: origins.elsewhere,
				refuseConnections: () => pause(server, options.slowMs, ends.signal),
			});
			dispatch(host, wire, surroundings).catch((error) => problems.push(error));
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
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		origins[host] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		return server;
	};

	const servers = [await open('api'), await open('files'), await open('elsewhere')];
	world.origin = origins.api;
	world.files = origins.files;
	world.onEvent = (webhook, record) => {
		if (options.deliver) void deliver(webhook, record, options.key, ends.signal);
	};
	return {
		url: origins.api,
		filesUrl: origins.files,
		elsewhereUrl: origins.elsewhere,
		key: options.key,
		options,
		state: world,
		effects: world.effects,
		requests,
		problems,
		openSockets: () => sockets.size,
		inject: (injection) => injector.inject(injection),
		randomFaults: (wish) => injector.randomFaults(wish),
		clearFaults: () => injector.clear(),
		complete: (id, status = 'completed') => complete(world, id, status),
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

/** Stops listening for a while; open connections stay. */
function pause(server: Server, milliseconds: number, signal: AbortSignal): void {
	const { port } = server.address() as AddressInfo;
	server.close();
	setTimeout(() => {
		if (!signal.aborted) server.listen(port, '127.0.0.1');
	}, milliseconds).unref();
}

/** Delivers an event once (docs/service/webhooks.md#deliveries). */
async function deliver(
	webhook: WebhookRecord,
	record: Json,
	key: string,
	signal: AbortSignal,
): Promise<void> {
	const { fields } = webhook;
	const body: string = record.payload;
	const signature = createHmac('sha256', fields.signing_key ?? key)
		.update(body)
		.digest('hex');
	const headers = new Headers({
		'content-type': 'application/json',
		'x-signature': signature,
		[fields.request_id_header_name ?? 'X-Request-Id']: crypto.randomUUID(),
	});
	for (const line of fields.headers ?? (fields.header ? [fields.header] : [])) {
		const colon = line.indexOf(':');
		headers.set(line.slice(0, colon), line.slice(colon + 1));
	}
	try {
		const answer = await fetch(fields.url, { method: 'POST', headers, body, signal });
		record.response = { code: answer.status, body: await answer.text(), headers: {} };
	} catch (error) {
		record.response = { code: 0, body: '', error: String(error), headers: {} };
	}
}
