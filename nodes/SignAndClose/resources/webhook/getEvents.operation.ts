import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../run/operation';
import { streamEntries, takeEntries } from '../../transport/answers/pages';
import { defineFilters, limitFields, parseLimit } from '../../form/commonFields';
import { defineFlag, defineDateTime } from '../../form/fields';
import { parseCollection } from '../../form/input';
import { webhookLocator } from '../../form/locators';
import { isOfTrigger, toRecordOutput } from './api';
import { hasArrived } from './deliveries';
import { isSelected } from './eventSelection';
import { webhookEvents } from './form';

const filters = [
	defineDateTime('Delivered After', 'after', 'Only deliveries at this time or later'),
	defineDateTime('Delivered Before', 'before', 'Only deliveries at this time or earlier'),
	webhookEvents,
	defineFlag(
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
	properties: [webhookLocator, ...limitFields, defineFilters(filters)],
	async execute({ service, params }) {
		const webhookId = params.getRequiredLocator('webhookId');
		const limit = parseLimit(params);
		const values = parseCollection(params, params.getObject('filters'), filters);
		const { after, before, events, failedOnly } = values;
		const ofTrigger = await isOfTrigger(service, webhookId);
		const fits = (record: IDataObject): boolean => {
			const at = Date.parse(String(record.delivered));
			if (failedOnly === true && hasArrived(record, ofTrigger)) return false;
			if (typeof after === 'string' && at < Date.parse(after)) return false;
			if (typeof before === 'string' && at > Date.parse(before)) return false;
			return !Array.isArray(events) || isSelected(String(record.event), events.map(String));
		};
		// With a filter, nobody knows how many will be left of a page.
		const max = Object.keys(values).length > 0 ? undefined : limit;
		const call = { path: { webhookId } };
		const records = await takeEntries(
			streamEntries(service, 'listWebhookEvents', call, max),
			limit,
			fits,
		);
		return records.map((record) => ({ json: toRecordOutput(webhookId, record, ofTrigger) }));
	},
});
