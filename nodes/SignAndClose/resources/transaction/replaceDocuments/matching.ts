import type { DocumentAnswer } from '../../../transport/answers/shapes';
import {
	deriveDocumentTail,
	isOwnReference,
	isPersonalReference,
	readReference,
} from '../../../values/reference';
import type { ItemDifference } from '../../draft/difference';
import { describeFile, isFailed } from '../../document/api';
import { findRule, fits, splitWords, type Rule } from '../../document/rules/rules';
import { isSamePaper } from '../../document/rules/versions';
import { isTwin, pairDocuments } from '../createAndSend/documentPairing';
import type { ItemDocument } from '../createAndSend/itemDocuments';

/*
 * Which file of an item takes the place of which document: by the document's Tracking ID, by the name, or
 * by the one rule that fits exactly one of each whose names differ by a version only. A rule alone tells
 * nothing: that for a deed fits its rider, too.
 */

/**
 * By what a file and a document belong together. One with the content of the file is replaced only if its
 * rule asks for other places.
 */
export type Tie = 'trackingId' | 'name' | 'rule' | 'content';

/** A file of the item, and what the transaction has of it. */
export interface Paper {
	expected: ItemDocument;
	/** The document that has its content already. */
	current?: DocumentAnswer;
	/** The document in whose place it comes, as long as that's there. */
	former?: DocumentAnswer;
	/** By what the two belong together; undefined where the new one says it itself. */
	tie?: Tie;
	/** In what a document with its content isn't as the rule says. */
	otherSettings?: ItemDifference[];
	/** Why places at the same points as in the former document may be wrong. */
	placesProblem?: string;
}

/** What becomes of each document and each file. */
export interface MatchedPapers {
	/** In the order of the files. */
	papers: Paper[];
	/** Documents that no file replaces. */
	left: DocumentAnswer[];
	/** Documents that this node has added twice. */
	twins: DocumentAnswer[];
	/**
	 * Documents that another one makes needless, and which one if that stays: a cut-off run has put it in
	 * their place.
	 */
	outdated: Array<{ document: DocumentAnswer; successor?: DocumentAnswer }>;
	/** New documents that the service couldn't process. */
	failed: DocumentAnswer[];
	/** Those that replaced one with a Tracking ID, which a cut-off run hasn't set again. */
	untracked: DocumentAnswer[];
}

const getName = (document: DocumentAnswer): string => describeFile(document).name;

/** Whether two names have the same words. */
export const haveSameWords = (left: string, right: string): boolean =>
	splitWords(left).join(' ') === splitWords(right).join(' ');

/** Whether a file is named after the Tracking ID that a person has given a document, and no other paper. */
function isNamedAfter(title: string, document: DocumentAnswer): boolean {
	const { tracking_id: tracking } = document;
	if (!isPersonalReference(tracking)) return false;
	const names = [tracking, `${tracking} ${getName(document)}`];
	return (
		haveSameWords(title, tracking) ||
		(fits([splitWords(tracking)], title) && names.some((name) => isSamePaper(title, name)))
	);
}

/**
 * Matches the files of an item with documents.
 * @param documents those of the transaction, without consent forms and eNote
 * @param contentOf as for pairDocuments()
 */
export async function matchPapers(
	expected: readonly ItemDocument[],
	documents: readonly DocumentAnswer[],
	rules: readonly Rule[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<MatchedPapers> {
	const { pairs, extra, twins } = await pairDocuments(expected, documents, contentOf, false);
	const rest = new Set(extra.map(({ document }) => document));
	const failed = [...rest].filter(
		(document) =>
			isFailed(document) &&
			(findFormer(document, documents) !== undefined ||
				expected.some(({ content }) => content === readReference(document.tracking_id)?.content)),
	);
	for (const document of failed) rest.delete(document);
	const papers: Paper[] = pairs.map(({ expected: file, actual: current }) => {
		const former = current && findFormer(current, rest);
		if (former !== undefined) rest.delete(former);
		return { expected: file, current, former };
	});
	twins.push(...(await takeTrackedTwins(papers, rest, documents, contentOf)));
	// What a cut-off run has put in the place of another document stands for that one.
	const replacing = [...rest].flatMap((document) => {
		const former = findFormer(document, documents);
		return former === undefined ? [] : [{ document, former }];
	});
	for (const { document } of replacing) rest.delete(document);
	matchByTies(papers, rest, documents, rules);
	const outdated = takeOutdated(papers, rest, replacing);
	const left = [...rest];
	const present = [...papers.flatMap(({ current, former }) => [current ?? [], former ?? []]), left];
	const untracked = present.flat().filter((document) => isUntracked(document, documents));
	return { papers, left, twins, outdated, failed, untracked };
}

/** Ties papers to documents, from the surest tie on. */
function matchByTies(
	papers: Paper[],
	rest: Set<DocumentAnswer>,
	documents: readonly DocumentAnswer[],
	rules: readonly Rule[],
): void {
	const counted = new Set([...rest, ...papers.map(({ current }) => current)]);
	const isOfBoth = ({ planned: { rule }, name }: ItemDocument, document: DocumentAnswer) =>
		findRule(rules, getName(document)) === rule && isSamePaper(name, getName(document));
	const isOnlyOfBoth = (expected: ItemDocument, document: DocumentAnswer) =>
		isOfBoth(expected, document) &&
		papers.filter((paper) => isOfBoth(paper.expected, document)).length === 1 &&
		documents.filter((candidate) => counted.has(candidate) && isOfBoth(expected, candidate))
			.length === 1;
	const ties: Array<[Tie, (paper: Paper, document: DocumentAnswer) => boolean]> = [
		['trackingId', ({ expected: { name } }, document) => isNamedAfter(name, document)],
		['name', ({ expected: { name } }, document) => haveSameWords(name, getName(document))],
		[
			'rule',
			({ expected }, document) =>
				// What a split, a template or a person has made has only its name.
				readReference(document.tracking_id) !== undefined && isOnlyOfBoth(expected, document),
		],
	];
	for (const [tie, isTied] of ties) matchByTie(papers, rest, tie, isTied);
}

/**
 * What is needless of documents and of those that a cut-off run has put in their place. The latter stay
 * if nothing else comes there.
 */
function takeOutdated(
	papers: readonly Paper[],
	rest: Set<DocumentAnswer>,
	replacing: ReadonlyArray<{ document: DocumentAnswer; former: DocumentAnswer }>,
): MatchedPapers['outdated'] {
	return replacing.flatMap(({ document, former }) => {
		const isWanted = papers.some((paper) => [paper.former, paper.current].includes(former));
		if (isWanted) return [{ document }];
		rest.add(document);
		// Of several, nobody knows which one holds.
		const isOnly = replacing.filter((candidate) => candidate.former === former).length === 1;
		return isOnly && rest.delete(former) ? [{ document: former, successor: document }] : [];
	});
}

/**
 * Takes out documents that two runs at the same time have added for the same file, and at least one of
 * which has got the Tracking ID of a person. That one stays.
 */
async function takeTrackedTwins(
	papers: Paper[],
	rest: Set<DocumentAnswer>,
	documents: readonly DocumentAnswer[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<DocumentAnswer[]> {
	const twins: DocumentAnswer[] = [];
	for (const paper of papers)
		for (const document of rest) {
			const { current, expected } = paper;
			if (current === undefined) continue;
			const lacksId = isUntracked(current, documents);
			const isTracked =
				isPersonalReference(document.tracking_id) &&
				(lacksId || document.tracking_id === current.tracking_id);
			if (!isTracked || !isTwin(current, document)) continue;
			if ((await contentOf(document)) !== expected.content) continue;
			rest.delete(document);
			twins.push(lacksId ? current : document);
			if (lacksId) paper.current = document;
		}
	return twins;
}

/** What a reference says of a document that has come in the place of another one. */
const NEW_PAPERS: ReadonlySet<unknown> = new Set(['paper', 'trackedPaper']);

/** The document in whose place another one has come that an earlier run has added. */
export function findFormer(
	{ tracking_id: tracking }: DocumentAnswer,
	documents: Iterable<DocumentAnswer>,
): DocumentAnswer | undefined {
	const reference = readReference(tracking);
	return reference !== undefined && NEW_PAPERS.has(reference.maker)
		? [...documents].find((document) => deriveDocumentTail(document.id) === reference.tail)
		: undefined;
}

/** Whether a document is still to get the Tracking ID of the one that it has replaced. */
export const isToBeTracked = ({ tracking_id: tracking }: DocumentAnswer): boolean =>
	readReference(tracking)?.maker === 'trackedPaper';

/** Whether a run was cut off before it set that, so that nothing shows it any more. */
const isUntracked = (document: DocumentAnswer, documents: readonly DocumentAnswer[]): boolean =>
	isToBeTracked(document) && findFormer(document, documents) === undefined;

/** Ties the papers that fit exactly one document, which fits no other one of them. */
function matchByTie(
	papers: Paper[],
	rest: Set<DocumentAnswer>,
	tie: Tie,
	isTied: (paper: Paper, document: DocumentAnswer) => boolean,
): void {
	const open = papers.filter(
		({ current, former }) => current === undefined && former === undefined,
	);
	const candidates = open.map((paper) => ({
		paper,
		documents: [...rest].filter((document) => isTied(paper, document)),
	}));
	for (const { paper, documents } of candidates) {
		const [former] = documents;
		const isOnly =
			documents.length === 1 &&
			candidates.filter((candidate) => candidate.documents.includes(former)).length === 1;
		if (!isOnly) continue;
		Object.assign(paper, { former, tie });
		rest.delete(former);
	}
}

/** Whether nothing but its name ties a document that this node hasn't added. */
export const isTiedByHand = ({ former, tie }: Paper): boolean =>
	tie === 'name' && !isOwnReference(former?.tracking_id);

/** The documents that a file may be the new paper of, by its rule, if nothing says of which. */
export const listPossible = (
	{ expected, current, former }: Paper,
	{ left }: MatchedPapers,
	rules: readonly Rule[],
): DocumentAnswer[] =>
	current !== undefined || former !== undefined
		? []
		: left.filter((document) => findRule(rules, getName(document)) === expected.planned.rule);
