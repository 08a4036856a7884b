import { defineOperation } from '../../run/operation';
import { filterCollection, many, parseLimit } from '../shared/commonFields';
import { moment, parseCollection } from '../shared/fields';
import { webhookLocator } from '../shared/locators';
import { callsTrigger } from './api';
import { fetchRecords, type RecordedDelivery } from './deliveries';
import { isChosen } from './events';
import { webhookEvents } from './form';

const filters = [
	moment(
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
	properties: [webhookLocator, ...many, filterCollection(filters)],
	async execute({ service, params }) {
		const webhookId = params.requiredLocator('webhookId');
		const { after, events } = parseCollection(params, params.object('filters'), filters);
		const isMissed = ({ arrived, delivery: { event } }: RecordedDelivery) =>
			!arrived && (!Array.isArray(events) || isChosen(event, events.map(String)));
		const records = await fetchRecords(service, webhookId, {
			ofTrigger: await callsTrigger(service, webhookId),
			since: typeof after === 'string' ? Date.parse(after) : undefined,
			isNeeded: isMissed,
		});
		const missed = records.filter(isMissed);
		return missed.slice(0, parseLimit(params)).map(({ delivery, at }) => ({
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
