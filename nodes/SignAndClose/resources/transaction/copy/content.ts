import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { asError } from '../../../transport/failure/failure';
import type { FileContent } from '../../../transport/files/requestBody';
import { readReference } from '../../../values/reference';
import { findFilesByName } from '../../document/add/ifExists';
import { describeFile, isFinished } from '../../document/api';
import { computeContent, isRefusedFile } from '../../document/content';
import { downloadUploaded } from '../../document/downloads';
import { openContent, readFileName } from '../../document/files/itemFile';
import { checkFile, PDF } from '../../document/files/kinds';
import type { TransactionTarget } from '../api';
import type { NotCopiedReason } from './notCopied';

/* The file of a document of a copy: the one that was uploaded for the old one, or one of the item. */

/** A file, and where it comes from. */
export interface CopiedContent {
	content: FileContent;
	from: 'transaction' | 'item';
	/** Whether it has the content that the reference of the old document says. */
	isProven: boolean;
}

/** Where a document is, and which files of it count. */
export interface ContentSource extends TransactionTarget {
	/** Signing changes files. */
	isSigned: boolean;
	/** Whether somebody may have signed something: only what is proven counts. */
	isBegun: boolean;
	takesUnproven: boolean;
}

/**
 * Finds the file for the copy of a document.
 * @returns why there's none
 * @throws ServiceFailure when the service can't be asked
 * @throws InputFailure when the file of the item can't be used
 */
export async function findContent(
	call: OperationCall,
	source: ContentSource,
	document: DocumentAnswer,
): Promise<CopiedContent | NotCopiedReason> {
	const expected = readReference(document.tracking_id)?.content;
	const isSigned = source.isSigned || isFinished(document);
	const takesUnproven = source.takesUnproven && !source.isBegun;
	const ofItem = await listFilesOfItem(call, document);
	const equal = expected === undefined ? undefined : ofItem.get(expected);
	if (equal !== undefined) return { content: equal, from: 'item', isProven: true };
	const isFetched = !isSigned && (expected !== undefined || (takesUnproven && ofItem.size === 0));
	const fetched = isFetched ? await fetchUploaded(call, source, document) : undefined;
	if (fetched !== undefined && (await computeContent(fetched)) === expected)
		return { content: fetched, from: 'transaction', isProven: true };
	const [content] = ofItem.values();
	if (content !== undefined)
		return ofItem.size > 1 ? 'severalFiles' : { content, from: 'item', isProven: false };
	if (fetched !== undefined && takesUnproven)
		return { content: fetched, from: 'transaction', isProven: false };
	if (isSigned) return 'signed';
	if (isFetched && fetched === undefined) return 'noFile';
	return source.isBegun ? 'begun' : 'unproven';
}

/** The files of the item that have the name of a document, by their content. */
async function listFilesOfItem(
	call: OperationCall,
	{ document_name: documentName }: DocumentAnswer,
): Promise<Map<string, FileContent>> {
	const files = new Map<string, FileContent>();
	for (const { name, file } of findFilesByName(call, documentName)) {
		const opened = await openContent(call.context, file, name);
		const content = await checkFile(call, opened, PDF, readFileName(file) ?? name);
		files.set(await computeContent(content), content);
	}
	return files;
}

/**
 * Fetches the file that was uploaded for a document.
 * @returns undefined where the service doesn't give it
 */
async function fetchUploaded(
	call: OperationCall,
	{ transactionId, platform }: ContentSource,
	document: DocumentAnswer,
): Promise<FileContent | undefined> {
	const { context, service } = call;
	const place = { transactionId, platform, documentId: String(document.id) };
	const download = async () => await downloadUploaded(context, service, place, document);
	try {
		const { binary, facts } = await service.receiveInTurn(
			download,
			context.getExecutionCancelSignal(),
		);
		if (facts.mime_type !== PDF_TYPE) return undefined;
		const content = await openContent(context, binary, describeFile(document).name);
		content.digest = facts.sha256;
		return content;
	} catch (thrown) {
		if (isRefusedFile(thrown)) return undefined;
		throw asError(thrown);
	}
}

const PDF_TYPE = 'application/pdf';
