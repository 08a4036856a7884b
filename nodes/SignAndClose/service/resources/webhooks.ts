import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { asObject, asObjects, asText } from '../values/json';

/* Retrieves and reads webhooks and their event records (docs/service/webhooks.md). */

/**
 * Lists the webhooks of the key's organization. A documented-only service gives their identifiers
 * only (docs/service/webhooks.md#list-webhooks).
 * @throws ServiceFailure
 */
export async function listWebhooks(service: ServiceClient): Promise<IDataObject[]> {
	const answer = await service.json('listWebhooks');
	const entries: unknown[] = Array.isArray(answer) ? answer : [];
	return entries.flatMap((entry): IDataObject[] => {
		const id = asText(entry);
		return id !== undefined ? [{ id }] : asObjects([entry]);
	});
}

/**
 * Retrieves a webhook.
 * @throws ServiceFailure, e.g. on a documented-only service, which doesn't offer this
 */
export async function retrieveWebhook(
	service: ServiceClient,
	webhookId: string,
): Promise<IDataObject> {
	return asObject(await service.json('getWebhook', { path: { webhookId } }));
}

/** Returns the whole webhook, with its ID at top level. */
export function withWebhookId(webhook: IDataObject): IDataObject {
	return { webhook_id: webhook.id, ...webhook };
}

/**
 * Lists the names of the events that can be subscribed to
 * (docs/service/webhooks.md#list-events-to-subscribe-to).
 * @throws ServiceFailure
 */
export async function listEventTypes(
	service: ServiceClient,
): Promise<Array<{ group: string; event: string }>> {
	const groups = asObject(await service.json('listEventTypes'));
	return Object.entries(groups).flatMap(([group, names]) =>
		Array.isArray(names) ? names.map((event) => ({ group, event: String(event) })) : [],
	);
}

/**
 * Returns an event record with the transaction's ID at top level and the payload as an object
 * (docs/service/webhooks.md#event-records).
 */
export function readEventRecord(webhookId: string, record: IDataObject): IDataObject {
	const payload = parsePayload(record.payload);
	const { code } = asObject(record.response);
	return {
		webhook_id: webhookId,
		transaction_id: asText(asObject(asObject(payload).data).transaction_id) ?? null,
		delivered_successfully: code === 200,
		...record,
		payload,
	};
}

/** Parses a payload that is JSON text. An object and any other text stay as they are. */
export function parsePayload(payload: unknown): IDataObject[string] {
	if (typeof payload !== 'string') return payload as IDataObject;
	try {
		return JSON.parse(payload) as IDataObject;
	} catch {
		return payload;
	}
}
