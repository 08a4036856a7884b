import { defineOperation } from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform } from '../shared/commonFields';
import { documentLocator, transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { findDocument } from './api';
import { parsePlace } from './form';
import { removedGoal } from './goals';

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
		const { service } = call;
		const place = parsePlace(call.params);
		const { transactionId, documentId, platform } = place;
		findDocument(await retrieveTransaction(service, transactionId, platform), documentId);
		await write(
			service,
			async () => await service.json('deleteDocument', { path: { documentId }, platform }),
			removedGoal(service, place),
		);
		return { json: { deleted: true, transaction_id: transactionId, document_id: documentId } };
	},
	async lookUp(call) {
		const place = parsePlace(call.params);
		return mapSeen(await removedGoal(call.service, place).fromService(), () => ({
			json: { deleted: true, transaction_id: place.transactionId, document_id: place.documentId },
		}));
	},
	toCheck: inTransaction('whether the document is gone'),
});
