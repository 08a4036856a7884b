import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { downloadLink, renewable, type Downloaded } from '../download';
import { ServiceFailure } from '../errors/failure';
import { unexpectedAnswer } from '../errors/refusal';
import { retrieveTransaction } from './transactions';
import { asObject, asObjects, asText } from '../values/json';

/**
 * Retrieves a document (interface.md §4, Get Document).
 * @param encoding base64 adds the content in `data`, uri a link once the transaction is complete
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

/** A document of another transaction was chosen: nothing is done to it. */
export function notInTransaction(documentId: string): ServiceFailure {
	return new ServiceFailure({ code: 'documentNotInTransaction', documentId }, { final: true });
}

/** The raw document with its ids at top level. */
export function withDocumentIds(transactionId: string, document: IDataObject): IDataObject {
	return { transaction_id: transactionId, document_id: document.id, ...document };
}

/** Ten fields that a next step needs, without links and designations. */
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
 * Downloads a finished document, whose link is renewed when it has expired (interface.md §4,
 * Retrieve Document; §5.4).
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
