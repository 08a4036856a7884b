import { defineOperation } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { mapSeen, write } from '../../service/goals';
import { noteBefore, notedBefore } from '../../service/resources/before';
import { enoteDeletedGoal, enotesBefore } from '../../service/resources/enotes';

/** Deletes the eNote from a draft (docs/service/closings.md#delete-an-enote). */
export const deleteEnote = defineOperation({
	resource: 'enote',
	value: 'delete',
	name: 'Delete',
	action: 'Delete eNote',
	description: 'Delete the eNote from a draft, e.g. to add a corrected one',
	kind: 'write',
	effect: 'The eNote is gone from the draft for good',
	properties: [transactionLocator],
	async execute({ service, params, steps }) {
		const transactionId = params.requiredLocator('transactionId');
		const { before } = await noteBefore(
			steps,
			async () => await enotesBefore(service, transactionId),
		);
		await write(
			service,
			async () =>
				await service.json('deleteEnote', { path: { transactionId }, platform: 'realEstate' }),
			enoteDeletedGoal(service, transactionId, before),
		);
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp({ service, params, steps, startedAt }) {
		const transactionId = params.requiredLocator('transactionId');
		const { before } = notedBefore(steps, startedAt);
		return mapSeen(await enoteDeletedGoal(service, transactionId, before).look(), () => ({
			json: { deleted: true, transaction_id: transactionId },
		}));
	},
	toCheck: 'whether the eNote is gone',
	showDone({ params }) {
		const transactionId = params.requiredLocator('transactionId');
		return { json: { deleted: true, transaction_id: transactionId } };
	},
});
