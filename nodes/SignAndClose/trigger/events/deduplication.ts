import { sleep, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { asError } from '../../service/errors/failure';

/**
 * Each event starts one run's work. Deliveries come at least once (gaps.md §2), so repeats are
 * dropped twice over: by the memory of this process before a run is started, and by n8n's own store
 * of processed keys in the run, which outlives the process and is shared by several of them.
 *
 * The memory holds only what a run has already taken: a delivery whose run n8n could not store is
 * not in it, and passes when the service sends it again.
 */

/** Keys that n8n's store keeps for a node; the oldest go first. */
const STORED_KEYS = 10_000;
/** Keys that the memory of the process keeps for all triggers together. */
const REMEMBERED_KEYS = 20_000;

const STORE_ATTEMPTS = 4;
const STORE_PAUSE_MS = 60;

const taken = new Set<string>();

const nameOf = (context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>, key: string) =>
	`${context.getWorkflow().id}:${context.getNode().id}:${key}`;

/** Whether a run of this process has taken the event already. */
export function isTaken(
	context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>,
	key: string,
): boolean {
	return taken.has(nameOf(context, key));
}

function remember(name: string): void {
	taken.add(name);
	if (taken.size <= REMEMBERED_KEYS) return;
	const [oldest] = taken;
	taken.delete(oldest);
}

interface Request {
	context: IExecuteFunctions;
	keys: string[];
	answer: (fresh: Set<string>) => void;
	fail: (thrown: unknown) => void;
}

interface Desk {
	/** n8n's store reads, then writes, without a lock: one visit after the other in this process. */
	visits: Promise<unknown>;
	/**
	 * Who came while a visit was under way: all of them go together next, because each visit reads
	 * and writes the whole store of the node.
	 */
	waiting: Request[];
}

const desks = new Map<string, Desk>();
const OPTIONS = { mode: 'entries', maxEntries: STORED_KEYS } as const;

function deskOf(context: IExecuteFunctions): Desk {
	const name = nameOf(context, '');
	const desk = desks.get(name) ?? { visits: Promise.resolve(), waiting: [] };
	desks.set(name, desk);
	return desk;
}

function visit<T>(desk: Desk, work: () => Promise<T>): Promise<T> {
	const next = desk.visits.then(work, work);
	desk.visits = next.catch(() => undefined);
	return next;
}

/**
 * Takes events for this run.
 * @returns the keys that no run has taken before
 */
export async function takeKeys(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
	if (keys.length === 0) return new Set();
	const desk = deskOf(context);
	return await new Promise((answer, fail) => {
		desk.waiting.push({ context, keys, answer, fail });
		if (desk.waiting.length === 1)
			void visit(desk, async () => await serve(desk.waiting.splice(0)));
	});
}

/**
 * Two workers that are the first to write for a node get in each other's way: the one that is
 * turned away tries again.
 */
async function visitStore(
	context: IExecuteFunctions,
	keys: string[],
): ReturnType<IExecuteFunctions['helpers']['checkProcessedAndRecord']> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await context.helpers.checkProcessedAndRecord(keys, 'node', OPTIONS);
		} catch (thrown) {
			if (attempt >= STORE_ATTEMPTS) throw asError(thrown);
			await sleep(STORE_PAUSE_MS * attempt);
		}
	}
}

async function serve(requests: Request[]): Promise<void> {
	try {
		const [{ context }] = requests;
		const asked = [...new Set(requests.flatMap(({ keys }) => keys))];
		const { new: fresh } = await visitStore(context, asked);
		for (const key of asked) remember(nameOf(context, key));
		const left = new Set(fresh.map(String));
		// Of several runs that ask for one event at the same time, the first gets it.
		for (const { keys, answer } of requests)
			answer(new Set(keys.filter((key) => left.delete(key))));
	} catch (thrown) {
		for (const { fail } of requests) fail(thrown);
	}
}

/** Gives events back whose work did not come to its end, so that a repeat or a retry passes. */
export async function giveBack(context: IExecuteFunctions, keys: Iterable<string>): Promise<void> {
	const list = [...keys];
	for (const key of list) taken.delete(nameOf(context, key));
	if (list.length > 0)
		await visit(
			deskOf(context),
			async () => await context.helpers.removeProcessed(list, 'node', OPTIONS),
		);
}
