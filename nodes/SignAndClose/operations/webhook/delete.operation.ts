import { defineOperation } from '../../core/operation';
import { webhookLocator } from '../../fields/shared/locators';
import { listWebhooks } from '../../service/resources/webhooks';

/** Deletes a webhook (docs/service/webhooks.md#delete-a-webhook). */
export const deleteWebhook = defineOperation({
	resource: 'webhook',
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook, so the service no longer calls its URL',
	kind: 'write',
	properties: [webhookLocator],
	async execute({ service, params }) {
		const webhookId = params.requiredLocator('webhookId');
		await service.json('deleteWebhook', { path: { webhookId } });
		return { json: { deleted: true, webhook_id: webhookId } };
	},
	async lookUp({ service, params }) {
		const webhookId = params.requiredLocator('webhookId');
		const there = (await listWebhooks(service)).some(({ id }) => id === webhookId);
		return there ? undefined : { json: { deleted: true, webhook_id: webhookId } };
	},
});
