import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../core/explainedFailure';
import type { ServiceClient } from '../../service/client';
import { asFailure, findFailure } from '../../service/errors/failure';
import { isChosen } from '../../service/resources/events';
import { listWebhooks, writableFields } from '../../service/resources/webhooks';
import { asObject, asText } from '../../service/values/json';
import { fingerprint, pointsTo, withSecret } from '../authenticity/callbackSecret';
import type { Owner, SubscriptionMemory } from './memory';
import { NOT_ASKED, onlyNew, remove } from './webhookCalls';

/* Writes a webhook of ours: creates it, or updates it to what is wanted. */

/** What a node wants its subscription to be. */
export interface Wanted {
	/** The URL that n8n listens at, without secret. */
	address: string;
	events: string[];
	/** Signing key of the credential. Without it, the subscription has a key of its own. */
	signingKey?: string;
	/** Name of the signature header, in lower case. */
	signatureHeader?: string;
	owner?: Owner;
	/** Whether the webhook gets a new secret, so that who still wants to remove it sees that it's in use. */
	renew?: boolean;
	/**
	 * Keeps the events that a webhook hasn't delivered, before it is removed with its records.
	 * @throws when they can't be read, so that it must not be removed
	 */
	keep?: (webhookId: string) => Promise<void>;
	/** Tells a person what the node leaves alone. */
	warn?: (text: string) => void;
}

/** What was done to a webhook. */
export type Repair = 'intact' | 'updated' | 'created';

/**
 * Writes what is wanted, and looks whether the service has done it. What an update doesn't change,
 * e.g. that it is disabled, takes a new webhook. A service may write URL and events in its own way,
 * so that later looks compare with what it showed.
 */
export async function bringTo(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
	found: IDataObject,
): Promise<Repair> {
	noteRequestIdHeader(memory, found);
	const callback = withSecret(wanted.address, memory.secret!);
	const keyMark = fingerprint(wanted.signingKey ?? memory.signingKey!);
	const isKnown =
		memory.callback === callback &&
		sameEvents(memory.events ?? [], wanted.events) &&
		found.url === memory.shown?.url &&
		sameEvents(eventsOf(found), memory.shown?.events ?? []);
	const isPlain = pointsTo(found.url, callback) && sameEvents(eventsOf(found), wanted.events);
	const isEnabled = found.enabled !== false || memory.neverEnabled === true;
	if (isEnabled && memory.keyMark === keyMark && (isKnown || isPlain)) {
		Object.assign(memory, { callback, events: wanted.events });
		return 'intact';
	}
	// What somebody has added to the webhook stays.
	await service.json('updateWebhook', {
		path: { webhookId: memory.webhookId! },
		body: {
			...writableFields(found),
			...bodyOf(callback, memory, wanted),
			...(found.enabled === false && { enabled: true }),
		},
	});
	Object.assign(memory, { callback, events: wanted.events, keyMark });
	const after = (await listWebhooks(service)).find(({ id }) => id === memory.webhookId);
	if (after?.url === undefined || isDone(after, callback, wanted.events)) {
		noteShown(memory, after ?? {});
		return 'updated';
	}
	await wanted.keep?.(memory.webhookId!);
	await remove(service, memory.webhookId!);
	memory.webhookId = await create(service, memory, wanted);
	return 'created';
}

/** Whether a webhook calls our URL with all events that are wanted, or with a list made of `*`. */
function isDone(after: IDataObject, callback: string, wanted: readonly string[]): boolean {
	const events = eventsOf(after);
	const covered = wanted.every((event) =>
		event.endsWith('*') ? events.length > 0 : isChosen(event, events),
	);
	return after.enabled !== false && pointsTo(after.url, callback) && covered;
}

function noteShown(memory: SubscriptionMemory, { url, subscriptions }: IDataObject): void {
	if (typeof url === 'string' && Array.isArray(subscriptions))
		memory.shown = { url, events: subscriptions.map(String) };
	else delete memory.shown;
}

/**
 * Creates the webhook.
 * @returns its ID, where the service says it
 * @throws ServiceFailure, ExplainedFailure
 */
export async function create(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<string | undefined> {
	const callback = memory.callback!;
	const before = new Set((await listWebhooks(service)).map(({ id }) => id));
	let answer: IDataObject;
	try {
		answer = asObject(
			await service.json('createWebhook', { body: bodyOf(callback, memory, wanted) }),
		);
	} catch (thrown) {
		// The URL holds a secret that nobody else knows, so a webhook with it is the one whose answer
		// was lost.
		const found =
			findFailure(thrown)?.flags.inDoubt === true
				? (await listWebhooks(service)).find(({ url }) => pointsTo(url, callback))
				: undefined;
		if (found === undefined) throw asFailure(thrown, NOT_ASKED);
		answer = found;
	}
	if (answer.url !== undefined && !pointsTo(answer.url, callback)) {
		throw new ExplainedFailure(
			'The service created a webhook for a different URL than requested',
			"Check 'Base URL' in the credential, and delete the webhook in the service",
		);
	}
	noteRequestIdHeader(memory, answer);
	noteShown(memory, answer);
	if (answer.enabled === false) {
		memory.neverEnabled = true;
		wanted.warn?.('the service keeps the webhook disabled, so it delivers no events');
	} else delete memory.neverEnabled;
	Object.assign(memory, {
		events: wanted.events,
		keyMark: fingerprint(wanted.signingKey ?? memory.signingKey!),
	});
	// A documented-only service answers with an empty body; the ID is then the one that is new in its
	// list.
	return asText(answer.id) ?? onlyNew(await listWebhooks(service), before, callback);
}

/** Notes where a delivery has its request ID (docs/service/webhooks.md#request-id). */
function noteRequestIdHeader(memory: SubscriptionMemory, webhook: IDataObject): void {
	memory.requestIdHeader = asText(webhook.request_id_header_name)?.toLowerCase();
}

function bodyOf(
	callback: string,
	memory: SubscriptionMemory,
	{ events, signingKey }: Wanted,
): IDataObject {
	return { url: callback, subscriptions: events, signing_key: signingKey ?? memory.signingKey! };
}

function eventsOf({ subscriptions }: IDataObject): string[] {
	return Array.isArray(subscriptions) ? subscriptions.map(String) : [];
}

/** Whether two lists hold the same events. */
export function sameEvents(one: readonly string[], other: readonly string[]): boolean {
	return [...one].sort().join() === [...other].sort().join();
}
