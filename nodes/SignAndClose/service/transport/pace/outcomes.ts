/* What the pace says to those who ask it, and what they tell it. Times are milliseconds. */

/** A request that was allowed. It has to end by Pace.ended(). */
export interface Started {
	readonly at: number;
	/** With it, as many requests were open as allowed. */
	readonly full: boolean;
	/** The time it kept to the one before it, if it had to wait for its place. */
	readonly spacingMs?: number;
	/** It's sent for the second time, because the service was unavailable. */
	readonly second?: boolean;
}

/** What became of a request. */
export type Ended =
	/**
	 * The service did its work, or refused for a reason of the request's own. `kind` names requests
	 * that take about as long as each other; without it, the time isn't judged.
	 */
	| { outcome: 'answered'; kind?: string; usedUpForMs?: number }
	/**
	 * The service takes no more at present: `mild` without a word about limits. `pauseMs` is the time
	 * it names.
	 */
	| { outcome: 'refused'; mild: boolean; pauseMs?: number }
	/** The service, or what is before it, is overloaded. */
	| { outcome: 'overloaded' }
	/** Nothing is known, e.g. because the network failed. */
	| { outcome: 'unknown' };

/** How much a service has slowed down: milliseconds of pauses that are over, refused requests. */
export interface Slowdowns {
	pausedMs: number;
	refused: number;
}

/** What keeps the next request from being sent. */
export type Held = { forMs: number } | 'untilOthersEnd';
