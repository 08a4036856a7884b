import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { downloadLink, renewable, type Downloaded } from '../download';
import type { Platform } from '../endpoints';
import { ServiceFailure } from '../errors/failure';
import { unexpectedAnswer } from '../errors/refusal';
import { asObject, asObjects, asText } from '../values/json';
import { retrieveTransaction } from './transactions';

/* Retrieves, simplifies and downloads documents. */

/**
 * Retrieves a document (docs/service/documents.md#get-a-document).
 * @param encoding `base64` adds the content in `data`, `uri` a link once the transaction is
 *   complete
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveDocument(
	service: ServiceClient,
	transactionId: string,
	documentId: string,
	platform: Platform,
	encoding?: string,
): Promise<IDataObject> {
	const query = encoding === undefined ? undefined : { encoding };
	const document = asObject(
		await service.json('getDocument', { path: { transactionId, documentId }, platform, query }),
	);
	if (asText(document.id) === undefined) throw unexpectedAnswer(200);
	return document;
}

/** Creates the failure for a document that belongs to another transaction. */
export function notInTransaction(documentId: string): ServiceFailure {
	return new ServiceFailure({ code: 'documentNotInTransaction', documentId }, { final: true });
}

/** Returns the whole document, with its IDs at top level. */
export function withDocumentIds(transactionId: string, document: IDataObject): IDataObject {
	return { transaction_id: transactionId, document_id: document.id, ...document };
}

/** Returns the ten fields that a next step needs, without links and designations. */
export function simplifyDocument(transactionId: string, document: IDataObject): IDataObject {
	return {
		transaction_id: transactionId,
		document_id: document.id,
		document_name: document.document_name ?? null,
		requirement: document.requirement ?? null,
		processing_state: document.processing_state ?? null,
		completion_state: document.completion_state ?? null,
		is_finished: asText(document.final_document_url) !== undefined,
		is_enote: document.is_enote ?? null,
		bundle_position: document.bundle_position ?? null,
		rejection_reason: document.rejection_reason ?? null,
	};
}

/**
 * Downloads a finished document (docs/service/documents.md#retrieve-a-document). A link that has
 * expired is renewed once.
 * @param document as the service answered it, with its final link
 * @throws ServiceFailure when the document can't be downloaded completely
 */
export async function downloadFinal(
	context: IExecuteFunctions,
	service: ServiceClient,
	platform: Platform,
	transactionId: string,
	document: IDataObject,
): Promise<Downloaded> {
	const renew = async () => {
		const { documents } = await retrieveTransaction(service, transactionId, platform);
		return asText(asObjects(documents).find(({ id }) => id === document.id)?.final_document_url);
	};
	const target = {
		name: asText(document.document_name) ?? String(document.id),
		mimeType: 'application/pdf',
	};
	return await downloadLink(
		context,
		service,
		renewable(String(document.final_document_url), renew),
		target,
	);
}
