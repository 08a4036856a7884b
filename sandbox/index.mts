import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';

import { registerApi, type LoggedRequest } from './api.mts';
import { createClock, type Clock } from './clock.mts';
import { registerControl } from './control.mts';
import { Faults } from './faults.mts';
import { registerFiles } from './files.mts';
import { createIds } from './ids.mts';
import { createLinks, LINK_LIFETIME_SECONDS } from './links.mts';
import { createOperations } from './operations.mts';
import { notaryCompletes, reject, signerSigns } from './people.mts';
import { registerSamples } from './samples.mts';
import { createDeliverer, RETRY_SECONDS, type Delivery } from './webhooks.mts';
import type { Profile, Transaction, World } from './world.mts';

/** Keys and organizations that every sandbox has. */
export const KEYS = { full: 'demo-full-access-key', clientOnly: 'demo-client-only-key', child: 'demo-child-key' };
export const ORGANIZATIONS = { parent: 'or_harbor', child: 'or_harbor_branch' };

export interface SandboxOptions {
	/** 0 takes any free port. */
	port?: number;
	profile?: Profile;
	seed?: string;
	clockSpeed?: number;
	latencyMs?: number;
	linkLifetimeSeconds?: number;
	webhookRetrySeconds?: number[];
	/** Serves signed links on a port, and so an origin, of their own: the API key must not go there. */
	separateFiles?: boolean;
	/** Other keys than the well-known ones. */
	keys?: typeof KEYS;
}

export interface Sandbox {
	url: string;
	filesUrl: string;
	port: number;
	keys: typeof KEYS;
	world: World;
	clock: Clock;
	faults: Faults;
	requests: LoggedRequest[];
	/** Headers of requests for signed links, to prove that no key went along. */
	fileRequests: Array<Record<string, unknown>>;
	problems: string[];
	deliveries: Delivery[];
	act: { sign(id: string): Promise<void>; notarize(id: string): Promise<void>; reject(id: string): Promise<void> };
	close(): Promise<void>;
}

/**
 * Starts the double of the service on loopback (interface.md, gaps.md).
 * @throws when the port is taken (code EADDRINUSE)
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const keys = options.keys ?? KEYS;
	const clock = createClock(options.clockSpeed ?? 1);
	const world: World = {
		profile: options.profile ?? 'full',
		clock,
		newId: createIds(options.seed ?? 'sandbox'),
		keys: [
			{ value: keys.full, role: 'full', organization: ORGANIZATIONS.parent },
			{ value: keys.clientOnly, role: 'clientOnly', organization: ORGANIZATIONS.parent },
			{ value: keys.child, role: 'full', organization: ORGANIZATIONS.child },
		],
		...ORGANIZATIONS,
		transactions: new Map(),
		records: new Map(),
		webhooks: new Map(),
		emit: () => undefined,
	};
	const deliverer = createDeliverer(world, options.webhookRetrySeconds ?? RETRY_SECONDS, () => undefined);
	world.emit = deliverer.emit;
	const faults = new Faults();
	const requests: LoggedRequest[] = [];
	const fileRequests: Array<Record<string, unknown>> = [];
	const problems: string[] = [];
	let url = '';
	let filesUrl = '';
	const links = createLinks(() => filesUrl, clock.now, `links of ${options.seed ?? 'sandbox'}`, options.linkLifetimeSeconds ?? LINK_LIFETIME_SECONDS);
	const app = await createServer();
	const filesApp = options.separateFiles ? await createServer() : app;
	filesApp.addHook('onRequest', async (request) => {
		if (request.url.startsWith('/files/')) fileRequests.push(request.headers);
	});
	registerSamples(app);
	registerFiles(filesApp, world, links);
	registerControl(app, world, links, faults, deliverer.recent);
	await registerApi(app, {
		world,
		operations: createOperations(world, links, () => url),
		faults,
		requests,
		problems,
		latencyMs: options.latencyMs ?? 0,
	});
	url = await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
	filesUrl = filesApp === app ? url : await filesApp.listen({ port: 0, host: '127.0.0.1' });
	const find = (id: string): Transaction => {
		const transaction = world.transactions.get(id);
		if (transaction === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return transaction;
	};
	return {
		url,
		filesUrl,
		port: Number(new URL(url).port),
		keys,
		world,
		clock,
		faults,
		requests,
		fileRequests,
		problems,
		deliveries: deliverer.recent,
		act: {
			sign: async (id) => await signerSigns(world, find(id)),
			notarize: async (id) => await notaryCompletes(world, find(id)),
			reject: async (id) => await reject(world, find(id)),
		},
		async close() {
			clock.stop();
			app.server.closeAllConnections();
			await app.close();
			if (filesApp !== app) {
				filesApp.server.closeAllConnections();
				await filesApp.close();
			}
		},
	};
}

async function createServer(): Promise<FastifyInstance> {
	const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
	await app.register(multipart, {
		attachFieldsToBody: 'keyValues',
		limits: { fileSize: 40 * 1024 * 1024 },
		async onFile(part) {
			(part as unknown as { value: Buffer }).value = await part.toBuffer();
		},
	});
	// "true" and JSON texts of a multipart form mean what they say in JSON.
	app.addHook('preValidation', async (request) => {
		if (!request.isMultipart() || typeof request.body !== 'object' || request.body === null) return;
		const body = request.body as Record<string, unknown>;
		for (const [name, value] of Object.entries(body)) {
			if (typeof value === 'string' && /^(true|false|\d+|\[.*\])$/s.test(value)) body[name] = JSON.parse(value);
		}
	});
	return app;
}
