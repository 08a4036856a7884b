import { sleep, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { asError } from '../../transport/failure/failure';
import { NewestMap } from '../../values/newestMap';
import { buildNodeId } from '../log';

/* Drops repeated events. */

/**
 * How many keys n8n's store keeps for a node; the oldest are dropped first. Each visit reads and
 * writes all of them. The service repeats a delivery for 48 hours
 * (docs/service/webhooks.md#retries).
 */
const MOST_STORED = 10_000;
/** How many keys this process keeps for all triggers together. */
const MOST_KEYS = 20_000;

const STORE_ATTEMPTS = 4;
const STORE_PAUSE_MS = 60;
/**
 * How long after a visit its keys are looked at again, in milliseconds. By then, what another process
 * read before the visit has been written.
 */
const CHECK_AFTER_MS = 2_000;

type Context = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;

/** The visits of one node to n8n's store. */
class NodeQueue {
	/**
	 * n8n's store reads and then writes without a lock, so one visit follows the other in this
	 * process.
	 */
	visits: Promise<unknown> = Promise.resolve();

	/** Keys that were claimed during a visit. They go together next. */
	waiting: string[] = [];

	/** The visit that they wait for, which gives those that are new. */
	next?: Promise<Set<string>>;

	/** Keys that were stored and not looked at again. */
	unchecked = new Set<string>();
}

const STORE_OPTIONS = { mode: 'entries' as const, maxEntries: MOST_STORED };

const buildNodeKey = (context: Context, key: string) => `${buildNodeId(context)}:${key}`;

/**
 * The events that runs have claimed, so that each event is handled by one run only. Deliveries come
 * at least once (docs/service/webhooks.md#retries), so repeats are dropped in two places: by this
 * object before a run starts, and in the run by n8n's own store of processed keys, which outlives
 * the process and is shared by several of them.
 *
 * Only what a run has claimed is kept here. A delivery whose run n8n couldn't store is therefore
 * accepted when the service sends it again.
 *
 * n8n's store writes all keys of the node at once, so that of two workers that visit it at the same
 * moment, one takes away the key of the other. Each visit is therefore followed by another one, a
 * moment later, that stores what has got lost.
 */
export class ProcessedKeys {
	/** How long after a visit its keys are looked at again. Tests change it. */
	checkAfterMs = CHECK_AFTER_MS;

	private readonly processed = new NewestMap<true>(MOST_KEYS);

	private readonly queues = new Map<string, NodeQueue>();

	/** Whether a run of this process has claimed the event. */
	has(context: Context, key: string): boolean {
		return this.processed.has(buildNodeKey(context, key));
	}

	/**
	 * Claims events for this run.
	 * @returns the keys that no run has claimed before
	 * @throws Error when n8n's store fails repeatedly
	 */
	async markProcessed(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const queue = this.getQueue(context);
		queue.waiting.push(...keys);
		queue.next ??= queueVisit(queue, async () => await this.record(queue, context));
		const fresh = await queue.next;
		// When several runs claim one event at the same time, the first one gets it.
		return new Set(keys.filter((key) => fresh.delete(key)));
	}

	/** Releases events whose run failed, so that a repeat or a retry passes. */
	async release(context: IExecuteFunctions, keys: string[]): Promise<void> {
		if (keys.length === 0) return;
		const queue = this.getQueue(context);
		for (const key of keys) {
			this.processed.delete(buildNodeKey(context, key));
			queue.unchecked.delete(key);
		}
		const remove = async () => await context.helpers.removeProcessed(keys, 'node', STORE_OPTIONS);
		await queueVisit(queue, async () => await repeatVisit(remove));
	}

	private getQueue(context: IExecuteFunctions): NodeQueue {
		const key = buildNodeKey(context, '');
		const queue = this.queues.get(key) ?? new NodeQueue();
		this.queues.set(key, queue);
		return queue;
	}

	/** Records the keys that wait, and returns those that are new. */
	private async record(queue: NodeQueue, context: IExecuteFunctions): Promise<Set<string>> {
		const keys = [...new Set(queue.waiting.splice(0))];
		delete queue.next;
		const fresh = (await recordProcessed(context, keys)).new.map(String);
		for (const key of keys) this.processed.set(buildNodeKey(context, key), true);
		if (queue.unchecked.size === 0 && fresh.length > 0) void this.checkLater(queue, context);
		for (const key of fresh) queue.unchecked.add(key);
		return new Set(fresh);
	}

	/** Looks at stored keys again, and stores those that have got lost. */
	private async checkLater(queue: NodeQueue, context: IExecuteFunctions): Promise<void> {
		await sleep(this.checkAfterMs);
		const keys = [...queue.unchecked];
		queue.unchecked.clear();
		// A repeat that passes because the store fails is one at most.
		if (keys.length > 0)
			await queueVisit(queue, async () => await recordProcessed(context, keys)).catch(
				() => undefined,
			);
	}
}

function queueVisit<T>(queue: NodeQueue, work: () => Promise<T>): Promise<T> {
	const next = queue.visits.then(work, work);
	queue.visits = next.catch(() => undefined);
	return next;
}

const recordProcessed = async ({ helpers }: IExecuteFunctions, keys: string[]) =>
	await repeatVisit(async () => await helpers.checkProcessedAndRecord(keys, 'node', STORE_OPTIONS));

/**
 * Visits n8n's store, and tries again after an error: two workers that are the first to write for a
 * node get in each other's way, and one of them is refused.
 */
async function repeatVisit<T>(visitStore: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await visitStore();
		} catch (thrown) {
			if (attempt >= STORE_ATTEMPTS) throw asError(thrown);
			await sleep(STORE_PAUSE_MS * attempt);
		}
	}
}

/** State of this process; docs/architecture.md lists all of it. */
export const processedKeys = new ProcessedKeys();
