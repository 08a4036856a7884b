import type { OperationCall, OperationResult } from '../../core/operation';
import { missingId, notThere } from '../../core/run/unknownOutcomes';
import type { Platform } from '../../service/endpoints';
import { findDocument, withDocumentIds } from '../../service/resources/documents';
import { retrieveTransaction } from '../../service/resources/transactions';
import { findWebhook } from '../../service/resources/webhooks';
import { shownWebhook } from '../webhook/shownWebhook';
import { readPlatform } from './platform';
import { transactionJson } from './transactionOutput';

/* Writes that a person has found to be done, as the operations would have shown them. */

/** Shows the transaction of the item as it is now. */
export async function showTransaction(call: OperationCall): Promise<OperationResult> {
	return await shownTransaction(
		call,
		call.params.requiredLocator('transactionId'),
		readPlatform(call.params),
	);
}

/** Shows the closing of the item as it is now, where there is no platform to choose. */
export async function showClosing(call: OperationCall): Promise<OperationResult> {
	return await shownTransaction(call, call.params.requiredLocator('transactionId'), 'realEstate');
}

/** Shows the transaction that was created on a platform. */
export const showCreated =
	(platform: Platform) =>
	async (call: OperationCall, id: string | undefined): Promise<OperationResult> =>
		await shownTransaction(call, createdId(id), platform);

/** Shows the document that was added to the transaction of the item. */
export async function showDocument(
	{ service, params }: OperationCall,
	id: string | undefined,
): Promise<OperationResult> {
	const transactionId = params.requiredLocator('transactionId');
	const transaction = await retrieveTransaction(service, transactionId, readPlatform(params));
	return {
		json: withDocumentIds(transactionId, findDocument(transaction, createdId(id))),
	};
}

/** Shows the document of the item as it is now. */
export const showUpdatedDocument = async (call: OperationCall): Promise<OperationResult> =>
	await showDocument(call, call.params.requiredLocator('documentId'));

/** Shows the webhook that was created. */
export async function showWebhook(
	{ service }: OperationCall,
	id: string | undefined,
): Promise<OperationResult> {
	const webhookId = createdId(id);
	const webhook = await findWebhook(service, webhookId);
	if (webhook === undefined) throw notThere(webhookId);
	return { json: shownWebhook(webhook) };
}

async function shownTransaction(
	{ service, params }: OperationCall,
	transactionId: string,
	platform: Platform,
): Promise<OperationResult> {
	const transaction = await retrieveTransaction(service, transactionId, platform);
	return { json: transactionJson(params, transaction) };
}

/** @throws InputFailure when the person has entered none */
function createdId(id: string | undefined): string {
	if (id === undefined) throw missingId();
	return id;
}
