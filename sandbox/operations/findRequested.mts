/**
 * Finds what the path of a request names. What the key can't see answers 404, as if it did not
 * exist.
 */

import type { OperationRequest } from './handler.mts';
import { canSee } from '../domain/access.mts';
import { published } from '../domain/refusal.mts';
import type {
	Document,
	NotarizationRecord,
	Notary,
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
		throw published('noTransaction');
	if (platform !== undefined && transaction.platform !== platform) throw published('noTransaction');
	return transaction;
}

export function findDocument(transaction: Transaction, id: string): Document {
	const document = transaction.documents.find((entry) => entry.id === id);
	if (document === undefined) throw published('noDocument');
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
	throw published('noDocument');
}

export function findRecord(world: World, { key, params }: OperationRequest): NotarizationRecord {
	const record = world.records.get(params.record_id);
	const transaction = record && world.transactions.get(record.transactionId);
	if (
		record === undefined ||
		transaction === undefined ||
		!canSee(world, key, transaction.organization)
	)
		throw published('noResource');
	if (params.transaction_id !== undefined && params.transaction_id !== transaction.id)
		throw published('noResource');
	return record;
}

export function findWebhook(world: World, { key, params }: OperationRequest): Webhook {
	const webhook = world.webhooks.get(params.webhook_id);
	if (webhook === undefined || !canSee(world, key, webhook.organization))
		throw published('noResource');
	return webhook;
}

export function findNotary(world: World, { key, params }: OperationRequest): Notary {
	const notary = world.notaries.find(({ id }) => id === params.notary_id);
	if (notary === undefined || !canSee(world, key, notary.organization)) throw published('notFound');
	return notary;
}
