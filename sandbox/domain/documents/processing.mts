/**
 * What the service does with a document in the background, after it has answered
 * (docs/service/documents.md#processing): it reads the PDF and its text tags.
 */

import { placeTextTags } from './textTags.mts';
import { addToAuditLog } from '../transitions.mts';
import type { Document, EventDetails, Transaction, World } from '../../world/world.mts';

/** Lets a new document be pending until the sandbox's processing time has passed. */
export function startProcessing(world: World, transaction: Transaction, document: Document): void {
	world.emit('transaction.document.upload', transaction, payloadOf(document));
	const error =
		document.found?.error ??
		(world.settings.processing === 'fails' ? 'The file could not be processed' : undefined);
	const end = () => endProcessing(world, transaction, document, error);
	// Without any time to wait, the document is done before the clock's next tick.
	if (world.settings.processingMs === 0) queueMicrotask(end);
	else world.clock.later(world.settings.processingMs, end);
}

/**
 * Ends the processing of a document that is pending.
 * @param error why it has failed; empty if the service gives no reason
 */
export function endProcessing(
	world: World,
	transaction: Transaction,
	document: Document,
	error?: string,
): void {
	const isThere =
		world.transactions.has(transaction.id) && transaction.documents.includes(document);
	if (document.state !== 'pending' || !isThere) return;
	document.state = error === undefined ? 'done' : 'failed';
	document.updated = world.clock.stamp();
	if (error === undefined) placeTextTags(world, transaction, document);
	else {
		document.processingError = error || undefined;
		addToAuditLog(
			world,
			transaction,
			['document not processed', document.name, error].filter(Boolean).join(': '),
		);
	}
	delete document.found;
	world.emit('transaction.document.processed', transaction, payloadOf(document));
}

/** The documents whose processing has not ended, or has failed. */
export function unprocessedDocuments({ documents }: Transaction): Document[] {
	return documents.filter(({ state }) => state !== 'done');
}

/** Text tags that were not read before the transaction is sent are lost. */
export function loseTextTags({ documents }: Transaction): void {
	for (const { found } of documents) if (found !== undefined) found.textTags = [];
}

function payloadOf({ id, name }: Document): EventDetails {
	return { document: { document_id: id, name } };
}
