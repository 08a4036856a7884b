import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { unorderedFiles, type ItemFile } from '../../run/itemFiles';
import type { OperationCall } from '../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../transport/answers/answers';
import { plainId } from '../../values/ids';
import { asText } from '../../values/json';
import { isOwnReference, isPersonal, readReference, wishOf } from '../../values/reference';
import { parsePlatform } from '../shared/commonFields';
import { choice } from '../shared/fields';
import { joined } from '../shared/hints';
import { documentsOf, isFailed } from './api';
import { contentIn, contentShown, sameName, type KnownContent } from './content';
import { contentOf, titleOfFile } from './incomingFile';
import { incomingFileName } from './source';

/*
 * Skips documents that stood in the transaction before the execution, each of them for one item: two
 * files are two documents, in every run. A document is the file if it has its content, whatever both
 * are called, so that two files of one name in two executions are two documents as well.
 */

/** What to do with what exists. */
export const ifExists = choice(
	'If It Exists',
	'ifExists',
	[
		['Add', 'add', 'Add it without looking'],
		['Skip', 'skip', 'Return the existing one instead'],
	],
	'What to do if the transaction had it before this execution. A document is recognized by its Tracking ID or content, and by its name only if its content is unknown.',
);

/** Whether what exists is skipped. */
export const skipsExisting = (params: OperationCall['params'], value: unknown): boolean =>
	params.choice(ifExists.name, value ?? '') === 'skip';

/** What an execution knows of the documents of a transaction; all IDs are plain ones. */
interface Known {
	/** Those that it has added, as long as nothing was looked for. */
	added?: string[];
	/** Those that were there before it, and stand for no item yet. */
	before?: string[];
}

const KEY = 'signAndCloseDocuments';

function knownOf({ execution }: OperationCall, transactionId: string): Known {
	const all = (execution[KEY] ??= {}) as Record<string, Known>;
	return (all[plainId(transactionId)] ??= {});
}

/** Notes a document that this execution has added. */
export function noteAdded(call: OperationCall, transactionId: string, { id }: IDataObject): void {
	const known = knownOf(call, transactionId);
	if (known.before === undefined) (known.added ??= []).push(plainId(String(id)));
}

/** A document that would be added. */
export interface Wanted extends KnownContent {
	fields: IDataObject;
}

/** What a transaction has of it. */
export interface Existing {
	/** The document that the item doesn't need to add. */
	document?: DocumentAnswer;
	hint?: string;
}

const idOf = ({ id }: DocumentAnswer): string => plainId(String(id));
const nameOf = ({ document_name: name }: DocumentAnswer) => asText(name);

/** What a message calls documents. */
export const called = (documents: DocumentAnswer[]): string =>
	documents.map((document) => `'${nameOf(document) ?? ''}' (${document.id})`).join(', ');

/** Says that something was taken for the file although nobody knows its content. */
export const uncompared = (document: DocumentAnswer): string =>
	`${called([document])} was there, and its content couldn't be compared`;

/**
 * Finds the document that an item doesn't need to add.
 * @param retrieve retrieves the transaction
 * @throws InputFailure when nothing tells the document from others
 * @throws ServiceFailure when the transaction doesn't show its documents
 */
export async function findExisting(
	call: OperationCall,
	retrieve: () => Promise<TransactionAnswer>,
	wanted: Wanted,
): Promise<Existing> {
	const { params, steps } = call;
	const { tracking_id: tracking, filename: name, pdf_bookmarked: isSplit } = wanted.fields;
	if (String(isSplit) === 'true')
		throw new InputFailure(
			params.label(ifExists.name),
			"can't be Skip together with 'Split at Bookmarks'",
			"The parts get names of their own, so it's unknown whether they're there. Set it to Add",
		);
	if (tracking === undefined && name === undefined)
		throw new InputFailure(
			params.label('documentName'),
			`is empty, so that '${params.label(ifExists.name)}' can't compare it`,
			"Enter the name, or a 'Tracking ID'",
		);
	const documents = documentsOf(await retrieve());
	const known = knownOf(call, params.requiredLocator('transactionId'));
	known.before ??= documents.map(idOf).filter((id) => known.added?.includes(id) !== true);
	delete known.added;
	// An earlier try of the item may have found it.
	const [own] = steps.all();
	const open = documents.filter(
		(document) => idOf(document) === own || known.before!.includes(idOf(document)),
	);
	const whole = open.filter((document) => !isFailed(document));
	const { document, hint } = await findAmong(call, whole, wanted);
	if (document === undefined) {
		const failed = open.filter((other) => isFailed(other) && sameName(nameOf(other), asText(name)));
		return failed.length === 0
			? {}
			: {
					hint: `The service couldn't process ${called(failed)}, so the file was added anew. Delete the failed one with 'Document: Delete'`,
				};
	}
	// A request that was sent once more while it was under way leaves two with one reference.
	const { tracking_id: reference } = document;
	const twins = documents.filter(
		(other) => other !== document && other.tracking_id === reference && isOwnReference(reference),
	);
	const taken = [document, ...twins].map(idOf);
	known.before = known.before.filter((id) => !taken.includes(id));
	if (own === undefined) steps.add(idOf(document));
	const double =
		twins.length === 0
			? undefined
			: `${called([document])} is there twice. Delete ${called(twins)} with 'Document: Delete'`;
	return { document, hint: joined([hint, double]) };
}

/** Finds the document of an item among those that stand for no other one. */
async function findAmong(
	call: OperationCall,
	open: DocumentAnswer[],
	{ fields, content }: Wanted,
): Promise<Existing> {
	const { params } = call;
	const [tracking, name] = [asText(fields.tracking_id), asText(fields.filename)];
	const tracked = open.find(({ tracking_id: other }) => tracking && other === tracking);
	if (content === undefined || tracked !== undefined) {
		const ofReference = readReference(tracking)?.content ?? content;
		if (tracked !== undefined && content !== undefined && ofReference !== content)
			throw new InputFailure(
				params.label('tracking_id'),
				`of '${name}' is that of ${called([tracked])}, which has other content`,
				'Enter another one, or delete the document',
			);
		const byName = (other: DocumentAnswer) => sameName(nameOf(other), name);
		return { document: tracking === undefined ? open.find(byName) : tracked };
	}
	const unknown: DocumentAnswer[] = [];
	for (const document of open) {
		const { tracking_id: other, id } = document;
		// Another number of a person is another document.
		const isOther = tracking !== undefined && isPersonal(other);
		if (isOther || !sameName(nameOf(document), name)) continue;
		const place = {
			transactionId: params.requiredLocator('transactionId'),
			documentId: String(id),
			platform: parsePlatform(params),
		};
		const shown = await contentShown(call, place, document);
		if (shown === content) return { document };
		if (shown === undefined) unknown.push(document);
	}
	for (const document of open)
		if (
			readReference(document.tracking_id)?.content === content &&
			!(await hasOwnFile(call, document, content))
		)
			return { document };
	const [document, ...others] = unknown;
	if (document === undefined) return {};
	const files = new Set(filesNamed(call, name).map(({ file: { id, data } }) => id ?? data));
	if (others.length === 0 && files.size < 2) return { document, hint: uncompared(document) };
	throw new InputFailure(
		params.label(ifExists.name),
		`can't compare '${name}' with ${called(unknown)}: several have this name, and the service doesn't show the content`,
		"Give them different names or a 'Tracking ID', or set it to Add",
	);
}

/** Whether another file of the item is the same under the name of a document, which is that one's. */
async function hasOwnFile(call: OperationCall, document: DocumentAnswer, content: string) {
	if (sameName(incomingFileName(call), nameOf(document))) return false;
	for (const { name, file } of filesNamed(call, nameOf(document)))
		if ((await contentIn(await contentOf(call.context, file, name))) === content) return true;
	return false;
}

const filesNamed = ({ context, itemIndex }: OperationCall, wanted?: string): ItemFile[] =>
	unorderedFiles(context, itemIndex).filter(({ name, file }) =>
		sameName(titleOfFile(file) ?? name, wanted),
	);

/**
 * Says that a document is there with something else than what would be sent.
 * @param wish what its reference would say; undefined where that isn't known
 */
export function differingHint(
	document: DocumentAnswer,
	requirement: unknown,
	wish: ReturnType<typeof wishOf> | undefined,
): string | undefined {
	const before = readReference(document.tracking_id) ?? wish;
	const isSame =
		[undefined, requirement].includes(asText(document.requirement)) &&
		(wish === undefined || (before?.places === wish.places && before.flags === wish.flags));
	return isSame
		? undefined
		: `${nameOf(document)} is there with another requirement or other places; nothing was changed. Use 'Document: Apply Rules' or delete it`;
}
