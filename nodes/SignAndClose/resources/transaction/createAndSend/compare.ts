import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { isOwnReference, isPersonal, readReference } from '../../../values/reference';
import { compareTransaction, type ComparedTransaction } from '../../drafts/comparison';
import { differ, type Difference } from '../../drafts/difference';
import { documentsOf, fileOf, isEnote, isFailed, withoutConsentForms } from '../../document/api';
import { compareDocument, pairDocuments, type PairedDocuments } from '../../document/comparison';
import { contentShown, sameName } from '../../document/content';
import { keptFile } from '../../enote/form';
import type { Existing } from '../existing/find';
import { ownContent } from '../ownDoings';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import { documentsFor, type ItemDocument } from './documents';
import type { Item } from './item';

/* Compares an item with the transaction that an earlier run has made of it, in both directions. */

/** A document of an item, and what the transaction has in its place. */
type Pair = PairedDocuments<ItemDocument>['pairs'][number];

/** The contents of documents that were fetched, by their IDs. */
type Contents = Map<string, string | undefined>;

/** A document that the item doesn't explain. */
interface Extra {
	document: DocumentAnswer;
	/** Whether this operation has added it. */
	isOurs: boolean;
	isKnown: boolean;
	difference: Difference;
}

/** A document that goes, and why; with its content, if the service couldn't process it. */
export interface Deletion {
	document: DocumentAnswer;
	why: string;
	content?: string;
}

/** What is known of a transaction that was found. */
export interface FoundTransaction extends ComparedTransaction {
	tie: Existing['tie'];
	isSent: boolean;
	/** Whether it's changed to what the item says. */
	updates: boolean;
	documents: Array<Pair & { differences: Difference[] }>;
	extra: Extra[];
	/** What the node has added twice, and what the service couldn't process. */
	spare: Deletion[];
	/** The eNote that is there. */
	enotes: DocumentAnswer[];
	contents: Contents;
}

/**
 * Compares an item with what was found, whose files are fetched only where nothing else tells them.
 * @param contents those that were fetched before
 */
export async function compareItem(
	call: OperationCall,
	item: Item,
	existing: Existing,
	contents: Contents = new Map(),
): Promise<FoundTransaction> {
	const transaction = await readable(call, item, existing);
	const compared = compareTransaction(call, item.transaction, transaction);
	const place = { transactionId: transaction.id, platform: item.platform };
	const contentOf = async (document: DocumentAnswer) => {
		const documentId = String(document.id);
		const own = ownContent(call, documentId);
		if (own !== undefined) return own;
		if (!contents.has(documentId))
			contents.set(documentId, await contentShown(call, place, document));
		return contents.get(documentId);
	};
	const isSent = !isStillDraft(transaction);
	const all = withoutConsentForms(documentsOf(transaction), item.platform);
	// Some services don't say which document is the eNote.
	const isOurEnote = (document: DocumentAnswer) =>
		isEnote(document) ||
		(item.enote !== undefined && ownContent(call, document.id) === item.enote.content);
	const enotes = all.filter(isOurEnote);
	const ids = new Map(compared.people.map(({ ownId, id }) => [ownId, id]));
	const wanted = documentsFor(item.documents, ids);
	const others = all.filter((document) => !isOurEnote(document));
	const paired = await pairDocuments(wanted, others, contentOf);
	const documents = paired.pairs.map((pair) => ({
		...pair,
		differences: comparePair(pair, !isSent),
	}));
	const { extra, spare } = await explain(paired, wanted, contentOf);
	const differences = [
		...compared.differences,
		...documents.flatMap((one) => one.differences),
		...extra.map(({ difference }) => difference),
		...(await compareEnote(call, item, enotes, contentOf)),
	];
	const { tie } = existing;
	const updates = item.ifItDiffers === 'update' && !isSent;
	const found = { tie, isSent, updates, documents, extra, spare, enotes, contents };
	return { ...compared, ...found, differences };
}

const contentText = ({ id }: DocumentAnswer) => `the content of ${String(id)}`;

function comparePair({ wanted, shown, content }: Pair, isDraft: boolean): Difference[] {
	const { file } = wanted.planned;
	if (shown === undefined)
		return [differ('document', 'missing', [wanted.name, 'Document'], [file, null])];
	if (content === 'equal') return compareDocument(wanted, shown, isDraft);
	const isOther = content === 'other';
	const values: [string, unknown] = [file, isOther ? contentText(shown) : null];
	return [differ('content', isOther ? 'different' : 'unknown', [wanted.name, 'Content'], values)];
}

/** Says of the documents that aren't the item's what they are. */
async function explain(
	{ extra, twins }: PairedDocuments<ItemDocument>,
	wanted: ItemDocument[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<Pick<FoundTransaction, 'extra' | 'spare'>> {
	const why = "couldn't be processed by the service";
	const spare: Deletion[] = twins.map((document) => ({
		document,
		why: 'was added twice by this node',
	}));
	const left: Extra[] = [];
	for (const { document, isKnown } of extra) {
		const reference = readReference(document.tracking_id);
		const isMade = reference?.maker === 'createAndSend';
		const content = reference?.content;
		if (isFailed(document) && isMade && wanted.some((one) => one.content === content)) {
			spare.push({ document, content, why });
			continue;
		}
		const namesake = wanted.find((one) => sameName(one.name, document.document_name));
		// A document in whose place another one has come, and that wasn't deleted yet.
		const isFormer =
			namesake !== undefined &&
			!isPersonal(document.tracking_id) &&
			!isFailed(document) &&
			(await contentOf(document)) === namesake.content;
		const isOurs = isMade || isFormer;
		const { name } = fileOf(document);
		const about = isOurs ? 'document' : 'foreign';
		const difference = differ(about, 'extra', [name, 'Document'], [null, name]);
		left.push({ document, isOurs, isKnown, difference });
	}
	return { extra: left, spare };
}

/** In what the eNote differs. */
async function compareEnote(
	call: OperationCall,
	{ enote }: Item,
	enotes: DocumentAnswer[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<Difference[]> {
	const names: [string, string] = ['The eNote', 'eNote'];
	if (enote === undefined)
		return enotes.map(({ id }) => differ('enote', 'extra', names, [null, id]));
	const wanted = 'the eNote of the item';
	const [shown] = enotes;
	if (shown === undefined) return [differ('enote', 'missing', names, [wanted, null])];
	// What the service makes of seed data isn't what was sent.
	const isComparable =
		keptFile(enote.body) !== undefined || ownContent(call, shown.id) !== undefined;
	const content = isComparable ? await contentOf(shown) : undefined;
	if (content === enote.content) return [];
	const [kind, actual] =
		content === undefined
			? (['unknown', null] as const)
			: (['different', contentText(shown)] as const);
	return [differ('enote', kind, ['the eNote', 'Content'], [wanted, actual])];
}

/**
 * The transaction as it was found, or as it is once its documents are processed: before that, the
 * service doesn't give the files of those whose reference it doesn't show.
 */
async function readable(
	{ service, context }: OperationCall,
	{ platform, limitMs }: Item,
	{ transaction }: Existing,
): Promise<TransactionAnswer> {
	const isHidden = transaction.documents?.some(
		({ processing_state: state, tracking_id: own }) => state === 'pending' && !isOwnReference(own),
	);
	if (isHidden !== true || !isStillDraft(transaction)) return transaction;
	const target = { transactionId: transaction.id, platform };
	const wait = { limitMs, signal: context.getExecutionCancelSignal() };
	// What can't be processed, or takes too long, is judged as it is.
	return await waitForDocuments(service, target, wait).catch(() => transaction);
}
