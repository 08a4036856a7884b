import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import {
	done,
	judgeParts,
	mapSeen,
	notDone,
	orLater,
	referenceOf,
	saysDeleted,
	UNKNOWN,
	type Goal,
	type Part,
	type Seen,
	type SendingMemory,
} from '../../run/outcome/goals';
import { isAlike, isMadeSince } from '../../run/outcome/sendWithReference';
import { toDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { plainId, sameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty, isSame, type Difference } from '../../values/same';
import { asBoolean } from '../../values/shown';
import { byReference, inTransaction } from '../shared/toCheck';
import { documentsOf, findDocument, flagWords, type Place } from './api';

/* What shows that a document was added, changed or deleted, or wasn't. */

/** A document that was to be added. */
export interface Addition extends Pick<OperationCall, 'isClaimed'> {
	service: ServiceClient;
	transactionId: string;
	platform: Platform;
	/** What was sent, without the file and without a reference of the node's own. */
	fields: IDataObject;
	/** When it was sent first, and with which reference. */
	sending: SendingMemory;
}

/**
 * The goal of Add Document: the service answers the document, or the transaction has it. Real estate
 * answers an array, which may hold the documents that were there before
 * (docs/service/documents.md#add-a-document). A bookmarked PDF is answered with a body that says the
 * split is in progress (docs/service/documents.md#bookmarked-pdfs). A lost one is found by its
 * reference.
 */
export function addedGoal(addition: Addition): Goal<DocumentAnswer> {
	const { service, transactionId, platform, fields, sending } = addition;
	const wanted = () => referenceOf(sending, fields.tracking_id);
	return {
		fromAnswer: (answer, answered = true) => {
			const documents = (Array.isArray(answer) ? answer : [answer])
				.map(toDocument)
				.filter((document) => document !== undefined);
			if (documents.length === 0)
				return isTrue(fields.pdf_bookmarked) && answered ? splitBy(answer) : UNKNOWN;
			const isShown =
				wanted() !== undefined &&
				documents.some(({ tracking_id: own }) => asText(own) !== undefined);
			const added = documents.filter(
				(document) =>
					!isShown || (document.tracking_id === wanted() && !isAnothers(document, addition)),
			);
			return added.length === 1 ? done(added[0]) : UNKNOWN;
		},
		look: async () =>
			wanted() === undefined
				? UNKNOWN
				: lostOf(
						documentsOf(await retrieveTransaction(service, transactionId, platform, true)),
						addition,
					),
		...byReference('document', addition, fields.tracking_id),
	};
}

/** Picks the document whose answer was lost, by its reference. */
function lostOf(documents: DocumentAnswer[], addition: Addition): Seen<DocumentAnswer> | undefined {
	const { sending, fields } = addition;
	const { reference, at = Number.NaN } = sending.get() ?? {};
	const wanted = referenceOf(sending, fields.tracking_id);
	const matching = documents.filter(
		(document) => document.tracking_id === wanted && !isAnothers(document, addition),
	);
	// Older ones and those of other files may have the one that a person gave.
	const ours = matching.filter(
		(document) =>
			reference !== undefined ||
			(isMadeSince(at, document) &&
				(fields.filename === undefined || document.document_name === fields.filename)),
	);
	if (ours.length === 1) return done(ours[0]);
	// The parts of a split may be there without it.
	const isAbsent =
		matching.length === 0 &&
		documents.some(({ tracking_id: own }) => isAlike(own, reference)) &&
		!isTrue(fields.pdf_bookmarked);
	return isAbsent ? notDone({ still: 'missing' }) : undefined;
}

/** Whether another item of the run got the document. */
const isAnothers = ({ id }: DocumentAnswer, { isClaimed }: Addition) =>
	isClaimed(plainId(String(id)));

/** Notes the document that an item got, where others may have the reference that a person gave. */
export function claimDocument(
	{ claimKey }: OperationCall,
	{ tracking_id: given }: IDataObject,
	{ id }: IDataObject,
): void {
	if (asText(given) !== undefined) claimKey(plainId(String(id)));
}

/**
 * Judges the answer to a bookmarked PDF, whose text isn't published: anything but nothing.
 * @returns what the answer says, as a document without an ID
 */
function splitBy(answer: unknown): Seen<DocumentAnswer> {
	const said = typeof answer === 'string' ? { message: answer } : asObject(answer);
	return Object.keys(said).length === 0 ? UNKNOWN : done(said);
}

/** Whether a flag is on. A field that somebody typed as JSON may hold it as text. */
const isTrue = (flag: unknown) => String(flag) === 'true';

/**
 * The goal of an import: the service says that it has begun
 * (docs/service/documents.md#external-documents). Its documents have names of their own, and come
 * later, so that nothing but the answer shows it.
 */
export const importBegunGoal = (transactionId: string): Goal<IDataObject> => ({
	fromAnswer: (answer, answered = true) => {
		const { response } = asObject(answer);
		return !answered || asText(response) === undefined ? UNKNOWN : done(asObject(answer));
	},
	toCheck: inTransaction(transactionId, 'whether the documents appear in the closing'),
});

/**
 * The goal of Delete Document: the service says that it deleted the document, or shows the
 * transaction without it. A transaction that isn't found, or doesn't show its documents, says
 * nothing.
 */
export function removedGoal(
	service: ServiceClient,
	{ transactionId, documentId, platform }: Place,
): Goal<true> {
	return {
		fromAnswer: saysDeleted,
		look: async () => {
			const transaction = await retrieveTransaction(service, transactionId, platform);
			const there = documentsOf(transaction).some(({ id }) => sameId(id, documentId));
			return there ? notDone({ still: 'there' }) : done(true);
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
	const { service, transactionId, documentId, platform, changes, replacesFile } = update;
	const checked = {
		// Nothing shows the file, and its answer is lost.
		canTell: !replacesFile,
		toCheck: replacesFile
			? "Download the uploaded PDF with 'Document: Download', and compare it"
			: inTransaction(transactionId, 'whether the document shows the change'),
	};
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	if (isTrue(changes.pdf_bookmarked)) {
		// The document makes way for those of its bookmarks. Real estate ignores the field.
		const split = (document: DocumentAnswer): UpdatedDocument => ({ document, differing: [] });
		return {
			fromAnswer: (answer, answered = true) =>
				answered && toDocument(answer) === undefined ? mapSeen(splitBy(answer), split) : UNKNOWN,
			look: async () => {
				if (!documentsOf(await retrieve()).some(({ id }) => sameId(id, documentId)))
					return done(split({}));
				return platform === 'realEstate' ? notDone({ unchanged: ['pdf_bookmarked'] }) : undefined;
			},
			...checked,
		};
	}
	return {
		fromAnswer: (answer, answered = true) => {
			const document = toDocument(answer);
			// What this answer doesn't show, the transaction may show.
			return document !== undefined &&
				Object.entries(changes).every(
					([name, value]) =>
						valueOf(name, document) !== undefined || showsValue(document, name, value),
				)
				? judge(document, update, answered)
				: UNKNOWN;
		},
		look: async (how) =>
			orLater(judge(findDocument(await retrieve(), documentId), update, how.answered), how),
		...checked,
	};
}

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
		isShown: showsValue(after, field, wanted),
		isAnswered: shown !== undefined,
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
	wanted: unknown[],
	{ signing_designations: shown }: DocumentAnswer,
	before?: DocumentAnswer,
): Part {
	const earlier = before?.signing_designations;
	const isAnswered = Array.isArray(shown) && shown.every(({ type }) => asText(type) !== undefined);
	return {
		field: 'designations',
		wanted,
		shown,
		isShown: isAnswered && haveSame(shown, wanted),
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
