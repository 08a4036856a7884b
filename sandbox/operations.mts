import type { FastifyReply } from 'fastify';

import type { Links } from './links.mts';
import { documentedAnswer, findJurisdictions } from './places.mts';
import { Refusal } from './refusal.mts';
import { addDocument, addEnote, createClosing, createTransaction, send } from './transactions.mts';
import { documentView, recordView, transactionView, webhookView } from './views.mts';
import { checkSubscriptions, EVENTS } from './webhooks.mts';
import { maySee, type Key, type NotarizationRecord, type Transaction, type Webhook, type World } from './world.mts';

/** One function an operation of openapi.yaml; the request is validated before it gets here. */

export interface OperationRequest {
	key: Key;
	params: Record<string, string>;
	query: Record<string, string>;
	body: Record<string, any>;
	realEstateVersion: 1 | 2;
	reply: FastifyReply;
}

export type OperationHandler = (request: OperationRequest) => unknown;

export function createOperations(world: World, links: Links, origin: () => string): Record<string, OperationHandler> {
	const transactionOf = ({ key, params }: OperationRequest, platform?: Transaction['platform']): Transaction => {
		const transaction = world.transactions.get(params.transaction_id);
		if (transaction === undefined || !maySee(world, key, transaction.organization)) throw new Refusal(404, 'Transaction not found');
		// The documented service retrieves every transaction under one path; the others tell the platforms apart.
		if (platform !== undefined && transaction.platform !== platform && world.profile === 'full') throw new Refusal(404, 'Transaction not found');
		return transaction;
	};
	const show = (transaction: Transaction) => transactionView(world, links, transaction);
	const documentOf = (transaction: Transaction, id: string) => {
		const document = transaction.documents.find((entry) => entry.id === id);
		if (document === undefined) throw new Refusal(404, 'Document not found');
		return document;
	};
	const recordOf = ({ key, params }: OperationRequest): NotarizationRecord => {
		const record = world.records.get(params.record_id);
		const transaction = record && world.transactions.get(record.transactionId);
		if (record === undefined || transaction === undefined || !maySee(world, key, transaction.organization)) throw new Refusal(404, 'Notarization record not found');
		return record;
	};
	const webhookOf = ({ key, params }: OperationRequest): Webhook => {
		const webhook = world.webhooks.get(params.webhook_id);
		if (webhook === undefined || !maySee(world, key, webhook.organization)) throw new Refusal(404, 'Webhook not found');
		return webhook;
	};
	const list = (platform: Transaction['platform']) => (request: OperationRequest) => {
		const { limit = '10', offset = '0' } = request.query;
		const found = [...world.transactions.values()].filter((entry) => entry.platform === platform && maySee(world, request.key, entry.organization) && matches(entry, request.query)).reverse();
		const page = found.slice(Number(offset), Number(offset) + Number(limit));
		return { total_count: found.length, count: page.length, data: page.map(show) };
	};
	const document = (platform: Transaction['platform']) => (request: OperationRequest) => {
		const found = documentOf(transactionOf(request, platform), request.params.document_id);
		const { encoding } = request.query;
		if (platform === 'realEstate' && encoding === 'base64' && found.state === 'pending') throw new Refusal(409, 'The content is not ready');
		return { ...documentView(world, links, found), ...(encoding === 'base64' && { data: (found.final ?? found.uploaded).toString('base64') }) };
	};
	return {
		verifyAddress: ({ query }) => {
			const found = findJurisdictions(query['street_address[city]'], query['street_address[state]']);
			if (world.profile === 'documented') return documentedAnswer(found);
			if (query['street_address[postal]'] === undefined) throw new Refusal(400, 'street_address[postal] is missing');
			return found;
		},
		createTransaction: async ({ key, body }) => show(await createTransaction(world, key, body)),
		createClosing: ({ key, body, realEstateVersion }) => show(createClosing(world, key, body, realEstateVersion)),
		listTransactions: list('business'),
		listClosings: list('realEstate'),
		getTransaction: (request) => show(transactionOf(request, 'business')),
		getClosing: (request) => show(transactionOf(request, 'realEstate')),
		sendTransaction: (request) => {
			const transaction = transactionOf(request, 'business');
			send(world, transaction);
			return show(transaction);
		},
		sendClosing: (request) => {
			const transaction = transactionOf(request, 'realEstate');
			send(world, transaction);
			return show(transaction);
		},
		addDocument: async (request) => documentView(world, links, await addDocument(world, transactionOf(request, 'business'), request.body)),
		addClosingDocument: async (request) => [documentView(world, links, await addDocument(world, transactionOf(request, 'realEstate'), request.body))],
		getDocument: document('business'),
		getClosingDocument: document('realEstate'),
		addEnote: async (request) => documentView(world, links, await addEnote(world, transactionOf(request, 'realEstate'), request.body)),
		getAuditTrail: (request) => {
			const { auditTrail } = transactionOf(request, 'business');
			if (auditTrail === undefined) throw new Refusal(404, 'The audit trail does not exist yet');
			if (request.query.encoding === 'base64') return { data: auditTrail.toString('base64') };
			return request.reply.type('application/pdf').send(auditTrail);
		},
		getRecord: (request) => recordView(world, links, origin(), recordOf(request)),
		getClosingRecord: (request) => recordView(world, links, origin(), recordOf(request)),
		getVideo: (request) => request.reply.type('video/mp4').send(recordOf(request).video),
		listWebhooks: ({ key }) => {
			const own = [...world.webhooks.values()].filter(({ organization }) => maySee(world, key, organization));
			return world.profile === 'documented' ? own.map(({ id }) => id) : own.map(webhookView);
		},
		createWebhook: ({ key, body }) => {
			checkSubscriptions(body.subscriptions);
			const webhook: Webhook = {
				id: world.newId('wh'),
				organization: key.organization,
				url: body.url,
				subscriptions: body.subscriptions,
				signingKey: body.signing_key,
				apiKey: key.value,
				headers: [...(body.header === undefined ? [] : [body.header]), ...(body.headers ?? [])],
				enabled: true,
				events: [],
			};
			world.webhooks.set(webhook.id, webhook);
			return world.profile === 'documented' ? undefined : webhookView(webhook);
		},
		getWebhook: (request) => webhookView(webhookOf(request)),
		updateWebhook: (request) => {
			const webhook = webhookOf(request);
			checkSubscriptions(request.body.subscriptions);
			Object.assign(webhook, { url: request.body.url, subscriptions: request.body.subscriptions, enabled: true });
			if (request.body.signing_key !== undefined) webhook.signingKey = request.body.signing_key;
			return { updated: true };
		},
		deleteWebhook: (request) => {
			world.webhooks.delete(webhookOf(request).id);
			return { deleted: true };
		},
		listWebhookEvents: (request) => {
			const { limit = '20', offset = '0' } = request.query;
			return webhookOf(request).events.slice(Number(offset), Number(offset) + Number(limit)).map(({ event, response, delivered, payload }) => ({ event, response, delivered, payload }));
		},
		listSubscriptions: () => EVENTS,
	};
}

function matches(transaction: Transaction, query: Record<string, string>): boolean {
	const after = (stamp: string, bound: string | undefined) => bound === undefined || Date.parse(stamp) >= Date.parse(bound);
	const before = (stamp: string, bound: string | undefined) => bound === undefined || Date.parse(stamp) <= Date.parse(bound);
	return (
		after(transaction.created, query.created_date_start) &&
		before(transaction.created, query.created_date_end) &&
		after(transaction.updated, query.last_updated_date_start) &&
		before(transaction.updated, query.last_updated_date_end) &&
		(query.transaction_status === undefined || transaction.status === query.transaction_status) &&
		(query.loan_number === undefined || transaction.fields.loan_number === query.loan_number) &&
		(query.organization_id === undefined || transaction.organization === query.organization_id)
	);
}
