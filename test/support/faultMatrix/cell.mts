import { createHash } from 'node:crypto';

import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';

import { PATIENCE_MS } from '../../../host/run/patience.mts';
import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import {
	accounts,
	credentialFor,
	readFile,
	runNode,
	type RunOptions,
	type RunOutcome,
} from '../engine.mts';
import { findFault } from './faults.mts';
import { startFaultService, type FaultService } from '../faultService/service.mts';
import type {
	AnswerKind,
	Effect,
	Fault,
	Host,
	Platform,
	RequestEntry,
	Target,
} from '../faultService/types.mts';
import { passRounds, waitFor } from './rounds.mts';
import type { Scene } from './scene.mts';
import { SCENES } from './scenes.mts';
import { lookUpLimits } from './times.mts';

/** Runs one cell of the matrix: one run of the node, in which one request is struck. */

/** A request of an operation, whatever the IDs in its path. */
/** What the items of a run ask together. */
export const ASKED_ONCE = /\borganization$/;

export interface Request {
	method: string;
	host: Host;
	/** Path without the query, with `:id` for IDs. */
	path: string;
	kind: AnswerKind;
	hasBody: boolean;
}

export interface Cell {
	/** `resource/operation`, perhaps with `#` and a variant of the scene. */
	scene: string;
	platform: Platform;
	/** Name of the fault. */
	fault: string;
	/** The request that is struck, the first time or, with three items, the second time. */
	request: Request;
	items: 1 | 3;
	/** n8n's Retry On Fail, with three tries. */
	retries: boolean;
	onError: 'stopWorkflow' | 'continueRegularOutput';
}

/** What is left when a cell has run. */
export interface Ran {
	cell: Cell;
	scene: Scene;
	outcome: RunOutcome | undefined;
	struck: number;
	effects: Effect[];
	requests: RequestEntry[];
	problems: Error[];
	undisturbed: Undisturbed;
	/** What each item gave. */
	outputs: string[][];
	key: string;
	filesUrl: string;
	/** Sockets that were still open some time after the run. */
	openSockets: number;
	/** By the wall clock, for the report alone. */
	ms: number;
	/** Whether this process had so little time that a limit can have met an honest answer. */
	isHeldUp: boolean;
}

/**
 * A cell that takes more rounds of rounds.mts hangs. The pauses that a fault asks for are two seconds
 * at most, which are 200 rounds at most.
 */
const MOST_ROUNDS = 2_000;
const ROUNDS_OF_SOCKETS = 1_000;
/** What no honest answer of the double meets, however busy the machine is. */
const NEVER_MS = 2 * PATIENCE_MS;
/** How many milliseconds a second takes in which something is looked up, or done later. */
const SECOND_MS = 2;
const PATIENT: Partial<Limits> = {
	readMs: NEVER_MS,
	writeMs: NEVER_MS,
	stallMs: NEVER_MS,
	answerMs: NEVER_MS,
	refusalMs: NEVER_MS,
	urgentMs: NEVER_MS,
	// Otherwise a try that comes late is sent all the same while the service asks for a long pause.
	pace: { ...LIMITS.pace, hopelessProbeMs: NEVER_MS },
	// The double completes a transaction at once.
	completionMs: 300,
	...lookUpLimits(SECOND_MS),
	pageSize: 2,
};
/** Limits for faults that never end. */
const ENDS: Partial<Record<keyof Limits, number>> = {
	readMs: 1_500,
	writeMs: 1_500,
	stallMs: 1_500,
	urgentMs: 8_000,
	answerMs: 2_500,
	refusalMs: 1_000,
	fileMs: 8_000,
};
/** In how many rounds of rounds.mts every honest answer of the double has come. */
const ROUNDS_OF_AN_ANSWER = 10;

/** All limits for faults that never end, which are `stretch` times as long as usual. */
function impatient(stretch: number): Partial<Limits> {
	const stretched = Object.entries(ENDS).map(([name, ms]) => [name, ms * stretch]);
	return { ...PATIENT, ...Object.fromEntries(stretched) };
}

let started = 0;

/**
 * Starts a service with a key of its own: a port comes back soon, and the node may remember how fast
 * a service took requests with a key. Files need none, so what it remembers of their port is forgotten,
 * afterwards too: another test's service may get the port.
 */
export async function startService(secondMs = SECOND_MS): Promise<FaultService> {
	const key = `key-of+the/fault~service=${++started}`;
	const service = await startFaultService({ key, secondMs });
	const forget = () => accounts.delete(service.filesUrl);
	forget();
	return { ...service, close: async () => void (await service.close().finally(forget)) };
}

/** A name by which a cell can be run again. */
export function nameOf({ scene, platform, fault, request, items, retries, onError }: Cell): string {
	return [
		scene,
		platform,
		fault,
		`${request.method} ${request.host}${request.path}`,
		items,
		retries ? 'retries' : 'once',
		onError === 'stopWorkflow' ? 'stop' : 'continue',
	].join('|');
}

const ID = /^((ot|do|me|us|od)_[\w-]+|wh[a-z0-9]{5,7})$/;

/** The request without what differs from item to item. */
export function requestOf(
	entry: Pick<RequestEntry, 'method' | 'host' | 'path' | 'kind' | 'hasBody'>,
): Request {
	const path = new URL(entry.path, 'http://localhost').pathname
		.split('/')
		.map((part) => (ID.test(part) ? ':id' : part))
		.join('/');
	const { method, host, kind = 'object', hasBody = false } = entry;
	return { method, host, path, kind, hasBody };
}

export const sameRequest = (one: Request, other: Request) =>
	one.method === other.method && one.host === other.host && one.path === other.path;

/** Whether a fault can strike a request. */
export function canStrike(fault: Fault, request: Request): boolean {
	return fault.appliesTo({ ...request, write: request.method !== 'GET', key: '' });
}

/** The fault, for one request only. */
function faultFor({ fault: name, request }: Cell): Fault {
	const fault = findFault(name);
	const fits = ({ method, host, path }: Target) =>
		sameRequest(request, requestOf({ method, host, path }));
	return { ...fault, appliesTo: (target) => fits(target) && fault.appliesTo(target) };
}

/** Starts a service with what a scene needs. */
export async function stage(
	name: string,
	platform: Platform,
	count: number,
	secondMs?: number,
): Promise<{ service: FaultService; scene: Scene }> {
	const service = await startService(secondMs);
	const scene = await SCENES[name].build(service, platform, count);
	service.forget();
	return { service, scene };
}

/** Runs a scene's operation. */
export async function perform(
	service: Pick<FaultService, 'url' | 'key'>,
	name: string,
	{ parameters, items }: Pick<Scene, 'parameters'> & { items: INodeExecutionData[] },
	node: Partial<Cell> & {
		tries?: number;
		waitBetweenTries?: number;
		endless?: boolean;
		stretch?: number;
		limits?: Partial<Limits>;
		execution?: Partial<RunOptions>;
	} = {},
): Promise<RunOutcome> {
	const [resource, operation] = name.split('#')[0].split('/');
	const { tries = node.retries ? 3 : 1, waitBetweenTries = 1 } = node;
	return await runNode({
		credential: credentialFor(service.url, { apiKey: service.key }),
		parameters: { ...parameters, resource, operation },
		items,
		limits: { ...(node.endless ? impatient(node.stretch ?? 1) : PATIENT), ...node.limits },
		node: {
			...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries }),
			...(node.onError && { onError: node.onError }),
		},
		...node.execution,
	});
}

/** The sockets that are still open when they had time to close. */
export async function socketsLeft(service: FaultService): Promise<number> {
	await passRounds(ROUNDS_OF_SOCKETS, () => service.openSockets() === 0);
	return service.openSockets();
}

/**
 * @param mostRounds how many rounds of rounds.mts a run may take
 * @param stretch makes the limits for faults that never end as many times as long
 */
export async function runCell(
	cell: Cell,
	{ mostRounds = MOST_ROUNDS, stretch = 1 }: { mostRounds?: number; stretch?: number } = {},
): Promise<Ran> {
	const expected = await undisturbed(cell.scene, cell.platform);
	const { service, scene } = await stage(cell.scene, cell.platform, cell.items);
	try {
		const fault = faultFor(cell);
		const isSecond = cell.items === 3 && !ASKED_ONCE.test(cell.request.path);
		const injected = service.inject({ fault, after: isSecond ? 1 : 0 });
		const began = Date.now();
		const { endless = false } = fault;
		const running = perform(service, cell.scene, scene, { ...cell, endless, stretch });
		const { result: outcome, longestRoundMs } = await waitFor(running, mostRounds * stretch);
		const ms = Date.now() - began;
		await service.settle();
		return {
			cell,
			scene,
			outcome,
			struck: injected.struck,
			// What a run that hangs does later is no part of it.
			effects: [...service.effects],
			requests: [...service.requests],
			problems: [...service.problems],
			undisturbed: expected,
			outputs: await outputsOf(outcome?.items ?? [], cell.items),
			key: service.key,
			filesUrl: service.filesUrl,
			openSockets: outcome === undefined ? 0 : await socketsLeft(service),
			ms,
			isHeldUp:
				endless &&
				longestRoundMs * ROUNDS_OF_AN_ANSWER > stretch * Math.min(...Object.values(ENDS)),
		};
	} finally {
		await service.close();
	}
}

/** What a scene gives when nothing is struck. */
interface Undisturbed {
	/** The requests for one item, each once. */
	requests: Request[];
	/** All requests for one and for three items. */
	all: Record<1 | 3, Request[]>;
	/** What each of one and of three items gives, without what differs from run to run. */
	outputs: Record<1 | 3, string[][]>;
}

const known = new Map<string, Promise<Undisturbed>>();

/** Runs a scene without a fault, once for all of its cells. */
export async function undisturbed(name: string, platform: Platform): Promise<Undisturbed> {
	const key = `${name}|${platform}`;
	if (!known.has(key)) known.set(key, learn(name, platform));
	return await known.get(key)!;
}

async function learn(name: string, platform: Platform): Promise<Undisturbed> {
	const one = await honest(name, platform, 1);
	const three = await honest(name, platform, 3);
	const requests: Request[] = [];
	// What is refused when nothing is struck has no answer that a fault could change.
	const answered = one.requests.filter(({ status = 200 }) => status < 400);
	for (const request of answered.map(requestOf))
		if (!requests.some((other) => sameRequest(other, request))) requests.push(request);
	return {
		requests,
		all: { 1: one.requests.map(requestOf), 3: three.requests.map(requestOf) },
		outputs: { 1: await outputsOf(one.items, 1), 3: await outputsOf(three.items, 3) },
	};
}

/** Runs a scene that has to go well. */
async function honest(name: string, platform: Platform, count: number) {
	const { service, scene } = await stage(name, platform, count);
	try {
		const { error, items } = await perform(service, name, scene);
		if (error) throw error;
		if (service.problems.length > 0) throw service.problems[0];
		const there = ({ kind, marker }: { kind: string; marker: string }) =>
			service.effects.some((effect) => effect.kind === kind && effect.marker === marker);
		const missing = scene.effects.flat().filter((wanted) => !there(wanted));
		if (missing.length > 0 || items.length < count)
			throw new Error(
				`The scene of ${name} (${platform}) gave ${items.length} items, without ${JSON.stringify(missing)}. There are ${JSON.stringify(service.effects)}`,
			);
		return { items, requests: [...service.requests] };
	} finally {
		await service.close();
	}
}

/**
 * What each item gives: fields and files, without times and signed links. The writer takes items of
 * any depth, as n8n does.
 */
async function outputsOf(items: INodeExecutionData[], count: number): Promise<string[][]> {
	const outputs: string[][] = Array.from({ length: count }, () => []);
	for (const { json, binary = {}, pairedItem } of items) {
		const texts = stringify(json)
			.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'ORIGIN')
			.replace(/expires=\d+&signature=\w+/g, 'SIGNED')
			.replace(/"[0-9a-f]{32}"/g, 'HASH');
		const files = await Promise.all(
			Object.values(binary).map(async (file) =>
				createHash('sha256')
					.update(await readFile(file))
					.digest('hex'),
			),
		);
		outputs[(pairedItem as { item: number }).item].push([texts, ...files].join(' '));
	}
	return outputs;
}
