import { defineOperation } from '../../run/operation';
import { many, parseLimit } from '../shared/commonFields';
import { listWebhooks } from './api';
import { shownWebhook } from './output';

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
	properties: [...many],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		return (await listWebhooks(service))
			.filter(({ id, url }) => id !== undefined || url !== undefined)
			.slice(0, limit)
			.map((webhook) => ({ json: shownWebhook(webhook) }));
	},
});
