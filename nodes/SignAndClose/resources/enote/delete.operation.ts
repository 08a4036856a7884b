import { defineOperation, defineWrite } from '../../run/operation';
import { transactionLocator } from '../../form/locators';
import { defineEnoteDeletion } from './api';

/**
 * Deletes the eNote from a draft (docs/service/closings.md#delete-an-enote). It isn't sent again after a
 * lost answer: the first request could come late, and delete the next eNote.
 */
export const deleteEnote = defineOperation({
	resource: 'enote',
	value: 'delete',
	name: 'Delete',
	action: 'Delete eNote',
	description: 'Delete the eNote from a draft, e.g. to add a corrected one',
	kind: 'write',
	passesFiles: true,
	effect: 'The eNote is gone from the draft for good',
	properties: [transactionLocator],
	write: defineWrite({
		parse: ({ params }) => params.getRequiredLocator('transactionId'),
		send: async ({ service }, transactionId) =>
			await service.json('deleteEnote', { path: { transactionId }, platform: 'realEstate' }),
		goal: ({ service }, transactionId) => defineEnoteDeletion(service, transactionId),
		result: (_call, _shown, transactionId) => ({
			json: { deleted: true, transaction_id: transactionId },
		}),
	}),
});
