import type { IDataObject } from 'n8n-workflow';

import { listWebhooks } from '../../resources/webhook/api';
import { NEWER_EVENTS } from '../../resources/webhook/events';
import type { ServiceClient } from '../../transport/client';
import { asError, findFailure } from '../../transport/failure/failure';
import { getStatusMeaning } from '../../transport/http/statuses';
import { isSameUrl, isCallback, withoutSecret } from '../authenticity';
import { resetState, hideStateSecrets, renewSecrets, type TriggerState } from '../memory';
import {
	createOurWebhook,
	deleteOurWebhook,
	findById,
	hashRequest,
	isKept,
	updateOurWebhook,
	type Subscription,
	type WebhookSpec,
} from './webhookWrites';

/*
 * One subscription at the service (docs/service/webhooks.md#create-a-webhook). Ours is what stands at
 * the URL that n8n gave this node; nothing else is ever changed or removed. Test and production have
 * their own URLs, IDs and secrets.
 */

/**
 * Has the service call this node: brings its webhook to what is wanted, or creates it. A service that
 * refuses it because of newer events gets it without them.
 * @returns what had to be done
 * @throws ServiceFailure when the service refuses, ExplainedFailure when it created something else
 */
export async function subscribe(
	service: ServiceClient,
	memory: TriggerState,
	spec: WebhookSpec,
): Promise<'intact' | 'updated' | 'created'> {
	dropCopiedState(memory, spec);
	hideStateSecrets(service, memory);
	try {
		return await writeSubscription({ service, memory, spec });
	} catch (thrown) {
		const events = spec.events.filter((event) => !NEWER_EVENTS.includes(event));
		const refused = spec.events.filter((event) => NEWER_EVENTS.includes(event));
		const isRefused = getStatusMeaning(findFailure(thrown)?.flags.httpStatus) === 'againstRule';
		if (!isRefused || refused.length === 0 || events.length === 0) throw asError(thrown);
		const done = await writeSubscription({ service, memory, spec: { ...spec, events } });
		memory.notOffered = [...(memory.notOffered ?? []), ...refused];
		spec.warn(
			`this service refuses the event ${refused.join(', ')}, so the trigger runs without it. If it's there all the same, 'Any Transaction Event' brings it`,
		);
		return done;
	}
}

/** Brings the webhook to what is wanted, or creates it. */
async function writeSubscription(
	subscription: Subscription,
): Promise<'intact' | 'updated' | 'created'> {
	const { service, memory, spec } = subscription;
	const done = await updateExisting(subscription);
	memory.signatureHeader = spec.signatureHeader;
	if (done !== undefined) return done;
	if (spec.renew === true || !isSameUrl(memory.callback, spec.address))
		renewSecrets(service, memory, spec.address);
	memory.webhookId = await createOurWebhook(subscription);
	return 'created';
}

/**
 * Forgets what was copied along from another workflow or another instance. Where the address is the
 * same, n8n has given it to this workflow, which takes over. A webhook of its own at another address
 * stays there: n8n has moved, or this is a clone, whose original needs it.
 */
function dropCopiedState(memory: TriggerState, { owner, address, warn }: WebhookSpec): void {
	const { owner: before, callback, webhookId } = memory;
	if (callback !== undefined && !isSameUrl(callback, address)) {
		const isOurs =
			owner.workflowId === before?.workflowId && owner.instanceId === before.instanceId;
		if (!isOurs) resetState(memory);
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
 * Finds the webhook of this node and updates its URL, events and key to what is wanted. One that
 * stands at our URL is ours, whatever n8n has stored: a check may have created it, or n8n may have
 * lost what was stored. Others there are removed.
 * @returns what had to be done to it; undefined when there is none
 * @throws ServiceFailure
 */
async function updateExisting(subscription: Subscription) {
	const { service, memory, spec } = subscription;
	const all = await listWebhooks(service, true);
	const webhook = findOurWebhook(subscription, all);
	const isWritten =
		isSameUrl(memory.callback, spec.address) && memory.written === hashRequest(subscription);
	if (webhook === undefined) {
		// Where the list has identifiers only, nobody may know which one is ours.
		const isHidden = memory.webhookId === undefined && all.some(({ url }) => url === undefined);
		delete memory.webhookId;
		return isHidden && isWritten ? 'intact' : undefined;
	}
	memory.webhookId = String(webhook.id);
	const leftovers = all.filter(({ id }) => id !== memory.webhookId);
	await removeLeftovers(service, leftovers, spec);
	// A documented-only service shows no more than that it's there, and can't change it.
	if (webhook.url === undefined) return isWritten ? 'intact' : undefined;
	if (spec.renew === true || memory.secret === undefined)
		renewSecrets(service, memory, spec.address);
	return await updateOurWebhook(subscription, webhook);
}

/** Finds the webhook that is ours: by its ID, or at our URL. */
function findOurWebhook({ memory, spec }: Subscription, all: IDataObject[]) {
	const { webhookId, callback } = memory;
	const isHere = ({ id, url }: IDataObject) =>
		url === undefined ? id === webhookId : isSameUrl(url, spec.address);
	const candidates = all.filter((webhook) => webhook.id !== undefined && isHere(webhook));
	const sameId = candidates.find(({ id }) => id === webhookId);
	return sameId ?? candidates.find(({ url }) => isCallback(url, callback)) ?? candidates.at(-1);
}

/**
 * Removes webhooks at our URL, left behind by earlier runs or lost answers. One whose events can't be
 * kept stays for the next check.
 * @param leftovers webhooks of the service, without our own
 * @throws ServiceFailure
 */
async function removeLeftovers(
	service: ServiceClient,
	leftovers: IDataObject[],
	spec: Pick<WebhookSpec, 'address' | 'keep'>,
): Promise<void> {
	for (const { id, url } of leftovers)
		if (id !== undefined && isSameUrl(url, spec.address) && (await isKept(String(id), spec)))
			await deleteOurWebhook(service, String(id));
}

/**
 * Removes what stands at our URL, e.g. at the end of a test.
 * @throws ServiceFailure
 */
export async function unsubscribe(
	service: ServiceClient,
	{ webhookId }: TriggerState,
	address: string,
): Promise<void> {
	await removeLeftovers(service, await listWebhooks(service, true), { address });
	if (webhookId !== undefined) await deleteOurWebhook(service, webhookId);
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
	{ webhookId, callback }: TriggerState,
	keep: NonNullable<WebhookSpec['keep']>,
): Promise<boolean> {
	const webhook = await findById(service, webhookId);
	if (webhook?.url === undefined) return webhook === undefined;
	if (!isCallback(webhook.url, callback)) return true;
	await keep(webhookId!);
	// Reading takes a while, in which somebody may have published it.
	if (!isCallback((await findById(service, webhookId))?.url, callback)) return true;
	await deleteOurWebhook(service, webhookId!);
	return (await findById(service, webhookId)) === undefined;
}
