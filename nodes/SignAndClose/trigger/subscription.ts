import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { asFailure, ServiceFailure } from '../service/failures';
import { asObject, asText } from '../service/wire';
import { newSecret, withoutSecret, withSecret } from './secret';

/**
 * One subscription at the service (interface.md §4, Create Webhook; §6). Test and production have addresses, ids and secrets of their own,
 * because n8n keeps their static data apart.
 */

/** What the node remembers about its subscription, in its static data. */
export interface SubscriptionMemory extends IDataObject {
	webhookId?: string;
	callback?: string;
	secret?: string;
}

export interface Wanted {
	/** The address n8n listens at, without secret. */
	address: string;
	events: string[];
	signingKey?: string;
}

/** Whether the subscription exists, is enabled, points here and asks for these events. */
export async function isSubscribed(service: ServiceClient, memory: SubscriptionMemory, wanted: Wanted): Promise<boolean> {
	if (memory.webhookId === undefined || memory.secret === undefined || withoutSecret(memory.callback) !== wanted.address) return false;
	const subscription = await read(service, memory.webhookId);
	return subscription !== undefined && fits(subscription, memory.callback, wanted);
}

/**
 * Creates the subscription. What an earlier run left behind at this very address is removed first; a subscription at any other address
 * is never touched.
 * @throws ServiceFailure when the service refuses
 */
export async function subscribe(service: ServiceClient, memory: SubscriptionMemory, wanted: Wanted): Promise<void> {
	await removeOwn(service, memory, wanted.address);
	const secret = newSecret();
	const callback = withSecret(wanted.address, secret);
	const before = new Set((await list(service)).map(({ id }) => id));
	const answer = asObject(
		await service.json('createWebhook', {
			body: { url: callback, subscriptions: wanted.events, ...(wanted.signingKey && { signing_key: wanted.signingKey }) },
		}),
	);
	// A documented-only service answers with nothing: the new id is the one that was not there before.
	const webhookId = asText(answer.id) ?? onlyNew(await list(service), before, callback);
	Object.assign(memory, { webhookId, callback, secret });
}

/** Removes the subscription; one that is gone already counts as removed. Nothing is forgotten when the service can't be asked. */
export async function unsubscribe(service: ServiceClient, memory: SubscriptionMemory, address: string): Promise<void> {
	await removeOwn(service, memory, address);
	delete memory.webhookId;
	delete memory.callback;
	delete memory.secret;
}

/** Brings a subscription that was changed or removed at the service back to what the workflow wants. */
export async function repair(service: ServiceClient, memory: SubscriptionMemory, wanted: Wanted): Promise<'intact' | 'updated' | 'created'> {
	if (memory.webhookId === undefined || memory.callback === undefined) return 'intact';
	const subscription = await read(service, memory.webhookId);
	const body: IDataObject = { url: memory.callback, subscriptions: wanted.events, ...(wanted.signingKey && { signing_key: wanted.signingKey }) };
	if (subscription === undefined) {
		const own = (await list(service)).find(({ url }) => url === memory.callback);
		memory.webhookId = own?.id ?? asText(asObject(await service.json('createWebhook', { body })).id);
		return own === undefined ? 'created' : 'intact';
	}
	if (fits(subscription, memory.callback, wanted)) return 'intact';
	await service.json('updateWebhook', { path: { webhookId: memory.webhookId }, body });
	return 'updated';
}

interface Listed {
	id: string;
	url?: string;
}

/** The subscriptions of the key: whole ones, or identifiers alone (interface.md §4, List Webhooks). */
async function list(service: ServiceClient): Promise<Listed[]> {
	const answer = await service.json('listWebhooks');
	const entries: unknown[] = Array.isArray(answer) ? answer : [];
	return entries.flatMap((entry): Listed[] => {
		const id = asText(entry) ?? asText(asObject(entry).id);
		return id === undefined ? [] : [{ id, url: asText(asObject(entry).url) }];
	});
}

/** @returns undefined when the service does not have it any more */
async function read(service: ServiceClient, webhookId: string): Promise<IDataObject | undefined> {
	try {
		return asObject(await service.json('getWebhook', { path: { webhookId } }));
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
		// A documented-only service does not offer this; its list tells at least that the subscription is there.
		const listed = (await list(service)).find(({ id }) => id === webhookId);
		return listed && { ...listed };
	}
}

function fits(subscription: IDataObject, callback: unknown, { events }: Wanted): boolean {
	const names = Array.isArray(subscription.subscriptions) ? subscription.subscriptions.map(String).sort() : events;
	return (subscription.url ?? callback) === callback && subscription.enabled !== false && names.join() === [...events].sort().join();
}

async function removeOwn(service: ServiceClient, memory: SubscriptionMemory, address: string): Promise<void> {
	const own = new Set((await list(service)).filter(({ url }) => url !== undefined && withoutSecret(url) === address).map(({ id }) => id));
	// An id alone may be reused by the service for somebody else's: it counts only when the list can't tell addresses.
	const known = memory.webhookId;
	if (known !== undefined && (await list(service)).some(({ id, url }) => id === known && url === undefined)) own.add(known);
	for (const webhookId of own) {
		try {
			await service.json('deleteWebhook', { path: { webhookId } });
		} catch (thrown) {
			if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
		}
	}
}

function onlyNew(after: Listed[], before: ReadonlySet<string>, callback: string): string | undefined {
	const fresh = after.filter(({ id, url }) => !before.has(id) && (url === undefined || url === callback));
	return fresh.length === 1 ? fresh[0].id : undefined;
}

function isNotFound(thrown: unknown): boolean {
	return thrown instanceof ServiceFailure && thrown.details.httpStatus === 404;
}

const NOT_ASKED = new ServiceFailure('The service could not be asked about its webhooks', { remedy: 'Publish the workflow again' });
