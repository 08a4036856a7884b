import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/failures';
import { listWebhooks, findOnlyNew, pickWritableFields } from '../../resources/webhook/api';
import { isSelected } from '../../resources/webhook/eventSelection';
import type { ServiceClient } from '../../transport/client';
import { asFailure, findFailure, isNotFound } from '../../transport/failure/failure';
import { asObject, asText } from '../../values/json';
import { hashKey, isCallback, withSecret } from '../authenticity';
import { NOT_ANSWERED } from '../log';
import type { TriggerState } from '../memory';

/* Writes a webhook of ours: creates it, updates it to what is wanted, deletes it. */

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
export interface Subscription {
	service: ServiceClient;
	memory: TriggerState;
	spec: WebhookSpec;
}

/** The webhook with this ID, as the service lists it. */
export const findById = async (service: ServiceClient, webhookId: string | undefined) =>
	(await listWebhooks(service, true)).find(({ id }) => id === webhookId);

/**
 * Writes what is wanted, unless the webhook is as the last write left it, and looks whether the service
 * has done it. What an update doesn't change, e.g. that it is disabled, takes a new webhook. A service
 * may write URL and events in its own way.
 */
export async function updateOurWebhook(subscription: Subscription, webhook: IDataObject) {
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
	await deleteOurWebhook(service, webhookId);
	memory.webhookId = await createOurWebhook(subscription);
	// One that isn't as wanted even so, e.g. disabled, isn't replaced again and again.
	const replacement = await findById(service, memory.webhookId);
	memory.shown = replacement && describeState(replacement);
	return 'created';
}

/**
 * Keeps what a webhook hasn't delivered.
 * @returns false when that can't be read, so that the webhook stays for the next check
 */
export async function isKept(
	webhookId: string,
	{ keep }: Pick<WebhookSpec, 'keep'>,
): Promise<boolean> {
	return await Promise.resolve(keep?.(webhookId)).then(
		() => true,
		() => false,
	);
}

/** Names what was written last: URL, events and key. */
export const hashRequest = (subscription: Subscription) =>
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
export async function createOurWebhook(subscription: Subscription): Promise<string | undefined> {
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
export async function deleteOurWebhook(service: ServiceClient, webhookId: string): Promise<void> {
	try {
		await service.json('deleteWebhook', { path: { webhookId } });
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ANSWERED);
	}
}
