import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import type { RecordedDelivery } from '../../service/resources/deliveries';
import type { SubscriptionMemory } from './subscription';

/* Where the trigger's roles find the subscription they share. */

type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

const keyOf = (context: Context) => {
	const kind = context.getMode() === 'manual' ? 'test' : 'production';
	return `${context.getWorkflow().id}:${context.getNode().id}:${kind}`;
};

/** The node's static data, which n8n stores. */
export const storedMemory = (context: Context) =>
	context.getWorkflowStaticData('node') as SubscriptionMemory;

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
		const key = keyOf(context);
		const memory = storedMemory(context);
		this.registered.set(key, memory);
		const undelivered = this.undelivered.get(key);
		if (undelivered !== undefined) memory.undelivered = undelivered;
		this.undelivered.delete(key);
		return memory;
	}

	/** What is known of the node's subscription. */
	get(context: Context): SubscriptionMemory {
		return this.registered.get(keyOf(context)) ?? storedMemory(context);
	}

	/** Forgets what a hook has registered. */
	forget(context: Context): void {
		this.registered.delete(keyOf(context));
	}

	/**
	 * Keeps events for the next publishing, in n8n's static data and here. A workflow that is
	 * published again at once may read the static data before n8n has written it.
	 */
	keepUndelivered(context: Context, undelivered: RecordedDelivery[]): void {
		if (undelivered.length === 0) return;
		storedMemory(context).undelivered = undelivered;
		this.undelivered.set(keyOf(context), undelivered);
	}

	/** Works on a subscription after all work that was started on it before. */
	async inTurn<T>(context: Context, work: () => Promise<T>): Promise<T> {
		const key = keyOf(context);
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
