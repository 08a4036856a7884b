import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asObjects } from '../../../values/json';
import { isOwnReference, readReference, matchesSettings } from '../../../values/reference';
import type { OperationCall } from '../../../run/operation';
import { isEnote, isFailed, listDocuments, withoutConsentForms } from '../../document/api';
import { isSameName, readContent } from '../../document/content';
import { hasPlaces } from '../../document/comparison';
import { findNotedContent } from '../executionNotes';
import { compareDocument, type ExpectedDocument } from './documentComparison';
import type { PapersItem } from './item';

/*
 * Which of the documents that a transaction shows is which of those that are wanted, by their content.
 * A reference of the node's own says it; where the service shows none, the file itself tells its
 * content.
 */

/** The contents of documents that were fetched, by their IDs. */
export type FetchedContents = Map<string, string | undefined>;

/** The eNotes and the other documents of a transaction, without its consent forms. */
export function sortPapers(
	call: OperationCall,
	{ platform, enote }: PapersItem,
	transaction: TransactionAnswer,
	contents: FetchedContents,
) {
	const place = { transactionId: transaction.id, platform };
	const all = withoutConsentForms(listDocuments(transaction), platform);
	// Some services don't say which document is the eNote.
	const isOurEnote = (document: DocumentAnswer) =>
		isEnote(document) ||
		(enote !== undefined && findNotedContent(call, document.id) === enote.content);
	return {
		enotes: all.filter(isOurEnote),
		otherDocuments: all.filter((document) => !isOurEnote(document)),
		/** What a document is made of. Its file is fetched only where nothing else tells it. */
		async fetchContent(document: DocumentAnswer): Promise<string | undefined> {
			const documentId = String(document.id);
			const ownContentOfDocument = findNotedContent(call, documentId);
			if (ownContentOfDocument !== undefined) return ownContentOfDocument;
			if (!contents.has(documentId))
				contents.set(documentId, await readContent(call, place, document));
			return contents.get(documentId);
		},
	};
}

/** A document of a transaction, and what is known of its content. */
interface ContentDocument {
	document: DocumentAnswer;
	content?: string;
}

type DocumentMatcher = (expected: ExpectedDocument, actual: ContentDocument) => boolean;

const hasContent: DocumentMatcher = (expected, actual) => expected.content === actual.content;

const hasName: DocumentMatcher = ({ name }, { document }) =>
	isSameName(name, document.document_name);

const isAsExpected: DocumentMatcher = (expected, { document }) =>
	compareDocument(expected, document, true).every(({ kind }) => kind === 'unknown');

const hasWish: DocumentMatcher = ({ wish }, { document }) =>
	matchesSettings(readReference(document.tracking_id), wish);

/** What tells which of several documents with the content is meant, from the surest on. */
const MATCHERS: DocumentMatcher[][] = [
	[isAsExpected],
	[hasName, hasWish],
	[hasName],
	[hasWish],
	[],
];

/** Which documents are the same. */
export interface PairedDocuments<T> {
	/** In the order of those that are wanted. */
	pairs: Array<{ expected: T; actual?: DocumentAnswer; content: 'equal' | 'other' | 'unknown' }>;
	/** Those that nothing explains that is wanted, each with whether its content is known. */
	extra: Array<{ document: DocumentAnswer; isKnown: boolean }>;
	/** Documents with a reference of the node that another one has, too: only one of the two was wanted. */
	twins: DocumentAnswer[];
}

/**
 * Finds the documents that are wanted among those of a transaction. Of several with the same content,
 * that with the same name comes first. One that the service couldn't process is none of them.
 * @param contentOf says what is known of the content of a document; it's asked only of those without a
 *   reference of the node's own
 * @param takesNames whether one with the same name and other content is the one that is wanted
 */
export async function pairDocuments<T extends ExpectedDocument>(
	expected: readonly T[],
	actual: readonly DocumentAnswer[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
	takesNames = true,
): Promise<PairedDocuments<T>> {
	const rest = new Set<ContentDocument>(
		actual.map((document) => ({ document, content: readReference(document.tracking_id)?.content })),
	);
	const twins = takeTwins(rest);
	const pairings = await takePairs(expected, rest, contentOf, takesNames);
	// Where the service shows references, what has none isn't the node's.
	const isExplained = ({ document, content }: ContentDocument) =>
		readReference(document.tracking_id) !== undefined ||
		(content !== undefined && actual.some(({ tracking_id: id }) => isOwnReference(id)));
	return {
		pairs: expected.map((entry) => {
			const match = pairings.get(entry);
			const isOther = match !== undefined && isExplained(match);
			const isEqual = match !== undefined && hasContent(entry, match);
			const unequal = isOther ? ('other' as const) : ('unknown' as const);
			const content = isEqual ? ('equal' as const) : unequal;
			return { expected: entry, actual: match?.document, content };
		}),
		extra: [...rest].map((candidate) => ({
			document: candidate.document,
			isKnown: isExplained(candidate),
		})),
		twins,
	};
}

/** Takes out a document for each of those that are wanted, from the surest on. */
async function takePairs<T extends ExpectedDocument>(
	expected: readonly T[],
	rest: Set<ContentDocument>,
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
	takesNames: boolean,
): Promise<Map<T, ContentDocument>> {
	const pairings = new Map<T, ContentDocument>();
	const take = (...matches: DocumentMatcher[]) => {
		for (const entry of expected.filter((candidate) => !pairings.has(candidate))) {
			const pairing = [...rest].find(
				(candidate) =>
					!isFailed(candidate.document) && matches.every((match) => match(entry, candidate)),
			);
			if (pairing === undefined) continue;
			pairings.set(entry, pairing);
			rest.delete(pairing);
		}
	};
	const takeEqual = () => MATCHERS.forEach((matches) => take(hasContent, ...matches));
	takeEqual();
	if (pairings.size < expected.length) {
		for (const candidate of rest)
			if (candidate.content === undefined && !isFailed(candidate.document))
				candidate.content = await contentOf(candidate.document);
		takeEqual();
	}
	if (takesNames) take(hasName);
	return pairings;
}

/** Finds the documents that this node has added twice. */
export const findTwins = (documents: readonly DocumentAnswer[]): DocumentAnswer[] =>
	takeTwins(new Set(documents.map((document) => ({ document }))));

/**
 * Takes out documents whose reference another one has, too. What has another name or another number of
 * places was changed by somebody, and stays as one that nothing explains.
 */
function takeTwins(rest: Set<ContentDocument>): DocumentAnswer[] {
	const firsts = new Map<string, DocumentAnswer>();
	const twins = [...rest].filter(({ document }) => {
		const { tracking_id: reference } = document;
		if (readReference(reference) === undefined || isFailed(document)) return false;
		const first = firsts.get(reference!);
		if (first === undefined) firsts.set(reference!, document);
		return first !== undefined && isTwin(first, document);
	});
	for (const twin of twins) rest.delete(twin);
	return twins.map(({ document }) => document);
}

/** Whether two documents have the same name and the same places. */
export const isTwin = (first: DocumentAnswer, second: DocumentAnswer): boolean => {
	const [firstPlaces, secondPlaces] = [first, second].map(
		({ signing_designations: designations }) =>
			asObjects(designations).map((place): IDataObject => ({ ...place, id: undefined })),
	);
	const isPending = [first, second].some(({ processing_state: state }) => state === 'pending');
	const haveSamePlaces =
		firstPlaces.length === secondPlaces.length && hasPlaces(first, secondPlaces) !== false;
	return isSameName(first.document_name, second.document_name) && (isPending || haveSamePlaces);
};
