import { defineOperation } from '../../run/operation';
import { limitFields, parseLimit } from '../../form/commonFields';
import { listWebhooks } from './api';
import { toWebhookOutput } from './output';

/**
 * Lists the webhooks. A documented-only service gives their identifiers only
 * (docs/service/webhooks.md#list-webhooks).
 */
export const getManyWebhooks = defineOperation({
	resource: 'webhook',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'List the webhooks of your organization',
	kind: 'read',
	properties: [...limitFields],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		return (await listWebhooks(service))
			.filter(({ id, url }) => id !== undefined || url !== undefined)
			.slice(0, limit)
			.map((webhook) => ({ json: toWebhookOutput(webhook) }));
	},
});
