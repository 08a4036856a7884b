import type { IDataObject } from 'n8n-workflow';

import { readDocument, type DocumentAnswer } from '../answers';
import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { done, notDone, saysDeleted, UNKNOWN, type Goal, type Seen } from '../goals';
import { sameId } from '../values/ids';
import { asObject, asText } from '../values/json';
import { documentsOf } from './documents';
import { recognizeOwn, type Traces } from './before';
import { retrieveTransaction } from './transactions';

/* When a write of a document counts as done. */

/** Where a document is. */
export interface Place {
	transactionId: string;
	documentId: string;
	platform: Platform;
}

/** What an Add Document is to bring about. */
interface Addition extends Traces {
	service: ServiceClient;
	transactionId: string;
	platform: Platform;
	/** What was sent, without the file. */
	fields: IDataObject;
}

/**
 * The goal of Add Document: the service answers the document, or the transaction has a new one with
 * this name. Real estate answers an array, which may hold the documents that were there before
 * (docs/service/documents.md#add-a-document). A bookmarked PDF is answered with a body that says the
 * split is in progress (docs/service/documents.md#bookmarked-pdfs).
 */
export function addedGoal(addition: Addition): Required<Goal<DocumentAnswer>> {
	const { service, transactionId, platform, fields, before } = addition;
	const name = asText(fields.filename);
	const splits = isTrue(fields.pdf_bookmarked);
	return {
		told: (answer, answered = true) => {
			const documents = (Array.isArray(answer) ? answer : [answer])
				.map(readDocument)
				.filter((document) => document !== undefined);
			if (documents.length === 0) return splits && answered ? splitBy(answer) : UNKNOWN;
			// Without the IDs from before, any of several may be an older one of the same name.
			if (before === undefined) return documents.length === 1 ? done(documents[0]) : UNKNOWN;
			return addedOf(
				documents.filter((document) => !before.ids.some((id) => sameId(id, document.id))),
				name,
			);
		},
		look: async (answered = false) => {
			const isOwn = await recognizeOwn(service, addition);
			const transaction = await retrieveTransaction(service, transactionId, platform);
			const fresh = documentsOf(transaction).filter(isOwn);
			// A write whose answer was lost may have added nothing, and then a new document is
			// somebody else's. So may be the parts of a split.
			const isSure = answered && before !== undefined && !splits;
			return addedOf(isSure ? fresh : named(fresh, name), name);
		},
	};
}

/** Picks the document that was added from the new ones: the only one, or the only one of its name. */
function addedOf(fresh: DocumentAnswer[], name: string | undefined): Seen<DocumentAnswer> {
	const added = fresh.length === 1 ? fresh : named(fresh, name);
	return added.length === 1 ? done(added[0]) : UNKNOWN;
}

function named(documents: DocumentAnswer[], name: string | undefined): DocumentAnswer[] {
	return documents.filter(({ document_name: own }) => name !== undefined && own === name);
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
