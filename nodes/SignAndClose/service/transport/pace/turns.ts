import { sleep } from 'n8n-workflow';

import type { PaceRules } from '../../limits';
import type { Ended, Slowdowns, Started } from './outcomes';
import { Pace } from './pace';
import { waitInLine } from './waitInLine';

/* Lets requests wait for their turn. When it comes is decided by Pace. */

/** No timer is longer, so that what changes meanwhile is noticed. */
const LONGEST_TIMER_MS = 1_000;

/** What somebody who waits for a turn asks for. */
export interface Wish {
	/** Ends the waiting. */
	signal?: AbortSignal;
	/**
	 * The time, in milliseconds since 1970, after which a turn is of no use, because somebody waits
	 * for our own answer. Such a request goes before the others.
	 */
	latest?: number;
	/**
	 * When the service first refused this request because of the number of requests. It then goes
	 * before the others, too.
	 */
	refusedSince?: number;
	/** How often the service was unavailable for this request; from the second time on, it goes first. */
	unavailable?: number;
}

/** The turn of one request. It has to be ended, whatever became of the request. */
export interface Turn {
	end(ended: Ended): void;
}

/** Thrown when the service limits requests for longer than a request may wait. Nothing was sent. */
export class NoTurn extends Error {
	constructor(
		/** Milliseconds until the service takes requests again, as far as is known. */
		readonly forMs: number,
	) {
		super('No turn');
	}
}

interface Waiting extends Wish {
	allow(started: Started): void;
	refuse(): void;
}

/**
 * The turns of all requests to one service with one key, in the order in which they were asked for.
 * Nobody is woken but the one whose turn it is, so there's no burst after a pause.
 */
export class Turns {
	private readonly pace: Pace;

	private readonly waiting: Waiting[] = [];

	private timerAt = Infinity;

	constructor(private readonly rules: PaceRules) {
		this.pace = new Pace(rules);
	}

	/** How many requests may be open at once. */
	get atOnce(): number {
		return this.pace.atOnce;
	}

	/** How much the service has slowed down so far. */
	get slowdowns(): Slowdowns {
		return this.pace.slowdowns;
	}

	/**
	 * Waits for a turn.
	 * @throws NoTurn; the reason of the signal when that is aborted
	 */
	async take(wish: Wish): Promise<Turn> {
		const started = await waitInLine<Started, Waiting>(this.waiting, wish.signal, (served) => {
			const waiting: Waiting = {
				...wish,
				allow: served.resolve,
				refuse: () => served.reject(new NoTurn(Math.max(0, this.pace.pausedUntil - Date.now()))),
			};
			const { latest, refusedSince, unavailable = 0 } = wish;
			if (latest !== undefined || refusedSince !== undefined || unavailable > 1)
				this.waiting.unshift(waiting);
			else this.waiting.push(waiting);
			this.serve();
			return waiting;
		});
		return {
			end: (ended) => {
				this.pace.ended(started, ended, Date.now(), Math.random());
				this.serve();
			},
		};
	}

	/** Whether the next turn comes before a request would have waited for too long. */
	isWorthWaiting({ latest = Infinity, refusedSince = Infinity }: Wish): boolean {
		const since = Math.min(refusedSince, this.pace.refusingSince ?? Infinity);
		return (
			this.pace.pausedUntil <= latest && this.pace.askedUntil <= since + this.rules.longestWaitMs
		);
	}

	/** Whether nobody waits, and nothing was sent for so long that nothing learned is kept. */
	get isIdle(): boolean {
		return this.waiting.length === 0 && this.pace.isIdle(Date.now());
	}

	/** Gives turns to those who can have one, and comes back when the next can have one. */
	private serve(): void {
		for (;;) {
			this.turnAway();
			const [first] = this.waiting;
			if (first === undefined) return;
			const next = this.pace.start(Date.now(), first.unavailable);
			if (next === 'untilOthersEnd' || 'forMs' in next) {
				const until = next === 'untilOthersEnd' ? Infinity : Date.now() + next.forMs;
				const latest = Math.min(...this.waiting.map((waiting) => waiting.latest ?? Infinity));
				this.comeBack(Math.min(until, latest + 1));
				return;
			}
			this.waiting.shift();
			first.allow(next);
		}
	}

	private turnAway(): void {
		const now = Date.now();
		const paused = this.pace.pausedUntil > now;
		for (const waiting of [...this.waiting]) {
			if (paused ? this.isWorthWaiting(waiting) : now <= (waiting.latest ?? Infinity)) continue;
			this.waiting.splice(this.waiting.indexOf(waiting), 1);
			const allowed = paused ? this.pace.startAgainstHope(now) : undefined;
			if (allowed === undefined) waiting.refuse();
			else waiting.allow(allowed);
		}
	}

	private comeBack(at: number): void {
		const due = Math.min(at, Date.now() + LONGEST_TIMER_MS);
		if (due >= this.timerAt) return;
		this.timerAt = due;
		void sleep(Math.ceil(due - Date.now())).then(() => {
			if (this.timerAt === due) this.timerAt = Infinity;
			this.serve();
		});
	}
}
