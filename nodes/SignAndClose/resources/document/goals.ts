import type { IDataObject } from 'n8n-workflow';

import {
	done,
	judgeParts,
	mapSeen,
	notDone,
	orLater,
	saysDeleted,
	UNKNOWN,
	type Goal,
	type Part,
	type Seen,
} from '../../run/outcome/goals';
import { toDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { sameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty, isSame, type Difference } from '../../values/same';
import { asBoolean } from '../../values/shown';
import { inTransaction } from '../shared/toCheck';
import { documentsOf, findDocument, flagWords, type Place, type Retrieve } from './api';

/* What shows that a document was changed or deleted, or wasn't. */

/**
 * Judges the answer to a bookmarked PDF, whose text isn't published: anything but nothing.
 * @returns what the answer says, as a document without an ID
 */
export function judgeSplit(answer: unknown): Seen<DocumentAnswer> {
	const split = typeof answer === 'string' ? { message: answer } : asObject(answer);
	return Object.keys(split).length === 0 ? UNKNOWN : done(split);
}

/** Whether a flag is on. A field that somebody typed as JSON may hold it as text. */
export const isTrue = (flag: unknown) => String(flag) === 'true';

/**
 * The goal of Delete Document: the service says that it deleted the document, or shows the
 * transaction without it. A transaction that isn't found, or doesn't show its documents, says
 * nothing.
 */
export function removedGoal(service: ServiceClient, place: Place): Goal<true> {
	const { transactionId, documentId, platform } = place;
	return {
		fromAnswer: saysDeleted,
		look: async () => {
			const transaction = await retrieveTransaction(service, transactionId, platform);
			const isThere = documentsOf(transaction).some(({ id }) => sameId(id, documentId));
			return isThere ? notDone({ still: 'there' }) : done(true);
		},
		toCheck: inTransaction(transactionId, 'whether the document is gone'),
	};
}

/** What an Update Document is to bring about. */
export interface DocumentUpdate extends Place {
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
	differing: Difference[];
}

/**
 * The goal of Update Document: the document shows the changes. A live service ignores the fields
 * that only Add Document takes, keeps the old paper and answers 200
 * (docs/service/documents.md#update-a-document).
 */
export function updatedGoal(update: DocumentUpdate): Goal<UpdatedDocument> {
	const { service, transactionId, platform, changes, replacesFile } = update;
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	return {
		...(isTrue(changes.pdf_bookmarked)
			? splitGoal(update, retrieve)
			: changedGoal(update, retrieve)),
		// Nothing shows the file, and its answer is lost.
		canTell: !replacesFile,
		toCheck: replacesFile
			? "Download the uploaded PDF with 'Document: Download', and compare it"
			: inTransaction(transactionId, 'whether the document shows the change'),
	};
}

type UpdateGoal = Pick<Goal<UpdatedDocument>, 'fromAnswer' | 'look'>;

/** The document makes way for those of its bookmarks. Real estate ignores the field. */
function splitGoal({ documentId, platform }: DocumentUpdate, retrieve: Retrieve): UpdateGoal {
	const toUpdated = (document: DocumentAnswer): UpdatedDocument => ({ document, differing: [] });
	return {
		fromAnswer: (answer, answered = true) =>
			answered && toDocument(answer) === undefined
				? mapSeen(judgeSplit(answer), toUpdated)
				: UNKNOWN,
		look: async () => {
			if (!documentsOf(await retrieve()).some(({ id }) => sameId(id, documentId)))
				return done(toUpdated({}));
			return platform === 'realEstate' ? notDone({ unchanged: ['pdf_bookmarked'] }) : undefined;
		},
	};
}

const changedGoal = (update: DocumentUpdate, retrieve: Retrieve): UpdateGoal => ({
	fromAnswer: (answer, answered = true) => {
		const document = toDocument(answer);
		// What this answer doesn't show, the transaction may show.
		return document !== undefined &&
			Object.entries(update.changes).every(
				([name, value]) =>
					valueOf(name, document) !== undefined || showsValue(document, name, value),
			)
			? judge(document, update, answered)
			: UNKNOWN;
	},
	look: async (how) =>
		orLater(judge(findDocument(await retrieve(), update.documentId), update, how.answered), how),
});

/** Judges what a document shows of the changes. */
function judge(
	after: DocumentAnswer,
	{ changes, before, replacesFile }: DocumentUpdate,
	answered: boolean,
): Seen<UpdatedDocument> {
	const { signing_designations: designations, ...fields } = changes;
	const parts = Object.entries(fields).map(([name, value]) => partOf(name, value, after, before));
	if (Array.isArray(designations)) parts.push(designationsPart(designations, after, before));
	const seen = judgeParts(parts, answered);
	// That it processes the document anew is all that a service shows of a new file.
	const isProcessedAnew =
		answered && before?.processing_state === 'done' && after.processing_state === 'pending';
	// Some services never take designations or a file, so that a success says nothing of them.
	const isUnseen =
		(replacesFile && !isProcessedAnew) ||
		parts.some(({ field, isAnswered }) => !isAnswered && ALWAYS_SHOWN.has(field)) ||
		parts.some((part) => part.field === 'designations' && !part.isAnswered && !hasNewIds(part));
	if (seen.state === 'done' && isUnseen) return UNKNOWN;
	return mapSeen(seen, (differing) => ({ document: after, differing }));
}

/** Fields of the request that every answer shows. */
const ALWAYS_SHOWN = new Set(['name', 'requirement']);

function partOf(
	field: string,
	expected: unknown,
	after: DocumentAnswer,
	before: DocumentAnswer = {},
): Part {
	const [actual, earlier] = [after, before].map((document) => valueOf(field, document));
	return {
		field,
		wanted: expected,
		shown: actual,
		isShown: showsValue(after, field, expected),
		isAnswered: actual !== undefined,
		...(earlier !== undefined && { earlier: { value: earlier } }),
	};
}

/**
 * The value of a field of the request in an answer, which has the name under another one
 * (docs/service/documents.md#document-answer); undefined when it isn't shown.
 */
function valueOf(name: string, document: DocumentAnswer): unknown {
	const value = document[name === 'name' ? 'document_name' : name];
	return isEmpty(value) ? undefined : value;
}

/** Flags that a requirement brings along. */
export const OF_REQUIREMENT: ReadonlySet<string> = new Set([
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
]);
/** Flags of a document (docs/service/documents.md#document-fields). */
export const FLAGS = [...OF_REQUIREMENT, 'customer_can_annotate', 'vaulted', 'witness_required'];

/** Flags that answers have in words; some of them have no other form. */
const WORDS: Record<string, string | undefined> = {
	customer_can_annotate: 'CUSTOMER_CAN_ANNOTATE',
	notarization_required: 'NOTARIZATION_REQUIRED',
	witness_required: 'WITNESS_REQUIRED',
};

/** A flag as an answer shows it, by itself or in words; undefined where it doesn't. */
export function flagShown(document: DocumentAnswer, name: string): boolean | undefined {
	const [own, word] = [asBoolean(document[name]), WORDS[name]];
	return own ?? (word === undefined ? undefined : flagWords(document)?.includes(word));
}

/** Whether a document shows a value of a field of the request. */
export function showsValue(document: DocumentAnswer, field: string, wanted: unknown): boolean {
	const shown = valueOf(field, document);
	if (shown !== undefined) return isSame(shown, wanted);
	return isTrue(wanted) && flagWords(document)?.includes(WORDS[field] ?? '') === true;
}

/**
 * Compares designations, whose order means nothing. Real estate shows their IDs only
 * (docs/service/documents.md#designations-in-answers).
 */
function designationsPart(
	expected: unknown[],
	{ signing_designations: actual }: DocumentAnswer,
	{ signing_designations: earlier }: DocumentAnswer = {},
): Part {
	const isAnswered =
		Array.isArray(actual) && actual.every(({ type }) => asText(type) !== undefined);
	return {
		field: 'designations',
		wanted: expected,
		shown: actual,
		isShown: isAnswered && haveSame(actual, expected),
		isAnswered,
		...(Array.isArray(earlier) && { earlier: { value: earlier } }),
	};
}

/**
 * Whether a document has these designations and no others, as far as answers show them.
 * @returns undefined where they show too little, or none are named
 */
export function hasPlaces(
	{ signing_designations: shown, processing_state: state }: DocumentAnswer,
	wanted: IDataObject[],
): boolean | undefined {
	if (!Array.isArray(shown) || shown.some(({ type }) => asText(type) === undefined))
		return undefined;
	// Those that are wanted may come while the document is processed.
	if (shown.length === 0 && state !== 'done' && wanted.length > 0) return undefined;
	const names = new Set(shown.flatMap((place) => Object.keys(place)));
	const isHidden = ([name, value]: [string, unknown]) =>
		!names.has(name) && !isEmpty(value) && value !== false;
	const visible = wanted.map((place) =>
		Object.fromEntries(Object.entries(place).filter((part) => !isHidden(part))),
	);
	const areHidden = wanted.some((place) => Object.entries(place).some(isHidden));
	if (!haveSame(shown, visible)) return false;
	return areHidden ? undefined : true;
}

/** Whether there are other designations than before, as many as wanted. */
function hasNewIds({ wanted, shown, earlier }: Part): boolean {
	return (
		earlier !== undefined &&
		asObjects(shown).length === asObjects(wanted).length &&
		JSON.stringify(shown) !== JSON.stringify(earlier.value)
	);
}

/** Whether two lists have the same designations. */
const haveSame = (shown: IDataObject[], wanted: unknown[]) =>
	shown.length === wanted.length &&
	wanted.every((entry) => shown.some((other) => isSame(other, entry))) &&
	shown.every((other) => wanted.some((entry) => isSame(other, entry)));
