import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { listUnorderedFiles, type ItemFile } from '../../../run/itemFiles';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { normalizeId } from '../../../values/ids';
import { asError, findFailure, ServiceFailure } from '../../../transport/failure/failure';
import { isOfKey } from '../../../transport/http/statuses';
import { asText } from '../../../values/json';
import {
	isOwnReference,
	isPersonalReference,
	readReference,
	hashSettings,
} from '../../../values/reference';
import { joinHints } from '../../../form/hints';
import type { NewDocument } from './addition';
import { listDocuments, isFailed, type Retrieve } from '../api';
import { computeContent, readContent, isSameName } from '../content';
import { checkComparable, ifExists } from './ifExistsChoice';
import { openContent, readTitle } from '../files/itemFile';
import { readIncomingFileName } from '../files/source';

/*
 * Skips documents that stood in the transaction before the execution, each of them for one item: two
 * files are two documents, in every run. A document is the file if it has its content, whatever both
 * are called, so that two files of one name in two executions are two documents as well.
 */

/** What an execution knows of the documents of a transaction; all IDs are plain ones. */
interface DocumentMemory {
	/** Those that it has added, as long as nothing was looked for. */
	added?: string[];
	/** Those that were there before it, and stand for no item yet. */
	before?: string[];
}

const MEMORY_KEY = 'signAndCloseDocuments';

function readMemory({ execution }: OperationCall, transactionId: string): DocumentMemory {
	const all = (execution[MEMORY_KEY] ??= {}) as Record<string, DocumentMemory>;
	return (all[normalizeId(transactionId)] ??= {});
}

/** Notes a document that this execution has added. */
export function noteAdded(call: OperationCall, transactionId: string, { id }: IDataObject): void {
	(readMemory(call, transactionId).added ??= []).push(normalizeId(String(id)));
}

/** The document that an item doesn't need to add, if there is one. */
export interface ExistingDocument {
	document?: DocumentAnswer;
	hint?: string;
}

const readId = ({ id }: DocumentAnswer): string => normalizeId(String(id));

/** What a message calls documents. */
export const nameDocuments = (documents: DocumentAnswer[]): string =>
	documents.map(({ id, document_name: name }) => `'${asText(name) ?? ''}' (${id})`).join(', ');

/** Says that something was taken for the file although nobody knows its content. */
export const describeUncompared = (document: DocumentAnswer): string =>
	`${nameDocuments([document])} was there, and its content couldn't be compared`;

const ADDED_UNREAD =
	"The documents of the transaction can't be read, so the file was added without looking whether it's there";

/** A document that would be added, what is known of its content (values/reference.ts), and whether Skip is only the default. */
type DocumentCandidate = NewDocument & { content: string | undefined; isDefault: boolean };

/**
 * Finds the document that an item doesn't need to add.
 * @param retrieve retrieves the transaction
 * @throws InputFailure when nothing tells the document from others
 * @throws ServiceFailure when the transaction doesn't show its documents, and Skip was chosen
 */
export async function findExistingDocument(
	call: OperationCall,
	retrieve: Retrieve,
	candidate: DocumentCandidate,
): Promise<ExistingDocument> {
	const { params, steps } = call;
	const { transactionId, fields } = candidate;
	checkComparable(params, fields);
	const documents = await listReadable(retrieve, candidate);
	if (documents === undefined) return { hint: ADDED_UNREAD };
	const memory = readMemory(call, transactionId);
	memory.before ??= documents.map(readId).filter((id) => memory.added?.includes(id) !== true);
	// An earlier try of the item may have found it.
	const [earlier] = steps.all();
	const ids = [earlier, ...memory.before];
	const open = documents.filter((document) => ids.includes(readId(document)));
	const whole = open.filter((document) => !isFailed(document));
	const { document, hint } = await findCandidate(call, whole, candidate);
	if (document === undefined) {
		const failed = open.filter(
			(entry) => isFailed(entry) && isSameName(entry.document_name, asText(fields.filename)),
		);
		if (failed.length === 0) return {};
		const remedy = "Delete the failed one with 'Document: Delete'";
		const failure = `The service couldn't process ${nameDocuments(failed)}, so the file was added anew`;
		return { hint: `${failure}. ${remedy}` };
	}
	// A request that was sent once more while it was under way leaves two with one reference.
	const { tracking_id: reference } = document;
	const twins = documents.filter(
		(entry) => entry !== document && entry.tracking_id === reference && isOwnReference(reference),
	);
	const usedIds = [document, ...twins].map(readId);
	memory.before = memory.before.filter((id) => !usedIds.includes(id));
	if (earlier === undefined) steps.add(readId(document));
	if (twins.length === 0) return { document, hint };
	const remedy = `Delete ${nameDocuments(twins)} with 'Document: Delete'`;
	return {
		document,
		hint: joinHints([hint, `${nameDocuments([document])} is there twice`, remedy]),
	};
}

/**
 * Lists the documents of the transaction.
 * @returns undefined where they can't be read, and nobody has chosen to skip one of them
 */
async function listReadable(
	retrieve: Retrieve,
	{ isDefault }: DocumentCandidate,
): Promise<DocumentAnswer[] | undefined> {
	try {
		return listDocuments(await retrieve());
	} catch (thrown) {
		const failure = findFailure(thrown);
		const isUnreadable =
			failure instanceof ServiceFailure &&
			(failure.reason.code === 'incompletelyRead' || isOfKey(failure.flags.httpStatus));
		if (isDefault && isUnreadable) return undefined;
		throw asError(thrown);
	}
}

/** Finds the document of an item among those that stand for no other one. */
async function findCandidate(
	call: OperationCall,
	documents: DocumentAnswer[],
	{ fields, content, ...place }: DocumentCandidate,
): Promise<ExistingDocument> {
	const { params } = call;
	const [tracking, name] = [asText(fields.tracking_id), asText(fields.filename)];
	const tracked = documents.find(({ tracking_id: id }) => tracking && id === tracking);
	const trackedContent = readReference(tracking)?.content ?? content;
	if (tracked !== undefined && content !== undefined && trackedContent !== content)
		throw new InputFailure(
			params.label('tracking_id'),
			`of '${name}' is that of ${nameDocuments([tracked])}, which has other content`,
			'Enter another one, or delete the document',
		);
	if (tracked !== undefined) return { document: tracked };
	const namesakes = documents.filter(({ document_name: documentName }) =>
		isSameName(documentName, name),
	);
	if (content === undefined) {
		const [namesake] = tracking === undefined ? namesakes : [];
		return namesake ? { document: namesake, hint: describeUncompared(namesake) } : {};
	}
	const unknown: DocumentAnswer[] = [];
	for (const document of namesakes) {
		// Another number of a person is another document.
		if (tracking !== undefined && isPersonalReference(document.tracking_id)) continue;
		const actual = await readContent(call, place, document);
		if (actual === content) return { document };
		if (actual === undefined) unknown.push(document);
	}
	for (const document of documents) {
		const isEqual = readReference(document.tracking_id)?.content === content;
		if (isEqual && !(await hasOwnFile(call, document, content))) return { document };
	}
	if (unknown.length === 0) return {};
	const files = new Set(findFilesByName(call, name).map(({ file: { id, data } }) => id ?? data));
	if (unknown.length === 1 && files.size < 2)
		return { document: unknown[0], hint: describeUncompared(unknown[0]) };
	throw new InputFailure(
		params.label(ifExists.name),
		`can't compare '${name}' with ${nameDocuments(unknown)}: several have this name, and the service doesn't show the content`,
		"Give them different names or a 'Tracking ID', or set it to Add",
	);
}

/** Whether another file of the item is the same under the name of a document, which is that one's. */
async function hasOwnFile(call: OperationCall, document: DocumentAnswer, content: string) {
	const { document_name: documentName } = document;
	if (isSameName(readIncomingFileName(call), documentName)) return false;
	for (const { name, file } of findFilesByName(call, documentName))
		if ((await computeContent(await openContent(call.context, file, name))) === content)
			return true;
	return false;
}

/** The files of an item that have a name, without their endings. */
export const findFilesByName = (
	{ context, itemIndex }: OperationCall,
	name?: string | null,
): ItemFile[] =>
	listUnorderedFiles(context, itemIndex).filter((entry) =>
		isSameName(readTitle(entry.file) ?? entry.name, name),
	);

/**
 * Says that a document is there with something else than what would be sent.
 * @param wish what its reference would say; undefined where that isn't known
 */
export function describeDocumentDifference(
	document: DocumentAnswer,
	requirement: unknown,
	wish: ReturnType<typeof hashSettings> | undefined,
): string | undefined {
	const before = readReference(document.tracking_id) ?? wish;
	const isSame =
		[undefined, requirement].includes(asText(document.requirement)) &&
		(wish === undefined || (before?.places === wish.places && before.flags === wish.flags));
	return isSame
		? undefined
		: `${asText(document.document_name)} is there with another requirement or other places; nothing was changed. Use 'Document: Apply Rules' or delete it`;
}
