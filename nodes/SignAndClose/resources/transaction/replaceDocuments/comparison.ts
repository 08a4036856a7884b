import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { derivePhase } from '../../../transport/answers/transactionState';
import { asText } from '../../../values/json';
import { hashSettings, readWish, sayPlaces } from '../../../values/reference';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { describeFile } from '../../document/api';
import { listSignerIds } from '../../document/places/signers';
import { buildItemDocuments, type ItemDocument } from '../createAndSend/itemDocuments';
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
				withCarriedFields(withOtherSettings(paper, matched.outdated, !isSent)),
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
 * Compares a document that has the content of a file with the file's rule. If the rule asks for other
 * places than the document was added with, it's replaced; what differs otherwise is told, and stays.
 * @param outdated gets it if it's a new one itself, and the old one is still there
 */
function withOtherSettings(
	paper: Paper,
	outdated: MatchedPapers['outdated'],
	isDraft: boolean,
): Paper {
	const { expected, current, former } = paper;
	if (current === undefined) return paper;
	const otherSettings = compareDocument(expected, current, isDraft).filter((difference) =>
		isSaidByRule(expected, difference),
	);
	const says = readWish(current.tracking_id);
	const wish = hashSettings(expected.wish);
	const isAddedOtherwise =
		otherSettings.some(({ field }) => field === WHERE_TO_SIGN) &&
		says !== undefined &&
		says.places !== wish.places;
	if (!isAddedOtherwise || !sayPlaces(wish)) return { ...paper, otherSettings };
	if (former !== undefined) outdated.push({ document: current });
	return { ...paper, otherSettings, current: undefined, former: former ?? current, tie: 'content' };
}

/** Whether a difference is one from what the rule says: a document keeps its name and other flags. */
const isSaidByRule = (document: ItemDocument, { field, kind, expected }: ItemDifference): boolean =>
	kind === 'different' &&
	(field === WHERE_TO_SIGN ? isPlacedByRule(document) : field !== 'Name' && expected !== false);

const withCarriedFields = (paper: Paper): Paper =>
	paper.former === undefined || paper.current !== undefined
		? paper
		: { ...paper, expected: buildCarriedDocument(paper.expected, paper.former) };

/** In what a paper differs from what is there. */
function comparePaper({ expected, current, former, otherSettings = [] }: Paper): ItemDifference[] {
	if (current !== undefined || otherSettings.length > 0) return otherSettings;
	const { file } = expected.planned;
	if (former === undefined)
		return [buildDifference('document', 'missing', [expected.name, 'Document'], [file, null])];
	const content = `the content of ${String(former.id)}`;
	return [buildDifference('content', 'different', [expected.name, 'Content'], [file, content])];
}
