import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import { sendWithReference } from '../../run/outcome/sendWithReference';
import { toBody, type FileContent } from '../../transport/files/streamedJson';
import type { Platform } from '../../transport/service/endpoints';

/** A document that is added. */
export interface NewDocument {
	transactionId: string;
	platform: Platform;
	/** What is sent, without the file and without a reference of the node's own. */
	fields: IDataObject;
}

/**
 * Sends a new document to a transaction (docs/service/documents.md#add-a-document).
 * @param resource its file, which is streamed, or what the service takes in place of it
 * @param reference whether a reference of the node's own is wanted, and which one
 * @returns the parsed answer
 */
export const sendNewDocument = async (
	{ service, sending }: OperationCall,
	{ transactionId, platform, fields }: NewDocument,
	resource: string | FileContent | undefined,
	reference: { isWanted: boolean; own?: string },
): Promise<unknown> =>
	await sendWithReference(
		sending,
		'tracking_id',
		{ fields, ...reference },
		async (more) =>
			await service.json('addDocument', {
				path: { transactionId },
				platform,
				mayBeText: true,
				...toBody({ ...fields, resource, ...more }),
			}),
	);

/**
 * Says that the service shows fewer designations than it was sent. While it processes the document,
 * that says nothing.
 */
export function fewerDesignations(fields: IDataObject, document: IDataObject): string | undefined {
	const [sent, shown] = [fields.signing_designations, document.signing_designations];
	return Array.isArray(sent) &&
		Array.isArray(shown) &&
		shown.length < sent.length &&
		document.processing_state === 'done'
		? `The service shows ${shown.length} of ${sent.length} designations. Check the document before you send it`
		: undefined;
}
