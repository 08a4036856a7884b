import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { toEventRecord } from '../../transport/answers/shapes';
import { streamEntries } from '../../transport/answers/pages';
import type { Call, ServiceClient } from '../../transport/client';
import { OK } from '../../transport/http/statuses';
import {
	asObject,
	asObjects,
	asText,
	copyJson,
	isObject,
	parseIfJson,
	withoutEmpty,
} from '../../values/json';
import { toCurrentName } from './eventSelection';

/* Reads events, from deliveries as well as from the event records of a webhook. */

/**
 * One event of the service as the trigger handles it, whether it was delivered or comes from the
 * event records.
 */
export interface Delivery {
	event: string;
	transactionId?: string;
	/** ISO 8601, where the service says it (docs/service/webhooks.md#data-of-deliveries). */
	occurred?: string;
	data: IDataObject;
	/** Identifies the event: the same for all of its deliveries, different from any other event's. */
	key: string;
}

/**
 * Reads a payload: `{event, data: {transaction_id, ...}}` (docs/service/webhooks.md#deliveries), as
 * JSON text or as an object.
 * @returns undefined when the payload isn't an event
 */
export function parseDelivery(payload: unknown): Delivery | undefined {
	const content = asObject(parseIfJson(payload));
	const name = asText(content.event);
	const body = name === undefined ? undefined : copyContent(content);
	if (name === undefined || body === undefined) return undefined;
	const data = asObject(body.data);
	const delivery = {
		event: toCurrentName(name),
		transactionId: asText(data.transaction_id),
		occurred: asText(data.date_occurred),
		data,
	};
	return { ...delivery, key: buildDeliveryKey(delivery, body) };
}

/** The content of a payload, whose data may be JSON text; undefined when it is nested too deeply. */
function copyContent(body: IDataObject): IDataObject | undefined {
	const data = 'data' in body && { data: parseIfJson(body.data) as IDataObject };
	try {
		return asObject(copyJson({ ...body, ...data }));
	} catch {
		return undefined;
	}
}

/**
 * Reads the event of an event record (docs/service/webhooks.md#event-records). A payload that is an
 * object may be the data alone (docs/service/webhooks.md#signing-status-payload); the record itself
 * then names the event.
 * @returns undefined when the record isn't about an event
 */
export function parseRecordedDelivery({ event, payload }: IDataObject): Delivery | undefined {
	const delivery = parseDelivery(payload);
	if (delivery !== undefined) return delivery;
	const data = parseIfJson(payload);
	return isObject(data) ? parseDelivery({ event, data }) : undefined;
}

/**
 * Makes the key of an event. No ID of a delivery is reliable, so event, transaction and date make
 * the key, or the content where one of them is missing (docs/service/webhooks.md#request-id). Two
 * events of a transaction can have the same date, so the key also has what they are about. The content
 * is compared by meaning, because a payload that is text in a delivery may be an object in an event
 * record.
 */
function buildDeliveryKey(
	{ event, transactionId, occurred, data }: Omit<Delivery, 'key'>,
	body: IDataObject,
): string {
	const subject = describeSubject(data);
	const content =
		occurred === undefined || transactionId === undefined
			? toSortedJson({ ...body, event })
			: JSON.stringify([event, transactionId, occurred, ...(subject === '{}' ? [] : [subject])]);
	return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/**
 * What an event is about besides its transaction: document, meeting, notary and signers
 * (docs/service/webhooks.md#data-of-deliveries). Links are left out, because a repeat may have other
 * ones; so are names, which say nothing that the IDs don't.
 * @returns JSON; `{}` when there is nothing
 */
function describeSubject({ document, meeting, notary_id: notary, signers }: IDataObject): string {
	const results = asObjects(signers).map((signer) =>
		Object.fromEntries(
			Object.entries(signer).filter(([name]) => /^signer_id$|_passed$|^signing_status$/.test(name)),
		),
	);
	return toSortedJson(
		withoutEmpty({
			document: asText(asObject(document).document_id),
			meeting: asText(asObject(meeting).meeting_id),
			notary: asText(notary),
			signers: results.length > 0 ? results.map(toSortedJson).sort() : undefined,
		}),
	);
}

/** JSON whose fields are sorted in every object. */
function toSortedJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(toSortedJson).join()}]`;
	if (!isObject(value)) return JSON.stringify(value) ?? 'null';
	const fields = Object.keys(value).sort();
	return `{${fields.map((name) => `${JSON.stringify(name)}:${toSortedJson(value[name])}`).join()}}`;
}

/**
 * What n8n answers to every call, with 200, while it starts and before it knows any workflow. The
 * service takes such a delivery for done, so nobody delivers its event again.
 */
const STARTING_ANSWER = /^\W*n8n is starting up/i;

/** What the trigger answers to every call that it takes, so that nobody else's answer is taken for it. */
export const TRIGGER_ANSWER = 'Received by the Sign and Close Trigger';

/**
 * Whether the delivery of an event record was answered with 200, which alone is success
 * (docs/service/webhooks.md#retries), by something that has read it. A code may be a number or text.
 * @param ofTrigger whether the webhook calls a trigger of this package. There, a proxy's maintenance
 *   page may stand instead of its answer. Where the record has no body, the code decides
 */
export function hasArrived(record: IDataObject, ofTrigger: boolean): boolean {
	const response = toEventRecord(record)?.response;
	if (response?.code !== OK) return false;
	const body = response.body ?? undefined;
	if (body === undefined) return true;
	return ofTrigger ? body.includes(TRIGGER_ANSWER) : !STARTING_ANSWER.test(body);
}

/** An event with what its records say about its deliveries. */
export interface RecordedDelivery {
	delivery: Delivery;
	/** ISO 8601, time of the newest delivery. */
	at: string;
	/** Whether any delivery has arrived. */
	arrived: boolean;
}

/** What is read of the event records. */
interface RecordQuery {
	/** Whether the webhook calls a trigger of this package. */
	ofTrigger: boolean;
	/**
	 * Milliseconds since 1970; older deliveries are left out, and not fetched where the service lists the
	 * newest first.
	 */
	since?: number;
	/** Whether somebody waits, so that a failing request is hardly repeated. */
	isUrgent?: boolean;
	/**
	 * Whether the data of an event is needed. Only what identifies the others is kept, so that many
	 * records need little memory.
	 */
	isNeeded?: (recorded: RecordedDelivery) => boolean;
	/** Whether to stop reading. */
	isClosed?: () => boolean;
}

/**
 * Reads the event records of a webhook (docs/service/webhooks.md#event-records) and returns each
 * event once, whatever the number of its deliveries, the oldest first.
 * @throws ServiceFailure
 */
export async function fetchRecords(
	service: ServiceClient,
	webhookId: string,
	query: RecordQuery,
): Promise<RecordedDelivery[]> {
	const { since = Number.NEGATIVE_INFINITY, isNeeded = () => true } = query;
	const recordsByKey = new Map<string, RecordedDelivery>();
	let previous = Number.NaN;
	// Deliveries of about the same time can be in any order, so the most pairs of neighbours count.
	let rises = 0;
	let oldCount = 0;
	let latestTime = '';
	const call: Call = { path: { webhookId }, urgent: query.isUrgent };
	for await (const record of streamEntries(service, 'listWebhookEvents', call)) {
		if (query.isClosed?.() === true) break;
		const delivery = parseRecordedDelivery(record);
		// A record without a time is about as old as its event, or as the record beside it.
		latestTime = [record.delivered, delivery?.occurred].map(asText).find(isTime) ?? latestTime;
		const time = Date.parse(latestTime);
		rises += Math.sign(time - previous) || 0;
		previous = time;
		oldCount = time < since ? oldCount + 1 : 0;
		if (delivery !== undefined && !(time < since)) {
			const { at, arrived } = recordsByKey.get(delivery.key) ?? { at: latestTime, arrived: false };
			const recorded = {
				delivery,
				at: latestTime > at ? latestTime : at,
				arrived: arrived || hasArrived(record, query.ofTrigger),
			};
			if (!isNeeded(recorded)) recorded.delivery = { ...delivery, data: {} };
			recordsByKey.set(delivery.key, recorded);
		}
		// A whole page of old records in a row ends the search. Fewer wouldn't do: deliveries of about
		// the same time can be in any order.
		if (rises <= 0 && oldCount >= service.limits.pageSize) break;
	}
	const records = [...recordsByKey.values()];
	return rises <= 0 ? records.reverse() : records;
}

const isTime = (text = '') => !Number.isNaN(Date.parse(text));
