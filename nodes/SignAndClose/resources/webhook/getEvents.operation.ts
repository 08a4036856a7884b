import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../run/operation';
import { listEntries, take } from '../../transport/answers/pages';
import { filterCollection, many, parseLimit } from '../shared/commonFields';
import { flag, moment, parseCollection } from '../shared/fields';
import { webhookLocator } from '../shared/locators';
import { callsTrigger, toRecordOutput } from './api';
import { hasArrived } from './deliveries';
import { isChosen } from './events';
import { webhookEvents } from './form';

const filters = [
	moment('Delivered After', 'after', 'Only deliveries at this time or later'),
	moment('Delivered Before', 'before', 'Only deliveries at this time or earlier'),
	webhookEvents,
	flag(
		'Failed Only',
		'failedOnly',
		"Whether to return only deliveries that your endpoint didn't answer with 200, or that a 'Sign and Close Trigger' didn't answer itself",
	),
];

/**
 * Lists the event records of a webhook, which also show the deliveries that failed
 * (docs/service/webhooks.md#event-records).
 */
export const getWebhookEvents = defineOperation({
	resource: 'webhook',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get events of webhook',
	description: 'List the deliveries of a webhook and their responses, newest first',
	kind: 'read',
	properties: [webhookLocator, ...many, filterCollection(filters)],
	async execute({ service, params }) {
		const webhookId = params.requiredLocator('webhookId');
		const limit = parseLimit(params);
		const chosen = parseCollection(params, params.object('filters'), filters);
		const { after, before, events, failedOnly } = chosen;
		const ofTrigger = await callsTrigger(service, webhookId);
		const wanted = (record: IDataObject): boolean => {
			const at = Date.parse(String(record.delivered));
			if (failedOnly === true && hasArrived(record, ofTrigger)) return false;
			if (typeof after === 'string' && at < Date.parse(after)) return false;
			if (typeof before === 'string' && at > Date.parse(before)) return false;
			return !Array.isArray(events) || isChosen(String(record.event), events.map(String));
		};
		// With a filter, nobody knows how many will be left of a page.
		const most = Object.keys(chosen).length > 0 ? undefined : limit;
		const call = { path: { webhookId } };
		const found = await take(listEntries(service, 'listWebhookEvents', call, most), limit, wanted);
		return found.map((record) => ({ json: toRecordOutput(webhookId, record, ofTrigger) }));
	},
});
