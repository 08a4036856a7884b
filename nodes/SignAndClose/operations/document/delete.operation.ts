import { defineOperation } from '../../core/operation';
import { documentLocator, transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import { notInTransaction } from '../../service/resources/documents';
import { retrieveTransaction } from '../../service/resources/transactions';
import { asObjects } from '../../service/values/json';

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
	properties: [platform, transactionLocator, documentLocator],
	async execute({ service, params }) {
		const [transactionId, documentId] = [
			params.requiredLocator('transactionId'),
			params.requiredLocator('documentId'),
		];
		const { documents } = await retrieveTransaction(service, transactionId, readPlatform(params));
		if (!asObjects(documents).some(({ id }) => id === documentId))
			throw notInTransaction(documentId);
		await service.json('deleteDocument', { path: { documentId }, platform: readPlatform(params) });
		return { json: { deleted: true, transaction_id: transactionId, document_id: documentId } };
	},
	async lookUp({ service, params }) {
		const [transactionId, documentId] = [
			params.requiredLocator('transactionId'),
			params.requiredLocator('documentId'),
		];
		const { documents } = await retrieveTransaction(service, transactionId, readPlatform(params));
		const there = asObjects(documents).some(({ id }) => id === documentId);
		return there
			? undefined
			: { json: { deleted: true, transaction_id: transactionId, document_id: documentId } };
	},
});
