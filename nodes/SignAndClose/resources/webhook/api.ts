import type { IDataObject } from 'n8n-workflow';

import {
	reportDone,
	evaluateParts,
	mapVerdict,
	keepOpenIfLost,
	UNCERTAIN,
	type Goal,
	type FieldComparison,
} from '../../run/goals';
import { toWebhook } from '../../transport/answers/shapes';
import { fetchList, buildUnexpectedList, WRAPPERS } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import { asError, findFailure } from '../../transport/failure/failure';
import { buildUnexpectedAnswer } from '../../transport/failure/refusal';
import { isSuccess, lacksCall } from '../../transport/http/statuses';
import { asObject, asText, parseIfJson, withoutEmpty } from '../../values/json';
import type { FieldDifference } from '../../values/comparison';
import { hasArrived, parseRecordedDelivery } from './deliveries';
import { hasSecret } from './output';

/* Retrieves and reads webhooks and their event records (docs/service/webhooks.md). */

/**
 * Lists the webhooks of the key's organization. A documented-only service gives their identifiers
 * only (docs/service/webhooks.md#list-webhooks).
 * @param isUrgent whether somebody waits, so that a failing request is hardly repeated
 * @returns an entry without ID for each that doesn't say it
 * @throws ServiceFailure, also when the answer isn't a list: whether a webhook is there must not be
 *   judged by that
 */
export async function listWebhooks(service: ServiceClient, isUrgent = false) {
	return (await fetchList(service, 'listWebhooks', { urgent: isUrgent })).entries;
}

/**
 * Retrieves a webhook.
 * @throws ServiceFailure when the answer isn't a webhook, and e.g. on a documented-only service,
 *   which doesn't offer this
 */
export async function retrieveWebhook(
	service: ServiceClient,
	webhookId: string,
): Promise<IDataObject> {
	const webhook = toWebhook(await service.json('getWebhook', { path: { webhookId } })) ?? {};
	if (asText(webhook.id) === undefined && asText(webhook.url) === undefined)
		throw buildUnexpectedAnswer();
	return { id: webhookId, ...webhook };
}

/**
 * Whether a webhook calls a trigger of this package, by the secret in its URL.
 * @returns false as well where the service doesn't show it
 * @throws ServiceFailure when it can't be asked
 */
export async function isOfTrigger(service: ServiceClient, webhookId: string): Promise<boolean> {
	try {
		return hasSecret((await retrieveWebhook(service, webhookId)).url);
	} catch (thrown) {
		// There's no such call, or something else came than a webhook.
		const { httpStatus: status = 0 } = findFailure(thrown)?.flags ?? {};
		if (isSuccess(status) || lacksCall(status)) return false;
		throw asError(thrown);
	}
}

/**
 * Finds a webhook in the service's list. Every service has the list; a documented-only one has no
 * call for a single webhook.
 * @returns undefined when the list doesn't have it
 * @throws ServiceFailure, also when the list doesn't say all IDs
 */
export async function findWebhook(service: ServiceClient, webhookId: string) {
	const webhooks = await listWebhooks(service);
	const match = webhooks.find(({ id }) => id === webhookId);
	if (match === undefined && webhooks.some(({ id }) => asText(id) === undefined))
		throw buildUnexpectedAnswer();
	return match;
}

/**
 * The goal of a create: the service has a new webhook. It may answer with nothing
 * (docs/service/webhooks.md#create-a-webhook), and then the list is compared with the one from
 * before. After a lost answer, nobody knows whose webhook calls the URL, if one does.
 * @param before the webhooks that were there before; undefined when that isn't known
 */
export function buildCreatedGoal(
	service: ServiceClient,
	{ url, subscriptions }: IDataObject,
	before: IDataObject[] | undefined,
): Goal<IDataObject> {
	return {
		fromAnswer: (answer) => {
			const webhook = toWebhook(answer) ?? {};
			return asText(webhook.id) === undefined ? UNCERTAIN : reportDone(webhook);
		},
		look: async ({ isAnswered }) => {
			if (!isAnswered || before === undefined) return UNCERTAIN;
			const match = findOnlyNew(await listWebhooks(service), before, url);
			return match === undefined ? UNCERTAIN : reportDone({ url, subscriptions, ...match });
		},
		canTell: false,
		toCheck: "Check with 'Webhook: Get Many' whether there's a webhook with this URL now",
	};
}

/**
 * Finds the webhook that is new in a list, where only one can be meant.
 * @param before the webhooks that were there before; with one whose ID isn't known, none can be told
 * @param url URL of the new one, where the list shows URLs
 */
export function findOnlyNew(after: IDataObject[], before: IDataObject[], url: unknown) {
	const ids = new Set(before.map(({ id }) => id));
	const matches = after.filter(
		(webhook) => !ids.has(webhook.id) && (webhook.url === undefined || webhook.url === url),
	);
	return matches.length === 1 && !ids.has(undefined) ? matches[0] : undefined;
}

/** Fields of a webhook that answers show as they were written. */
const COMPARABLE_FIELDS = new Set(['url', 'subscriptions', 'headers', 'request_id_header_name']);

/** A webhook that was updated. */
interface WebhookUpdate {
	/** The webhook, where the service showed it. */
	webhook?: IDataObject;
	/** What the service took, but shows with another value than the one it was sent. */
	differing: FieldDifference[];
}

/**
 * The goal of an update: the service says that it's done, or the webhook shows the changes. What it
 * shows with a value of its own, or not at all, counts only after a success.
 * @param before the webhook as it was; undefined when that isn't known
 */
export function buildUpdatedGoal(
	service: ServiceClient,
	webhookId: string,
	changes: IDataObject,
	before?: IDataObject,
): Goal<WebhookUpdate> {
	const earlier = before && pickWritableFields(before);
	return {
		fromAnswer: (answer, isAnswered = true) =>
			isAnswered && asObject(answer).updated === true ? reportDone({ differing: [] }) : UNCERTAIN,
		look: async (lookup) => {
			const webhook = await retrieveWebhook(service, webhookId);
			const current = pickWritableFields(webhook);
			const parts = Object.entries(changes).map(([field, expected]): FieldComparison => ({
				field,
				expected,
				actual: current[field],
				isShown: COMPARABLE_FIELDS.has(field) && isSameValue(current[field], expected),
				isAnswered: COMPARABLE_FIELDS.has(field),
				earlier: earlier && { value: earlier[field] },
			}));
			const verdict = evaluateParts(parts, lookup.isAnswered);
			return keepOpenIfLost(
				mapVerdict(verdict, (differing) => ({ webhook, differing })),
				lookup,
			);
		},
		toCheck: "Check with 'Webhook: Get Many' whether the webhook shows the change",
	};
}

/** Whether two values are the same, lists in any order and header lines with or without a space. */
function isSameValue(left: unknown, right: unknown): boolean {
	const normalize = (value: unknown) =>
		Array.isArray(value)
			? value.map((line) => String(line).replace(/:\s*/, ':')).sort()
			: (value ?? null);
	return JSON.stringify(normalize(left)) === JSON.stringify(normalize(right));
}

/**
 * Returns the fields that an update of a webhook takes and that its answer shows. An update replaces
 * the whole webhook, so what is left out of it would be lost
 * (docs/service/webhooks.md#update-a-webhook).
 */
export function pickWritableFields(webhook: IDataObject): IDataObject {
	const { url, subscriptions, header, headers, request_id_header_name: requestId } = webhook;
	const lines = Array.isArray(headers) ? headers.map(toHeaderLine) : [];
	// `headers` disables `header`, which an answer shows in both.
	return withoutEmpty({
		url,
		subscriptions,
		...(lines.length > 0 ? { headers: lines } : { header }),
		request_id_header_name: requestId,
	});
}

function toHeaderLine(line: unknown): string {
	const { name, value } = asObject(line);
	return typeof line === 'string' ? line : `${String(name ?? '')}:${String(value ?? '')}`;
}

/**
 * Lists the names of the events that can be subscribed to
 * (docs/service/webhooks.md#list-events-to-subscribe-to).
 * @throws ServiceFailure, also when the answer has no such lists
 */
export async function listEventTypes(
	service: ServiceClient,
): Promise<Array<{ group: string; event: string }>> {
	const answer = await service.json('listEventTypes');
	const isName = (value: unknown): value is string => asText(value) !== undefined;
	const types = Object.entries(asObject(answer))
		.filter(([group]) => group !== 'errors' && !WRAPPERS.includes(group))
		.flatMap(([group, names]) =>
			(Array.isArray(names) ? names : []).filter(isName).map((event) => ({ group, event })),
		);
	if (types.length === 0) throw buildUnexpectedList(answer, (text) => service.redact(text));
	return types;
}

/**
 * Returns an event record with the transaction's ID at top level, the event's current name, and the
 * payload as an object (docs/service/webhooks.md#event-records).
 * @param ofTrigger whether the webhook calls a trigger of this package
 */
export function toRecordOutput(
	webhookId: string,
	record: IDataObject,
	ofTrigger: boolean,
): IDataObject {
	const delivery = parseRecordedDelivery(record);
	return {
		webhook_id: webhookId,
		transaction_id: delivery?.transactionId ?? null,
		delivered_successfully: hasArrived(record, ofTrigger),
		...record,
		...(delivery !== undefined && { event: delivery.event }),
		payload: parseIfJson(record.payload) as IDataObject,
	};
}
