import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { listWebhooks } from '../../service/resources/webhooks';
import { isSameAddress, pointsTo } from '../authenticity/callbackSecret';
import { forgetSubscription, keepSecrets, renewSecrets, type SubscriptionMemory } from './memory';
import { checkFormer, disown, mayMove } from './moved';
import { bringTo, create, sameEvents, type Repair, type Wanted } from './registration';
import { read, remove, sweep } from './webhookCalls';

export type { SubscriptionMemory } from './memory';
export type { Wanted } from './registration';

/*
 * One subscription at the service (docs/service/webhooks.md#create-a-webhook). Ours is what stands at
 * the URL that n8n gave this node; nothing else is ever changed or removed. Test and production have
 * their own URLs, IDs and secrets.
 */

/**
 * Finds the webhook of this node and updates its URL, events and key to what is wanted. One that
 * stands at our URL is ours, whatever n8n has stored: a look may have created it, or n8n may have
 * lost what was stored.
 * @returns what had to be done to it; undefined when there is none
 * @throws ServiceFailure
 */
export async function adopt(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<Repair | undefined> {
	disown(memory, wanted);
	service.keepSecret(memory.secret ?? '');
	const found = await findOwn(service, memory, wanted);
	if (found === undefined) {
		delete memory.webhookId;
		return undefined;
	}
	memory.webhookId = String(found.id);
	memory.signatureHeader = wanted.signatureHeader;
	if (found.url === undefined)
		return isSameAddress(memory.callback, wanted.address) &&
			sameEvents(memory.events ?? [], wanted.events)
			? 'intact'
			: undefined;
	if (memory.secret === undefined) renewSecrets(memory, wanted.address);
	keepSecrets(service, memory);
	const repaired = await bringTo(service, memory, wanted, found);
	if (wanted.owner !== undefined) memory.owner = wanted.owner;
	await sweep(service, wanted, memory.webhookId);
	return repaired;
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
	disown(memory, wanted);
	service.keepSecret(memory.secret ?? '');
	await sweep(service, wanted);
	renewSecrets(memory, wanted.address);
	keepSecrets(service, memory);
	memory.signatureHeader = wanted.signatureHeader;
	delete memory.webhookId;
	memory.webhookId = await create(service, memory, wanted);
	if (wanted.owner !== undefined) memory.owner = wanted.owner;
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
	keepSecrets(service, memory);
	await sweep(service, { address });
	if (!(await removeOwn(service, memory, address))) return false;
	forgetSubscription(memory);
	return true;
}

/**
 * Removes the webhook alone, if it is still ours.
 * @returns false when the service doesn't offer deletion
 * @throws ServiceFailure
 */
export async function removeOwn(
	service: ServiceClient,
	memory: SubscriptionMemory,
	address: string,
): Promise<boolean> {
	const { webhookId } = memory;
	const subscription = webhookId === undefined ? undefined : await read(service, webhookId);
	if (webhookId === undefined || subscription === undefined) return true;
	const { url } = subscription;
	if (url !== undefined && !isSameAddress(url, address) && !isAtOtherAddress(memory, url))
		return true;
	await remove(service, webhookId);
	return !(await listWebhooks(service)).some(({ id }) => id === webhookId);
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
	keepSecrets(service, memory);
	await checkFormer(service, memory, wanted);
	const all = await listWebhooks(service);
	const here = all.filter(({ url }) => isSameAddress(url, wanted.address));
	const listed = all.find(({ id }) => id !== undefined && id === memory.webhookId);
	const found =
		here.find(({ id }) => id === memory.webhookId) ??
		(listed?.url === undefined ? listed : undefined) ??
		here.find(({ url }) => pointsTo(url, memory.callback)) ??
		here.at(-1);
	if (found !== undefined) memory.webhookId = String(found.id);
	await sweep(service, wanted, memory.webhookId, all);
	if (found?.url !== undefined) return await bringTo(service, memory, wanted, found);
	if (found !== undefined) return 'intact';
	memory.webhookId = await create(service, memory, wanted);
	return 'created';
}

/** Finds the webhook that is ours: by its ID, or at our URL. */
async function findOwn(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<IDataObject | undefined> {
	const { webhookId, secret, callback } = memory;
	if (webhookId !== undefined && secret !== undefined && callback !== undefined) {
		const known = await read(service, webhookId);
		if (
			known !== undefined &&
			(known.url === undefined || isSameAddress(known.url, wanted.address))
		)
			return known;
		if (
			known !== undefined &&
			isAtOtherAddress(memory, known.url) &&
			(await mayMove(service, memory, wanted))
		)
			return known;
	}
	const here = (await listWebhooks(service)).filter(
		({ id, url }) => id !== undefined && isSameAddress(url, wanted.address),
	);
	return here.find(({ url }) => pointsTo(url, callback)) ?? here.at(-1);
}

/** Whether a webhook stands where we had put it, although n8n has another address now. */
function isAtOtherAddress({ callback }: SubscriptionMemory, url: unknown): boolean {
	return pointsTo(url, callback);
}
