import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { RecordedDelivery } from '../../service/resources/deliveries';
import { ExplainedFailure } from '../../core/failures';
import { asFailure, findFailure, isNotFound } from '../../service/errors/failure';
import { listWebhooks, retrieveWebhook } from '../../service/resources/webhooks';
import { asObject, asText } from '../../service/values/json';
import { fingerprint, newSecret, withoutSecret, withSecret } from '../authenticity/callbackSecret';

/**
 * One subscription at the service (interface.md §4, Create Webhook; §6). Ours is what we created
 * and what still points to the address we gave it; nothing else is ever changed or removed. Test
 * and production have addresses, ids and secrets of their own, because n8n keeps their static data
 * apart.
 */

/** What the node remembers about its subscription, in its static data. */
export interface SubscriptionMemory extends IDataObject {
	webhookId?: string;
	/** The address the subscription was given, secret included. */
	callback?: string;
	secret?: string;
	/** Events it asks for: a documented-only service does not tell them. */
	events?: string[];
	/** Fingerprint of the key the service signs with, so that a changed credential is noticed. */
	keyMark?: string;
	/**
	 * The secret before this one, still accepted until then (milliseconds since 1970): what was under
	 * way is not turned away.
	 */
	previous?: { secret: string; until: number };
	/**
	 * Header of the signature, as the credential names it: a delivery is checked without opening the
	 * credential.
	 */
	signatureHeader?: string;
	/**
	 * Events that had not arrived when the workflow was unpublished, which takes the webhook and its
	 * records away: the next publishing emits them.
	 */
	undelivered?: RecordedDelivery[];
	/** In pull mode: everything recorded up to then has been emitted (ISO 8601). */
	recordsUntil?: string;
}

export interface Wanted {
	/** The address n8n listens at, without secret. */
	address: string;
	events: string[];
	/** Key of the credential; without it the secret of the address is handed over. */
	signingKey?: string;
	/** Name of the header with the signature, in lower case. */
	signatureHeader?: string;
}

/** The service delivers again for up to 48 hours (gaps.md §2). */
const GRACE_MS = 48 * 3_600_000;

type Repair = 'intact' | 'updated' | 'created';

/**
 * Looks whether the subscription is there and brings it to what is wanted: its address, events and
 * key by an update.
 * @returns false when there is none that is ours; what is known of it is forgotten then
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
 * Creates the subscription. What an earlier life left behind at this very address is removed first.
 * @throws ServiceFailure when the service refuses, or when it made something else than was asked
 *   for
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
 * @returns false when the service does not offer removing: it stays, and is known again when the
 *   workflow is published anew
 */
export async function unsubscribe(
	service: ServiceClient,
	memory: SubscriptionMemory,
	address: string,
): Promise<boolean> {
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
 * Brings a published subscription that was changed or removed at the service back to what the
 * workflow wants, under the same address and secret.
 */
export async function repair(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<Repair> {
	if (memory.callback === undefined || memory.secret === undefined) return 'intact';
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
 * The subscription has our id; it is still ours when it points to where we pointed it, or when the
 * service does not tell where it points.
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
	await service.json('updateWebhook', {
		path: { webhookId: memory.webhookId! },
		body: bodyOf(callback, memory.secret!, wanted),
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
		// The address holds a secret nobody else knows: what is found under it is what was asked for,
		// although the answer was lost.
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
	Object.assign(memory, {
		events: wanted.events,
		keyMark: fingerprint(wanted.signingKey ?? memory.secret!),
	});
	// A documented-only service answers with nothing: the new id is the one that was not there
	// before.
	return asText(answer.id) ?? onlyNew(await listWebhooks(service), before, callback);
}

function bodyOf(callback: string, secret: string, { events, signingKey }: Wanted): IDataObject {
	return { url: callback, subscriptions: events, signing_key: signingKey ?? secret };
}

/**
 * Removes what stands at our very address, except the one that is kept: leftovers of an earlier
 * life or of a lost answer.
 */
async function sweep(service: ServiceClient, address: string, keep?: string): Promise<void> {
	for (const { id, url } of await listWebhooks(service)) {
		if (id !== keep && url !== undefined && withoutSecret(url) === address)
			await remove(service, String(id));
	}
}

async function remove(service: ServiceClient, webhookId: string): Promise<void> {
	try {
		await service.json('deleteWebhook', { path: { webhookId } });
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
	}
}

/** @returns undefined when the service does not have it any more */
async function read(service: ServiceClient, webhookId: string): Promise<IDataObject | undefined> {
	try {
		return await retrieveWebhook(service, webhookId);
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
		// A documented-only service does not offer this; its list tells at least that the subscription
		// is there.
		return (await listWebhooks(service)).find(
			({ id, url }) => id === webhookId && url === undefined,
		);
	}
}

function sameEvents(one: readonly string[], other: readonly string[]): boolean {
	return [...one].sort().join() === [...other].sort().join();
}

function onlyNew(
	after: IDataObject[],
	before: ReadonlySet<unknown>,
	callback: string,
): string | undefined {
	const fresh = after.filter(
		({ id, url }) => !before.has(id) && (url === undefined || url === callback),
	);
	return fresh.length === 1 ? String(fresh[0].id) : undefined;
}

const NOT_ASKED = new ExplainedFailure(
	"The service couldn't be asked about its webhooks",
	'Publish the workflow again',
);
