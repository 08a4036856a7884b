import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { listEntries } from '../pagination';
import { parsePayload } from './webhooks';
import { asObject, asText } from '../values/json';

/**
 * One event of the service as the trigger handles it, whichever way it came: delivered, recovered
 * from the event records, or pulled.
 */
export interface Delivery {
	event: string;
	transactionId?: string;
	/** ISO 8601, where the service says it (gaps.md §8). */
	occurred?: string;
	data: IDataObject;
	/** Stable identity: the same for every repeat of one event, another for any other. */
	key: string;
}

/**
 * Reads a payload: `{event, data: {transaction_id, ...}}` (interface.md §6), as a text of JSON or
 * an object (gaps.md §8).
 * @returns undefined when it is no event
 */
export function readDelivery(payload: unknown): Delivery | undefined {
	const body = asObject(parsePayload(payload));
	const event = asText(body.event);
	if (event === undefined) return undefined;
	const data = asObject(body.data);
	const transactionId = asText(data.transaction_id);
	const occurred = asText(data.date_occurred);
	return {
		event,
		data,
		key: deliveryKey(event, transactionId, occurred, body),
		...(transactionId !== undefined && { transactionId }),
		...(occurred !== undefined && { occurred }),
	};
}

/**
 * The service publishes no id of a delivery: event, transaction and date make it, and without a
 * date the content (gaps.md §8). The content is compared by meaning, because the same payload comes
 * as a text in a delivery and as an object in some event records.
 */
function deliveryKey(
	event: string,
	transactionId: string | undefined,
	occurred: string | undefined,
	body: IDataObject,
): string {
	const content =
		occurred === undefined || transactionId === undefined
			? canonical(body)
			: JSON.stringify([event, transactionId, occurred]);
	return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** JSON with the fields of every object in order. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
	if (typeof value === 'object' && value !== null) {
		return `{${Object.keys(value)
			.sort()
			.map((key) => `${JSON.stringify(key)}:${canonical((value as IDataObject)[key])}`)
			.join()}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

/** Records looked through at once. */
const MOST_RECORDS = 2000;

export interface RecordedDelivery {
	delivery: Delivery;
	/** ISO 8601, of the newest attempt. */
	at: string;
	/** Whether any attempt was answered with 200. */
	arrived: boolean;
}

/**
 * The events of a subscription, oldest first, each once whatever the number of its attempts.
 * @param since milliseconds since 1970: attempts before that are not looked for; where the newest
 *   come first, no page beyond them is fetched
 * @returns complete: false when there were more attempts than are looked through at once
 */
export async function readRecords(
	service: ServiceClient,
	webhookId: string,
	since = Number.NEGATIVE_INFINITY,
): Promise<{ records: RecordedDelivery[]; complete: boolean }> {
	const found = new Map<string, RecordedDelivery>();
	let read = 0;
	let complete = true;
	let before = Number.POSITIVE_INFINITY;
	let oldOnes = 0;
	let descending = true;
	for await (const record of listEntries(
		service,
		'listWebhookEvents',
		{ path: { webhookId } },
		'events',
	)) {
		const at = Date.parse(asText(record.delivered) ?? '');
		descending &&= !(at > before);
		before = at;
		oldOnes = at < since ? oldOnes + 1 : 0;
		const delivery = readDelivery(record.payload);
		if (delivery !== undefined && !(at < since)) note(found, delivery, record);
		// As many in a row as a page holds: what was delivered at about the same time can stand in any
		// order.
		if (descending && oldOnes >= service.limits.pageSize) break;
		if (++read >= MOST_RECORDS) {
			complete = false;
			break;
		}
	}
	const records = [...found.values()];
	return { records: descending ? records.reverse() : records, complete };
}

function note(found: Map<string, RecordedDelivery>, delivery: Delivery, record: IDataObject): void {
	const known = found.get(delivery.key);
	const arrived = asObject(record.response).code === 200;
	const at = asText(record.delivered) ?? '';
	if (known === undefined) found.set(delivery.key, { delivery, at, arrived });
	else
		Object.assign(known, { arrived: known.arrived || arrived, at: at > known.at ? at : known.at });
}
