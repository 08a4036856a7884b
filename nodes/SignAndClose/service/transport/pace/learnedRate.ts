/*
 * Learns how many requests in a given time a service accepts, from nothing but its refusals. Pure:
 * all times are given, in milliseconds.
 */

/** Accepted requests that tell how many are accepted in the long run. */
const ENOUGH_TO_TELL = 8;
/** So few accepted requests tell nothing, and the search begins with one request in this time. */
const VERY_FEW = 2;
const LITTLE_MS = 200;
/** How much the rate grows with each accepted request as long as the limit is searched for. */
const SEARCH_GROWTH = 1.25;
/** What is kept at first of the rate that the service seems to accept. */
const KEPT = 0.9;
/** The part of a refused rate that the service seems to accept. */
const BELOW_REFUSED = 0.94;
/** The same when little was accepted before the refusal. */
const KEPT_WITHOUT_EVIDENCE = 0.9;
/** The same, at least, when much less was accepted, as when a quota is used up early. */
const LEAST_KEPT = 0.75;
const CLOSE = 0.8;
/** A cycle of so many pauses is long enough for the refused rate itself to tell the limit. */
const LONG = 4;
/** After so many milliseconds without a request, a new cycle begins. */
const LONGEST_GAP_MS = 2_000;
/** Accepted requests after which the rate that seems acceptable is reached again, at least. */
const FEWEST_UNTIL_REACHED = 40;
/** Going beyond the limit must not cost more than one part in so many of the time. */
const PARTS = 12;
/**
 * The slowest rate, in requests a millisecond. A service that refuses requests at this rate isn't
 * helped by a slower one: others use up its quota, or it fails now and then. Pauses do the rest.
 */
const SLOWEST = 1 / 250;
/** From this rate on, in requests a millisecond, requests needn't be spread. */
const TOO_FAST_TO_SPREAD = 1;

/**
 * The rate at which requests are spread, once the service has refused one for coming too fast.
 *
 * A cycle lasts from the first request after a pause to the end of the next pause. What the service
 * accepts in a cycle is what it accepts in the long run, if it's enough to tell. If it isn't, the
 * service takes no bursts, and its limit is searched for. Around the limit, the rate follows the
 * curve of TCP CUBIC: up to the limit fast, near it hardly at all, then faster again, because limits
 * can change. The dearer a pause is, the longer the rate stays near the limit.
 */
export class LearnedRate {
	/** Requests a millisecond; undefined as long as requests needn't be spread. */
	private rate: number | undefined;

	private searching = false;

	/** Whether the service accepts many requests in a row, as one does that counts in a window. */
	private takesBursts = false;

	/** The rate that the service seems to accept. */
	private limit = 0;

	/** Accepted requests that waited for their place, in this cycle. */
	private inPlace = 0;

	private untilReached = FEWEST_UNTIL_REACHED;

	private lastStart = -Infinity;

	private cycle: { began: number; accepted: number } | undefined;

	/** The time between the starts of two requests; 0 as long as none is needed. */
	get spacingMs(): number {
		return this.rate === undefined ? 0 : 1 / this.rate;
	}

	/** Notes that a request was sent. */
	started(now: number): void {
		// A time without requests says nothing about how many the service accepts.
		const gap = now - this.lastStart;
		if (this.cycle === undefined || gap > Math.max(LONGEST_GAP_MS, LONG * this.spacingMs))
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
		this.rate = this.searching
			? this.rate * SEARCH_GROWTH
			: this.limit * (1 + (1 - KEPT) * (this.inPlace / this.untilReached - 1) ** 3);
		if (this.rate > TOO_FAST_TO_SPREAD) this.rate = undefined;
	}

	/**
	 * Notes that a pause is over, because the service has accepted a request again.
	 * @param pausedAt when the pause began
	 * @param now when that request was sent
	 * @param waited whether the refused request had waited for its place
	 */
	resumed(pausedAt: number, now: number, waited: boolean): void {
		const { began, accepted } = this.cycle ?? { began: pausedAt, accepted: 0 };
		const [activeMs, pauseMs] = [Math.max(1, pausedAt - began), now - pausedAt];
		const reached = Math.max(1, accepted) / (activeMs + pauseMs);
		const tells = accepted >= ENOUGH_TO_TELL;
		if (this.rate === undefined) {
			this.takesBursts = tells;
			if (tells) this.settle(reached);
			else this.search(accepted > VERY_FEW ? reached : Math.max(reached, 1 / LITTLE_MS));
		} else if (this.searching) this.settle(this.rate / SEARCH_GROWTH);
		else {
			const refused = waited ? this.rate : Math.min(this.rate, accepted / activeMs);
			if (!tells) this.settle(refused * KEPT_WITHOUT_EVIDENCE);
			else {
				const usedUp = this.takesBursts && activeMs < LONG * pauseMs;
				this.settle(
					usedUp && reached < refused * CLOSE
						? Math.max(reached, refused * LEAST_KEPT)
						: refused * BELOW_REFUSED,
				);
				this.untilReached = Math.max(FEWEST_UNTIL_REACHED, PARTS * pauseMs * this.limit);
			}
		}
		this.inPlace = 0;
		this.cycle = { began: now, accepted: 0 };
		this.lastStart = now;
	}

	private search(rate: number): void {
		this.searching = true;
		this.rate = rate;
	}

	private settle(limit: number): void {
		this.searching = false;
		this.limit = Math.max(SLOWEST / KEPT, limit);
		this.rate = this.limit * KEPT;
		this.untilReached = FEWEST_UNTIL_REACHED;
	}
}
