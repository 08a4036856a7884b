import { defineOperation } from '../../run/operation';
import { defineFilters, limitFields, parseLimit } from '../../form/commonFields';
import { defineDateTime } from '../../form/fields';
import { parseCollection } from '../../form/input';
import { webhookLocator } from '../../form/locators';
import { isOfTrigger } from './api';
import { fetchRecords, type RecordedDelivery } from './deliveries';
import { isSelected } from './eventSelection';
import { webhookEvents } from './form';

const filters = [
	defineDateTime(
		'Delivered After',
		'after',
		'Only events that the service last tried to deliver at this time or later',
	),
	webhookEvents,
];

/**
 * Lists the events that were never delivered, each of them once. They are found in the event
 * records (docs/service/webhooks.md#find-failed-deliveries).
 */
export const getMissedEvents = defineOperation({
	resource: 'webhook',
	value: 'getMissedEvents',
	name: 'Get Missed Events',
	action: 'Get missed events of webhook',
	description: 'List the events that were never delivered to a webhook, oldest first',
	kind: 'read',
	properties: [webhookLocator, ...limitFields, defineFilters(filters)],
	async execute({ service, params }) {
		const webhookId = params.getRequiredLocator('webhookId');
		const { after, events } = parseCollection(params, params.getObject('filters'), filters);
		const isMissed = ({ arrived, delivery: { event } }: RecordedDelivery) =>
			!arrived && (!Array.isArray(events) || isSelected(event, events.map(String)));
		const records = await fetchRecords(service, webhookId, {
			ofTrigger: await isOfTrigger(service, webhookId),
			since: typeof after === 'string' ? Date.parse(after) : undefined,
			isNeeded: isMissed,
		});
		const missedEvents = records.filter(isMissed);
		return missedEvents.slice(0, parseLimit(params)).map(({ delivery, at }) => ({
			json: {
				event: delivery.event,
				transaction_id: delivery.transactionId ?? null,
				webhook_id: webhookId,
				delivery_key: delivery.key,
				last_tried: at,
				data: delivery.data,
			},
		}));
	},
});
