import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import type { RecordedDelivery } from '../../service/resources/deliveries';
import type { SubscriptionMemory } from './subscription';

/**
 * Hooks and tick work on one subscription, at a start of n8n even at the same time, and n8n may
 * give each an object of its own for what the node remembers. One after the other, and on what the
 * hook that registered it knows, they can't make two of it.
 */
type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

const registered = new Map<string, SubscriptionMemory>();
/** By node: events that had not arrived when it was unpublished. */
const leftBehind = new Map<string, RecordedDelivery[]>();
const turns = new Map<string, Promise<unknown>>();

const nameOf = (context: Context) =>
	`${context.getWorkflow().id}:${context.getNode().id}:${context.getMode() === 'manual' ? 'test' : 'production'}`;

/** What a hook remembers, from now on the tick too. */
export function register(context: Context): SubscriptionMemory {
	const memory = context.getWorkflowStaticData('node') as SubscriptionMemory;
	registered.set(nameOf(context), memory);
	const left = leftBehind.get(nameOf(context));
	if (left !== undefined) memory.undelivered = left;
	leftBehind.delete(nameOf(context));
	return memory;
}

/**
 * Events for the next publishing: in what n8n stores, and here, because publishing a change may
 * read that before n8n has written it.
 */
export function leaveBehind(context: Context, undelivered: RecordedDelivery[]): void {
	if (undelivered.length === 0) return;
	(context.getWorkflowStaticData('node') as SubscriptionMemory).undelivered = undelivered;
	leftBehind.set(nameOf(context), undelivered);
}

/** What is known of the subscription. */
export function recall(context: Context): SubscriptionMemory {
	return (
		registered.get(nameOf(context)) ?? (context.getWorkflowStaticData('node') as SubscriptionMemory)
	);
}

export function forget(context: Context): void {
	registered.delete(nameOf(context));
}

/** Work on a subscription, after whatever is under way on it. */
export async function inTurn<T>(context: Context, work: () => Promise<T>): Promise<T> {
	const name = nameOf(context);
	const next = (turns.get(name) ?? Promise.resolve()).then(work, work);
	const settled = next.catch(() => undefined);
	turns.set(name, settled);
	try {
		return await next;
	} finally {
		if (turns.get(name) === settled) turns.delete(name);
	}
}
