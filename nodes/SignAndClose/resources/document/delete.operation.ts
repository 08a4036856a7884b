import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform } from '../shared/commonFields';
import { documentLocator, transactionLocator } from '../shared/locators';
import { findDocument } from './api';
import { parsePlace } from './form';
import { removeWrite } from './writes';

const removal = removeWrite(({ params }) => parsePlace(params));

/**
 * Deletes a document (docs/service/documents.md#delete-a-document). The call has no transaction in
 * its path, so the operation first checks that the document belongs to the chosen transaction.
 */
export const deleteDocument = defineOperation({
	resource: 'document',
	value: 'delete',
	name: 'Delete',
	action: 'Delete document',
	description: 'Delete a document from a draft',
	kind: 'write',
	passesFiles: true,
	effect: 'The document is gone for good',
	properties: [platform, transactionLocator, documentLocator],
	async execute(call) {
		const { transactionId, documentId, platform } = parsePlace(call.params);
		findDocument(await retrieveTransaction(call.service, transactionId, platform), documentId);
		await removal.execute(call);
		return toResult(call);
	},
	lookUp: async (call) => mapSeen(await removal.lookUp(call), () => toResult(call)),
	toCheck: removal.toCheck,
});

function toResult({ params }: OperationCall): OperationResult {
	const { transactionId, documentId } = parsePlace(params);
	return { json: { deleted: true, transaction_id: transactionId, document_id: documentId } };
}
