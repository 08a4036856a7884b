import type { IDataObject } from 'n8n-workflow';

import { retrieveOrganization } from '../resources/account/api';
import { listWebhooks } from '../resources/webhook/api';
import type { ServiceClient } from '../transport/client';
import { plainId } from '../values/ids';
import { asText } from '../values/json';
import { isSameAddress, pointsTo, withoutSecret } from './authenticity';
import { keepSecrets, renewSecrets, type SubscriptionMemory, beginAnew } from './memory';
import {
	bringTo,
	create,
	isKept,
	remove,
	writtenBy,
	type Repair,
	type Wanted,
} from './registration';

/*
 * One subscription at the service (docs/service/webhooks.md#create-a-webhook). Ours is what stands at
 * the URL that n8n gave this node; nothing else is ever changed or removed. Test and production have
 * their own URLs, IDs and secrets.
 */

/**
 * Has the service call this node: brings its webhook to what is wanted, or creates it.
 * @returns what had to be done
 * @throws ServiceFailure when the service refuses, ExplainedFailure when it created something else
 */
export async function subscribe(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<Repair> {
	disown(memory, wanted);
	keepSecrets(service, memory);
	const done = await adopt(service, memory, wanted);
	memory.signatureHeader = wanted.signatureHeader;
	if (done !== undefined) return done;
	if (wanted.renew === true || !isSameAddress(memory.callback, wanted.address))
		renewSecrets(memory, wanted.address);
	keepSecrets(service, memory);
	memory.webhookId = await create(service, memory, wanted);
	return 'created';
}

/**
 * Finds the webhook of this node and updates its URL, events and key to what is wanted. One that
 * stands at our URL is ours, whatever n8n has stored: a check may have created it, or n8n may have
 * lost what was stored. Others there are removed.
 * @returns what had to be done to it; undefined when there is none
 * @throws ServiceFailure
 */
async function adopt(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
): Promise<Repair | undefined> {
	const all = await listWebhooks(service, true);
	const found = findOwn(all, memory, wanted);
	const isWritten =
		isSameAddress(memory.callback, wanted.address) && memory.written === writtenBy(memory, wanted);
	if (found === undefined) {
		// Where the list has identifiers only, nobody may know which one is ours.
		const isHidden = memory.webhookId === undefined && all.some(({ url }) => url === undefined);
		delete memory.webhookId;
		return isHidden && isWritten ? 'intact' : undefined;
	}
	memory.webhookId = String(found.id);
	await sweep(service, wanted, all, memory.webhookId);
	// A documented-only service shows no more than that it's there, and can't change it.
	if (found.url === undefined) return isWritten ? 'intact' : undefined;
	if (wanted.renew === true || memory.secret === undefined) renewSecrets(memory, wanted.address);
	keepSecrets(service, memory);
	return await bringTo(service, memory, wanted, found);
}

/**
 * Removes what stands at our URL, e.g. at the end of a test.
 * @throws ServiceFailure
 */
export async function unsubscribe(
	service: ServiceClient,
	{ webhookId }: SubscriptionMemory,
	address: string,
): Promise<void> {
	await sweep(service, { address }, await listWebhooks(service, true));
	if (webhookId !== undefined) await remove(service, webhookId);
}

/**
 * Removes a webhook if nobody uses it: it still has the URL, secret included, that it had when its
 * workflow was unpublished. Whoever publishes the workflow again, in whatever process, changes that.
 * @param keep keeps the events that it hasn't delivered
 * @returns false when the webhook stays: it can't be seen whether it's used, or the service doesn't
 *   offer deletion
 * @throws ServiceFailure
 */
export async function removeUnused(
	service: ServiceClient,
	{ webhookId, callback }: SubscriptionMemory,
	keep: NonNullable<Wanted['keep']>,
): Promise<boolean> {
	const find = async () => (await listWebhooks(service, true)).find(({ id }) => id === webhookId);
	const webhook = await find();
	if (webhook?.url === undefined) return webhook === undefined;
	if (!pointsTo(webhook.url, callback)) return true;
	await keep(webhookId!);
	// Reading takes a while, in which somebody may have published it.
	if (!pointsTo((await find())?.url, callback)) return true;
	await remove(service, webhookId!);
	return (await find()) === undefined;
}

/** Finds the webhook that is ours: by its ID, or at our URL. */
function findOwn(
	all: IDataObject[],
	{ webhookId, callback }: SubscriptionMemory,
	{ address }: Wanted,
): IDataObject | undefined {
	const listed = all.find(({ id }) => id !== undefined && id === webhookId);
	if (listed !== undefined && (listed.url === undefined || isSameAddress(listed.url, address)))
		return listed;
	const here = all.filter(({ id, url }) => id !== undefined && isSameAddress(url, address));
	return here.find(({ url }) => pointsTo(url, callback)) ?? here.at(-1);
}

/**
 * Removes webhooks at our URL, left behind by earlier runs or lost answers, except our own. One whose
 * events can't be kept stays for the next check.
 * @param all the webhooks of the service
 * @param own ID of the webhook that stays
 * @throws ServiceFailure
 */
async function sweep(
	service: ServiceClient,
	{ address, keep }: Pick<Wanted, 'address' | 'keep'>,
	all: IDataObject[],
	own?: string,
): Promise<void> {
	for (const { id, url } of all) {
		if (id === undefined || id === own || !isSameAddress(url, address)) continue;
		if (await isKept(String(id), { keep })) await remove(service, String(id));
	}
}

/*
 * Whose memory it is: that of this workflow in this n8n, and of this account. What was copied along, or
 * belongs to another account, is forgotten.
 */

/**
 * Forgets what was copied along from another workflow or another instance. Where the address is the
 * same, n8n has given it to this workflow, which takes over. A webhook of its own at another address
 * stays there: n8n has moved, or this is a clone, whose original needs it.
 */
function disown(memory: SubscriptionMemory, { owner, address, warn }: Wanted): void {
	const { owner: before, callback, webhookId } = memory;
	if (callback !== undefined && !isSameAddress(callback, address)) {
		const isOurs =
			owner.workflowId === before?.workflowId && owner.instanceId === before.instanceId;
		if (!isOurs) beginAnew(memory);
		else if (webhookId !== undefined) {
			warn(
				`n8n has another URL now, so this workflow gets a new webhook. The webhook ${webhookId} stays at ${withoutSecret(callback)}. If nobody answers there any more, look with 'Webhook: Get Missed Events' for what it has missed, and delete it in the service`,
			);
			delete memory.webhookId;
		}
	}
	memory.owner = owner;
}

/**
 * Forgets what belongs to another organization. Another key of the same one changes nothing.
 * @returns false when everything was forgotten
 */
export async function checkAccount(
	service: ServiceClient,
	memory: SubscriptionMemory,
	warn: (text: string) => void,
): Promise<boolean> {
	const { account: before, webhookId, undelivered = [] } = memory;
	const { account: key, origin } = service.settings;
	if (before?.key === key) return true;
	const id = await retrieveOrganization(service, true).then(
		({ id: own }) => asText(own),
		() => undefined,
	);
	if (id === undefined) {
		// The next check asks again.
		if (before !== undefined)
			warn(
				"the service doesn't tell to which organization the API key belongs. If it's another one than before, unpublish the workflow, and publish a copy of it",
			);
		return true;
	}
	const organization = `${origin} ${plainId(id)}`;
	const isOurs = before === undefined || before.organization === organization;
	if (!isOurs) {
		warn(
			`the API key belongs to another organization than before, so this trigger begins anew. The webhook ${webhookId ?? 'of before'} and ${undelivered.length} events that hadn't arrived are the other one's`,
		);
		beginAnew(memory);
	}
	memory.account = { key, organization };
	return isOurs;
}
