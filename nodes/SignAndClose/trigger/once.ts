import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * Each event starts one run's work. Deliveries come at least once (gaps.md §2), so repeats are dropped twice over: by the memory of this process before a
 * run is started, and by n8n's own store of processed keys in the run, which outlives the process and is shared by several of them.
 *
 * The memory holds only what a run has already taken: a delivery whose run n8n could not store is not in it, and passes when the service sends it again.
 */

/** Keys that n8n's store keeps for a node; the oldest go first. */
const STORED_KEYS = 10_000;
/** Keys that the memory of the process keeps for all triggers together. */
const REMEMBERED_KEYS = 20_000;

const taken = new Set<string>();

const nameOf = (context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>, key: string) => `${context.getWorkflow().id}:${context.getNode().id}:${key}`;

/** Whether a run of this process has taken the event already. */
export function isTaken(context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>, key: string): boolean {
	return taken.has(nameOf(context, key));
}

function remember(name: string): void {
	taken.add(name);
	if (taken.size <= REMEMBERED_KEYS) return;
	const [oldest] = taken;
	taken.delete(oldest);
}

/** n8n's store reads, then writes, without a lock: one after the other in this process. */
let queue: Promise<unknown> = Promise.resolve();

function oneAfterTheOther<T>(work: () => Promise<T>): Promise<T> {
	const next = queue.then(work, work);
	queue = next.catch(() => undefined);
	return next;
}

/**
 * Takes events for this run.
 * @returns the keys that no run has taken before
 */
export async function takeKeys(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
	if (keys.length === 0) return new Set();
	const { new: fresh } = await oneAfterTheOther(async () => await context.helpers.checkProcessedAndRecord([...new Set(keys)], 'node', { mode: 'entries', maxEntries: STORED_KEYS }));
	for (const key of keys) remember(nameOf(context, key));
	return new Set(fresh.map(String));
}

/** Gives events back whose work did not come to its end, so that a repeat or a retry passes. */
export async function giveBack(context: IExecuteFunctions, keys: Iterable<string>): Promise<void> {
	const list = [...keys];
	for (const key of list) taken.delete(nameOf(context, key));
	if (list.length > 0) await oneAfterTheOther(async () => await context.helpers.removeProcessed(list, 'node', { mode: 'entries', maxEntries: STORED_KEYS }));
}
