import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import {
	toDocument,
	type DocumentAnswer,
	type TransactionAnswer,
} from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import type { ServiceClient } from '../../transport/client';
import { ServiceFailure } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { isSameId } from '../../values/ids';
import { asText } from '../../values/json';
import { isPersonalReference } from '../../values/reference';
import { parsePlatform } from '../../form/commonFields';
import { pickFields, withId } from '../../form/output';

/* Retrieves and simplifies documents. */

/** Where a document is. */
export interface DocumentPlace {
	transactionId: string;
	documentId: string;
	platform: Platform;
}

/** Where a transaction is. */
export type TransactionPlace = Omit<DocumentPlace, 'documentId'>;

/** Retrieves a transaction that is known where it's called. */
export type Retrieve = () => Promise<TransactionAnswer>;

/** Retrieves the transaction of an item, once however often it's asked for. */
export function buildRetriever({ service, params }: OperationCall): Retrieve {
	let transaction: Promise<TransactionAnswer> | undefined;
	const retrieve = async () =>
		await retrieveTransaction(
			service,
			params.getRequiredLocator('transactionId'),
			parsePlatform(params),
		);
	return async () => await (transaction ??= retrieve());
}

/**
 * Retrieves a document (docs/service/documents.md#get-a-document). Real estate sends the content
 * unless it's asked for a link.
 * @param encoding how it gives the content: base64 or uri
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveDocument(
	service: ServiceClient,
	transactionId: string,
	documentId: string,
	platform: Platform,
	encoding?: string,
): Promise<DocumentAnswer> {
	const query = encoding === undefined ? undefined : { encoding };
	const call = { path: { transactionId, documentId }, platform, query };
	return withId(toDocument(await service.json('getDocument', call)));
}

/**
 * Returns the documents of a transaction.
 * @throws ServiceFailure when it doesn't show them, which isn't the same as having none
 */
export function listDocuments({ documents }: TransactionAnswer): DocumentAnswer[] {
	if (Array.isArray(documents)) return documents;
	const missing = ['documents'];
	throw new ServiceFailure({ code: 'incompletelyRead', missing, toWriteBack: false });
}

/**
 * Finds a document of a transaction.
 * @throws ServiceFailure when the transaction doesn't have it, or doesn't show its documents
 */
export function findDocument(transaction: TransactionAnswer, documentId: string): DocumentAnswer {
	const document = listDocuments(transaction).find(({ id }) => isSameId(id, documentId));
	if (document === undefined)
		throw new ServiceFailure({ code: 'documentNotInTransaction', documentId }, { final: true });
	return document;
}

/** The service's own documents (docs/service/documents.md#consent-forms). */
const CONSENT_FORM = /^eSign Consent Form - Signer ([1-9]|10)$/;

/** Leaves out the documents that the service adds by itself. */
export const withoutConsentForms = (
	documents: DocumentAnswer[],
	platform: Platform,
): DocumentAnswer[] =>
	documents.filter(
		({ document_name: name, requirement }) =>
			!(platform === 'realEstate' && requirement === 'esign' && CONSENT_FORM.test(name ?? '')),
	);

/** Whether the service couldn't process a document (docs/service/documents.md#processing). */
export const isFailed = (document: IDataObject): boolean =>
	document.processing_state === 'failed' || asText(document.processing_error) !== undefined;

/** The flags that an answer has in words; undefined where it has none (docs/service/documents.md#allowed-actions). */
export function listFlagWords({ allowed_actions: actions, permissions }: DocumentAnswer) {
	const lists = [actions, permissions].filter((words) => Array.isArray(words));
	return lists.length === 0 ? undefined : lists.flat();
}

/** Whether a document shows that a notary notarizes it (docs/service/documents.md#requirements). */
export const isNotarized = (document: DocumentAnswer): boolean =>
	document.requirement === 'notarization' ||
	document.notarization_required === true ||
	listFlagWords(document)?.includes('NOTARIZATION_REQUIRED') === true;

/** Returns the whole document, with its IDs at top level. */
export function withDocumentIds(transactionId: string, document: IDataObject): IDataObject {
	return { transaction_id: transactionId, document_id: document.id, ...document };
}

/**
 * Returns the fields that a next step needs, without links and designations. What tells documents
 * apart and what went wrong is there when there is something.
 */
export function simplifyDocument(transactionId: string, document: IDataObject): IDataObject {
	const { tracking_id: tracking, processing_error: fault } = document;
	return {
		transaction_id: transactionId,
		document_id: document.id,
		...pickFields(document, [
			'document_name',
			'requirement',
			'processing_state',
			'completion_state',
			'is_enote',
			'bundle_position',
			'rejection_reason',
		]),
		is_finished: isFinished(document),
		...(isPersonalReference(tracking) && { tracking_id: tracking }),
		...(asText(fault) !== undefined && { processing_error: fault }),
	};
}

/**
 * Returns the link to the finished document (docs/service/documents.md#document-answer).
 * @returns undefined when the answer has none, which on business doesn't mean that there is none
 */
export function readFinalLink(document: IDataObject): string | undefined {
	return asText(document.final_document_url) ?? asText(document.signed_url) ?? asText(document.uri);
}

/**
 * Whether a document is finished. Answers of business don't show the link, so there its state counts
 * (docs/service/documents.md#two-forms-of-the-answer).
 */
export const isFinished = (document: IDataObject): boolean =>
	readFinalLink(document) !== undefined ||
	(document.final_document_url === undefined && document.completion_state === 'complete');

/**
 * Whether a document is the eNote, whose file is XML (docs/service/closings.md#enote). Some answers
 * don't say it (docs/service/documents.md#two-forms-of-the-answer). There, the service's name for it
 * tells, because every other document is a PDF.
 */
export const isEnote = ({ is_enote: enote, document_name: name }: IDataObject): boolean =>
	enote == null ? /\.xml$/i.test(asText(name) ?? '') : enote === true;

/** Says under which name and as what a document's file is saved. */
export function describeFile(document: IDataObject): { name: string; mimeType: string } {
	return {
		name: asText(document.document_name) ?? String(document.id),
		mimeType: isEnote(document) ? 'application/xml' : 'application/pdf',
	};
}
