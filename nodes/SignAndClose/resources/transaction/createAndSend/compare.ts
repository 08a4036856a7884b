import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { isOwnReference, isPersonal, readReference } from '../../../values/reference';
import {
	compareTransaction,
	differ,
	wantedPeople,
	type ComparedTransaction,
	type Difference,
} from '../../drafts/comparison';
import { documentsOf, fileOf, isEnote, isFailed, withoutConsentForms } from '../../document/api';
import { compareDocument, pairDocuments, type WantedDocument } from '../../document/comparison';
import { contentShown, sameName } from '../../document/content';
import { ownIdOf } from '../../signer/people';
import type { Existing } from '../existing/find';
import { ownContent } from '../ownDoings';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import { asWanted, type IdsInTransaction, type PlannedDocument } from './documents';
import type { Item } from './item';

/* Compares an item with the transaction that an earlier run has made of it, in both directions. */

/** A document of an item, and what the transaction has of it. */
export interface ComparedDocument {
	planned: PlannedDocument;
	wanted: WantedDocument;
	/** The document in its place. */
	shown?: DocumentAnswer;
	content: 'equal' | 'other' | 'unknown';
	/** In what the document with the same content differs. */
	differences: Difference[];
}

/** What is known of a transaction that was found. */
export interface FoundTransaction {
	existing: Existing;
	transaction: TransactionAnswer;
	compared: ComparedTransaction;
	documents: ComparedDocument[];
	/** Documents that the item doesn't explain. */
	extra: Array<{
		document: DocumentAnswer;
		isOurs: boolean;
		isKnown: boolean;
		difference: Difference;
	}>;
	/** What the node has added twice, and what the service couldn't process. */
	spare: Array<{ document: DocumentAnswer; why: string; content?: string }>;
	/** The eNote that is there, and whether it's the item's. */
	enotes: DocumentAnswer[];
	enoteContent: 'equal' | 'other' | 'unknown';
	/** The contents that were fetched, by the IDs of documents. */
	contents: Map<string, string | undefined>;
	/** All of these. */
	differences: Difference[];
	isSent: boolean;
}

/** The external IDs of an item's signers where there is no transaction yet: their own. */
export const ownIds = ({ transaction: { body } }: Pick<Item, 'transaction'>): IdsInTransaction =>
	new Map(
		wantedPeople(body)
			.map(ownIdOf)
			.map((id) => [id, id]),
	);

/**
 * Compares an item with what was found, whose files are fetched only where nothing else tells them.
 * @param contents those that were fetched before
 */
export async function compareItem(
	call: OperationCall,
	item: Item,
	existing: Existing,
	contents = new Map<string, string | undefined>(),
): Promise<FoundTransaction> {
	const transaction = await readable(call, item, existing);
	const { assuranceField } = call.service.settings;
	const compared = compareTransaction(item.transaction, transaction, assuranceField, call.params);
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
	const wanted = item.documents.map((planned) => ({ ...asWanted(planned, compared.ids), planned }));
	const { pairs, extra, twins } = await pairDocuments(
		wanted,
		all.filter((document) => !isOurEnote(document)),
		contentOf,
	);
	const documents = pairs.map(
		({ wanted: { planned, ...own }, shown, content }): ComparedDocument => ({
			planned,
			wanted: own,
			shown,
			content,
			differences:
				shown === undefined || content !== 'equal' ? [] : compareDocument(own, shown, !isSent),
		}),
	);
	const found: FoundTransaction = {
		existing,
		transaction,
		compared,
		documents,
		extra: [],
		spare: twins.map((document) => ({ document, why: 'was added twice by this node' })),
		enotes: all.filter(isOurEnote),
		enoteContent: 'unknown',
		contents,
		differences: [...compared.differences],
		isSent,
	};
	for (const { document, isKnown } of extra) {
		const { tracking_id: reference, document_name: name } = document;
		const isMade = readReference(reference)?.maker === 'createAndSend';
		const namesake = wanted.find((one) => sameName(one.name, name));
		// A document in whose place another one has come, and that wasn't deleted yet.
		const isFormer =
			namesake !== undefined &&
			!isPersonal(reference) &&
			!isFailed(document) &&
			(await contentOf(document)) === namesake.content;
		const isOurs = isMade || isFormer;
		const content = readReference(reference)?.content;
		if (isFailed(document) && isMade && wanted.some((one) => one.content === content))
			found.spare.push({ document, content, why: "couldn't be processed by the service" });
		else {
			const shownName = fileOf(document).name;
			const names: [string, string] = [shownName, 'Document'];
			const difference = differ('document', 'extra', names, [null, shownName]);
			found.extra.push({ document, isOurs, isKnown, difference });
		}
	}
	const [enote] = found.enotes;
	// What the service makes of seed data isn't what was sent.
	const isComparable = item.enote?.isComplete === true || ownContent(call, enote?.id) !== undefined;
	const content = enote && isComparable ? await contentOf(enote) : undefined;
	if (content !== undefined)
		found.enoteContent = content === item.enote?.content ? 'equal' : 'other';
	noteDocuments(found, item);
	return found;
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

/** Adds in what documents and eNote differ. */
function noteDocuments(
	{ documents, extra, enotes, enoteContent, differences }: FoundTransaction,
	item: Item,
) {
	const note = (...difference: Parameters<typeof differ>) =>
		differences.push(differ(...difference));
	const contentOf = ({ id }: DocumentAnswer) => `the content of ${String(id)}`;
	for (const { wanted, planned, shown, content, differences: own } of documents) {
		const names: [string, string] = [wanted.name, shown === undefined ? 'Document' : 'Content'];
		if (shown === undefined) note('document', 'missing', names, [planned.file, null]);
		else if (content === 'unknown') note('content', 'unknown', names, [planned.file, null]);
		else if (content === 'other')
			note('content', 'different', names, [planned.file, contentOf(shown)]);
		differences.push(...own);
	}
	differences.push(...extra.map(({ difference }) => difference));
	const wanted = 'the eNote of the item';
	if (item.enote === undefined)
		for (const { id } of enotes) note('enote', 'extra', ['The eNote', 'eNote'], [null, id]);
	else if (enotes.length === 0) note('enote', 'missing', ['The eNote', 'eNote'], [wanted, null]);
	else if (enoteContent === 'unknown')
		note('enote', 'unknown', ['the eNote', 'Content'], [wanted, null]);
	else if (enoteContent === 'other')
		note('enote', 'different', ['the eNote', 'Content'], [wanted, contentOf(enotes[0])]);
}
