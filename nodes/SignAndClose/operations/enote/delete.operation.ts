import { defineOperation } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { findEnote } from '../../service/resources/transactionState';
import { retrieveTransaction } from '../../service/resources/transactions';

/** Deletes the eNote from a draft (docs/service/closings.md#delete-an-enote). */
export const deleteEnote = defineOperation({
	resource: 'enote',
	value: 'delete',
	name: 'Delete',
	action: 'Delete eNote',
	description: 'Delete the eNote from a draft, e.g. to add a corrected one',
	kind: 'write',
	properties: [transactionLocator],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		await service.json('deleteEnote', { path: { transactionId }, platform: 'realEstate' });
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const enote = findEnote(await retrieveTransaction(service, transactionId, 'realEstate'));
		return enote === undefined
			? { json: { deleted: true, transaction_id: transactionId } }
			: undefined;
	},
});
