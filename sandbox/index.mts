/**
 * startSandbox: the double of the service on loopback, put together from its parts. Options say
 * what kind of service it is; the Sandbox lets tests see and play everything.
 */

import { createActions, type Actions } from './actors/actions.mts';
import { NOTARIES } from './data/notaries.mts';
import { createDeliveries, type Delivery } from './domain/webhooks/deliveries.mts';
import { registerApi } from './http/api.mts';
import { registerControl } from './http/controlApi.mts';
import { Faults } from './http/faults.mts';
import { registerFiles } from './http/files.mts';
import { createRequestLog, type RequestLog } from './http/requestLog.mts';
import { registerSamples } from './http/samples.mts';
import { createServer } from './http/server.mts';
import { createLinks } from './http/signedLinks.mts';
import { loadValidator, type Validator } from './http/validator.mts';
import { createOperations } from './operations/index.mts';
import { createClock, type Clock } from './world/clock.mts';
import {
	allSwitches,
	ASSURANCE_FIELD,
	DELIVERY_TIMEOUT_MS,
	KEYS,
	LINK_LIFETIME_SECONDS,
	ORGANIZATIONS,
	PROCESSING_MS,
	RETRY_SCHEDULE_SECONDS,
	SPLIT_SECONDS,
	type Keys,
	type Switches,
} from './world/config.mts';
import { createIds } from './world/ids.mts';
import type { Account, Profile, Settings, World } from './world/world.mts';

export { KEYS, ORGANIZATIONS } from './world/config.mts';

export interface SandboxOptions {
	/** 0, the default, is any free port. */
	port?: number;
	host?: '127.0.0.1';
	/**
	 * full: everything in docs/service/. documented: only what is marked so there
	 * (docs/service/README.md#a-documented-only-service).
	 */
	profile?: Profile;
	/** The same seed gives the same ids. */
	seed?: string | number;
	/** How fast the sandbox's time passes: 1, the default, is real time. */
	clockSpeed?: number;
	/** The sandbox's time at the start, in milliseconds since 1970. By default, now. */
	startTime?: number;
	/** Real milliseconds before every API answer. */
	latencyMs?: number;
	splitSeconds?: number;
	processingMs?: number;
	/** How long the recording lags the meeting (docs/service/notarization.md#meeting-video). */
	videoLagSeconds?: number;
	linkLifetimeSeconds?: number;
	webhookRetryScheduleSeconds?: number[];
	webhookTimeoutMs?: number;
	/**
	 * separate: signed links lead to a port, and so to an origin, of their own, those of version v2
	 * to another one (docs/service/documents.md#versions-of-links). The API key must not be sent
	 * there.
	 */
	filesOrigin?: 'same' | 'separate';
	/** By default, the well-known keys of every sandbox. */
	keys?: Keys;
	/** API name of the identity-assurance object (docs/service/signers.md#identity-assurance). */
	assuranceField?: string;
	/**
	 * manual: an order stays with the closing team until somebody plays it
	 * (docs/service/closings.md#closing-team).
	 */
	closingTeam?: 'automatic' | 'manual';
	/** fails: no document that is added can be processed (docs/service/documents.md#processing). */
	processing?: Settings['processing'];
	/** The account's, by default none (docs/service/documents.md#text-tags). */
	defaultTextTagSyntax?: Settings['defaultTextTagSyntax'];
	/**
	 * The kind of account that the keys belong to, by default lender
	 * (docs/service/README.md#the-two-platforms). A title account can't add eNotes, a business
	 * account has no closings.
	 */
	account?: Account;
	/**
	 * Which platforms the account may use: by default both, and only business for a business account
	 * (docs/service/errors.md#wrong-platform).
	 */
	platforms?: Settings['platforms'];
	/** What the account may not use (docs/service/errors.md#errors-of-transactions). */
	missingFeatures?: Settings['missingFeatures'];
	/**
	 * Which path layouts it understands, by default both. The paths of the other one answer 404
	 * (docs/service/api.md#path-layouts).
	 */
	layout?: Settings['layout'];
	/** What live services may do in more than one way (SWITCH_VALUES in world/config.mts). */
	switches?: Partial<Switches>;
	log?: (line: string) => void;
}

export interface Sandbox {
	url: string;
	/** The origin of signed links. */
	filesUrl: string;
	/** The origin of signed links of version v2. */
	serviceFilesUrl: string;
	port: number;
	keys: Keys;
	organizations: typeof ORGANIZATIONS;
	/** Everything the sandbox stores: transactions, records, webhooks, settings. */
	world: World;
	clock: Clock;
	faults: Faults;
	/** Every API request as it was received. */
	requests: RequestLog;
	/** The headers of all requests for signed links, to prove that no API key is among them. */
	fileRequests: Array<Record<string, unknown>>;
	/** What requests did wrong: they broke openapi.yaml, or took the API key to another origin. */
	problems: string[];
	/** The latest webhook deliveries, newest first. */
	deliveries: Delivery[];
	/** Validates against openapi.yaml. */
	validator: Validator;
	/** Plays the people behind a transaction: `sandbox.act.sign(id)`. */
	act: Actions;
	close(): Promise<void>;
}

/**
 * Starts the double of the service on loopback (docs/service/README.md).
 * @throws when the port is taken (code EADDRINUSE)
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		port = 0,
		host = '127.0.0.1',
		keys = KEYS,
		assuranceField = ASSURANCE_FIELD,
		log = () => undefined,
	} = options;
	const seed = String(options.seed ?? 'sandbox');
	const clock = createClock(options.clockSpeed ?? 1, options.startTime);
	const separate = options.filesOrigin === 'separate';
	let url = '';
	let filesUrl = '';
	let serviceFilesUrl = '';
	// The origin is known once the servers listen.
	const links = createLinks({
		origin: (version) => (version === 'v2' ? serviceFilesUrl : filesUrl),
		now: () => clock.now(),
		secret: `links of ${seed}`,
		lifetimeSeconds: options.linkLifetimeSeconds ?? LINK_LIFETIME_SECONDS,
	});
	const world: World = {
		settings: {
			profile: options.profile ?? 'full',
			splitSeconds: options.splitSeconds ?? SPLIT_SECONDS,
			processingMs: options.processingMs ?? PROCESSING_MS,
			videoLagSeconds: options.videoLagSeconds ?? 0,
			assuranceField,
			account: options.account ?? 'lender',
			platforms: options.platforms ?? (options.account === 'business' ? 'business' : 'both'),
			missingFeatures: options.missingFeatures ?? [],
			layout: options.layout ?? 'both',
			closingTeam: options.closingTeam ?? 'automatic',
			canceledIn: 'both',
			canceledEvent: 'offered',
			processing: options.processing ?? 'succeeds',
			defaultTextTagSyntax: options.defaultTextTagSyntax,
			switches: allSwitches(options.switches),
		},
		clock,
		links,
		origin: () => url,
		newId: createIds(seed),
		keys: [
			{ value: keys.full, role: 'full', organization: ORGANIZATIONS.parent },
			{ value: keys.clientOnly, role: 'clientOnly', organization: ORGANIZATIONS.parent },
			{ value: keys.childFull, role: 'full', organization: ORGANIZATIONS.child },
		],
		...ORGANIZATIONS,
		notaries: NOTARIES.map((notary) => ({ ...notary })),
		transactions: new Map(),
		records: new Map(),
		webhooks: new Map(),
		emit: () => undefined,
		emitNotary: () => undefined,
	};
	const deliveries = createDeliveries(world, {
		retryScheduleSeconds: options.webhookRetryScheduleSeconds ?? RETRY_SCHEDULE_SECONDS,
		timeoutMs: options.webhookTimeoutMs ?? DELIVERY_TIMEOUT_MS,
	});
	world.emit = deliveries.emit;
	world.emitNotary = deliveries.emitNotary;
	const faults = new Faults();
	const requests = createRequestLog();
	const problems: string[] = [];
	const fileRequests: Array<Record<string, unknown>> = [];
	const validator = await loadValidator(world.settings.profile, assuranceField);
	const app = await createServer();
	const filesApp = separate ? await createServer() : app;
	const serviceFilesApp = separate ? await createServer() : app;
	for (const server of new Set([filesApp, serviceFilesApp])) {
		server.addHook('onRequest', async (request) => {
			if (!request.url.startsWith('/files/')) return;
			fileRequests.push(request.headers);
			// On the API's own origin the key does no harm, even if signed links ask for none
			// (docs/service/documents.md#links).
			if (separate && request.headers.apikey !== undefined)
				problems.push(
					`${request.method} ${request.url.split('?')[0]}: ApiKey sent to a signed link`,
				);
		});
		registerFiles(server, world, links);
	}
	registerSamples(app);
	registerControl(app, { world, faults, requests, problems, deliveries });
	registerApi(app, {
		world,
		validator,
		operations: createOperations(world),
		faults,
		requests,
		problems,
		latencyMs: options.latencyMs ?? 0,
		log,
	});
	try {
		url = await app.listen({ port, host });
		filesUrl = separate ? await filesApp.listen({ port: 0, host }) : url;
		serviceFilesUrl = separate ? await serviceFilesApp.listen({ port: 0, host }) : url;
	} catch (thrown) {
		clock.stop();
		throw thrown;
	}
	return {
		url,
		filesUrl,
		serviceFilesUrl,
		port: Number(new URL(url).port),
		keys,
		organizations: ORGANIZATIONS,
		world,
		clock,
		faults,
		requests,
		fileRequests,
		problems,
		deliveries: deliveries.recent,
		validator,
		act: createActions(world, deliveries),
		async close() {
			clock.stop();
			for (const server of new Set([app, filesApp, serviceFilesApp])) {
				server.server.closeAllConnections();
				await server.close();
			}
		},
	};
}
