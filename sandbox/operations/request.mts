import type { FastifyReply } from 'fastify';

import type { Layout } from '../http/pathLayouts.mts';
import { Refusal } from '../domain/refusal.mts';
import {
	maySee,
	type Document,
	type Fields,
	type Key,
	type NotarizationRecord,
	type Platform,
	type Transaction,
	type Webhook,
	type World,
} from '../state/world.mts';

/** A request that openapi.yaml has judged, and how to find what it names. */

export interface OperationRequest {
	key: Key;
	params: Record<string, string>;
	query: Record<string, string>;
	body: Fields;
	layout: Layout;
	realEstateVersion: 1 | 2;
	reply: FastifyReply;
}

/** Answers the body; undefined is an empty one. */
export type OperationHandler = (request: OperationRequest) => unknown;

/**
 * The documented paths without a prefix serve both platforms: Retrieve Transaction and Add Document
 * are written once (interface.md §4). The paths of real estate know closings only.
 */
export function transactionOf(
	world: World,
	{ key, params }: OperationRequest,
	platform?: Platform,
): Transaction {
	const transaction = world.transactions.get(params.transaction_id);
	if (transaction === undefined || !maySee(world, key, transaction.organization))
		throw new Refusal(404, 'Transaction not found');
	if (platform !== undefined && transaction.platform !== platform)
		throw new Refusal(404, 'Transaction not found');
	return transaction;
}

export function documentOf(transaction: Transaction, id: string): Document {
	const document = transaction.documents.find((entry) => entry.id === id);
	if (document === undefined) throw new Refusal(404, 'Document not found');
	return document;
}

/** A document by its own id alone: Update and Delete (gaps.md §1). */
export function documentAnywhere(
	world: World,
	{ key, params }: OperationRequest,
	platform?: Platform,
): { transaction: Transaction; document: Document } {
	for (const transaction of world.transactions.values()) {
		const document = transaction.documents.find(({ id }) => id === params.document_id);
		if (document === undefined || !maySee(world, key, transaction.organization)) continue;
		if (platform === undefined || transaction.platform === platform)
			return { transaction, document };
	}
	throw new Refusal(404, 'Document not found');
}

export function recordOf(world: World, { key, params }: OperationRequest): NotarizationRecord {
	const record = world.records.get(params.record_id);
	const transaction = record && world.transactions.get(record.transactionId);
	if (
		record === undefined ||
		transaction === undefined ||
		!maySee(world, key, transaction.organization)
	)
		throw new Refusal(404, 'Notarization record not found');
	if (params.transaction_id !== undefined && params.transaction_id !== transaction.id)
		throw new Refusal(404, 'Notarization record not found');
	return record;
}

export function webhookOf(world: World, { key, params }: OperationRequest): Webhook {
	const webhook = world.webhooks.get(params.webhook_id);
	if (webhook === undefined || !maySee(world, key, webhook.organization))
		throw new Refusal(404, 'Webhook not found');
	return webhook;
}

/** One page of a list (gaps.md §1: limit and offset). */
export function page<T>(all: T[], query: Record<string, string>, limit: number): T[] {
	const offset = Number(query.offset ?? 0);
	return all.slice(offset, offset + Number(query.limit ?? limit));
}
