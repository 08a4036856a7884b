/* How many requests may be open at once (docs/pace.md). Pure: it knows no clock. */

/** How much they grow with a round of answers, and how many times as many answers that has to bring. */
const AT_FIRST = { growth: 3, gain: 1.25 };
/** From the first time on that they shrink. */
const CAREFUL = { growth: 1.1, gain: 1 };
const KEPT_AFTER_NO = 0.5;
/** Not one, because the upload of a big file would hold all others. */
const LEAST = 2;
/** Answers that a round counts at least, so that it isn't judged by chance. */
const FEWEST_ANSWERS = 8;

/**
 * Requests at once: more after each round of answers, until the service says no, or until more of
 * them don't bring more answers in a time. Times are milliseconds.
 */
export class ConcurrencyLimit {
	private isCareful = false;

	private round = { since: 0, openBefore: 0, answers: 0, full: false };

	/** What fewer at once have brought in the round before, if this one has more. */
	private fewer: { limit: number; answersPerMs: number } | undefined;

	constructor(
		private limit: number,
		private readonly maximum: number,
	) {}

	get value(): number {
		return Math.floor(this.limit);
	}

	/** Begins a round anew. A careful one waits until those have ended that were open before. */
	begin(now: number, open: number): void {
		const openBefore = this.isCareful ? open : 0;
		this.round = { since: now, openBefore, answers: 0, full: false };
	}

	/**
	 * Notes an answer.
	 * @param full whether as many requests were open as allowed when this one was sent
	 * @param open how many are open now
	 */
	noteAnswer(now: number, full: boolean, open: number): void {
		const { round } = this;
		round.full ||= full;
		if (round.openBefore > 0) {
			round.openBefore--;
			round.since = now;
		} else if (++round.answers >= Math.max(FEWEST_ANSWERS, this.limit)) {
			// Where less is asked for than allowed, the answers tell nothing of the service.
			if (round.full) this.evaluateRound(round.answers / Math.max(1, now - round.since));
			this.begin(now, open);
		}
	}

	/** Notes that the service takes no more. */
	noteRefusal(now: number, open: number): void {
		this.isCareful = true;
		this.limit = Math.max(LEAST, this.limit * KEPT_AFTER_NO);
		this.fewer = undefined;
		this.begin(now, open);
	}

	private evaluateRound(answersPerMs: number): void {
		const { fewer, limit, isCareful } = this;
		const { growth, gain } = isCareful ? CAREFUL : AT_FIRST;
		this.fewer = undefined;
		if (fewer !== undefined && answersPerMs < gain * fewer.answersPerMs) {
			// The best number is between the last two, or if these are close to each other, below them.
			const best = isCareful ? fewer.limit / growth : Math.sqrt(fewer.limit * limit);
			this.limit = Math.max(LEAST, best);
			this.isCareful = true;
		} else if (limit < this.maximum) {
			this.fewer = { limit, answersPerMs };
			this.limit = Math.min(this.maximum, Math.max(limit * growth, limit + 1));
		}
	}
}
