import { defineOperation, defineWrite } from '../../run/operation';
import { buildDeletedGoal } from '../../run/goals';
import { webhookLocator } from '../../form/locators';
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
	write: defineWrite({
		parse: ({ params }) => params.getRequiredLocator('webhookId'),
		send: async ({ service }, webhookId) =>
			await service.json('deleteWebhook', { path: { webhookId } }),
		goal: ({ service }, webhookId) =>
			buildDeletedGoal(
				async () => await findWebhook(service, webhookId),
				"Check with 'Webhook: Get Many' whether the webhook is gone",
			),
		result: (_call, _shown, webhookId) => ({ json: { deleted: true, webhook_id: webhookId } }),
		repeats: true,
	}),
});
