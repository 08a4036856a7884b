import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { asError, isNotFound } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { readOrKept, wholeSearch, withReason, type Choice } from '../shared/lists';
import { listEventTypes, listWebhooks } from './api';
import { eventOptions, groupedOptions } from './events';

/* Lists webhooks and events. */

/** Lists the webhooks, by URL. */
export const searchWebhooks = wholeSearch(async (_context, connect) => {
	const service = await connect();
	const list = async () => (await listWebhooks(service)).map(webhookChoice);
	return await readOrKept(service, ['webhooks'], list);
});

function webhookChoice({ id, url, subscriptions }: IDataObject): Choice {
	const events = Array.isArray(subscriptions)
		? ` · ${subscriptions.length === 1 ? String(subscriptions[0]) : `${subscriptions.length} events`}`
		: '';
	// The query of the URL may hold a secret.
	return { name: `${asText(url)?.split('?')[0] ?? String(id)}${events}`, value: asText(id) };
}

/** Builds the method of a list of events, which throws NodeOperationError with the remedy in it. */
const eventsAs = (optionsOf: (offered?: string[]) => INodePropertyOptions[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (this.getNode().credentials === undefined) return optionsOf();
		return await withReason(this, async (connect) => {
			try {
				const service = await connect();
				const list = async () => await listEventTypes(service);
				const types = await readOrKept(service, ['events'], list);
				return optionsOf(types.map(({ event }) => event));
			} catch (thrown) {
				if (!isNotFound(thrown)) throw asError(thrown);
				return optionsOf();
			}
		});
	};

/**
 * Lists the events that the service offers, or those we know when it doesn't list them or there is
 * no credential yet.
 */
export const getEvents = eventsAs(eventOptions);

/** Lists the same events in groups, which can be selected as a whole. */
export const getGroupedEvents = eventsAs(groupedOptions);
