import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import { reportDone, reportNotDone, findReference, UNCERTAIN, type Goal } from '../../../run/goals';
import { lookUp } from '../../../run/write/write';
import { isAlike, isMadeSince, sendWithReference } from '../../../run/write/reference';
import { toDocument, type DocumentAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import type { ServiceClient } from '../../../transport/client';
import { toBody } from '../../../transport/files/requestBody';
import { normalizeId, isSameId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { defineFlag } from '../../../form/fields';
import { describeReferenceCheck } from '../../../form/lostAnswers';
import { listDocuments, isFailed, type TransactionPlace } from '../api';
import { isTrue } from '../comparison';
import type { DocumentResource } from '../files/bytes';
import { evaluateSplit } from '../goals';

/* Adding a document to a transaction (docs/service/documents.md#add-a-document). */

/** A document that is added. */
export interface NewDocument extends TransactionPlace {
	/** What is sent, without the file and without a reference of the node's own. */
	fields: IDataObject;
}

/** A document that was to be added. */
type Addition = NewDocument & Pick<OperationCall, 'isClaimed' | 'sending' | 'service'>;

/**
 * Sends a new document to a transaction.
 * @param resource its file, which is streamed, or what the service takes in place of it
 * @param reference whether a reference of the node's own is wanted, and which one
 * @returns the parsed answer
 */
export const sendNewDocument = async (
	{ service, sending }: OperationCall,
	{ transactionId, platform, fields }: NewDocument,
	resource: DocumentResource | undefined,
	reference: { isWanted: boolean; value: string | undefined },
): Promise<unknown> =>
	await sendWithReference(
		sending,
		'tracking_id',
		{ fields, isWanted: reference.isWanted, ownReference: reference.value },
		async (extra) =>
			await service.json('addDocument', {
				path: { transactionId },
				platform,
				mayBeText: true,
				...toBody({ ...fields, resource, ...extra }),
			}),
	);

/**
 * The goal of Add Document: the service answers the document, or the transaction has it. Real estate
 * answers an array, which may hold the documents that were there before. A bookmarked PDF is answered
 * with a body that says the split is in progress (docs/service/documents.md#bookmarked-pdfs). A lost one
 * is found by its reference.
 */
export function buildAdditionGoal(addition: Addition): Goal<DocumentAnswer> {
	const { service, transactionId, platform, fields, sending } = addition;
	return {
		fromAnswer: (answer, isAnswered = true) => {
			const documents = (Array.isArray(answer) ? answer : [answer]).flatMap(
				(entry) => toDocument(entry) ?? [],
			);
			if (documents.length === 0)
				return isTrue(fields.pdf_bookmarked) && isAnswered ? evaluateSplit(answer) : UNCERTAIN;
			const isShown =
				findReference(sending, fields.tracking_id) !== undefined &&
				documents.some(({ tracking_id: reference }) => asText(reference) !== undefined);
			const matches = documents.filter((document) => !isShown || hasReference(document, addition));
			return matches.length === 1 ? reportDone(matches[0]) : UNCERTAIN;
		},
		look: async () =>
			findReference(sending, fields.tracking_id) === undefined
				? UNCERTAIN
				: findLost(
						listDocuments(await retrieveTransaction(service, transactionId, platform, true)),
						addition,
					),
		...describeReferenceCheck('document', addition, fields.tracking_id),
	};
}

/** Whether a document has the reference, and no other item of the run got it. */
const hasReference = (document: DocumentAnswer, { sending, fields, isClaimed }: Addition) =>
	document.tracking_id === findReference(sending, fields.tracking_id) &&
	!isClaimed(normalizeId(String(document.id)));

/** Picks the document whose answer was lost, by its reference. */
function findLost(documents: DocumentAnswer[], addition: Addition) {
	const { sending, fields } = addition;
	const { reference, at = Number.NaN } = sending.get() ?? {};
	const matches = documents.filter((document) => hasReference(document, addition));
	// Older ones and those of other files may have the one that a person gave.
	const ours = matches.filter(
		(document) =>
			reference !== undefined ||
			(isMadeSince(at, document) &&
				(fields.filename === undefined || document.document_name === fields.filename)),
	);
	if (ours.length === 1) return reportDone(ours[0]);
	// The parts of a split may be there without it.
	const isAbsent =
		matches.length === 0 &&
		documents.some(({ tracking_id: trackingId }) => isAlike(trackingId, reference)) &&
		!isTrue(fields.pdf_bookmarked);
	return isAbsent ? reportNotDone({ still: 'missing' }) : undefined;
}

/**
 * Says that the service shows fewer designations than it was sent. While it processes the document,
 * that says nothing.
 */
export function describeMissingDesignations(
	fields: IDataObject,
	document: IDataObject,
): string | undefined {
	const [sent, actual] = [fields.signing_designations, document.signing_designations];
	return Array.isArray(sent) &&
		Array.isArray(actual) &&
		actual.length < sent.length &&
		document.processing_state === 'done'
		? `The service shows ${actual.length} of ${sent.length} designations. Check the document before you send it`
		: undefined;
}

/* Waits until the service has read a new document (docs/service/documents.md#processing). */

export const waitUntilProcessed = defineFlag(
	'Wait Until Processed',
	'waitUntilProcessed',
	"Whether to wait up to a minute until the service has processed the document. The output then says how many places to sign it has ('designation_count').",
);

const NO_TAGS =
	'No tags found in the document: ask the service to enable text tags for your account';

/**
 * Waits until the service has processed a document. A look that fails says nothing.
 * @param find finds it among those of the transaction
 * @returns undefined when the time is over
 */
export async function awaitProcessing(
	service: ServiceClient,
	{ transactionId, platform }: TransactionPlace,
	find: (documents: DocumentAnswer[]) => DocumentAnswer | undefined,
): Promise<DocumentAnswer | undefined> {
	const look = async () => {
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const now = find(listDocuments(transaction));
		return now === undefined || now.processing_state === 'pending' ? undefined : reportDone(now);
	};
	const seen = await lookUp(service, { look }, { isAnswered: true });
	return seen.state === 'done' ? seen.value : undefined;
}

/**
 * Waits until a new document is processed. The document is there in any case, so that nothing that
 * happens meanwhile fails the item.
 * @param fields what was sent
 * @returns the document as the service shows it then, and what a person should know
 */
export async function awaitNewDocument(
	{ service }: OperationCall,
	place: TransactionPlace,
	document: IDataObject,
	fields: IDataObject,
): Promise<{ document: IDataObject; hint?: string }> {
	const processed = await awaitProcessing(service, place, (documents) =>
		documents.find(({ id }) => isSameId(id, String(document.id))),
	);
	if (processed === undefined)
		return {
			document,
			hint: "The service hasn't processed the document yet. 'Transaction: Send' waits for it, too",
		};
	const count = processed.signing_designations?.length;
	return {
		document: {
			...(count !== undefined && { designation_count: count }),
			...document,
			...processed,
		},
		hint: describeProcessed(processed, count === 0 && fields.text_tag_syntax !== undefined),
	};
}

function describeProcessed(document: DocumentAnswer, lacksTags: boolean): string | undefined {
	if (!isFailed(document)) return lacksTags ? NO_TAGS : undefined;
	const error = asText(document.processing_error);
	return `The service couldn't process the document${error === undefined ? '' : `: ${error}`}. Delete it with 'Document: Delete', and add another file`;
}
