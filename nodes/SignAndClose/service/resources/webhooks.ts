import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { asObject, asObjects, asText } from '../values/json';

/** Webhook subscriptions as users handle them (interface.md §4, §6; gaps.md §1, §8). */

/**
 * The webhooks of the key's organization; a documented-only service gives their identifiers alone.
 */
export async function listWebhooks(service: ServiceClient): Promise<IDataObject[]> {
	const answer = await service.json('listWebhooks');
	const entries: unknown[] = Array.isArray(answer) ? answer : [];
	return entries.flatMap((entry): IDataObject[] => {
		const id = asText(entry);
		return id !== undefined ? [{ id }] : asObjects([entry]);
	});
}

export async function retrieveWebhook(
	service: ServiceClient,
	webhookId: string,
): Promise<IDataObject> {
	return asObject(await service.json('getWebhook', { path: { webhookId } }));
}

/** The raw webhook with its id at top level. */
export function withWebhookId(webhook: IDataObject): IDataObject {
	return { webhook_id: webhook.id, ...webhook };
}

/** Names of the events that can be subscribed (gaps.md §1, Subscribable events). */
export async function listEventTypes(
	service: ServiceClient,
): Promise<Array<{ group: string; event: string }>> {
	const groups = asObject(await service.json('listEventTypes'));
	return Object.entries(groups).flatMap(([group, names]) =>
		Array.isArray(names) ? names.map((event) => ({ group, event: String(event) })) : [],
	);
}

/**
 * An event record with the transaction's id at top level and the payload as an object: it comes as
 * a string of JSON, sometimes as an object (interface.md §2, Webhook event record; gaps.md §8).
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

/**
 * A payload as an object, whether it comes as one or as a text of JSON; any other text stays what
 * it is.
 */
export function parsePayload(payload: unknown): IDataObject[string] {
	if (typeof payload !== 'string') return payload as IDataObject;
	try {
		return JSON.parse(payload) as IDataObject;
	} catch {
		return payload;
	}
}
