import { defineOperation } from '../../run/operation';
import { many, parseLimit } from '../shared/commonFields';
import { collection, moment, parseCollection } from '../shared/fields';
import { webhookLocator } from '../shared/locators';
import { ALL_RECORDS, fetchRecords } from './deliveries';
import { isChosen } from './events';
import { webhookEvents } from './form';

const filters = [
	moment(
		'Delivered After',
		'after',
		'Only events whose last delivery attempt was at this time or later',
	),
	webhookEvents,
];

const MORE_RECORDS =
	"The webhook has more records than this operation reads, so events may be missing here. Use 'Webhook: Get Events' with filters to see the others";

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
	properties: [
		webhookLocator,
		...many,
		collection('Filters', 'filters', filters, { placeholder: 'Add Filter' }),
	],
	async execute({ context, service, params }) {
		const webhookId = params.requiredLocator('webhookId');
		const { after, events } = parseCollection(params, params.object('filters'), filters);
		const { records, complete } = await fetchRecords(service, webhookId, ALL_RECORDS);
		// Not a hint of the results: there may be none.
		if (!complete) context.addExecutionHints({ message: MORE_RECORDS, location: 'outputPane' });
		const missed = records.filter(
			({ arrived, at, delivery }) =>
				!arrived &&
				!(typeof after === 'string' && Date.parse(at) < Date.parse(after)) &&
				!(Array.isArray(events) && !isChosen(delivery.event, events.map(String))),
		);
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
