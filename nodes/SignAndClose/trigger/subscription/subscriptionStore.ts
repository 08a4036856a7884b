import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import type { RecordedDelivery } from '../../service/resources/deliveries';
import type { SubscriptionMemory } from './subscription';

type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

const keyOf = (context: Context) => {
	const kind = context.getMode() === 'manual' ? 'test' : 'production';
	return `${context.getWorkflow().id}:${context.getNode().id}:${kind}`;
};

/** What n8n stores for the node. */
export const storedMemory = (context: Context) =>
	context.getWorkflowStaticData('node') as SubscriptionMemory;

/**
 * What this process knows of its subscriptions, by node. Hooks and maintenance work on one
 * subscription, at a start of n8n even at the same time, and n8n may give each an object of its own
 * for what the node stores. Because they work one after the other, and on what the hook that
 * registered the subscription knows, they can't make two subscriptions of one.
 */
class SubscriptionStore {
	private readonly registered = new Map<string, SubscriptionMemory>();

	/** Events that had not arrived when their node was unpublished. */
	private readonly undelivered = new Map<string, RecordedDelivery[]>();

	/** The last piece of work on each subscription. */
	private readonly turns = new Map<string, Promise<unknown>>();

	/** Takes what a hook stores, which from now on is what maintenance sees too. */
	register(context: Context): SubscriptionMemory {
		const key = keyOf(context);
		const memory = storedMemory(context);
		this.registered.set(key, memory);
		const undelivered = this.undelivered.get(key);
		if (undelivered !== undefined) memory.undelivered = undelivered;
		this.undelivered.delete(key);
		return memory;
	}

	/** What is known of the subscription. */
	get(context: Context): SubscriptionMemory {
		return this.registered.get(keyOf(context)) ?? storedMemory(context);
	}

	forget(context: Context): void {
		this.registered.delete(keyOf(context));
	}

	/**
	 * Keeps events for the next publishing: in what n8n stores, and here, because publishing a change
	 * may read that before n8n has written it.
	 */
	keepUndelivered(context: Context, undelivered: RecordedDelivery[]): void {
		if (undelivered.length === 0) return;
		storedMemory(context).undelivered = undelivered;
		this.undelivered.set(keyOf(context), undelivered);
	}

	/** Works on a subscription, after whatever is under way on it. */
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
