import type { IDataObject } from 'n8n-workflow';

import {
	done,
	mapSeen,
	notDone,
	UNKNOWN,
	write,
	type Goal,
	type Seen,
	judgeParts,
	type Part,
} from '../../run/outcome/goals';
import { readDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import {
	asError,
	findFailure,
	ServiceFailure,
	type PaperPart,
} from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { sameId } from '../../values/ids';
import { asText, ownValue } from '../../values/json';
import { isEmpty, isSame, type Difference } from '../../values/same';
import { documentsOf, findDocument } from './api';
import { isTrue, splitBy } from './documentGoals';

/*
 * Says whether a document shows what an update asked for. A live service ignores the fields that
 * only Add Document takes, keeps the old paper and answers 200
 * (docs/service/documents.md#update-a-document).
 */

/** What an Update Document is to bring about. */
export interface DocumentUpdate {
	service: ServiceClient;
	transactionId: string;
	documentId: string;
	platform: Platform;
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

/** The goal of Update Document: the document shows the changes. */
export function updatedGoal(update: DocumentUpdate): Required<Goal<UpdatedDocument>> {
	const { service, transactionId, documentId, platform, changes } = update;
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	if (isTrue(changes.pdf_bookmarked)) return splitGoal(update, retrieve);
	return {
		told: (answer, answered = true) => {
			const document = readDocument(answer);
			// What this answer doesn't show, the transaction may show.
			return document === undefined || !showsAll(document, changes)
				? UNKNOWN
				: judge(document, update, answered);
		},
		look: async (answered = false) =>
			judge(findDocument(await retrieve(), documentId), update, answered),
	};
}

/**
 * The goal of an update that splits the file: the service says that the split is in progress, or the
 * document has made way for those of its bookmarks (docs/service/documents.md#bookmarked-pdfs). Real
 * estate ignores the field.
 */
function splitGoal(
	{ documentId, platform }: DocumentUpdate,
	retrieve: () => ReturnType<typeof retrieveTransaction>,
): Required<Goal<UpdatedDocument>> {
	const split = (document: DocumentAnswer): UpdatedDocument => ({ document, differing: [] });
	return {
		told: (answer, answered = true) =>
			answered && readDocument(answer) === undefined ? mapSeen(splitBy(answer), split) : UNKNOWN,
		look: async () => {
			const documents = documentsOf(await retrieve());
			const left = documents.find(({ id }) => sameId(id, documentId));
			if (left === undefined) return done(split({}));
			return platform === 'realEstate' ? notDone({ unchanged: ['pdf_bookmarked'] }) : UNKNOWN;
		},
	};
}

/** Judges what a document shows of the changes. */
function judge(
	after: DocumentAnswer,
	{ changes, before, replacesFile }: DocumentUpdate,
	answered: boolean,
): Seen<UpdatedDocument> {
	const { signing_designations: designations, ...fields } = changes;
	const parts = Object.entries(fields).map(([name, wanted]) => partOf(name, wanted, after, before));
	const paper =
		designations === undefined ? 'shown' : judgeDesignations(designations, after, before);
	if (paper === 'unchanged') return notDone({ kept: ['designations'] });
	parts.push({
		field: 'designations',
		wanted: designations,
		shown: after.signing_designations,
		isShown: paper === 'shown',
		isAnswered: paper === 'differs',
	});
	const seen = judgeParts(parts, answered);
	// That it processes the document anew is all that a service shows of a new file.
	const isProcessedAnew =
		answered && before?.processing_state === 'done' && after.processing_state === 'pending';
	// Some services never take designations or a file, so that a success says nothing of them.
	const isUnseen =
		(replacesFile && !isProcessedAnew) ||
		paper === 'notShown' ||
		parts.some(({ field, isAnswered }) => !isAnswered && ALWAYS.has(field));
	if (seen.state === 'done' && isUnseen) return UNKNOWN;
	return mapSeen(seen, (differing) => ({ document: after, differing }));
}

/** Fields of the request that answers have under another name (docs/service/documents.md#document-answer). */
const ANSWER_NAMES: Record<string, string> = { name: 'document_name' };
/** Fields of the request that every answer shows. */
const ALWAYS = new Set(['name', 'requirement']);
/** Flags that answers show as words (docs/service/documents.md#allowed-actions). */
const WORDS: Record<string, string> = {
	notarization_required: 'NOTARIZATION_REQUIRED',
	witness_required: 'WITNESS_REQUIRED',
	customer_can_annotate: 'CUSTOMER_CAN_ANNOTATE',
};

/** Whether an answer shows every field of the changes. */
function showsAll(document: DocumentAnswer, changes: IDataObject): boolean {
	return Object.keys(changes).every((name) => valueOf(name, document) !== undefined);
}

function partOf(
	field: string,
	wanted: unknown,
	after: DocumentAnswer,
	before?: DocumentAnswer,
): Part {
	const shown = valueOf(field, after);
	const earlier = before && valueOf(field, before);
	return {
		field,
		wanted,
		shown,
		isShown: shown !== undefined && isSame(shown, wanted),
		isAnswered: shown !== undefined,
		...(earlier !== undefined && { earlier: { value: earlier } }),
	};
}

/** The value of a field of the request in an answer; undefined when it isn't shown. */
function valueOf(name: string, document: DocumentAnswer): unknown {
	const value = document[ownValue(ANSWER_NAMES, name) ?? name];
	if (!isEmpty(value)) return value;
	const words = [document.allowed_actions, document.permissions].flatMap((list) => list ?? []);
	// That a word is missing says little: a service may have a word for some flags only.
	const word = ownValue(WORDS, name);
	return word !== undefined && words.includes(word) ? true : undefined;
}

/**
 * Judges designations. Real estate shows their IDs only, so that others and as many of them are all
 * that can be seen there (docs/service/documents.md#designations-in-answers).
 */
function judgeDesignations(
	wanted: unknown,
	{ signing_designations: after }: DocumentAnswer,
	before?: DocumentAnswer,
): 'shown' | 'unchanged' | 'differs' | 'changed' | 'notShown' {
	if (!Array.isArray(wanted) || !Array.isArray(after)) return 'notShown';
	const isWhole = after.every(({ type }) => asText(type) !== undefined);
	if (isWhole && haveSame(after, wanted)) return 'shown';
	const earlier = before?.signing_designations;
	if (!Array.isArray(earlier)) return 'notShown';
	if (marksOf(after) === marksOf(earlier))
		// As many as before may be new ones under the old IDs.
		return !isWhole && earlier.length === wanted.length ? 'notShown' : 'unchanged';
	if (isWhole) return 'differs';
	return after.length === wanted.length ? 'changed' : 'notShown';
}

/** Whether two lists have the same designations, whose order means nothing. */
function haveSame(shown: IDataObject[], wanted: unknown[]): boolean {
	const left = [...shown];
	for (const entry of wanted) {
		const at = left.findIndex((candidate) => isSame(candidate, entry));
		if (at < 0) return false;
		left.splice(at, 1);
	}
	return left.length === 0;
}

/** What tells a list of designations from another one: their IDs, or else all that is shown. */
function marksOf(designations: IDataObject[]): string {
	return JSON.stringify(designations.map((entry) => asText(entry.id) ?? entry));
}

/**
 * Sends an update and makes sure that it was done.
 * @param send sends the request and returns the parsed answer
 * @throws ServiceFailure like write(); `paperNotShown` when the service doesn't show whether it took
 *   the new paper
 */
export async function writeUpdate(
	update: DocumentUpdate,
	send: () => Promise<unknown>,
): Promise<UpdatedDocument> {
	try {
		return await write(update.service, send, updatedGoal(update));
	} catch (thrown) {
		throw aboutPaper(thrown, update);
	}
}

function aboutPaper(thrown: unknown, { changes, replacesFile }: DocumentUpdate): Error {
	const failure = findFailure(thrown);
	const parts: PaperPart[] = [
		...(replacesFile ? (['file'] as const) : []),
		...(changes.signing_designations === undefined ? [] : (['designations'] as const)),
	];
	if (!(failure instanceof ServiceFailure) || parts.length === 0) return asError(thrown);
	const { reason, flags } = failure;
	return reason.code === 'notShown'
		? new ServiceFailure({ code: 'paperNotShown', parts, said: reason.said }, flags)
		: failure;
}
