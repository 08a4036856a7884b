import type { IDataObject } from 'n8n-workflow';

import {
	reportDone,
	evaluateParts,
	mapVerdict,
	reportNotDone,
	keepOpenIfLost,
	saysDeleted,
	UNCERTAIN,
	type Goal,
	type Verdict,
} from '../../run/goals';
import { toDocument, type DocumentAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import type { ServiceClient } from '../../transport/client';
import { isSameId } from '../../values/ids';
import { asObject } from '../../values/json';
import type { FieldDifference } from '../../values/comparison';
import { describeTransactionCheck } from '../../form/lostAnswers';
import { listDocuments, findDocument, type DocumentPlace, type Retrieve } from './api';
import {
	compareDesignations,
	compareField,
	hasNewIds,
	isTrue,
	readValue,
	showsValue,
} from './comparison';

/* What shows that a document was changed or deleted, or wasn't. */

/**
 * Judges the answer to a bookmarked PDF, whose text isn't published: anything but nothing.
 * @returns what the answer says, as a document without an ID
 */
export function evaluateSplit(answer: unknown): Verdict<DocumentAnswer> {
	const split = typeof answer === 'string' ? { message: answer } : asObject(answer);
	return Object.keys(split).length === 0 ? UNCERTAIN : reportDone(split);
}

/**
 * The goal of Delete Document: the service says that it deleted the document, or shows the
 * transaction without it. A transaction that isn't found, or doesn't show its documents, says
 * nothing.
 */
export function buildDeletionGoal(service: ServiceClient, place: DocumentPlace): Goal<true> {
	const { transactionId, documentId, platform } = place;
	return {
		fromAnswer: saysDeleted,
		look: async () => {
			const transaction = await retrieveTransaction(service, transactionId, platform);
			const isThere = listDocuments(transaction).some(({ id }) => isSameId(id, documentId));
			return isThere ? reportNotDone({ still: 'there' }) : reportDone(true);
		},
		toCheck: describeTransactionCheck(transactionId, 'whether the document is gone'),
	};
}

/** What an Update Document is to bring about. */
export interface DocumentUpdate extends DocumentPlace {
	service: ServiceClient;
	/** Fields of the request, without the file. */
	changes: IDataObject;
	/** The document as it was, where that is known. */
	before?: DocumentAnswer;
	/** Whether the file is replaced, too. */
	replacesFile: boolean;
}

/** A document that was updated. */
export interface UpdatedDocument {
	document: DocumentAnswer;
	/** What the service took, but shows with another value than the one it was sent. */
	differing: FieldDifference[];
}

/**
 * The goal of Update Document: the document shows the changes. A live service ignores the fields
 * that only Add Document takes, keeps the old paper and answers 200
 * (docs/service/documents.md#update-a-document).
 */
export function buildDocumentUpdateGoal(update: DocumentUpdate): Goal<UpdatedDocument> {
	const { service, transactionId, platform, changes, replacesFile } = update;
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	return {
		...(isTrue(changes.pdf_bookmarked)
			? buildSplitGoal(update, retrieve)
			: buildChangeGoal(update, retrieve)),
		// Nothing shows the file, and its answer is lost.
		canTell: !replacesFile,
		toCheck: replacesFile
			? "Download the uploaded PDF with 'Document: Download', and compare it"
			: describeTransactionCheck(transactionId, 'whether the document shows the change'),
	};
}

type UpdateGoal = Pick<Goal<UpdatedDocument>, 'fromAnswer' | 'look'>;

/** The document makes way for those of its bookmarks. Real estate ignores the field. */
function buildSplitGoal({ documentId, platform }: DocumentUpdate, retrieve: Retrieve): UpdateGoal {
	const toUpdated = (document: DocumentAnswer): UpdatedDocument => ({ document, differing: [] });
	return {
		fromAnswer: (answer, isAnswered = true) =>
			isAnswered && toDocument(answer) === undefined
				? mapVerdict(evaluateSplit(answer), toUpdated)
				: UNCERTAIN,
		look: async () => {
			if (!listDocuments(await retrieve()).some(({ id }) => isSameId(id, documentId)))
				return reportDone(toUpdated({}));
			return platform === 'realEstate'
				? reportNotDone({ unchanged: ['pdf_bookmarked'] })
				: undefined;
		},
	};
}

const buildChangeGoal = (update: DocumentUpdate, retrieve: Retrieve): UpdateGoal => ({
	fromAnswer: (answer, isAnswered = true) => {
		const document = toDocument(answer);
		// What this answer doesn't show, the transaction may show.
		return document !== undefined &&
			Object.entries(update.changes).every(
				([name, value]) =>
					readValue(name, document) !== undefined || showsValue(document, name, value),
			)
			? evaluateUpdate(document, update, isAnswered)
			: UNCERTAIN;
	},
	look: async (options) =>
		keepOpenIfLost(
			evaluateUpdate(findDocument(await retrieve(), update.documentId), update, options.isAnswered),
			options,
		),
});

/** Judges what a document shows of the changes. */
function evaluateUpdate(
	after: DocumentAnswer,
	{ changes, before, replacesFile }: DocumentUpdate,
	isAnswered: boolean,
): Verdict<UpdatedDocument> {
	const { signing_designations: designations, ...fields } = changes;
	const parts = Object.entries(fields).map(([name, value]) =>
		compareField(name, value, after, before),
	);
	if (Array.isArray(designations)) parts.push(compareDesignations(designations, after, before));
	const seen = evaluateParts(parts, isAnswered);
	// That it processes the document anew is all that a service shows of a new file.
	const isProcessedAnew =
		isAnswered && before?.processing_state === 'done' && after.processing_state === 'pending';
	// Some services never take designations or a file, so that a success says nothing of them.
	const isUnseen =
		(replacesFile && !isProcessedAnew) ||
		parts.some(({ field, isAnswered }) => !isAnswered && ALWAYS_SHOWN.has(field)) ||
		parts.some((part) => part.field === 'designations' && !part.isAnswered && !hasNewIds(part));
	if (seen.state === 'done' && isUnseen) return UNCERTAIN;
	return mapVerdict(seen, (differing) => ({ document: after, differing }));
}

/** Fields of the request that every answer shows. */
const ALWAYS_SHOWN = new Set(['name', 'requirement']);
