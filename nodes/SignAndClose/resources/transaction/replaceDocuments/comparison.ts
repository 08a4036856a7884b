import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { derivePhase } from '../../../transport/answers/transactionState';
import { asText } from '../../../values/json';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { describeFile } from '../../document/api';
import { listSignerIds } from '../../document/places/signers';
import { buildItemDocuments } from '../createAndSend/itemDocuments';
import { sortPapers, type FetchedContents } from '../createAndSend/documentPairing';
import { compareEnote, waitUntilReadable } from '../createAndSend/itemComparison';
import { isStillDraft } from '../documentWait';
import { buildCarriedDocument } from './carriedFields';
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
	const papers: Paper[] = [];
	for (const paper of matched.papers)
		papers.push(await withPlacesAtSamePoints(call, item, withCarriedFields(paper)));
	const mark = findMark(asText(transaction.recall_reason));
	const isDraft = derivePhase(transaction) === 'draft';
	return {
		...matched,
		papers,
		transaction,
		isSent: !isStillDraft(transaction),
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

const withCarriedFields = (paper: Paper): Paper =>
	paper.former === undefined || paper.current !== undefined
		? paper
		: { ...paper, expected: buildCarriedDocument(paper.expected, paper.former) };

/** In what a paper differs from what is there. */
function comparePaper({ expected, current, former }: Paper): ItemDifference[] {
	if (current !== undefined) return [];
	const { file } = expected.planned;
	if (former === undefined)
		return [buildDifference('document', 'missing', [expected.name, 'Document'], [file, null])];
	const content = `the content of ${String(former.id)}`;
	return [buildDifference('content', 'different', [expected.name, 'Content'], [file, content])];
}
