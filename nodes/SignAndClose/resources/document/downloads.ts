import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { derivePhase } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import {
	saveToStore,
	receive,
	receiveLink,
	type Downloaded,
} from '../../transport/fileDownload/download';
import { asError, findFailure } from '../../transport/failure/failure';
import { decodeData } from '../../transport/files/base64Stream';
import type { ByteStream } from '../../transport/files/streams';
import { isOfRequest, lacksCall, getStatusMeaning } from '../../transport/http/statuses';
import type { LinkedFile } from '../../transport/fileDownload/linkedFiles';
import type { Platform } from '../../transport/service/endpoints';
import { refuseOtherAnswer } from '../../transport/service/answerCheck';
import { asObjects } from '../../values/json';
import {
	describeFile,
	findDocument,
	isEnote,
	readFinalLink,
	retrieveDocument,
	type DocumentPlace,
} from './api';

/* Downloads documents: as they were uploaded, and finished. */

/**
 * Downloads the file that was uploaded for a document (docs/service/documents.md#get-a-document).
 * @throws ServiceFailure 409 while real estate processes the document
 */
export async function downloadUploaded(
	context: IExecuteFunctions,
	service: ServiceClient,
	place: DocumentPlace,
	document: IDataObject,
): Promise<Downloaded> {
	const opened = { stream: await openUploaded(service, place), headers: {} };
	const target = service.hide(describeFile(document));
	const { result: binary, facts } = await receive(opened, target, saveToStore(context));
	return { binary, facts };
}

/** Opens the file that was uploaded for a document. */
export async function openUploaded(
	service: ServiceClient,
	{ platform, ...path }: DocumentPlace,
): Promise<ByteStream> {
	const query = { encoding: 'base64' };
	const { stream } = await service.stream('getDocument', { path, platform, query });
	return decodeData(stream, (answer) => refuseOtherAnswer('getDocument', path, answer));
}

/**
 * Finds the link to a finished document. A business transaction doesn't show the links of its
 * documents, so Get Document is asked once the transaction is finished
 * (docs/service/documents.md#two-forms-of-the-answer).
 * @param document of this transaction
 * @returns undefined when the service gives none
 * @throws ServiceFailure when it can't be asked
 */
export async function findFinalLink(
	service: ServiceClient,
	platform: Platform,
	transaction: TransactionAnswer,
	document: IDataObject,
): Promise<string | undefined> {
	const link = readFinalLink(document);
	const phase = derivePhase(transaction);
	if (link !== undefined || phase === 'draft' || phase === 'sent') return link;
	try {
		return readFinalLink(
			await retrieveDocument(service, transaction.id, String(document.id), platform, 'uri'),
		);
	} catch (thrown) {
		const status = findFailure(thrown)?.flags.httpStatus;
		// The content isn't ready, or this service has no such call.
		if (getStatusMeaning(status) === 'conflict' || isOfRequest(status) || lacksCall(status))
			return undefined;
		throw asError(thrown);
	}
}

/** The file of a finished document, for which the service may have to be asked. */
export function describeFinalFile(
	service: ServiceClient,
	platform: Platform,
	transaction: TransactionAnswer,
	document: IDataObject,
): LinkedFile {
	return {
		kind: isEnote(document) ? 'enote' : 'document',
		id: String(document.id),
		...describeFile(document),
		link: async () => await findFinalLink(service, platform, transaction, document),
	};
}

/**
 * Downloads a finished document (docs/service/documents.md#retrieve-a-document). A link that has
 * expired is renewed once.
 * @param link from findFinalLink()
 * @throws ServiceFailure when the document can't be downloaded completely
 */
export async function downloadFinal(
	context: IExecuteFunctions,
	service: ServiceClient,
	platform: Platform,
	transactionId: string,
	document: IDataObject,
	link: string,
): Promise<Downloaded> {
	const renew = async () => {
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const now = findDocument(transaction, String(document.id));
		return await findFinalLink(service, platform, transaction, now);
	};
	const target = describeFile(document);
	const received = await receiveLink(service, link, renew, target, saveToStore(context));
	return { binary: received.result, facts: received.facts };
}

/**
 * Downloads the finished documents of a closing as document_1, document_2 and so on. There are none before
 * completion (docs/service/documents.md#retrieve-a-document).
 * @returns the files, and the names of the documents that have no link although the transaction is
 *   completed
 */
export async function downloadFinals(
	context: IExecuteFunctions,
	service: ServiceClient,
	transaction: TransactionAnswer,
): Promise<{ files: IBinaryKeyData; unreleased: string[] }> {
	const { id } = transaction;
	const files: IBinaryKeyData = {};
	const unreleased: string[] = [];
	for (const document of asObjects(transaction.documents)) {
		const link = await findFinalLink(service, 'realEstate', transaction, document);
		if (link !== undefined) {
			const file = await downloadFinal(context, service, 'realEstate', id, document, link);
			files[`document_${Object.keys(files).length + 1}`] = file.binary;
		} else if (derivePhase(transaction) === 'finished')
			unreleased.push(describeFile(document).name);
	}
	return { files, unreleased };
}
