import { InputFailure } from '../../messages/explainedFailure';
import { listEventTypes } from '../../resources/webhook/api';
import { isChosen } from '../../resources/webhook/events';
import type { ServiceClient } from '../../transport/client';
import { asError, findFailure, isNotFound, ServiceFailure } from '../../transport/failure/failure';
import type { TriggerParameters } from '../form/parameters';
import { EVENT_LABEL } from '../form/properties';

/*
 * Compares the selected events with those that the service offers. A single unknown name makes it
 * refuse a whole webhook, and its message doesn't say which one
 * (docs/service/webhooks.md#create-a-webhook).
 */

/**
 * Finds the events of selected groups that the service doesn't have. One that was selected by itself is
 * refused.
 * @throws InputFailure naming the unknown events, ServiceFailure
 */
export async function findNotOffered(
	service: ServiceClient,
	{ events, ofGroups }: Pick<TriggerParameters, 'events' | 'ofGroups'>,
): Promise<string[]> {
	const unknown = await unknownEvents(service, events);
	const refused = unknown.filter((event) => !ofGroups.includes(event));
	if (refused.length > 0)
		throw new InputFailure(
			EVENT_LABEL,
			`has ${refused.map((event) => `'${event}'`).join(', ')}, which the service doesn't offer`,
			"Remove it, or check its spelling with 'Webhook: Get Event Types'",
		);
	return unknown;
}

/** Returns the events that the service's list doesn't have; none where there is no such list. */
async function unknownEvents(service: ServiceClient, events: readonly string[]): Promise<string[]> {
	const single = events.filter((event) => !event.endsWith('*'));
	if (single.length === 0) return [];
	try {
		const offered = (await listEventTypes(service)).map(({ event }) => event);
		return single.filter((event) => !isChosen(event, offered));
	} catch (thrown) {
		if (isNotFound(thrown) || isNoList(thrown)) return [];
		throw asError(thrown);
	}
}

function isNoList(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	return failure instanceof ServiceFailure && failure.reason.code === 'unexpectedList';
}
