import { sleep, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { asError } from '../transport/failure/failure';
import { NewestMap } from '../values/newestMap';

/* Drops repeated events. */

/**
 * How many keys n8n's store keeps for a node; the oldest are dropped first. Each visit reads and
 * writes all of them. The service repeats a delivery for 48 hours
 * (docs/service/webhooks.md#retries).
 */
const MOST_STORED = 10_000;
/** How many keys this process keeps for all triggers together. */
const REMEMBERED_KEYS = 20_000;

const STORE_ATTEMPTS = 4;
const STORE_PAUSE_MS = 60;
/**
 * How long after a visit its keys are looked at again, in milliseconds. By then, what another process
 * read before the visit has been written.
 */
const CHECK_AFTER_MS = 2_000;

type Context = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;

interface Claim {
	context: IExecuteFunctions;
	keys: string[];
	resolve: (fresh: Set<string>) => void;
	reject: (thrown: unknown) => void;
}

interface NodeQueue {
	/**
	 * n8n's store reads and then writes without a lock, so one visit follows the other in this
	 * process.
	 */
	visits: Promise<unknown>;
	/**
	 * Claims that came during a visit. They go together next, because each visit reads and writes the
	 * whole store of the node.
	 */
	waiting: Claim[];
	/** Keys that were stored and not looked at again. */
	unchecked: Set<string>;
	/** Whether they will be looked at. */
	checking: boolean;
}

const STORE_OPTIONS = { mode: 'entries' as const, maxEntries: MOST_STORED };

const keyOf = (context: Context, key: string) =>
	`${context.getWorkflow().id}:${context.getNode().id}:${key}`;

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
export class ClaimedKeys {
	/** How long after a visit its keys are looked at again. Tests change it. */
	checkAfterMs = CHECK_AFTER_MS;

	private readonly claimed = new NewestMap<true>(REMEMBERED_KEYS);

	private readonly queues = new Map<string, NodeQueue>();

	/** Whether a run of this process has claimed the event. */
	has(context: Context, key: string): boolean {
		return this.claimed.has(keyOf(context, key));
	}

	/**
	 * Claims events for this run.
	 * @returns the keys that no run has claimed before
	 * @throws Error when n8n's store fails repeatedly
	 */
	async claim(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const queue = this.queueOf(context);
		return await new Promise((resolve, reject) => {
			queue.waiting.push({ context, keys, resolve, reject });
			if (queue.waiting.length === 1)
				void visit(queue, async () => await this.serve(queue, queue.waiting.splice(0)));
		});
	}

	/** Releases events whose run failed, so that a repeat or a retry passes. */
	async release(context: IExecuteFunctions, keys: string[]): Promise<void> {
		if (keys.length === 0) return;
		const queue = this.queueOf(context);
		for (const key of keys) {
			this.claimed.delete(keyOf(context, key));
			queue.unchecked.delete(key);
		}
		const remove = async () => await context.helpers.removeProcessed(keys, 'node', STORE_OPTIONS);
		await visit(queue, async () => await persistently(remove));
	}

	private queueOf(context: IExecuteFunctions): NodeQueue {
		const key = keyOf(context, '');
		const queue = this.queues.get(key) ?? {
			visits: Promise.resolve(),
			waiting: [],
			unchecked: new Set(),
			checking: false,
		};
		this.queues.set(key, queue);
		return queue;
	}

	/** Looks at stored keys again, and stores those that have got lost. */
	private async check(queue: NodeQueue, context: IExecuteFunctions): Promise<void> {
		queue.checking = true;
		while (queue.unchecked.size > 0) {
			await sleep(this.checkAfterMs);
			// A repeat that passes because the store fails is one at most.
			await visit(queue, async () => {
				const keys = [...queue.unchecked];
				queue.unchecked.clear();
				if (keys.length > 0) await recordProcessed(context, keys);
			}).catch(() => undefined);
		}
		queue.checking = false;
	}

	private async serve(queue: NodeQueue, claims: Claim[]): Promise<void> {
		try {
			const [{ context }] = claims;
			const asked = [...new Set(claims.flatMap(({ keys }) => keys))];
			const { new: fresh } = await recordProcessed(context, asked);
			for (const key of asked) this.claimed.set(keyOf(context, key), true);
			const left = new Set(fresh.map(String));
			// When several runs claim one event at the same time, the first one gets it.
			for (const { keys, resolve } of claims)
				resolve(new Set(keys.filter((key) => left.delete(key))));
			for (const key of fresh) queue.unchecked.add(String(key));
			if (!queue.checking && queue.unchecked.size > 0) void this.check(queue, context);
		} catch (thrown) {
			for (const { reject } of claims) reject(thrown);
		}
	}
}

function visit<T>(queue: NodeQueue, work: () => Promise<T>): Promise<T> {
	const next = queue.visits.then(work, work);
	queue.visits = next.catch(() => undefined);
	return next;
}

const recordProcessed = async ({ helpers }: IExecuteFunctions, keys: string[]) =>
	await persistently(
		async () => await helpers.checkProcessedAndRecord(keys, 'node', STORE_OPTIONS),
	);

/**
 * Visits n8n's store, and tries again after an error: two workers that are the first to write for a
 * node get in each other's way, and one of them is refused.
 */
async function persistently<T>(visitStore: () => Promise<T>): Promise<T> {
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
export const claimedKeys = new ClaimedKeys();
