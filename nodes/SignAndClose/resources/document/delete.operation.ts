import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { platform } from '../../form/commonFields';
import { documentLocator, transactionLocator } from '../../form/locators';
import { findDocument } from './api';
import { parseDocumentPlace } from './form';
import { defineDeletionWrite } from './writes';

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
	write: defineDeletionWrite(
		({ params }) => parseDocumentPlace(params),
		({ transactionId, documentId }) => ({
			json: { deleted: true, transaction_id: transactionId, document_id: documentId },
		}),
		async ({ service }, { transactionId, documentId, platform }) => {
			findDocument(await retrieveTransaction(service, transactionId, platform), documentId);
			return undefined;
		},
	),
});
