import { InputFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { defineChoice } from '../../form/fields';
import { listEventTypes } from './api';
import { describeEvent } from './events';

/**
 * Lists the events that can be subscribed to
 * (docs/service/webhooks.md#list-events-to-subscribe-to).
 */
export const getWebhookEventTypes = defineOperation({
	resource: 'webhook',
	value: 'getEventTypes',
	name: 'Get Event Types',
	action: 'Get event types of webhooks',
	description: 'List the events that webhooks can subscribe to',
	kind: 'read',
	properties: [
		defineChoice(
			'Group',
			'group',
			[
				['All', 'all'],
				['Notary', 'notary'],
				['Transaction', 'transaction'],
			],
			'Which events to list',
		),
	],
	async execute({ service, params }) {
		const group = params.getText('group') ?? 'all';
		const all = await listEventTypes(service);
		const types = all.filter((type) => group === 'all' || type.group === group);
		if (types.length === 0)
			throw new InputFailure(
				params.label('group'),
				`is '${group}', which the service doesn't have`,
				`Choose one of: all, ${[...new Set(all.map((type) => type.group))].join(', ')}`,
			);
		return types.map(({ group, event }) => ({
			json: { event, group, description: describeEvent(event) ?? null },
		}));
	},
});
