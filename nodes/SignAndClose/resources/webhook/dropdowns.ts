import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { asError, isNotFound } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { readCached, defineSearch, withReason, type DropdownEntry } from '../../form/dropdowns';
import { listEventTypes, listWebhooks } from './api';
import { buildEventOptions, buildGroupedOptions } from './events';

/* Lists webhooks and events. */

/** Lists the webhooks, by URL. */
export const searchWebhooks = defineSearch(async (_context, connect) => {
	const service = await connect();
	const list = async () => (await listWebhooks(service)).map(buildWebhookChoice);
	return await readCached(service, ['webhooks'], list);
});

function buildWebhookChoice({ id, url, subscriptions }: IDataObject): DropdownEntry {
	const events = Array.isArray(subscriptions)
		? ` · ${subscriptions.length === 1 ? String(subscriptions[0]) : `${subscriptions.length} events`}`
		: '';
	// The query of the URL may hold a secret.
	return { name: `${asText(url)?.split('?')[0] ?? String(id)}${events}`, value: asText(id) };
}

/** Builds the method of a list of events, which throws NodeOperationError with the remedy in it. */
const defineEventList = (buildOptions: (offered?: string[]) => INodePropertyOptions[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (this.getNode().credentials === undefined) return buildOptions();
		return await withReason(this, async (connect) => {
			try {
				const service = await connect();
				const list = async () => await listEventTypes(service);
				const types = await readCached(service, ['events'], list);
				return buildOptions(types.map(({ event }) => event));
			} catch (thrown) {
				if (!isNotFound(thrown)) throw asError(thrown);
				return buildOptions();
			}
		});
	};

/**
 * Lists the events that the service offers, or those we know when it doesn't list them or there is
 * no credential yet.
 */
export const getEvents = defineEventList(buildEventOptions);

/** Lists the same events in groups, which can be selected as a whole. */
export const getGroupedEvents = defineEventList(buildGroupedOptions);
