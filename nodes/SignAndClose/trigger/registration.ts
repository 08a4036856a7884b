import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../messages/explainedFailure';
import { listWebhooks, onlyNew, writableFields } from '../resources/webhook/api';
import { isChosen } from '../resources/webhook/events';
import type { ServiceClient } from '../transport/client';
import { asFailure, findFailure, isNotFound } from '../transport/failure/failure';
import { asObject, asText } from '../values/json';
import { fingerprint, pointsTo, withSecret } from './authenticity';
import type { SubscriptionMemory } from './memory';

/* Writes a webhook of ours: creates it, or updates it to what is wanted. */

/** The failure of a subscription whose webhooks couldn't be looked at. */
export const NOT_ASKED = new ExplainedFailure(
	"The service couldn't be asked about its webhooks",
	'Publish the workflow again',
);

/** What a node wants its subscription to be. */
export interface Wanted {
	/** The URL that n8n listens at, without secret. */
	address: string;
	events: string[];
	/** Signing key of the credential. Without it, the subscription has a key of its own. */
	signingKey?: string;
	/** Name of the signature header, in lower case. */
	signatureHeader: string;
	owner: NonNullable<SubscriptionMemory['owner']>;
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

/** What was done to a webhook. */
export type Repair = 'intact' | 'updated' | 'created';

/**
 * Writes what is wanted, unless the webhook is as the last write left it, and looks whether the service
 * has done it. What an update doesn't change, e.g. that it is disabled, takes a new webhook. A service
 * may write URL and events in its own way.
 */
export async function bringTo(
	service: ServiceClient,
	memory: SubscriptionMemory,
	wanted: Wanted,
	found: IDataObject,
): Promise<Repair> {
	memory.callback = withSecret(wanted.address, memory.secret!);
	const written = writtenBy(memory, wanted);
	const isAsWanted = (webhook: IDataObject) => isDone(webhook, memory.callback!, wanted.events);
	if (memory.written === written && (isAsWanted(found) || shownBy(found) === memory.shown))
		return 'intact';
	// What somebody has added to the webhook stays.
	await service.json('updateWebhook', {
		path: { webhookId: memory.webhookId! },
		body: {
			...writableFields(found),
			...bodyOf(memory, wanted),
			...(found.enabled === false && { enabled: true }),
		},
	});
	Object.assign(memory, { events: wanted.events, written });
	const find = async () =>
		(await listWebhooks(service, true)).find(({ id }) => id === memory.webhookId);
	const after = await find();
	if (after?.url === undefined || isAsWanted(after)) return 'updated';
	if (!(await isKept(memory.webhookId!, wanted))) return 'updated';
	await remove(service, memory.webhookId!);
	memory.webhookId = await create(service, memory, wanted);
	// One that isn't as wanted even so, e.g. disabled, isn't replaced again and again.
	const made = await find();
	memory.shown = made && shownBy(made);
	return 'created';
}

/**
 * Keeps what a webhook hasn't delivered.
 * @returns false when that can't be read, so that the webhook stays for the next check
 */
export async function isKept(webhookId: string, { keep }: Pick<Wanted, 'keep'>): Promise<boolean> {
	return await Promise.resolve(keep?.(webhookId)).then(
		() => true,
		() => false,
	);
}

/** Names what was written last: URL, events and key. */
export const writtenBy = (memory: SubscriptionMemory, wanted: Wanted): string =>
	fingerprint(JSON.stringify(Object.values(bodyOf(memory, wanted)).map(inOrder)));

/** What the service shows of a webhook that matters. */
const shownBy = ({ url, subscriptions, enabled = true }: IDataObject): string =>
	JSON.stringify([url, inOrder(subscriptions), enabled]);

const inOrder = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value);

/** Whether a webhook calls our URL with all events that are wanted, or with a list made of `*`. */
function isDone(
	{ url, subscriptions, enabled }: IDataObject,
	callback: string,
	wanted: readonly string[],
): boolean {
	const events = Array.isArray(subscriptions) ? subscriptions.map(String) : [];
	const isCovered = wanted.every((event) =>
		event.endsWith('*') ? events.length > 0 : isChosen(event, events),
	);
	return enabled !== false && pointsTo(url, callback) && isCovered;
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
	const before = new Set((await listWebhooks(service, true)).map(({ id }) => id));
	let answer: IDataObject;
	try {
		answer = asObject(await service.json('createWebhook', { body: bodyOf(memory, wanted) }));
	} catch (thrown) {
		// The URL holds a secret that nobody else knows, so a webhook with it is the one whose answer
		// was lost.
		const found =
			findFailure(thrown)?.flags.unknownOutcome === true
				? (await listWebhooks(service, true)).find(({ url }) => pointsTo(url, callback))
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
	if (answer.enabled === false)
		wanted.warn('the service keeps the webhook disabled, so it delivers no events');
	Object.assign(memory, { events: wanted.events, written: writtenBy(memory, wanted) });
	// A documented-only service answers with an empty body; the ID is then the one that is new in its
	// list.
	const made =
		answer.id === undefined ? onlyNew(await listWebhooks(service, true), before, callback) : answer;
	return asText(made?.id);
}

function bodyOf(memory: SubscriptionMemory, { events, signingKey }: Wanted): IDataObject {
	const key = signingKey ?? memory.signingKey!;
	return { url: memory.callback!, subscriptions: events, signing_key: key };
}

/**
 * Deletes a webhook; one that is gone counts as deleted.
 * @throws ServiceFailure
 */
export async function remove(service: ServiceClient, webhookId: string): Promise<void> {
	try {
		await service.json('deleteWebhook', { path: { webhookId } });
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
	}
}
