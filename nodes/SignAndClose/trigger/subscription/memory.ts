import type { IDataObject } from 'n8n-workflow';

import type { RecordedDelivery } from '../../resources/webhook/deliveries';
import type { ServiceClient } from '../../transport/client';
import { newSecret, withSecret } from '../authenticity/callbackSecret';

/* What a trigger keeps about its subscription (triggerMemory.ts says where). */

/** Who has made a webhook. A copy of a workflow, or of its stored data, has another owner. */
export interface Owner extends IDataObject {
	/** A clone of n8n with the same encryption key has the same one. */
	instanceId: string;
	workflowId: string;
}

/** A platform that lists transactions. */
export type ListedPlatform = 'business' | 'realEstate';

/** Whose events these are: an organization, whatever key it is asked with. */
export interface Account extends IDataObject {
	/** Names the base URL and the key with which the organization was asked for. */
	key: string;
	/** The service's origin, and its ID of the organization. */
	organization: string;
}

/** A secret and a key of earlier, with which deliveries under way may come. */
interface Former extends IDataObject {
	secret: string;
	key: string;
	/** Milliseconds since 1970. */
	until: number;
}

/** What the node keeps about its subscription. All times of the service are by its clock. */
export interface SubscriptionMemory extends IDataObject {
	/** When this was written, in milliseconds since 1970. */
	savedAt?: number;
	webhookId?: string;
	/** The URL of the webhook, secret included. */
	callback?: string;
	/** The secret in the URL. */
	secret?: string;
	/**
	 * The key that the service signs with if the credential has none. It says nothing about the
	 * secret, so who sees the URL can't sign.
	 */
	signingKey?: string;
	/** Accepted until then. */
	former?: Former[];
	/** The events of the webhook, which a documented-only service doesn't answer. */
	events?: string[];
	/** Selected events that the service didn't have when the workflow was published. */
	notOffered?: string[];
	/** Fingerprint of what was written last, so that a changed signing key is noticed. */
	written?: string;
	/** What the service showed of the webhook then: it may write URL and events differently. */
	shown?: string;
	/** Name of the signature header, so that a delivery is checked without reading the credential. */
	signatureHeader?: string;
	/** Name of the header with a delivery's request ID, in lower case, where the service says it. */
	requestIdHeader?: string;
	owner?: Owner;
	account?: Account;
	/** The subscription of a test. n8n tells its end no differently than that of a publication. */
	test?: boolean;
	/** When the workflow was unpublished (milliseconds since 1970). The webhook may still stand. */
	unpublishedAt?: number;
	/**
	 * Times in which events came from the event log instead of the calls (milliseconds since 1970,
	 * of the service); the last one may go on. A call that was answered then has started nothing.
	 */
	pulled?: Array<{ from: number; to?: number }>;
	/** Up to when nothing can have been missed, by platform (milliseconds since 1970, of the service). */
	seenUntil?: Partial<Record<ListedPlatform, number>>;
	/**
	 * Platforms whose transactions have to be looked at, because something may have been missed since,
	 * each with when that was noted.
	 */
	unseen?: Partial<Record<ListedPlatform, number>>;
	/** When this trigger began to watch completions (milliseconds since 1970, of the service). */
	beganAt?: number;
	/** Platforms that have answered this account. */
	answered?: ListedPlatform[];
	/**
	 * Events that hadn't arrived when the workflow was unpublished, which removes the webhook and its
	 * records. The next publishing emits them.
	 */
	undelivered?: RecordedDelivery[];
	/** Everything recorded up to then has been passed on, or has arrived by a call (ISO 8601). */
	recordsUntil?: string;
}

/** How long deliveries can be repeated (docs/service/webhooks.md#retries). */
const GRACE_MS = 48 * 3_600_000;
/** How many earlier secrets are kept. */
const MOST_FORMER = 20;

/** The secrets that the URL of a call may hold. */
export function secretsOf({ secret, former = [] }: SubscriptionMemory): string[] {
	return [secret ?? '', ...valid(former).map((each) => each.secret)].filter((each) => each !== '');
}

/** The keys of our own that the service may have signed with. */
export function keysOf({ signingKey, former = [] }: SubscriptionMemory): string[] {
	return [signingKey ?? '', ...valid(former).map(({ key }) => key)].filter((each) => each !== '');
}

const valid = (former: Former[]) => former.filter(({ until }) => until > Date.now());

/** What no item and no message may show. */
export const hiddenIn = (memory: SubscriptionMemory) => [...secretsOf(memory), ...keysOf(memory)];

/** Hides the secrets of a subscription in all messages and outputs of a client. */
export function keepSecrets(service: ServiceClient, memory: SubscriptionMemory): void {
	for (const text of hiddenIn(memory)) service.keepSecret(text);
}

/**
 * Gives a subscription a new secret and a new key. Deliveries under way with the ones before are
 * accepted as long as the service may repeat them.
 */
export function renewSecrets(memory: SubscriptionMemory, address: string): void {
	const { secret, signingKey: key = '', former = [] } = memory;
	const until = Date.now() + GRACE_MS;
	if (secret !== undefined)
		memory.former = [...valid(former), { secret, key, until }].slice(-MOST_FORMER);
	memory.secret = newSecret();
	memory.signingKey = newSecret();
	memory.callback = withSecret(address, memory.secret);
}

/** Forgets everything, e.g. what belongs to another account. */
export function beginAnew(memory: SubscriptionMemory): void {
	for (const name of Object.keys(memory)) if (name !== 'test') delete memory[name];
}
