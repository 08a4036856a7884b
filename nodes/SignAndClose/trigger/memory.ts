import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { COMPLETIONS } from '../resources/webhook/completion';
import type { RecordedDelivery } from '../resources/webhook/deliveries';
import { isSelected } from '../resources/webhook/eventSelection';
import type { ServiceClient } from '../transport/client';
import { copyJson } from '../values/json';
import { createSecret, withSecret } from './authenticity';
import { buildNodeId, type NodeContext } from './log';

/* What a trigger keeps about its subscription, and where. */

/** A platform that lists transactions. */
export type ListedPlatform = 'business' | 'realEstate';

/** What the node keeps about its subscription. All times of the service are by its clock. */
export interface TriggerState extends IDataObject {
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
	/**
	 * Secrets and keys of earlier, with which deliveries under way may come, and until when (milliseconds
	 * since 1970).
	 */
	former?: Array<{ secret: string; key: string; until: number }>;
	/** The events of the webhook, which a documented-only service doesn't answer. */
	events?: string[];
	/** Selected events that the service didn't have when the workflow was published. */
	notOffered?: string[];
	/** Fingerprint of what was written last, so that a changed signing key is noticed. */
	written?: string;
	/** What the service shows of a webhook that was replaced and isn't as wanted even so. */
	shown?: string;
	/** Name of the signature header, so that a delivery is checked without reading the credential. */
	signatureHeader?: string;
	/**
	 * Who has made the webhook. A copy of a workflow, or of its stored data, has another owner; a clone of
	 * n8n with the same encryption key has the same instance.
	 */
	owner?: { instanceId: string; workflowId: string };
	/**
	 * Whose events these are: the service's origin and its ID of the organization, whatever key it's asked
	 * with. `key` names the base URL and the key with which it was asked for.
	 */
	account?: { key: string; organization: string };
	/** The subscription of a test. n8n tells its end no differently than that of a publication. */
	test?: boolean;
	/** When the workflow was unpublished (milliseconds since 1970). The webhook may still stand. */
	unpublishedAt?: number;
	/**
	 * Times in which events came from the event log instead of the calls (milliseconds since 1970,
	 * of the service); the last one may go on. A call that was answered then has started nothing.
	 */
	pulled?: Array<{ from: number; to?: number }>;
	/** Up to when nothing can have been missed (milliseconds since 1970, of the service). */
	seenUntil?: number;
	/**
	 * When it was noted that something may have been missed since, so that the transactions have to be
	 * looked at (milliseconds since 1970).
	 */
	unseen?: number;
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
export function listSecrets({ secret, former = [] }: TriggerState): string[] {
	return [secret ?? '', ...filterValid(former).map((entry) => entry.secret)].filter(
		(entry) => entry !== '',
	);
}

/** The keys of our own that the service may have signed with. */
export function listSigningKeys({ signingKey, former = [] }: TriggerState): string[] {
	return [signingKey ?? '', ...filterValid(former).map(({ key }) => key)].filter(
		(entry) => entry !== '',
	);
}

const filterValid = (former: NonNullable<TriggerState['former']>) =>
	former.filter(({ until }) => until > Date.now());

/** What no item and no message may show. */
export const listHiddenTexts = (memory: TriggerState) => [
	...listSecrets(memory),
	...listSigningKeys(memory),
];

/** Hides the secrets of a subscription in all messages and outputs of a client. */
export function hideStateSecrets(service: ServiceClient, memory: TriggerState): void {
	for (const text of listHiddenTexts(memory)) service.keepSecret(text);
}

/**
 * Gives a subscription a new secret and a new key. Deliveries under way with the ones before are
 * accepted as long as the service may repeat them.
 */
export function renewSecrets(service: ServiceClient, memory: TriggerState, address: string): void {
	const { secret, signingKey: key = '', former = [] } = memory;
	const until = Date.now() + GRACE_MS;
	if (secret !== undefined)
		memory.former = [...filterValid(former), { secret, key, until }].slice(-MOST_FORMER);
	memory.secret = createSecret();
	memory.signingKey = createSecret();
	memory.callback = withSecret(address, memory.secret);
	hideStateSecrets(service, memory);
}

/** Forgets everything, e.g. what belongs to another account. */
export function resetState(memory: TriggerState): void {
	for (const name of Object.keys(memory)) if (name !== 'test') delete memory[name];
}

/*
 * Since when something may have been missed, and when events came from where. All of these times are of
 * the service's clock.
 */

/**
 * Older events are not picked up. The service tries to deliver for 48 hours
 * (docs/service/webhooks.md#retries), and n8n forgets after 14 days, unless configured otherwise,
 * which runs it has had.
 */
export const MAX_AGE_MS = 7 * 24 * 3_600_000;

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published, in milliseconds. After a longer time, somebody has stopped the workflow on purpose.
 */
const LONGEST_CHANGE_MS = 3_600_000;

/** How exactly the service's clock is known, in milliseconds: answers tell it in whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;

/** The time of the service's clock, or of this machine's as long as no answer has shown that. */
export const toServiceTime = (service: ServiceClient, now = Date.now()) =>
	now + service.mostAheadMs;

/** Whether completions are among some events. */
export const hasCompletions = (events: readonly string[]): boolean =>
	COMPLETIONS.some((event) => isSelected(event, events));

/** Notes that something may have been missed since it was certain last that nothing was. */
export function recordGap(memory: TriggerState): void {
	if (memory.seenUntil !== undefined)
		memory.unseen = Math.max(Date.now(), (memory.unseen ?? 0) + 1);
}

/** Notes that nothing was missed up to now, except where a gap has to be looked at. */
export function recordCheck(memory: TriggerState, now: number): void {
	if (memory.unseen === undefined) memory.seenUntil = now;
}

/**
 * Notes that the workflow is published, or that n8n has started it, and where its events come from from
 * now on.
 * @param pull whether they come from the event log instead of the calls
 */
export function recordPublication(
	service: ServiceClient,
	memory: TriggerState,
	pull: boolean,
): void {
	const { unpublishedAt, seenUntil } = memory;
	// Calls since the workflow was unpublished were answered as the new source wants it.
	recordSource(memory, pull, toServiceTime(service, unpublishedAt));
	const wasStopped = unpublishedAt !== undefined && Date.now() - unpublishedAt > LONGEST_CHANGE_MS;
	if (wasStopped || seenUntil === undefined) {
		const now = toServiceTime(service);
		Object.assign(memory, { beganAt: now - CLOCK_TOLERANCE_MS, seenUntil: now });
		delete memory.unseen;
	} else recordGap(memory);
	delete memory.unpublishedAt;
}

function recordSource(memory: TriggerState, pull: boolean, now: number): void {
	const pulled = (memory.pulled ?? []).filter(({ to = now }) => to > now - MAX_AGE_MS);
	const last = pulled.at(-1);
	const isPulling = last !== undefined && last.to === undefined;
	if (pull && !isPulling) pulled.push({ from: now });
	if (!pull && isPulling) last.to = now;
	memory.pulled = pulled;
}

/* Where a trigger keeps what it knows, and how its roles work on that one after the other. */

type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** The node's static data, which n8n stores. */
const getStoredState = (context: Context) => context.getWorkflowStaticData('node') as TriggerState;

/**
 * Whether this is about "Listen for test event". n8n ends a test in the same mode in which it
 * unpublishes a workflow, so that the test's own memory has to say it.
 */
export const isTest = (context: Context) =>
	context.getMode() === 'manual' || getStoredState(context).test === true;

/**
 * What each trigger knows. n8n gives its roles copies of the static data, saves them after some roles
 * only, and loses them when a node is renamed. So this process keeps a copy, too, and the newer of the
 * two counts, whoever wrote it.
 */
class TriggerMemory {
	private readonly states = new Map<string, TriggerState>();

	/** The last work on each subscription. */
	private readonly turns = new Map<string, Promise<unknown>>();

	/** What is known of a trigger, to read. */
	readState(context: Context): Readonly<TriggerState> {
		const [cached, stored] = [this.states.get(buildStateKey(context)), getStoredState(context)];
		return cached !== undefined && getSavedAt(cached) >= getSavedAt(stored) ? cached : stored;
	}

	/** Changes what is known of a trigger, in this process and in n8n's static data. */
	update(context: Context, change: (memory: TriggerState) => unknown): void {
		const { memory, save } = this.open(context);
		change(memory);
		save();
	}

	/**
	 * Works on a subscription after all work that was started on it before, so that two roles can't
	 * create two webhooks. What has changed is kept, also when the work fails halfway.
	 */
	async runInTurn<T>(context: Context, work: (memory: TriggerState) => Promise<T>): Promise<T> {
		const key = buildStateKey(context);
		const runNow = async () => {
			const { memory, save } = this.open(context);
			return await work(memory).finally(save);
		};
		const next = (this.turns.get(key) ?? Promise.resolve()).then(runNow, runNow);
		this.turns.set(
			key,
			next.catch(() => undefined),
		);
		return await next;
	}

	/** Forgets what this process knows, as a restart of n8n does. */
	forget(): void {
		this.states.clear();
	}

	/** The one object that all work of this process changes, brought up to date. */
	private open(context: Context): { memory: TriggerState; save: () => void } {
		const key = buildStateKey(context);
		const memory = this.states.get(key) ?? {};
		const newest = this.readState(context);
		if (newest !== memory) replaceFields(memory, newest);
		this.states.set(key, memory);
		const before = JSON.stringify(memory);
		const save = () => {
			if (isTest(context)) memory.test = true;
			// What hasn't changed here isn't newer than what another process may have stored meanwhile.
			if (JSON.stringify(memory) !== before)
				memory.savedAt = Math.max(Date.now(), getSavedAt(memory) + 1);
			const stored = getStoredState(context);
			if (getSavedAt(memory) > getSavedAt(stored)) replaceFields(stored, memory);
		};
		return { memory, save };
	}
}

/** Names a node, and whether it is tested. */
function buildStateKey(context: Context): string {
	const kind = isTest(context) ? 'test' : 'production';
	return `${buildNodeId(context)}:${kind}`;
}

const getSavedAt = ({ savedAt = 0 }: Readonly<TriggerState>) => savedAt;

function replaceFields(old: TriggerState, { ...newer }: Readonly<TriggerState>): void {
	for (const name of Object.keys(old)) if (!(name in newer)) delete old[name];
	Object.assign(old, copyJson(newer));
}

/** State of this process; docs/architecture.md lists all of it. */
export const triggerMemory = new TriggerMemory();

/* How a call wakes the reading of the event log. */

const listeners = new Map<string, () => void>();

/**
 * Lets a call start the reading of the event records, when both happen in one process. With several
 * processes, the clock does it. State of this process; docs/architecture.md lists all of it.
 */
export const eventLogSignal = {
	/** Asks the node's listener, if it has one in this process, to read the event records. */
	send: (context: NodeContext): void => listeners.get(buildNodeId(context))?.(),
	/**
	 * Registers what to do for a node when a call arrives.
	 * @returns a function that stops listening
	 */
	listen: (context: NodeContext, work: () => void): (() => void) => {
		const key = buildNodeId(context);
		listeners.set(key, work);
		return () => {
			if (listeners.get(key) === work) listeners.delete(key);
		};
	},
};
