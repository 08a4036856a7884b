import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { isOwnReference, isPersonalReference, readReference } from '../../../values/reference';
import { compareTransaction, type TransactionComparison } from '../../draft/draftComparison';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { describeFile, isFailed } from '../../document/api';
import { compareDocument } from './documentComparison';
import {
	pairDocuments,
	sortPapers,
	type FetchedContents,
	type PairedDocuments,
} from './documentPairing';
import { isSameName } from '../../document/content';
import { getKeptFile } from '../../enote/form';
import type { ExistingTransaction } from '../ifExists/lookup';
import { findNotedContent } from '../executionNotes';
import { isStillDraft, waitForDocuments } from '../documentWait';
import { buildItemDocuments, type ItemDocument } from './itemDocuments';
import type { ClosingItem, PapersItem } from './item';

/* Compares an item with the transaction that an earlier run has made of it, in both directions. */

/** A document of an item, and what the transaction has in its place. */
type DocumentPair = PairedDocuments<ItemDocument>['pairs'][number];

/** A document that the item doesn't explain. */
interface ExtraDocument {
	document: DocumentAnswer;
	/** Whether this operation has added it. */
	isOurs: boolean;
	isKnown: boolean;
	difference: ItemDifference;
}

/** A document that goes, and why; with its content, if the service couldn't process it. */
export interface DocumentDeletion {
	document: DocumentAnswer;
	reason: string;
	content?: string;
}

/** What is known of a transaction that was found. */
export interface ItemComparison extends TransactionComparison {
	tie: ExistingTransaction['tie'];
	isSent: boolean;
	/** Whether it's changed to what the item says. */
	updates: boolean;
	documents: Array<DocumentPair & { differences: ItemDifference[] }>;
	extra: ExtraDocument[];
	/** What the node has added twice, and what the service couldn't process. */
	spare: DocumentDeletion[];
	/** The eNote that is there. */
	enotes: DocumentAnswer[];
	contents: FetchedContents;
}

/**
 * Compares an item with what was found, whose files are fetched only where nothing else tells them.
 * @param contents those that were fetched before
 */
export async function compareItem(
	call: OperationCall,
	item: ClosingItem,
	existing: ExistingTransaction,
	contents: FetchedContents = new Map(),
): Promise<ItemComparison> {
	const transaction = await waitUntilReadable(call, item, existing);
	const comparison = compareTransaction(call, item.transaction, transaction);
	const isSent = !isStillDraft(transaction);
	const { enotes, otherDocuments, fetchContent } = sortPapers(call, item, transaction, contents);
	const ids = new Map(comparison.people.map(({ ownId, id }) => [ownId, id]));
	const expected = buildItemDocuments(item.documents, ids);
	const paired = await pairDocuments(expected, otherDocuments, fetchContent);
	const documents = paired.pairs.map((pair) => ({
		...pair,
		differences: compareDocumentPair(pair, !isSent),
	}));
	const { extra, spare } = await sortExtraDocuments(paired, expected, fetchContent);
	const differences = [
		...comparison.differences,
		...documents.flatMap((document) => document.differences),
		...extra.map(({ difference }) => difference),
		...(await compareEnote(call, item, enotes, fetchContent)),
	];
	const { tie } = existing;
	const updates = item.ifItDiffers === 'update' && !isSent;
	const details = { tie, isSent, updates, documents, extra, spare, enotes, contents };
	return { ...comparison, ...details, differences };
}

/** In what the transaction still differs after the run. Documents that a draft lacks are added to it. */
export const listKeptDifferences = ({
	differences,
	updates,
	isSent,
}: ItemComparison): ItemDifference[] =>
	differences.filter(({ kind, about }) => {
		const isAdded = kind === 'missing' && (about === 'document' || about === 'enote');
		return !updates && kind !== 'unknown' && (isSent || !isAdded);
	});

const describeContent = ({ id }: DocumentAnswer) => `the content of ${String(id)}`;

function compareDocumentPair(
	{ expected, actual: match, content }: DocumentPair,
	isDraft: boolean,
): ItemDifference[] {
	const { file } = expected.planned;
	if (match === undefined)
		return [buildDifference('document', 'missing', [expected.name, 'Document'], [file, null])];
	if (content === 'equal') return compareDocument(expected, match, isDraft);
	const isOther = content === 'other';
	const values: [string, unknown] = [file, isOther ? describeContent(match) : null];
	return [
		buildDifference(
			'content',
			isOther ? 'different' : 'unknown',
			[expected.name, 'Content'],
			values,
		),
	];
}

/** Says of the documents that aren't the item's what they are. */
async function sortExtraDocuments(
	{ extra, twins }: PairedDocuments<ItemDocument>,
	expected: ItemDocument[],
	fetchContent: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<Pick<ItemComparison, 'extra' | 'spare'>> {
	const reason = "couldn't be processed by the service";
	const spare: DocumentDeletion[] = twins.map((document) => ({
		document,
		reason: 'was added twice by this node',
	}));
	const unexplained: ExtraDocument[] = [];
	for (const { document, isKnown } of extra) {
		const reference = readReference(document.tracking_id);
		const isMade = reference?.maker === 'createAndSend';
		const content = reference?.content;
		if (
			isFailed(document) &&
			isMade &&
			expected.some((candidate) => candidate.content === content)
		) {
			spare.push({ document, content, reason });
			continue;
		}
		const namesake = expected.find((candidate) =>
			isSameName(candidate.name, document.document_name),
		);
		// A document in whose place another one has come, and that wasn't deleted yet.
		const isFormer =
			namesake !== undefined &&
			!isPersonalReference(document.tracking_id) &&
			!isFailed(document) &&
			(await fetchContent(document)) === namesake.content;
		const isOurs = isMade || isFormer;
		const { name } = describeFile(document);
		const about = isOurs ? 'document' : 'foreign';
		const difference = buildDifference(about, 'extra', [name, 'Document'], [null, name]);
		unexplained.push({ document, isOurs, isKnown, difference });
	}
	return { extra: unexplained, spare };
}

/** In what the eNote differs. */
export async function compareEnote(
	call: OperationCall,
	{ enote }: PapersItem,
	enotes: DocumentAnswer[],
	fetchContent: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<ItemDifference[]> {
	const names: [string, string] = ['The eNote', 'eNote'];
	if (enote === undefined)
		return enotes.map(({ id }) => buildDifference('enote', 'extra', names, [null, id]));
	const description = 'the eNote of the item';
	const [current] = enotes;
	if (current === undefined)
		return [buildDifference('enote', 'missing', names, [description, null])];
	// What the service makes of seed data isn't what was sent.
	const isComparable =
		getKeptFile(enote.body) !== undefined || findNotedContent(call, current.id) !== undefined;
	const content = isComparable ? await fetchContent(current) : undefined;
	if (content === enote.content) return [];
	const [kind, actual] =
		content === undefined
			? (['unknown', null] as const)
			: (['different', describeContent(current)] as const);
	return [buildDifference('enote', kind, ['the eNote', 'Content'], [description, actual])];
}

/**
 * The transaction as it was found, or as it is once its documents are processed: before that, the
 * service doesn't give the files of those whose reference it doesn't show.
 */
export async function waitUntilReadable(
	{ service, context }: OperationCall,
	{ platform, limitMs }: PapersItem,
	{ transaction }: Pick<ExistingTransaction, 'transaction'>,
): Promise<TransactionAnswer> {
	const isHidden = transaction.documents?.some(
		({ processing_state: state, tracking_id: reference }) =>
			state === 'pending' && !isOwnReference(reference),
	);
	if (isHidden !== true || !isStillDraft(transaction)) return transaction;
	const target = { transactionId: transaction.id, platform };
	const wait = { limitMs, signal: context.getExecutionCancelSignal() };
	// What can't be processed, or takes too long, is judged as it is.
	return await waitForDocuments(service, target, wait).catch(() => transaction);
}
