import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { plainId } from '../../service/values/ids';
import { asObject, asText, ownValue } from '../../service/values/json';
import { readInstant } from '../../service/values/times';
import { ChangedTransactions, type Seen } from './changedTransactions';
import { finalEvent, isCompletion, isFinal, isFirst, isOnce } from './states';

/* Compares the states of transactions between two looks. */

/** What the node keeps in n8n's static data about the states of transactions. */
export interface ChangeMemory extends IDataObject {
	/** Everything updated until then is known or has been passed on (ISO 8601, the service's clock). */
	since: string;
	/** States by the ID of the transaction, of those that changed last. */
	states: Record<string, string>;
}

/** A transaction that has come into another state. */
export interface Change extends Seen {
	/** The state before; undefined when it isn't known. */
	previous: string | undefined;
	/** Identifies the change: the same whenever it's seen. */
	key: string;
}

/** What a look has found. */
export interface Look {
	changes: Change[];
	/** Whether anything has moved since the look before, also what isn't a change of state. */
	moved: boolean;
	/** Whether everything could be read. */
	complete: boolean;
}

/** How far back states are read when a workflow is published, and when n8n starts. */
const KNOWN_MS = 30 * 86_400_000;
/**
 * How far back changes are passed on after n8n was down. n8n forgets after 14 days, unless configured
 * otherwise, which executions it has had.
 */
const LONGEST_MS = 7 * 86_400_000;
/** A list may lag behind what it shows later, so the last minutes are read again. */
const OVERLAP_MS = 120_000;
/** How many states n8n stores, because it writes all static data of the workflow at once. */
const MOST_STORED = 2_000;
/** How many states the process keeps. */
const MOST_KNOWN = 50_000;

/**
 * The key of an event that a transaction has once. A delivery of the event has the same, so that it's
 * passed on once, whatever it was noticed by.
 */
export function onceKey(event: string, transactionId: string): string {
	return hash(['once', event, plainId(transactionId)]);
}

function hash(parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/**
 * The key of a change: ID, state and the time of the update. A state that ends a transaction has no
 * time, because later updates would change it. Should the transaction go on all the same, it has been
 * recalled, or has a new expiry.
 */
function keyOf({ id, state, transaction }: Seen): string {
	if (isOnce(state)) return onceKey(finalEvent(state), id);
	const {
		date_updated: updated,
		expiry,
		expiration_time: expires,
		recall_reason: recalled,
	} = transaction;
	const times = isFinal(state) ? [expiry, expires, recalled] : [updated];
	return hash(['change', id, state, ...times.map((time) => asText(time) ?? null)]);
}

/**
 * Watches the states of transactions. What it knows is in the process; what n8n stores with each event
 * that is emitted lags one look behind, so that nothing counts as passed on before it is.
 */
export class ChangeWatcher {
	private readonly list = new ChangedTransactions();

	private readonly known = new Map<string, string>();

	private before: ChangeMemory | undefined;

	/** Changes that n8n couldn't store. The next look gives them again. */
	private unsent: Change[] = [];

	/** The first look also reads the states of what doesn't change. */
	private isLearning = true;

	/** Updates until then were seen, in milliseconds since 1970 of the service's clock. */
	private cursor: number | undefined;

	/** What was updated until then and isn't known had its state before the watch began. */
	private begin = 0;

	/**
	 * Begins a watch: reads the states that are there, of which no change is passed on.
	 * @param now milliseconds since 1970
	 * @param events that are selected
	 * @param unheard completions since then are passed on all the same (milliseconds since 1970)
	 * @throws ServiceFailure
	 */
	static async begin(
		service: ServiceClient,
		now: number,
		events: readonly string[] = [],
		unheard = Infinity,
	): Promise<ChangeMemory> {
		const watcher = new ChangeWatcher();
		const { seen } = await watcher.list.list(service, now - KNOWN_MS, now);
		const after = (since: number) => seen.filter(({ updated = 0 }) => updated > since);
		// Of more than are stored, it couldn't be told later which have changed.
		const since = after(unheard).length < MOST_STORED ? unheard : Infinity;
		const passedOn = new Set(after(since).filter((each) => isCompletion(each, events)));
		for (const each of seen) if (!passedOn.has(each)) watcher.know(each);
		const newest = seen.filter(({ updated }) => updated !== undefined).at(-1)?.updated;
		// Where nothing has changed for so long, everything that comes is new, whatever the clocks show.
		watcher.cursor = Math.min(newest ?? now - 86_400_000, since);
		return watcher.state();
	}

	/**
	 * Looks which transactions have changed since the look before.
	 * @param memory where the first look continues
	 * @param now milliseconds since 1970
	 * @throws ServiceFailure; the next look then covers the time of this one
	 */
	async look(service: ServiceClient, memory: ChangeMemory, now: number): Promise<Look> {
		if (this.cursor === undefined) this.restore(memory, now);
		const cursor = this.cursor!;
		const from = this.isLearning ? Math.min(cursor, now) - KNOWN_MS : cursor - OVERLAP_MS;
		this.before = this.state();
		const { seen, complete } = await this.list.list(service, from, now);
		const changes = this.unsent.splice(0);
		for (const each of seen) {
			const previous = this.known.get(each.id);
			if (previous !== each.state && this.isChange(each, previous))
				changes.push({ ...each, previous, key: keyOf(each) });
			this.know(each);
			this.cursor = Math.max(this.cursor!, each.updated ?? 0);
		}
		this.isLearning = false;
		return { changes, moved: changes.length > 0 || this.cursor! > cursor, complete };
	}

	/** What to store before the changes of a look are emitted: where a watch continues without it. */
	stateBefore(): ChangeMemory {
		return this.before!;
	}

	private state(): ChangeMemory {
		const oldest = Math.min(...this.unsent.map(({ updated }) => (updated ?? this.cursor!) - 1));
		const states = Object.fromEntries([...this.known].slice(-MOST_STORED));
		for (const { id, previous } of this.unsent) {
			if (previous === undefined) delete states[id];
			else states[id] = previous;
		}
		return { since: new Date(Math.min(this.cursor ?? 0, oldest)).toISOString(), states };
	}

	/** Gives a change again at the next look, because n8n couldn't store its execution. */
	giveAgain(change: Change): void {
		this.unsent.push(change);
	}

	private restore({ since, states }: ChangeMemory, now: number): void {
		this.cursor = Math.max(readInstant(since) ?? now, now - LONGEST_MS);
		this.begin = this.cursor;
		for (const [id, state] of Object.entries(asObject(states)))
			if (typeof state === 'string') this.known.set(id, state);
	}

	private isChange({ state, updated, transaction }: Seen, previous: string | undefined): boolean {
		if (previous !== undefined) return true;
		if (updated === undefined ? this.isLearning : updated <= this.begin) return false;
		// A draft that isn't known may be an old one, of which something else has changed.
		const created = readInstant(transaction.date_created);
		return !isFirst(state) || created === undefined || created > this.begin;
	}

	/** The states that were seen last come last. */
	private know({ id, state }: Seen): void {
		this.known.delete(id);
		this.known.set(id, state);
		if (this.known.size <= MOST_KNOWN) return;
		const [oldest] = this.known.keys();
		this.known.delete(oldest);
	}
}

/** Reads what was stored of a watch; undefined when none has begun. */
export function readChangeMemory(value: unknown): ChangeMemory | undefined {
	const stored = asObject(value);
	return typeof ownValue(stored, 'since') === 'string' ? (stored as ChangeMemory) : undefined;
}
