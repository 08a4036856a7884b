import type { IDataObject } from 'n8n-workflow';

import {
	done,
	notDone,
	referenceOf,
	saysDeleted,
	UNKNOWN,
	type Goal,
	type Seen,
	type SendingMemory,
} from '../../run/outcome/goals';
import { lookUntilFound, type LookUp } from '../../run/outcome/lookUp';
import { isMadeSince, isAlike } from '../../run/outcome/sendWithReference';
import { readDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { sameId } from '../../values/ids';
import { asObject, asText } from '../../values/json';
import { documentsOf, type Place } from './api';

/* When a write of a document counts as done. */

/** A document that was to be added. */
export interface Addition {
	service: ServiceClient;
	transactionId: string;
	platform: Platform;
	/** What was sent, without the file and without a reference of the node's own. */
	fields: IDataObject;
	/** When it was sent first, and with which reference. */
	sending: SendingMemory;
	lookUp: LookUp;
}

/**
 * The goal of Add Document: the service answers the document, or the transaction has it. Real estate
 * answers an array, which may hold the documents that were there before
 * (docs/service/documents.md#add-a-document). A bookmarked PDF is answered with a body that says the
 * split is in progress (docs/service/documents.md#bookmarked-pdfs). A lost one is found by its
 * reference.
 */
export function addedGoal(addition: Addition): Required<Goal<DocumentAnswer>> {
	const { service, transactionId, platform, fields, lookUp } = addition;
	const splits = isTrue(fields.pdf_bookmarked);
	return {
		told: (answer, answered = true) => {
			const documents = (Array.isArray(answer) ? answer : [answer])
				.map(readDocument)
				.filter((document) => document !== undefined);
			if (documents.length === 0) return splits && answered ? splitBy(answer) : UNKNOWN;
			return addedOf(documents, addition);
		},
		look: async () =>
			referenceOf(addition.sending, addition.fields.tracking_id) === undefined
				? UNKNOWN
				: await lookUntilFound(
						service,
						async () =>
							lostOf(
								documentsOf(await retrieveTransaction(service, transactionId, platform, true)),
								addition,
							),
						lookUp,
					),
	};
}

/**
 * Picks the document that was certainly added from those of its answer: by its reference. Where the
 * service shows none, as the only one, or the only one that was made since under its name.
 */
function addedOf(documents: DocumentAnswer[], addition: Addition): Seen<DocumentAnswer> {
	const wanted = referenceOf(addition.sending, addition.fields.tracking_id);
	const isShown =
		wanted !== undefined && documents.some(({ tracking_id: own }) => asText(own) !== undefined);
	const added = isShown
		? documents.filter(({ tracking_id: own }) => own === wanted)
		: documents.length === 1
			? documents
			: documents.filter((document) => isNamedAndNew(document, addition));
	return added.length === 1 ? done(added[0]) : UNKNOWN;
}

function isNamedAndNew(document: DocumentAnswer, { sending, fields }: Addition): boolean {
	const { at = Number.NaN } = sending.get() ?? {};
	const name = asText(fields.filename);
	return name !== undefined && document.document_name === name && isMadeSince(at, document);
}

/** Picks the document of a lost answer by its reference. */
function lostOf(documents: DocumentAnswer[], addition: Addition): Seen<DocumentAnswer> | undefined {
	const { reference } = addition.sending.get() ?? {};
	const wanted = referenceOf(addition.sending, addition.fields.tracking_id);
	const matching = documents.filter(({ tracking_id: own }) => own === wanted);
	// Others may have the one that a person gave.
	const ours = matching.filter(
		(document) => reference !== undefined || isNamedAndNew(document, addition),
	);
	if (ours.length === 1) return done(ours[0]);
	// The parts of a split may be there without it.
	const isAbsent =
		matching.length === 0 &&
		documents.some(({ tracking_id: own }) => isAlike(own, reference)) &&
		!isTrue(addition.fields.pdf_bookmarked);
	return isAbsent ? notDone({ still: 'missing' }) : undefined;
}

/**
 * Judges the answer to a bookmarked PDF, whose text isn't published: anything but nothing.
 * @returns what the answer says, as a document without an ID
 */
export function splitBy(answer: unknown): Seen<DocumentAnswer> {
	const said = typeof answer === 'string' ? { message: answer } : asObject(answer);
	return Object.keys(said).length === 0 ? UNKNOWN : done(said);
}

/**
 * The goal of an import: the service says that it has begun
 * (docs/service/documents.md#external-documents). Its documents have names of their own, and come
 * later, so that nothing but the answer shows it.
 */
export const importBegunGoal: Goal<IDataObject> = {
	told: (answer, answered = true) => {
		const { response } = asObject(answer);
		return !answered || asText(response) === undefined ? UNKNOWN : done(asObject(answer));
	},
};

/**
 * The goal of Delete Document: the service says that it deleted the document, or shows the
 * transaction without it. A transaction that isn't found, or doesn't show its documents, says
 * nothing.
 */
export function removedGoal(
	service: ServiceClient,
	{ transactionId, documentId, platform }: Place,
): Required<Goal<true>> {
	return {
		told: saysDeleted,
		look: async () => {
			const transaction = await retrieveTransaction(service, transactionId, platform);
			const there = documentsOf(transaction).some(({ id }) => sameId(id, documentId));
			return there ? notDone({ still: 'there' }) : done(true);
		},
	};
}

/** Whether a flag is on. A field that somebody typed as JSON may hold it as text. */
export function isTrue(flag: unknown): boolean {
	return String(flag) === 'true';
}
