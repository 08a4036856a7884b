import { defineOperation, type OperationCall } from '../../run/operation';
import { mapSeen, write, deletedGoal } from '../../run/outcome/goals';
import { webhookLocator } from '../shared/locators';
import { findWebhook } from './api';

/** Deletes a webhook (docs/service/webhooks.md#delete-a-webhook). */
export const deleteWebhook = defineOperation({
	resource: 'webhook',
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook, so its URL no longer gets events',
	kind: 'write',
	effect: 'Whoever listens at the URL of the webhook no longer gets events',
	properties: [webhookLocator],
	async execute(call) {
		const { service, params } = call;
		const webhookId = params.requiredLocator('webhookId');
		await write(
			service,
			async () => await service.json('deleteWebhook', { path: { webhookId } }),
			goalFor(call),
		);
		return { json: { deleted: true, webhook_id: webhookId } };
	},
	async lookUp(call) {
		const webhookId = call.params.requiredLocator('webhookId');
		return mapSeen(await goalFor(call).fromService(), () => ({
			json: { deleted: true, webhook_id: webhookId },
		}));
	},
	toCheck: () => "Check with 'Webhook: Get Many' whether the webhook is gone",
});

const goalFor = ({ service, params }: OperationCall) =>
	deletedGoal(async () => await findWebhook(service, params.requiredLocator('webhookId')));
