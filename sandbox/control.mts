import { readFileSync } from 'node:fs';

import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Faults, FaultSpec } from './faults.mts';
import { heldFiles } from './files.mts';
import { fullName } from './finish.mts';
import { take, type StepOptions } from './people.mts';
import type { RequestLog } from './requestLog.mts';
import { isFromHere } from './server.mts';
import { checksOf, NotNow, STEPS, whyNot, type Step } from './steps.mts';
import type { Deliverer } from './webhooks.mts';
import type { Transaction, World } from './world.mts';

/** What the console and the start script use, for this machine only; not part of the service. */

export interface ControlParts {
	world: World;
	faults: Faults;
	requests: RequestLog;
	problems: string[];
	deliverer: Deliverer;
}

const PAGES: Record<string, string> = { 'console.css': 'text/css', 'console.mjs': 'text/javascript' };
const read = (name: string) => readFileSync(new URL(`./console/${name}`, import.meta.url));
const SHOWN_DELIVERIES = 60;
const SHOWN_REQUESTS = 200;

/** Steps as they stand in paths: `fail-selfie` is failSelfie. */
const BY_PATH = new Map<string, Step>(STEPS.map((step) => [step.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), step]));

export function registerControl(app: FastifyInstance, parts: ControlParts): void {
	const { world, faults, requests, deliverer } = parts;
	app.addHook('onRequest', async (request, reply) => {
		if (!/^\/(sandbox|console)(\/|$|\?)/.test(request.url)) return;
		if (!isFromHere(request.headers.host, request.headers['sec-fetch-site'])) return await reply.status(403).send({ message: 'Only from this machine' });
	});
	app.get('/', async (_request, reply) => await reply.redirect('/console'));
	app.get('/console', async (_request, reply) => await reply.type('text/html').send(read('index.html')));
	app.get<{ Params: { name: string } }>('/console/:name', async ({ params }, reply) => {
		const type = PAGES[params.name];
		return type === undefined ? await unknown(reply) : await reply.type(type).send(read(params.name));
	});
	app.get('/sandbox/state', async () => stateOf(parts));
	app.get('/sandbox/requests', async () => requests.slice(-SHOWN_REQUESTS));
	app.get<{ Params: { id: string } }>('/sandbox/files/:id', async (request, reply) => {
		const transaction = world.transactions.get(request.params.id);
		return transaction === undefined ? await unknown(reply) : heldFiles(world, transaction);
	});
	app.get<{ Params: { id: string } }>('/sandbox/videos/:id', async (request, reply) => {
		const video = world.records.get(request.params.id)?.video;
		return video === undefined ? await unknown(reply) : await reply.type('video/mp4').header('accept-ranges', 'none').send(video);
	});
	app.post<{ Params: { id: string; step: string }; Body: StepOptions | undefined }>('/sandbox/transactions/:id/:step', async (request, reply) => {
		const transaction = world.transactions.get(request.params.id);
		const step = BY_PATH.get(request.params.step);
		if (transaction === undefined || step === undefined) return await unknown(reply);
		try {
			await take(world, transaction, step, request.body ?? {});
		} catch (thrown) {
			if (thrown instanceof NotNow) return await reply.status(409).send({ message: thrown.message });
			throw thrown;
		}
		return describe(world, transaction);
	});
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
	app.post<{ Params: { id: string } }>('/sandbox/deliveries/:id/repeat', async (request, reply) =>
		(await deliverer.repeat(request.params.id)) ? { repeated: true } : await unknown(reply),
	);
}

async function unknown(reply: FastifyReply): Promise<FastifyReply> {
	return await reply.status(404).send({ message: 'The sandbox does not know this' });
}

function stateOf({ world, problems, deliverer }: ControlParts): object {
	return {
		now: world.clock.stamp(),
		speed: world.clock.speed,
		profile: world.settings.profile,
		problems: problems.slice(-20),
		transactions: [...world.transactions.values()].reverse().map((transaction) => describe(world, transaction)),
		webhooks: [...world.webhooks.values()].map(({ id, url, subscriptions, enabled, organization }) => ({ id, url: url.split('?')[0], subscriptions, enabled, organization })),
		deliveries: deliverer.recent.slice(0, SHOWN_DELIVERIES).map(({ payload: _payload, ...delivery }) => ({ ...delivery, url: delivery.url.split('?')[0] })),
	};
}

function describe(world: World, transaction: Transaction): object {
	const { id, platform, status, detailedStatus, organization, created, fields, signers, documents, history, story, splitting, released } = transaction;
	const { links } = world;
	const record = transaction.recordId === undefined ? undefined : world.records.get(transaction.recordId);
	return {
		id,
		platform,
		name: fields.transaction_name ?? id,
		type: fields.transaction_type ?? null,
		status,
		detailed_status: detailedStatus,
		organization,
		created,
		splitting,
		released,
		history,
		story,
		signers: signers.map((signer) => ({
			email: signer.email,
			name: fullName(signer),
			signing_status: signer.signing_status ?? null,
			checks: checksOf(world, transaction, signer),
			selfie_failures: transaction.identities.get(signer.id)?.selfieFailures ?? 0,
			at_referee: transaction.identities.get(signer.id)?.atReferee ?? false,
		})),
		documents: documents.map((document) => ({
			id: document.id,
			name: document.name,
			requirement: document.requirement,
			pages: document.pages,
			designations: document.designations.length,
			is_enote: document.isEnote,
			state: document.state,
			rejection_reason: document.rejectionReason ?? null,
			link: document.final ? links.sign(`final/${document.id}`) : null,
		})),
		audit_trail: transaction.auditTrail ? links.sign(`audit/${id}`) : null,
		record: transaction.recordId ?? null,
		pictures: record === undefined ? [] : Object.keys(record.pictures).map((kind) => ({ kind, link: links.sign(`picture/${record.id}/${kind}`) })),
		video: record?.video === undefined ? null : `/sandbox/videos/${record.id}`,
		why_not: Object.fromEntries(STEPS.map((step) => [step, whyNot(world, transaction, step) ?? null])),
	};
}
