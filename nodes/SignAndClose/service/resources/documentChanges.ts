import type { IDataObject } from 'n8n-workflow';

import { readDocument, type DocumentAnswer } from '../answers';
import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { asError, findFailure, ServiceFailure, type PaperPart } from '../errors/failure';
import { done, notDone, UNKNOWN, write, type Goal, type Seen } from '../goals';
import { sameId } from '../values/ids';
import { asText, ownValue } from '../values/json';
import { isTrue, splitBy } from './documentGoals';
import { documentsOf, findDocument } from './documents';
import { isSame as resembles } from '../values/same';
import { retrieveTransaction } from './transactions';

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
	/** When the file is replaced: how to tell whether the service has the new one. */
	file?: FileEvidence;
}

/** Fingerprints of the file that was sent and of the one from before, where they are known. */
export interface FileEvidence {
	sent?: string;
	before?: string;
	now: () => Promise<string | undefined>;
}

/** The goal of Update Document: the document shows the changes. */
export function updatedGoal(update: DocumentUpdate): Required<Goal<DocumentAnswer>> {
	const { service, transactionId, documentId, platform, changes, file } = update;
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	if (isTrue(changes.pdf_bookmarked)) return splitGoal(update, retrieve);
	return {
		told: (answer) => {
			const document = readDocument(answer);
			return document === undefined || file !== undefined ? UNKNOWN : judge(document, update);
		},
		look: async () => {
			const document = findDocument(await retrieve(), documentId);
			const seen = judge(document, update);
			if (seen.state !== 'done' || file === undefined) return seen;
			return await judgeFile(document, update, file);
		},
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
): Required<Goal<DocumentAnswer>> {
	return {
		told: (answer) => (readDocument(answer) === undefined ? splitBy(answer) : UNKNOWN),
		look: async () => {
			const documents = documentsOf(await retrieve());
			const left = documents.find(({ id }) => sameId(id, documentId));
			if (left === undefined) return done({});
			return platform === 'realEstate' ? notDone({ unchanged: ['pdf_bookmarked'] }) : UNKNOWN;
		},
	};
}

type Verdict = 'shown' | 'unchanged' | 'unknown';

function judge(after: DocumentAnswer, { changes, before }: DocumentUpdate): Seen<DocumentAnswer> {
	const { signing_designations: designations, ...fields } = changes;
	const verdicts = Object.entries(fields).map(([name, wanted]) => ({
		name,
		verdict: judgeField(name, wanted, after, before),
	}));
	const paper =
		designations === undefined ? 'shown' : judgeDesignations(designations, after, before);
	if (paper === 'unchanged') return notDone({ kept: ['designations'] });
	const unchanged = verdicts.filter(({ verdict }) => verdict === 'unchanged');
	if (unchanged.length > 0) return notDone({ unchanged: unchanged.map(({ name }) => name) });
	// What every answer has must be seen. Other fields may be missing (two forms of the answer).
	const unseen = verdicts.some(({ name, verdict }) => verdict === 'unknown' && ALWAYS.has(name));
	return paper === 'unknown' || unseen ? UNKNOWN : done(after);
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

function judgeField(
	name: string,
	wanted: unknown,
	after: DocumentAnswer,
	before?: DocumentAnswer,
): Verdict {
	const [shown, earlier] = [valueOf(name, after), before && valueOf(name, before)];
	if (shown === undefined) return 'unknown';
	if (shown === String(wanted).trim()) return 'shown';
	if (shown === earlier) return 'unchanged';
	// The service may write a value in its own way, and then it has changed.
	return earlier === undefined ? 'unknown' : 'shown';
}

/** The value of a field of the request in an answer, as text; undefined when it isn't shown. */
function valueOf(name: string, document: DocumentAnswer): string | undefined {
	const value = document[ownValue(ANSWER_NAMES, name) ?? name];
	if (['string', 'number', 'boolean'].includes(typeof value) && value !== '')
		return String(value).trim();
	const words = [document.allowed_actions, document.permissions].flatMap((list) => list ?? []);
	// That a word is missing says little: a service may have a word for some flags only.
	const word = ownValue(WORDS, name);
	return word !== undefined && words.includes(word) ? 'true' : undefined;
}

/**
 * Judges designations. Real estate shows their IDs only, so that others or more of them are all that
 * can be seen (docs/service/documents.md#designations-in-answers).
 */
function judgeDesignations(
	wanted: unknown,
	{ signing_designations: after }: DocumentAnswer,
	before?: DocumentAnswer,
): Verdict {
	if (!Array.isArray(wanted) || !Array.isArray(after)) return 'unknown';
	if (after.every(({ type }) => asText(type) !== undefined) && resembles(after, wanted))
		return 'shown';
	const earlier = before?.signing_designations;
	if (!Array.isArray(earlier)) return 'unknown';
	if (marksOf(after) !== marksOf(earlier))
		return after.length === wanted.length ? 'shown' : 'unknown';
	// As many as before may be new ones under the old IDs.
	return earlier.length === wanted.length ? 'unknown' : 'unchanged';
}

/** What tells a list of designations from another one: their IDs, or else all that is shown. */
function marksOf(designations: IDataObject[]): string {
	return JSON.stringify(designations.map((entry) => asText(entry.id) ?? entry));
}

async function judgeFile(
	document: DocumentAnswer,
	{ before }: DocumentUpdate,
	file: FileEvidence,
): Promise<Seen<DocumentAnswer>> {
	const isNew = before?.processing_state === 'done' && document.processing_state === 'pending';
	if (isNew) return done(document);
	const now = await file.now();
	if (now === undefined) return UNKNOWN;
	if (now === file.sent) return done(document);
	// The service may change a file that it takes, e.g. flatten its forms.
	if (file.before === undefined) return UNKNOWN;
	return now === file.before ? notDone({ kept: ['file'] }) : done(document);
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
): Promise<DocumentAnswer> {
	try {
		return await write(update.service, send, updatedGoal(update));
	} catch (thrown) {
		throw aboutPaper(thrown, update);
	}
}

function aboutPaper(thrown: unknown, { changes, file }: DocumentUpdate): Error {
	const failure = findFailure(thrown);
	const parts: PaperPart[] = [
		...(file === undefined ? [] : (['file'] as const)),
		...(changes.signing_designations === undefined ? [] : (['designations'] as const)),
	];
	if (!(failure instanceof ServiceFailure) || parts.length === 0) return asError(thrown);
	const { reason, flags } = failure;
	return reason.code === 'notShown'
		? new ServiceFailure({ code: 'paperNotShown', parts, said: reason.said }, flags)
		: failure;
}
