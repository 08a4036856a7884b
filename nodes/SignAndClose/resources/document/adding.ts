import type { IDataObject } from 'n8n-workflow';

import { lookUpOf, type OperationCall } from '../../run/operation';
import { write, type Goal } from '../../run/outcome/goals';
import { sendWithReference } from '../../run/outcome/sendWithReference';
import type { DocumentAnswer } from '../../transport/answers/answers';
import { toBody, type FileContent } from '../../transport/files/streamedJson';
import type { Platform } from '../../transport/service/endpoints';
import { addedGoal } from './goals';

/** A document that is added. */
export interface NewDocument {
	transactionId: string;
	platform: Platform;
	/** What is sent, without the file and without a reference of the node's own. */
	fields: IDataObject;
}

/** Says whether a document was added, by what the service shows. */
export const goalOfNew = (
	call: OperationCall,
	document: NewDocument,
): Required<Goal<DocumentAnswer>> => addedGoal({ ...call, ...document, lookUp: lookUpOf(call) });

/**
 * Adds a document to a transaction (docs/service/documents.md#add-a-document).
 * @param resource its file, which is streamed, or what the service takes in place of it
 * @param reference whether a reference of the node's own is wanted, and which one
 */
export async function sendNewDocument(
	call: OperationCall,
	document: NewDocument,
	resource: string | FileContent | undefined,
	reference: { isWanted: boolean; own?: string },
): Promise<DocumentAnswer> {
	const { transactionId, platform, fields } = document;
	const send = async (more: IDataObject) =>
		await call.service.json('addDocument', {
			path: { transactionId },
			platform,
			mayBeText: true,
			...toBody({ ...fields, resource, ...more }),
		});
	return await write(
		call.service,
		async () =>
			await sendWithReference(call.sending, 'tracking_id', { fields, ...reference }, send),
		goalOfNew(call, document),
	);
}

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
