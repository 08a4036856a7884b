/**
 * The paths below /console and /sandbox, which the service does not have: the console's pages, and
 * what its buttons call. Only this machine may use them.
 */

import { readdirSync, readFileSync } from 'node:fs';

import type { FastifyInstance, FastifyReply } from 'fastify';

import {
	ACTION_NAMES,
	ActionNotPossible,
	type ActionName,
	type ActionOptions,
} from '../actors/actionNames.mts';
import { REVIEWED_COMPLIANCE, setCompliance } from '../actors/notaryAccounts.mts';
import { performAction } from '../actors/performAction.mts';
import type { Faults, FaultSpec } from './faults.mts';
import { transactionState, sandboxState } from './consoleState.mts';
import { registerDocumentPages } from './documentPages.mts';
import type { RequestLog } from './requestLog.mts';
import { isLocalRequest } from './server.mts';
import { addNotary, type NewNotary } from '../domain/notaries.mts';
import { finishedFiles } from '../domain/finishedFiles.mts';
import type { Deliveries } from '../domain/webhooks/deliveries.mts';
import type { World } from '../world/world.mts';

interface ControlParts {
	world: World;
	faults: Faults;
	requests: RequestLog;
	problems: string[];
	deliveries: Deliveries;
}

const CONSOLE = new URL('../console/', import.meta.url);
/** The files of the console that the page loads, with their types. */
const CONSOLE_FILES = new Map(
	readdirSync(CONSOLE).flatMap((name): Array<[string, string]> => {
		if (name.endsWith('.mjs')) return [[name, 'text/javascript']];
		return name.endsWith('.css') ? [[name, 'text/css']] : [];
	}),
);
const read = (name: string) => readFileSync(new URL(name, CONSOLE));
const SHOWN_REQUESTS = 200;

const isAction = (name: string): name is ActionName => ACTION_NAMES.includes(name as ActionName);

export function registerControl(app: FastifyInstance, parts: ControlParts): void {
	const { world, faults, requests, deliveries } = parts;
	app.addHook('onRequest', async (request, reply) => {
		if (!/^\/(sandbox|console|access)(\/|$|\?)/.test(request.url)) return;
		if (!isLocalRequest(request.headers.host, request.headers['sec-fetch-site']))
			return await reply.status(403).send({ message: 'Only from this machine' });
	});
	app.get('/', async (_request, reply) => await reply.redirect('/console'));
	app.get(
		'/console',
		async (_request, reply) => await reply.type('text/html').send(read('index.html')),
	);
	// Where the link of a signer leads: the console is where signers are played.
	app.get('/access/:token', async (_request, reply) => await reply.redirect('/console'));
	app.get<{ Params: { name: string } }>('/console/:name', async ({ params }, reply) => {
		const type = CONSOLE_FILES.get(params.name);
		return type === undefined
			? await unknown(reply)
			: await reply.type(type).send(read(params.name));
	});
	app.get('/sandbox/state', async () => sandboxState(world, parts.problems, deliveries));
	registerDocumentPages(app, world);
	app.get('/sandbox/requests', async () => requests.slice(-SHOWN_REQUESTS));
	app.get<{ Params: { id: string } }>('/sandbox/files/:id', async (request, reply) => {
		const transaction = world.transactions.get(request.params.id);
		return transaction === undefined ? await unknown(reply) : finishedFiles(world, transaction);
	});
	app.get<{ Params: { id: string } }>('/sandbox/videos/:id', async (request, reply) => {
		const video = world.records.get(request.params.id)?.video;
		return video === undefined
			? await unknown(reply)
			: await reply.type('video/mp4').header('accept-ranges', 'none').send(video);
	});
	app.post<{ Params: { id: string; action: string }; Body: ActionOptions | undefined }>(
		'/sandbox/transactions/:id/:action',
		async (request, reply) => {
			const { id, action } = request.params;
			const transaction = world.transactions.get(id);
			if (transaction === undefined || !isAction(action)) return await unknown(reply);
			try {
				await performAction(world, transaction, action, request.body ?? {});
			} catch (thrown) {
				if (thrown instanceof ActionNotPossible)
					return await reply.status(409).send({ message: thrown.message });
				throw thrown;
			}
			return transactionState(world, transaction);
		},
	);
	app.post<{ Body: NewNotary | undefined }>('/sandbox/notaries', async (request) =>
		addNotary(world, request.body ?? {}),
	);
	app.post<{ Params: { id: string; compliance: string } }>(
		'/sandbox/notaries/:id/:compliance',
		async ({ params }, reply) => {
			const notary = world.notaries.find(({ id }) => id === params.id);
			const compliance = REVIEWED_COMPLIANCE.find((name) => name === params.compliance);
			if (notary === undefined || compliance === undefined) return await unknown(reply);
			setCompliance(world, notary, compliance);
			return notary;
		},
	);
	app.post<{ Body: { seconds: number } }>('/sandbox/clock/advance', async (request, reply) => {
		const seconds = Number(request.body?.seconds);
		if (!(seconds >= 0)) return await reply.status(400).send({ message: 'seconds is missing' });
		await world.clock.advance(seconds * 1000);
		return { now: world.clock.stamp() };
	});
	app.post<{ Body: { speed: number } }>('/sandbox/clock/speed', async (request, reply) => {
		const speed = Number(request.body?.speed);
		if (!(speed >= 0)) return await reply.status(400).send({ message: 'speed is missing' });
		world.clock.setSpeed(speed);
		return { speed };
	});
	app.post<{ Body: FaultSpec }>('/sandbox/faults', async (request) => {
		faults.add(request.body);
		return { added: true };
	});
	app.delete('/sandbox/faults', async () => {
		faults.clear();
		return { cleared: true };
	});
	app.post<{ Params: { id: string } }>(
		'/sandbox/deliveries/:id/redeliver',
		async (request, reply) =>
			(await deliveries.redeliver(request.params.id))
				? { redelivered: true }
				: await unknown(reply),
	);
}

async function unknown(reply: FastifyReply): Promise<FastifyReply> {
	return await reply.status(404).send({ message: 'The sandbox does not know this' });
}
