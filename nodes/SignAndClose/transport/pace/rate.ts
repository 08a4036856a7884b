/* How many requests a service takes in a given time (docs/pace.md). Pure: it knows no clock. */

/** How much faster each accepted request makes it, below no rate that was refused. */
const GROWTH = 1.02;
/** Accepted requests until a rate that was refused is tried again. */
const UNTIL_TRIED = 500;
/** What is left of a rate that was refused, at least and at most. */
const KEPT_LEAST = 0.7;
const KEPT_MOST = 0.93;
/** Requests a millisecond: slower helps nobody, since pauses do the rest. */
const SLOWEST = 1 / 250;
/** From this rate on, requests needn't be spread. */
const TOO_FAST_TO_SPREAD = 1;

/**
 * The rate at which requests are spread, once refusals have shown one: what was accepted from the
 * end of one pause to the end of the next. From there it grows, slowly towards a rate that was
 * refused. Times are milliseconds.
 */
export class Rate {
	/** Requests a millisecond; undefined while requests needn't be spread. */
	private perMs: number | undefined;

	/** Where it began after the last pause, and the rate that was refused before that. */
	private began = 0;
	private refused: number | undefined;

	/** What was accepted since the last pause. */
	private cycle = { since: 0, accepted: 0 };

	/** The time between two requests; 0 while none is needed. */
	get spacingMs(): number {
		return this.perMs === undefined ? 0 : 1 / this.perMs;
	}

	/** Counts anew, since a time without requests says nothing about how many are accepted. */
	begin(now: number): void {
		this.cycle = { since: now, accepted: 0 };
	}

	/**
	 * Notes that the service has accepted a request.
	 * @param spread whether it waited for its place
	 */
	accepted(spread: boolean): void {
		this.cycle.accepted++;
		if (this.perMs === undefined || !spread) return;
		if (this.refused === undefined || this.perMs >= this.refused) this.perMs *= GROWTH;
		else this.perMs += (this.refused - this.began) / UNTIL_TRIED;
		if (this.perMs > TOO_FAST_TO_SPREAD) this.perMs = undefined;
	}

	/**
	 * Learns from a pause that refusals have caused.
	 * @param now when the first request after it was sent
	 */
	learn(now: number): void {
		const accepted = this.cycle.accepted / Math.max(1, now - this.cycle.since);
		const wasLong = this.cycle.accepted >= UNTIL_TRIED / 4;
		const least = (this.perMs ?? 0) * (wasLong ? KEPT_MOST : KEPT_LEAST);
		const most = (this.perMs ?? Infinity) * KEPT_MOST;
		this.refused = this.perMs;
		this.perMs = this.began = Math.max(SLOWEST, least, Math.min(most, accepted));
		this.begin(now);
	}
}
