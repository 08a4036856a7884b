import type { OperationCall } from '../../run/operation';
import type { DocumentAnswer } from '../../transport/answers/shapes';
import { receive } from '../../transport/fileDownload/download';
import { asError, findFailure, ServiceFailure } from '../../transport/failure/failure';
import type { FileContent } from '../../transport/files/requestBody';
import { isLastingRefusal } from '../../transport/http/statuses';
import { readThrough } from '../../transport/files/streams';
import { shortenDigest, readReference } from '../../values/reference';
import { describeFile, isFinished, type TransactionPlace } from './api';
import { openUploaded } from './downloads';

/*
 * What documents are made of, as their references say it. Whether a document is a file is told by its
 * content, and by its name only where nobody shows that.
 */

/** The content of a file that n8n has. */
export const computeContent = async (file: FileContent): Promise<string> =>
	shortenDigest(await file.readDigest());

/**
 * The content of a document that the service shows: by its reference, or else of its file, of which
 * nothing is kept (docs/service/documents.md#get-a-document).
 * @returns undefined where the service doesn't give the file that was uploaded
 * @throws ServiceFailure when it can't be asked
 */
export async function readContent(
	{ service, context }: Pick<OperationCall, 'service' | 'context'>,
	transaction: TransactionPlace,
	document: DocumentAnswer,
): Promise<string | undefined> {
	const reference = readReference(document.tracking_id);
	// Signing has changed the file of a finished one.
	if (reference !== undefined || isFinished(document)) return reference?.content;
	const target = describeFile(document);
	const receiveFile = async () => {
		const stream = await openUploaded(service, { ...transaction, documentId: String(document.id) });
		return await receive({ stream, headers: {} }, target, readThrough);
	};
	try {
		const { facts } = await service.receiveInTurn(receiveFile, context.getExecutionCancelSignal());
		// An eNote may be shown as it looks on paper.
		return facts.mime_type === target.mimeType ? shortenDigest(facts.sha256) : undefined;
	} catch (thrown) {
		if (isRefusedFile(thrown)) return undefined;
		throw asError(thrown);
	}
}

const WITHOUT_FILE = new Set(['noContent', 'unreadableContent', 'emptyFile', 'unexpectedFile']);

/** Whether the service has answered that it doesn't give the file, or gave something else. */
export function isRefusedFile(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	return (
		isLastingRefusal(failure?.flags.httpStatus) ||
		(failure instanceof ServiceFailure && WITHOUT_FILE.has(failure.reason.code))
	);
}

/** Whether two names are the same, however their accents and blanks are written. */
export const isSameName = (left?: string | null, right?: string | null): boolean =>
	left != null && right != null && normalizeName(left) === normalizeName(right);

const normalizeName = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();
