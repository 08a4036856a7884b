import { defineOperation } from '../../run/operation';
import { webhookLocator } from '../../form/locators';
import { retrieveWebhook } from './api';
import { toWebhookOutput } from './output';

/** Retrieves a webhook (docs/service/webhooks.md#get-a-webhook). */
export const getWebhook = defineOperation({
	resource: 'webhook',
	value: 'get',
	name: 'Get',
	action: 'Get webhook',
	description: 'Retrieve a webhook with its URL and events',
	kind: 'read',
	properties: [webhookLocator],
	async execute({ service, params }) {
		return {
			json: toWebhookOutput(await retrieveWebhook(service, params.getRequiredLocator('webhookId'))),
		};
	},
});
