/**
 * Finds what the path of a request names. What the key can't see answers 404, as if it did not
 * exist.
 */

import type { OperationRequest } from './handler.mts';
import { canSee } from '../domain/access.mts';
import { Refusal } from '../domain/refusal.mts';
import type {
	Document,
	NotarizationRecord,
	Platform,
	Transaction,
	Webhook,
	World,
} from '../world/world.mts';

/**
 * @param platform only for the paths of real estate, which know closings only. The documented paths
 *   without a prefix serve both platforms: Retrieve Transaction and Add Document are documented
 *   only once (docs/service/api.md#endpoints)
 */
export function findTransaction(
	world: World,
	{ key, params }: OperationRequest,
	platform?: Platform,
): Transaction {
	const transaction = world.transactions.get(params.transaction_id);
	if (transaction === undefined || !canSee(world, key, transaction.organization))
		throw new Refusal(404, 'Transaction not found');
	if (platform !== undefined && transaction.platform !== platform)
		throw new Refusal(404, 'Transaction not found');
	return transaction;
}

export function findDocument(transaction: Transaction, id: string): Document {
	const document = transaction.documents.find((entry) => entry.id === id);
	if (document === undefined) throw new Refusal(404, 'Document not found');
	return document;
}

/**
 * Finds a document by its own id alone, as Update and Delete do
 * (docs/service/api.md#endpoints-of-documents).
 */
export function findDocumentById(
	world: World,
	{ key, params }: OperationRequest,
	platform?: Platform,
): { transaction: Transaction; document: Document } {
	for (const transaction of world.transactions.values()) {
		const document = transaction.documents.find(({ id }) => id === params.document_id);
		if (document === undefined || !canSee(world, key, transaction.organization)) continue;
		if (platform === undefined || transaction.platform === platform)
			return { transaction, document };
	}
	throw new Refusal(404, 'Document not found');
}

export function findRecord(world: World, { key, params }: OperationRequest): NotarizationRecord {
	const record = world.records.get(params.record_id);
	const transaction = record && world.transactions.get(record.transactionId);
	if (
		record === undefined ||
		transaction === undefined ||
		!canSee(world, key, transaction.organization)
	)
		throw new Refusal(404, 'Notarization record not found');
	if (params.transaction_id !== undefined && params.transaction_id !== transaction.id)
		throw new Refusal(404, 'Notarization record not found');
	return record;
}

export function findWebhook(world: World, { key, params }: OperationRequest): Webhook {
	const webhook = world.webhooks.get(params.webhook_id);
	if (webhook === undefined || !canSee(world, key, webhook.organization))
		throw new Refusal(404, 'Webhook not found');
	return webhook;
}
