import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/failures';
import { listWebhooks, findOnlyNew, pickWritableFields } from '../../resources/webhook/api';
import { isSelected, NEWER_EVENTS } from '../../resources/webhook/events';
import type { ServiceClient } from '../../transport/client';
import { asError, asFailure, findFailure, isNotFound } from '../../transport/failure/failure';
import { getStatusMeaning } from '../../transport/http/statuses';
import { asObject, asText } from '../../values/json';
import { hashKey, isSameUrl, isCallback, withoutSecret, withSecret } from '../authenticity';
import { resetState, hideStateSecrets, renewSecrets, type TriggerState } from '../memory';
import { NOT_ANSWERED } from '../log';

/*
 * One subscription at the service (docs/service/webhooks.md#create-a-webhook). Ours is what stands at
 * the URL that n8n gave this node; nothing else is ever changed or removed. Test and production have
 * their own URLs, IDs and secrets.
 */

/** What a node wants its subscription to be. */
export interface WebhookSpec {
	/** The URL that n8n listens at, without secret. */
	address: string;
	events: string[];
	/** Signing key of the credential. Without it, the subscription has a key of its own. */
	signingKey?: string;
	/** Name of the signature header, in lower case. */
	signatureHeader: string;
	owner: NonNullable<TriggerState['owner']>;
	/** Whether the webhook gets a new secret, so that who still wants to remove it sees that it's in use. */
	renew?: boolean;
	/**
	 * Keeps the events that a webhook hasn't delivered, before it is removed with its records.
	 * @throws when they can't be read, so that it must not be removed
	 */
	keep?: (webhookId: string) => Promise<void>;
	/** Tells a person what the node leaves alone. */
	warn: (text: string) => void;
}

/** What is known of a subscription, and what it's to be. */
interface Subscription {
	service: ServiceClient;
	memory: TriggerState;
	spec: WebhookSpec;
}

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
	memory.webhookId = await createWebhook(subscription);
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
	return await updateWebhook(subscription, webhook);
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
			await deleteWebhook(service, String(id));
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
	if (webhookId !== undefined) await deleteWebhook(service, webhookId);
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
	await deleteWebhook(service, webhookId!);
	return (await findById(service, webhookId)) === undefined;
}

const findById = async (service: ServiceClient, webhookId: string | undefined) =>
	(await listWebhooks(service, true)).find(({ id }) => id === webhookId);

/* Writes a webhook of ours: creates it, or updates it to what is wanted. */

/**
 * Writes what is wanted, unless the webhook is as the last write left it, and looks whether the service
 * has done it. What an update doesn't change, e.g. that it is disabled, takes a new webhook. A service
 * may write URL and events in its own way.
 */
async function updateWebhook(subscription: Subscription, webhook: IDataObject) {
	const { service, memory, spec } = subscription;
	const webhookId = memory.webhookId!;
	memory.callback = withSecret(spec.address, memory.secret!);
	const written = hashRequest(subscription);
	if (
		memory.written === written &&
		(isDone(subscription, webhook) || describeState(webhook) === memory.shown)
	)
		return 'intact';
	// What somebody has added to the webhook stays.
	await service.json('updateWebhook', {
		path: { webhookId },
		body: {
			...pickWritableFields(webhook),
			...buildRequest(subscription),
			...(webhook.enabled === false && { enabled: true }),
		},
	});
	Object.assign(memory, { events: spec.events, written });
	const after = await findById(service, webhookId);
	if (after?.url === undefined || isDone(subscription, after)) return 'updated';
	if (!(await isKept(webhookId, spec))) return 'updated';
	await deleteWebhook(service, webhookId);
	memory.webhookId = await createWebhook(subscription);
	// One that isn't as wanted even so, e.g. disabled, isn't replaced again and again.
	const replacement = await findById(service, memory.webhookId);
	memory.shown = replacement && describeState(replacement);
	return 'created';
}

/**
 * Keeps what a webhook hasn't delivered.
 * @returns false when that can't be read, so that the webhook stays for the next check
 */
async function isKept(webhookId: string, { keep }: Pick<WebhookSpec, 'keep'>): Promise<boolean> {
	return await Promise.resolve(keep?.(webhookId)).then(
		() => true,
		() => false,
	);
}

/** Names what was written last: URL, events and key. */
const hashRequest = (subscription: Subscription) =>
	hashKey(JSON.stringify(Object.values(buildRequest(subscription)).map(sortList)));

/** What the service shows of a webhook that matters. */
const describeState = ({ url, subscriptions, enabled = true }: IDataObject) =>
	JSON.stringify([url, sortList(subscriptions), enabled]);

const sortList = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value);

/** Whether a webhook calls our URL with all events that are wanted, or with a list made of `*`. */
function isDone({ memory, spec }: Subscription, { url, subscriptions, enabled }: IDataObject) {
	const events = Array.isArray(subscriptions) ? subscriptions.map(String) : [];
	const isCovered = (event: string) =>
		event.endsWith('*') ? events.length > 0 : isSelected(event, events);
	return enabled !== false && isCallback(url, memory.callback) && spec.events.every(isCovered);
}

/**
 * Creates the webhook.
 * @returns its ID, where the service says it
 * @throws ServiceFailure, ExplainedFailure
 */
async function createWebhook(subscription: Subscription): Promise<string | undefined> {
	const { service, memory, spec } = subscription;
	const isOurs = ({ url }: IDataObject) => isCallback(url, memory.callback);
	const before = await listWebhooks(service, true);
	let answer: IDataObject | undefined;
	try {
		answer = asObject(await service.json('createWebhook', { body: buildRequest(subscription) }));
	} catch (thrown) {
		// The URL holds a secret that nobody else knows, so a webhook with it is the one whose answer
		// was lost.
		if (findFailure(thrown)?.flags.unknownOutcome === true)
			answer = (await listWebhooks(service, true)).find(isOurs);
		if (answer === undefined) throw asFailure(thrown, NOT_ANSWERED);
	}
	if (answer.url !== undefined && !isOurs(answer))
		throw new ExplainedFailure(
			'The service created a webhook for a different URL than requested',
			"Check 'Base URL' in the credential, and delete the webhook in the service",
		);
	if (answer.enabled === false)
		spec.warn('the service keeps the webhook disabled, so it delivers no events');
	Object.assign(memory, { events: spec.events, written: hashRequest(subscription) });
	if (answer.id !== undefined) return asText(answer.id);
	// A documented-only service answers with an empty body; the ID is then the one that is new in its
	// list.
	return asText(findOnlyNew(await listWebhooks(service, true), before, memory.callback)?.id);
}

/** The webhook as it's written. */
const buildRequest = ({ memory, spec }: Subscription) => ({
	url: memory.callback!,
	subscriptions: spec.events,
	signing_key: spec.signingKey ?? memory.signingKey!,
});

/**
 * Deletes a webhook; one that is gone counts as deleted.
 * @throws ServiceFailure
 */
async function deleteWebhook(service: ServiceClient, webhookId: string): Promise<void> {
	try {
		await service.json('deleteWebhook', { path: { webhookId } });
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ANSWERED);
	}
}
