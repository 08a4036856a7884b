import { defineOperation } from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { enoteDeletedGoal } from './api';

/** Deletes the eNote from a draft (docs/service/closings.md#delete-an-enote). */
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
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		await write(
			service,
			async () =>
				await service.json('deleteEnote', { path: { transactionId }, platform: 'realEstate' }),
			enoteDeletedGoal(service, transactionId),
		);
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		return mapSeen(await enoteDeletedGoal(service, transactionId).fromService(), () => ({
			json: { deleted: true, transaction_id: transactionId },
		}));
	},
	toCheck: inTransaction('whether the eNote is gone'),
});
