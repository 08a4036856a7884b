import { readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import type { Faults, FaultSpec } from './faults.mts';
import { heldFiles } from './files.mts';
import type { Links } from './links.mts';
import { NotNow, notaryCompletes, reject, signerSigns, whyNot, type Step } from './people.mts';
import type { Delivery } from './webhooks.mts';
import type { Transaction, World } from './world.mts';

/** What the console and the start script use; not part of the service. */

const STEPS: Record<Step, (world: World, transaction: Transaction) => Promise<void>> = { sign: signerSigns, notarize: notaryCompletes, reject };
const CONSOLE = new URL('./console.html', import.meta.url);

export function registerControl(app: FastifyInstance, world: World, links: Links, faults: Faults, deliveries: Delivery[]): void {
	app.get('/console', async (_request, reply) => await reply.type('text/html').send(readFileSync(CONSOLE)));
	app.get('/', async (_request, reply) => await reply.redirect('/console'));
	app.get('/sandbox/state', async () => ({
		now: world.clock.stamp(),
		profile: world.profile,
		transactions: [...world.transactions.values()].reverse().map((transaction) => describe(links, transaction)),
		webhooks: [...world.webhooks.values()].map(({ id, url, subscriptions, enabled }) => ({ id, url: url.split('?')[0], subscriptions, enabled })),
		deliveries: deliveries.slice(0, 60).map((delivery) => ({ ...delivery, url: delivery.url.split('?')[0] })),
	}));
	app.get<{ Params: { id: string } }>('/sandbox/files/:id', async (request, reply) => {
		const transaction = world.transactions.get(request.params.id);
		return transaction === undefined ? await reply.status(404).send({ message: 'Unknown transaction' }) : heldFiles(world, transaction);
	});
	app.post<{ Params: { id: string; step: Step } }>('/sandbox/transactions/:id/:step', async (request, reply) => {
		const transaction = world.transactions.get(request.params.id);
		const step = STEPS[request.params.step];
		if (transaction === undefined || step === undefined) return await reply.status(404).send({ message: 'Unknown transaction or step' });
		try {
			await step(world, transaction);
		} catch (thrown) {
			if (thrown instanceof NotNow) return await reply.status(409).send({ message: thrown.message });
			throw thrown;
		}
		return describe(links, transaction);
	});
	app.post<{ Body: { seconds: number } }>('/sandbox/clock/advance', async (request) => {
		world.clock.advance(Number(request.body.seconds) * 1000);
		return { now: world.clock.stamp() };
	});
	app.post<{ Body: FaultSpec }>('/sandbox/faults', async (request) => {
		faults.add(request.body);
		return { added: true };
	});
	app.delete('/sandbox/faults', async () => {
		faults.clear();
		return { cleared: true };
	});
}

function describe(links: Links, transaction: Transaction): object {
	const { id, platform, status, detailedStatus, organization, created, fields, signers, documents, history } = transaction;
	return {
		id,
		platform,
		name: fields.transaction_name ?? id,
		status,
		detailed_status: detailedStatus,
		organization,
		created,
		history,
		signers: signers.map(({ email, first_name, last_name, signing_status }) => ({ email, name: `${first_name ?? ''} ${last_name ?? ''}`.trim(), signing_status: signing_status ?? null })),
		documents: documents.map((document) => ({
			id: document.id,
			name: document.name,
			requirement: document.requirement,
			pages: document.pages,
			designations: document.designations.length,
			is_enote: document.isEnote,
			link: document.final ? links.sign(`final/${document.id}`) : null,
		})),
		audit_trail: transaction.auditTrail ? links.sign(`audit/${id}`) : null,
		record: transaction.recordId ?? null,
		why_not: Object.fromEntries((['sign', 'notarize', 'reject'] as const).map((step) => [step, whyNot(transaction, step) ?? null])),
	};
}
