/*
 * Learns how many requests in a given time a service accepts, from nothing but its refusals. Pure:
 * all times are given, in milliseconds.
 */

/** Accepted requests that tell how many are accepted in the long run. */
const ENOUGH_TO_TELL = 8;
/** So few accepted requests tell nothing, and the search begins with one request in this time. */
const VERY_FEW = 2;
const LITTLE_MS = 100;
/** How much the rate grows with each accepted request while the limit is searched for. */
const SEARCH_GROWTH = 1.1;
/** The same while only a rate below the limit is known. */
const GROWTH = 1.02;
/** The part of a refused rate that is surely accepted, when the cycle before it was long enough. */
const JUST_BELOW = 0.985;
/** The same when it wasn't: what a pause has left unused was accepted, too. */
const BELOW = 0.94;
/** Rates of which one isn't less than this part of the other differ little. */
const CLOSE = 0.75;
/** The same for rates that are nearly alike. */
const NEARLY = 0.9;
/** Refusals in a row that come before this part of the way to a refused rate tell of no limit. */
const MOST_SURPRISES = 4;
const EARLY = 0.5;
/** Services ask for pauses in whole seconds, so up to this is more than they need. */
const ROUNDED_UP_MS = 1_000;
/** After this time without a request, or this many spacings, a new cycle begins. */
const LONGEST_GAP_MS = 2_000;
const LONGEST_GAP_SPACINGS = 4;
/** Accepted requests until the refused rate is tried again, at least. */
const FEWEST_UNTIL_TRIED = 80;
/** Trying it must not cost more than one part in so many of the time. */
const PARTS = 100;
/** From this difference on between an accepted and a refused rate, it's worth more. */
const WIDE = 0.3;
/** How much of such a difference is tried with each request. */
const CLOSING_IN = 0.002;
/** How fast the rate grows beyond the one that was refused, because limits can change. */
const BEYOND = 1;
/**
 * The slowest rate, in requests a millisecond. A service that refuses requests at this rate isn't
 * helped by a slower one: others use up its quota, or it fails now and then. Pauses do the rest.
 */
const SLOWEST = 1 / 250;
/** From this rate on, in requests a millisecond, requests needn't be spread. */
const TOO_FAST_TO_SPREAD = 1;

/** A pause that is over. Times are milliseconds. */
export interface OverPause {
	/** When the service refused a request. */
	readonly from: number;
	/** When it refused one for the last time. */
	refusedAt: number;
	/**
	 * Whose wish it was: ours, the service's that refused a request, or the service's that announced a
	 * used-up quota with an accepted one.
	 */
	by: 'us' | 'refusal' | 'announcement';
	/** The time that the refused request kept to the one before it, if it waited for its place. */
	readonly spacingMs?: number;
}

/**
 * The rate at which requests are spread, once the service has refused one for coming too fast.
 *
 * A cycle lasts from the first request after a pause to the end of the next pause. What the service
 * accepts in a few cycles is what it accepts in the long run. The limit lies between that, or a rate
 * that was accepted for long, and one that was refused. Each cycle begins at the first and goes to
 * the second: fast when little is known, slowly when a pause is dear. So both come closer to the
 * limit. If the second isn't refused any more, the rate grows beyond it.
 */
export class LearnedRate {
	/** Requests a millisecond; undefined as long as requests needn't be spread. */
	private rate: number | undefined;

	private searching = false;

	/** Whether the service accepts many requests in a row, as one does that counts in a window. */
	private takesBursts = false;

	/** A rate that the service accepts. */
	private accepts = 0;

	/** A higher one that it has refused. */
	private refuses: number | undefined;

	/** Accepted requests that waited for their place, in this cycle. */
	private inPlace = 0;

	private untilTried = FEWEST_UNTIL_TRIED;

	/** Refusals in a row that nothing explains. */
	private surprises = 0;

	private lastStart = -Infinity;

	private cycle: { began: number; accepted: number } | undefined;

	/** What was accepted in the cycles so far, and in how long; the older, the less it counts. */
	private readonly granted = { accepted: 0, ms: 0 };

	/** The time between the starts of two requests; 0 as long as none is needed. */
	get spacingMs(): number {
		return this.rate === undefined ? 0 : 1 / this.rate;
	}

	/** Notes that a request was sent. */
	started(now: number): void {
		// A time without requests says nothing about how many the service accepts.
		const gap = now - this.lastStart;
		if (
			this.cycle === undefined ||
			gap > Math.max(LONGEST_GAP_MS, LONGEST_GAP_SPACINGS * this.spacingMs)
		)
			this.cycle = { began: now, accepted: 0 };
		this.lastStart = now;
	}

	/**
	 * Notes that the service has accepted a request.
	 * @param waited whether the request had to wait for its place
	 */
	accepted(waited: boolean): void {
		if (this.cycle !== undefined) this.cycle.accepted++;
		if (this.rate === undefined || !waited) return;
		this.inPlace++;
		this.rate = this.grown(this.rate);
		if (this.rate > TOO_FAST_TO_SPREAD) this.rate = undefined;
	}

	/**
	 * Notes that a pause is over, because the service has accepted a request again.
	 * @param now when that request was sent
	 */
	resumed(pause: OverPause, now: number): void {
		const { began, accepted } = this.cycle ?? { began: pause.from, accepted: 0 };
		const activeMs = Math.max(1, pause.from - began);
		const reached = this.reachedWith(accepted, activeMs, pause, now);
		const tells = accepted >= ENOUGH_TO_TELL;
		if (this.rate === undefined) {
			this.takesBursts = tells;
			if (tells) this.settle(reached);
			else this.search(accepted > VERY_FEW ? reached : Math.max(reached, 1 / LITTLE_MS));
		} else {
			const refused =
				pause.spacingMs === undefined
					? Math.min(this.rate, accepted / activeMs)
					: 1 / pause.spacingMs;
			const dearness = PARTS * (now - pause.from) * refused;
			const quiet = pause.spacingMs === undefined && refused < this.rate * NEARLY;
			if (pause.by !== 'announcement' && this.noteSurprise(refused, reached, accepted))
				this.settle(this.rate * 2);
			else if (!this.searching && quiet) this.rate = this.accepts;
			else if (!this.searching) this.settle(this.below(refused, reached, tells), refused, dearness);
			else if (accepted <= VERY_FEW) this.search(refused / 2);
			else this.settle(refused / SEARCH_GROWTH, refused, dearness);
		}
		this.inPlace = 0;
		this.cycle = { began: now, accepted: 0 };
		this.lastStart = now;
	}

	/**
	 * Counts a refusal that came long before the refused rate was tried again, although the service
	 * accepts nearly all.
	 * @returns whether there are so many in a row that they've nothing to do with the rate
	 */
	private noteSurprise(refused: number, reached: number, accepted: number): boolean {
		if (this.refuses === undefined || accepted < ENOUGH_TO_TELL) return false;
		const way = this.inPlace / this.untilTried;
		if (way > NEARLY || reached < refused * NEARLY) this.surprises = 0;
		else if (way < EARLY) this.surprises++;
		if (this.surprises < MOST_SURPRISES) return false;
		this.surprises = 0;
		return true;
	}

	/** A rate that the service accepts, below one that it has refused. */
	private below(refused: number, reached: number, tells: boolean): number {
		if (!tells) return Math.min(this.accepts, refused * BELOW);
		if (!this.takesBursts) return refused * JUST_BELOW;
		// Bursts let a while pass until a rate is refused that is too high.
		return reached < refused * CLOSE ? reached : ((reached + refused) / 2) * JUST_BELOW;
	}

	/** What the service accepts in the long run, as far as this cycle and those before it tell. */
	private reachedWith(
		accepted: number,
		activeMs: number,
		{ from, refusedAt, by }: OverPause,
		now: number,
	): number {
		const pauseMs = now - from;
		const neededMs =
			by !== 'us'
				? Math.max(activeMs, pauseMs, activeMs + pauseMs - ROUNDED_UP_MS)
				: activeMs + (refusedAt > from ? (pauseMs + refusedAt - from) / 2 : pauseMs);
		this.granted.accepted = this.granted.accepted / 2 + Math.max(1, accepted);
		this.granted.ms = this.granted.ms / 2 + neededMs;
		return this.granted.accepted / this.granted.ms;
	}

	private grown(rate: number): number {
		if (this.searching) return rate * SEARCH_GROWTH;
		if (this.refuses === undefined) return rate * GROWTH;
		const way = this.inPlace / this.untilTried;
		if (way >= 1) return this.refuses * (1 + BEYOND * (way - 1) ** 3);
		// Without bursts, what was refused is exactly too much, so the rate stays away from it for long.
		return this.accepts + (this.refuses - this.accepts) * (this.takesBursts ? way : way ** 3);
	}

	private search(rate: number): void {
		this.searching = true;
		this.rate = Math.max(SLOWEST, rate);
	}

	/**
	 * @param refuses undefined if no higher rate is known that is refused
	 * @param dearness how many requests it takes until it's worth a pause to try that rate again
	 */
	private settle(accepts: number, refuses?: number, dearness = 0): void {
		this.searching = false;
		this.accepts = Math.max(SLOWEST, accepts);
		this.rate = this.accepts;
		this.refuses = refuses === undefined ? undefined : Math.max(refuses, this.accepts);
		const difference = (this.refuses ?? this.accepts) / this.accepts - 1;
		this.untilTried =
			difference > WIDE ? difference / CLOSING_IN : Math.max(FEWEST_UNTIL_TRIED, dearness);
	}
}
