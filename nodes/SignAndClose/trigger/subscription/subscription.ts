import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../core/explainedFailure';
import type { ServiceClient } from '../../service/client';
import { asFailure, findFailure } from '../../service/errors/failure';
import type { RecordedDelivery } from '../../service/resources/deliveries';
import { listWebhooks, writableFields } from '../../service/resources/webhooks';
import { asObject, asText } from '../../service/values/json';
import { fingerprint, newSecret, withoutSecret, withSecret } from '../authenticity/callbackSecret';
import { NOT_ASKED, onlyNew, read, remove, sweep } from './webhookCalls';

/*
 * One subscription at the service (docs/service/webhooks.md#create-a-webhook). Ours is what we
 * created and what still points to the URL we gave it; nothing else is ever changed or removed.
 * Test and production have their own URLs, IDs and secrets, because n8n keeps their static data
 * apart.
 */

/** What the node keeps about its subscription in n8n's static data. */
export interface SubscriptionMemory extends IDataObject {
	webhookId?: string;
	/** The URL of the webhook, secret included. */
	callback?: string;
	secret?: string;
	/** The events of the webhook, which a documented-only service doesn't answer. */
	events?: string[];
	/** Fingerprint of the signing key, so that a changed credential is noticed. */
	keyMark?: string;
	/**
	 * The previous secret, accepted until then (milliseconds since 1970), so that deliveries under
	 * way aren't refused.
	 */
	previous?: { secret: string; until: number };
	/** Name of the signature header, so that a delivery is checked without reading the credential. */
	signatureHeader?: string;
	/** Name of the header with a delivery's request ID, in lower case, where the service says it. */
	requestIdHeader?: string;
	/**
	 * Events that hadn't arrived when the workflow was unpublished, which removes the webhook and its
	 * records. The next publishing emits them.
	 */
	undelivered?: RecordedDelivery[];
	/** In pull mode, everything recorded up to then has been emitted (ISO 8601). */
	recordsUntil?: string;
}

/** What a node wants its subscription to be. */
export interface Wanted {
	/** The URL that n8n listens at, without secret. */
	address: string;
	events: string[];
	/** Signing key of the credential. Without it, the URL's secret is the key. */
	signingKey?: string;
	/** Name of the signature header, in lower case. */
	signatureHeader?: string;
}

/** How long deliveries can be repeated (docs/service/webhooks.md#retries). */
const GRACE_MS = 48 * 3_600_000;

type Repair = 'intact' | 'updated' | 'created';

/**
 * Checks whether the service has the subscription, and updates its URL, events and key to what is
 * wanted.
 * @returns false when there is none that is ours
 * @throws ServiceFailure
 */
export async function adopt(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<boolean> {
	if (
		memory.webhookId === undefined ||
		memory.secret === undefined ||
		memory.callback === undefined
	)
		return false;
	memory.signatureHeader = wanted.signatureHeader;
	service.keepSecret(memory.secret);
	const subscription = await read(service, memory.webhookId);
	if (subscription === undefined || !isOurs(subscription, memory, wanted.address)) {
		delete memory.webhookId;
		return false;
	}
	if (subscription.url === undefined)
		return (
			withoutSecret(memory.callback) === wanted.address &&
			sameEvents(memory.events ?? [], wanted.events)
		);
	await bringTo(service, memory, wanted, subscription);
	return true;
}

/**
 * Creates the subscription, after removing webhooks that were left behind at this URL.
 * @throws ServiceFailure when the service refuses, ExplainedFailure when it created something else
 */
export async function subscribe(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<void> {
	await sweep(service, wanted.address);
	if (memory.secret !== undefined)
		memory.previous = { secret: memory.secret, until: Date.now() + GRACE_MS };
	const secret = newSecret();
	service.keepSecret(secret);
	Object.assign(memory, {
		webhookId: undefined,
		callback: withSecret(wanted.address, secret),
		secret,
		signatureHeader: wanted.signatureHeader,
	});
	memory.webhookId = await create(service, memory, wanted);
}

/**
 * Removes the subscription; one that is gone counts as removed. Nothing is forgotten when the
 * service can't be asked.
 * @returns false when the service doesn't offer deletion: the webhook stays, and is found when the
 *   workflow is published again
 * @throws ServiceFailure
 */
export async function unsubscribe(
	service: ServiceClient,
	memory: SubscriptionMemory,
	address: string,
): Promise<boolean> {
	service.keepSecret(memory.secret ?? '');
	await sweep(service, address);
	const { webhookId } = memory;
	if (webhookId !== undefined) {
		const subscription = await read(service, webhookId);
		if (subscription !== undefined && isOurs(subscription, memory, address)) {
			await remove(service, webhookId);
			if ((await listWebhooks(service)).some(({ id }) => id === webhookId)) return false;
		}
	}
	const previous =
		memory.secret === undefined
			? memory.previous
			: { secret: memory.secret, until: Date.now() + GRACE_MS };
	for (const key of Object.keys(memory)) delete memory[key];
	if (previous !== undefined) memory.previous = previous;
	return true;
}

/**
 * Restores a published subscription that was changed or removed at the service, with the same URL
 * and secret.
 * @throws ServiceFailure
 */
export async function repair(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<Repair> {
	if (memory.callback === undefined || memory.secret === undefined) return 'intact';
	service.keepSecret(memory.secret);
	const subscription =
		memory.webhookId === undefined ? undefined : await read(service, memory.webhookId);
	if (subscription !== undefined && isOurs(subscription, memory, wanted.address)) {
		await sweep(service, wanted.address, memory.webhookId);
		return subscription.url === undefined
			? 'intact'
			: (await bringTo(service, memory, wanted, subscription))
				? 'updated'
				: 'intact';
	}
	await sweep(service, wanted.address);
	memory.webhookId = await create(service, memory, wanted);
	return 'created';
}

/**
 * Whether a webhook with our ID is still ours: it points to our URL, or the service doesn't tell
 * where it points.
 */
function isOurs({ url }: IDataObject, memory: SubscriptionMemory, address: string): boolean {
	return url === undefined || url === memory.callback || withoutSecret(url) === address;
}

/** @returns whether anything had to be changed */
async function bringTo(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
	subscription: IDataObject,
): Promise<boolean> {
	noteRequestIdHeader(memory, subscription);
	const callback = withSecret(wanted.address, memory.secret!);
	const events = Array.isArray(subscription.subscriptions)
		? subscription.subscriptions.map(String)
		: [];
	const keyMark = fingerprint(wanted.signingKey ?? memory.secret!);
	if (
		subscription.url === callback &&
		subscription.enabled !== false &&
		sameEvents(events, wanted.events) &&
		memory.keyMark === keyMark
	)
		return false;
	// What somebody has added to the webhook stays.
	await service.json('updateWebhook', {
		path: { webhookId: memory.webhookId! },
		body: { ...writableFields(subscription), ...bodyOf(callback, memory.secret!, wanted) },
	});
	Object.assign(memory, { callback, events: wanted.events, keyMark });
	return true;
}

async function create(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<string | undefined> {
	const callback = memory.callback!;
	const before = new Set((await listWebhooks(service)).map(({ id }) => id));
	let answer: IDataObject;
	try {
		answer = asObject(
			await service.json('createWebhook', { body: bodyOf(callback, memory.secret!, wanted) }),
		);
	} catch (thrown) {
		// The URL holds a secret that nobody else knows, so a webhook with it is the one whose answer
		// was lost.
		const found =
			findFailure(thrown)?.flags.inDoubt === true
				? (await listWebhooks(service)).find(({ url }) => url === callback)
				: undefined;
		if (found === undefined) throw asFailure(thrown, NOT_ASKED);
		answer = found;
	}
	if (answer.url !== undefined && answer.url !== callback) {
		throw new ExplainedFailure(
			'The service created a webhook for a different URL than requested',
			"Check 'Base URL' in the credential, and delete the webhook in the service",
		);
	}
	noteRequestIdHeader(memory, answer);
	Object.assign(memory, {
		events: wanted.events,
		keyMark: fingerprint(wanted.signingKey ?? memory.secret!),
	});
	// A documented-only service answers with an empty body; the ID is then the one that is new in its
	// list.
	return asText(answer.id) ?? onlyNew(await listWebhooks(service), before, callback);
}

/** Notes where a delivery has its request ID (docs/service/webhooks.md#request-id). */
function noteRequestIdHeader(memory: SubscriptionMemory, webhook: IDataObject): void {
	memory.requestIdHeader = asText(webhook.request_id_header_name)?.toLowerCase();
}

function bodyOf(callback: string, secret: string, { events, signingKey }: Wanted): IDataObject {
	return { url: callback, subscriptions: events, signing_key: signingKey ?? secret };
}

function sameEvents(one: readonly string[], other: readonly string[]): boolean {
	return [...one].sort().join() === [...other].sort().join();
}
