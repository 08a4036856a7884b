import { defineOperation, type OperationCall } from '../../core/operation';
import { webhookLocator } from '../../fields/shared/locators';
import { mapSeen, write } from '../../service/goals';
import { deletedGoal } from '../../service/resources/transactions';
import { findWebhook } from '../../service/resources/webhooks';

/** Deletes a webhook (docs/service/webhooks.md#delete-a-webhook). */
export const deleteWebhook = defineOperation({
	resource: 'webhook',
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook, so the service no longer calls its URL',
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
		return mapSeen(await goalFor(call).look(), () => ({
			json: { deleted: true, webhook_id: webhookId },
		}));
	},
	toCheck: () => "Check whether the webhook is gone with 'Webhook: Get Many'",
});

const goalFor = ({ service, params }: OperationCall) =>
	deletedGoal(async () => await findWebhook(service, params.requiredLocator('webhookId')));
