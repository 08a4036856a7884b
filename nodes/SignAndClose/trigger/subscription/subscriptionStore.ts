import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import type { RecordedDelivery } from '../../service/resources/deliveries';
import type { SubscriptionMemory } from './memory';
import { pendingRemovals } from './pendingRemovals';

/* Where the trigger's roles find the subscription they share. */

type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** The node's static data, which n8n stores. */
export const storedMemory = (context: Context) =>
	context.getWorkflowStaticData('node') as SubscriptionMemory;

/**
 * Whether this is about "Listen for test event". n8n ends a test in the same mode in which it
 * unpublishes a workflow, so that the test's own memory has to say it.
 */
export const isTest = (context: Context) =>
	context.getMode() === 'manual' || storedMemory(context).test === true;

/** Names a node, and whether it is tested. */
export const subscriptionKey = (context: Context) => {
	const kind = isTest(context) ? 'test' : 'production';
	return `${context.getWorkflow().id}:${context.getNode().id}:${kind}`;
};

/**
 * What this process knows of its subscriptions, by node. Hooks and maintenance work on the same
 * subscription, when n8n starts even at the same time, and n8n may give each of them its own copy
 * of the static data. They therefore work one after the other, on what the hook that registered the
 * subscription knows, so that they can't create two webhooks.
 */
class SubscriptionStore {
	private readonly registered = new Map<string, SubscriptionMemory>();

	/** Events that hadn't arrived when their node was unpublished. */
	private readonly undelivered = new Map<string, RecordedDelivery[]>();

	/** The last work on each subscription. */
	private readonly turns = new Map<string, Promise<unknown>>();

	/** Registers a hook's static data, which maintenance uses from now on. */
	register(context: Context): SubscriptionMemory {
		const key = subscriptionKey(context);
		const memory = storedMemory(context);
		if (context.getMode() === 'manual') memory.test = true;
		pendingRemovals.lend(key, memory);
		this.registered.set(key, memory);
		const undelivered = this.undelivered.get(key);
		if (undelivered !== undefined) memory.undelivered = undelivered;
		this.undelivered.delete(key);
		return memory;
	}

	/** What is known of the node's subscription. */
	get(context: Context): SubscriptionMemory {
		return this.registered.get(subscriptionKey(context)) ?? storedMemory(context);
	}

	/** Forgets what a hook has registered. */
	forget(context: Context): void {
		this.registered.delete(subscriptionKey(context));
	}

	/**
	 * Keeps events for the next publishing, in n8n's static data and here. A workflow that is
	 * published again at once may read the static data before n8n has written it. One that is
	 * published already gets them at once.
	 */
	keepUndelivered(context: Context, undelivered: RecordedDelivery[]): void {
		if (undelivered.length === 0) return;
		const key = subscriptionKey(context);
		const published = this.registered.get(key);
		if (published !== undefined) {
			published.undelivered = [...(published.undelivered ?? []), ...undelivered];
			return;
		}
		storedMemory(context).undelivered = undelivered;
		this.undelivered.set(key, undelivered);
	}

	/** Works on a subscription after all work that was started on it before. */
	async inTurn<T>(context: Context, work: () => Promise<T>): Promise<T> {
		const key = subscriptionKey(context);
		const next = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
		const settled = next.catch(() => undefined);
		this.turns.set(key, settled);
		try {
			return await next;
		} finally {
			if (this.turns.get(key) === settled) this.turns.delete(key);
		}
	}
}

/** State of this process; docs/architecture.md lists all of it. */
export const subscriptionStore = new SubscriptionStore();
