import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { RecordedDelivery } from '../../service/resources/deliveries';
import { newSecret, withSecret } from '../authenticity/callbackSecret';

/* What a trigger keeps about its subscription in n8n's static data. */

/** Who has made a webhook. A copy of a workflow, or of its stored data, has another owner. */
export interface Owner extends IDataObject {
	/** A clone of n8n with the same encryption key has the same one. */
	instanceId: string;
	workflowId: string;
}

/** A platform that lists transactions. */
export type ListedPlatform = 'business' | 'realEstate';

/** What the node keeps about its subscription in n8n's static data. */
export interface SubscriptionMemory extends IDataObject {
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
	/** The events of the webhook, which a documented-only service doesn't answer. */
	events?: string[];
	/** What the service showed after the last write: it may write URL and events differently. */
	shown?: { url?: string; events: string[] };
	/** The service doesn't enable the webhook, whatever is done. */
	neverEnabled?: boolean;
	/** Fingerprint of the signing key, so that a changed credential is noticed. */
	keyMark?: string;
	/**
	 * The previous secret, accepted until then (milliseconds since 1970), so that deliveries under
	 * way aren't refused.
	 */
	previous?: { secret: string; until: number };
	/** Earlier keys, with which deliveries under way may be signed. */
	formerKeys?: Array<{ key: string; until: number }>;
	/** Name of the signature header, so that a delivery is checked without reading the credential. */
	signatureHeader?: string;
	/** Name of the header with a delivery's request ID, in lower case, where the service says it. */
	requestIdHeader?: string;
	owner?: Owner;
	/**
	 * A webhook of this workflow at another address that answered when this one was made, so that it
	 * wasn't moved.
	 */
	former?: { webhookId: string; callback: string; since: string };
	/** The subscription of a test. n8n tells its end no differently than that of a publication. */
	test?: boolean;
	/** Events of selected groups that the service doesn't have. */
	notOffered?: string[];
	/** When the workflow was unpublished (milliseconds since 1970). The webhook may still stand. */
	unpublishedAt?: number;
	/** When the webhook was checked (milliseconds since 1970). */
	checkedAt?: number;
	/**
	 * There may have been no webhook since then (milliseconds since 1970), so that what has happened is
	 * looked for among the transactions.
	 */
	gapSince?: number;
	/** Platforms that have refused the account when the workflow was published. */
	notOurs?: ListedPlatform[];
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
/** How many earlier keys are kept. */
const MOST_FORMER_KEYS = 5;

/** Hides the secrets of a subscription in all messages and outputs of a client. */
export function keepSecrets(service: ServiceClient, memory: SubscriptionMemory): void {
	for (const text of [memory.secret, memory.signingKey, memory.previous?.secret])
		service.keepSecret(text ?? '');
}

/** Gives a subscription a new secret and a new key. Deliveries under way are accepted for a while. */
export function renewSecrets(memory: SubscriptionMemory, address: string): void {
	const until = Date.now() + GRACE_MS;
	if (memory.secret !== undefined) {
		memory.previous = { secret: memory.secret, until };
		keepKey(memory, until);
	}
	memory.secret = newSecret();
	memory.signingKey = newSecret();
	memory.callback = withSecret(address, memory.secret);
}

function keepKey(memory: SubscriptionMemory, until: number): void {
	const valid = (memory.formerKeys ?? []).filter((former) => former.until > Date.now());
	memory.formerKeys = [...valid, { key: memory.signingKey!, until }].slice(-MOST_FORMER_KEYS);
}

/** What is known of the webhook itself. */
const OF_WEBHOOK = [
	'webhookId',
	'callback',
	'secret',
	'signingKey',
	'events',
	'shown',
	'neverEnabled',
	'keyMark',
	'signatureHeader',
	'requestIdHeader',
	'owner',
	'former',
	'recordsUntil',
];

/**
 * Forgets a webhook that is gone, but for the secrets of deliveries under way. What hasn't been passed
 * on yet stays for the next publishing.
 */
export function forgetSubscription(memory: SubscriptionMemory): void {
	const until = Date.now() + GRACE_MS;
	if (memory.secret !== undefined) {
		memory.previous = { secret: memory.secret, until };
		keepKey(memory, until);
	}
	for (const name of OF_WEBHOOK) delete memory[name];
}
