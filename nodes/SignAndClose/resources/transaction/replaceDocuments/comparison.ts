import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { derivePhase } from '../../../transport/answers/transactionState';
import { asText } from '../../../values/json';
import { asksForPlaces, hashSettings, readWish } from '../../../values/reference';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { describeFile } from '../../document/api';
import { listSignerIds } from '../../document/places/signers';
import { buildItemDocuments } from '../createAndSend/itemDocuments';
import { sortPapers, type FetchedContents } from '../createAndSend/documentPairing';
import { compareEnote, waitUntilReadable } from '../createAndSend/itemComparison';
import { isStillDraft } from '../documentWait';
import { compareDocument, WHERE_TO_SIGN } from '../createAndSend/documentComparison';
import { buildCarriedDocument, isPlacedByRule } from './carriedFields';
import { withPlacesAtSamePoints } from './samePoints';
import { findMark } from '../recallMark';
import type { ReplacementItem } from './item';
import { matchPapers, type MatchedPapers, type Paper } from './matching';

/* Compares the files of an item with the documents of a transaction. */

/** What is known of the transaction, and of what becomes of its papers. */
export interface PapersComparison extends MatchedPapers {
	transaction: TransactionAnswer;
	isSent: boolean;
	/** Whether it stands recalled by this operation: for these papers, or for others. */
	recalled?: 'here' | 'elsewhere';
	enotes: DocumentAnswer[];
	differences: ItemDifference[];
	contents: FetchedContents;
}

/**
 * Compares an item with its transaction. Files are fetched only where nothing else tells them.
 * @param contents those that were fetched before
 */
export async function comparePapers(
	call: OperationCall,
	item: ReplacementItem,
	shownTransaction: TransactionAnswer,
	contents: FetchedContents = new Map(),
): Promise<PapersComparison> {
	const transaction = await waitUntilReadable(call, item, { transaction: shownTransaction });
	const { enotes, otherDocuments, fetchContent } = sortPapers(call, item, transaction, contents);
	const ids = new Map((listSignerIds(transaction) ?? []).map((id) => [id, id]));
	const expected = buildItemDocuments(item.documents, ids);
	const matched = await matchPapers(expected, otherDocuments, item.rules, fetchContent);
	const isSent = !isStillDraft(transaction);
	const papers: Paper[] = [];
	for (const paper of matched.papers)
		papers.push(
			await withPlacesAtSamePoints(
				call,
				item,
				withCarriedFields(withOtherPlaces(paper, matched.outdated, !isSent)),
			),
		);
	const mark = findMark(asText(transaction.recall_reason));
	const isDraft = derivePhase(transaction) === 'draft';
	return {
		...matched,
		papers,
		transaction,
		isSent,
		recalled:
			!isDraft || mark === undefined ? undefined : mark === item.mark ? 'here' : 'elsewhere',
		enotes,
		differences: [
			...papers.flatMap(comparePaper),
			...(item.leavesDocuments ? [] : matched.left).map((document) => {
				const { name } = describeFile(document);
				return buildDifference('document', 'extra', [name, 'Document'], [null, name]);
			}),
			...(item.enote === undefined ? [] : await compareEnote(call, item, enotes, fetchContent)),
		],
		contents,
	};
}

/**
 * Compares the places of a document that has the content of a file with those of its rule. If the rule
 * asks for others than the document was added with, it's replaced; what somebody has changed since stays.
 * @param outdated gets it if it's a new one itself, and the old one is still there
 */
function withOtherPlaces(
	paper: Paper,
	outdated: MatchedPapers['outdated'],
	isDraft: boolean,
): Paper {
	const { expected, current, former } = paper;
	if (current === undefined || !isPlacedByRule(expected)) return paper;
	const otherPlaces = compareDocument(expected, current, isDraft).filter(
		({ field, kind }) => field === WHERE_TO_SIGN && kind === 'different',
	);
	const says = readWish(current.tracking_id);
	const isAddedOtherwise =
		otherPlaces.length > 0 &&
		says !== undefined &&
		says.places !== hashSettings(expected.wish).places;
	if (!isAddedOtherwise || !asksForPlaces(expected.wish)) return { ...paper, otherPlaces };
	if (former !== undefined) outdated.push({ document: current });
	return { ...paper, otherPlaces, current: undefined, former: former ?? current, tie: 'content' };
}

const withCarriedFields = (paper: Paper): Paper =>
	paper.former === undefined || paper.current !== undefined
		? paper
		: { ...paper, expected: buildCarriedDocument(paper.expected, paper.former) };

/** In what a paper differs from what is there. */
function comparePaper({ expected, current, former, otherPlaces = [] }: Paper): ItemDifference[] {
	if (current !== undefined || otherPlaces.length > 0) return otherPlaces;
	const { file } = expected.planned;
	if (former === undefined)
		return [buildDifference('document', 'missing', [expected.name, 'Document'], [file, null])];
	const content = `the content of ${String(former.id)}`;
	return [buildDifference('content', 'different', [expected.name, 'Content'], [file, content])];
}
