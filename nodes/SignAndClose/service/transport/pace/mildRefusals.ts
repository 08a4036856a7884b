/*
 * Tells from refusals without a word about limits, as 503 is, whether they're a limit all the same.
 * A limit refuses most of what comes too fast. A service that fails now and then, whatever the pace,
 * doesn't.
 */

/** How much one outcome weighs in a share, and which share is taken for a limit. */
const WEIGHT = 1 / 12;
const MOST = 0.4;
/**
 * The same for requests that are sent for the second time. One that is sent between others that take
 * their time can be the only one that comes too fast, each time, while nearly all are accepted.
 */
const SECOND_WEIGHT = 1 / 6;
const MOST_SECONDS = 0.5;

/** The mild refusals of a service. */
export class MildRefusals {
	private share = 0;

	private shareOfSeconds = 0;

	/** Whether they're a limit. */
	get tellOfLimit(): boolean {
		return this.share >= MOST || this.shareOfSeconds >= MOST_SECONDS;
	}

	/**
	 * Notes an outcome.
	 * @param second whether the request was sent for the second time
	 */
	note(refused: boolean, second: boolean): void {
		const outcome = Number(refused);
		this.share += WEIGHT * (outcome - this.share);
		if (second) this.shareOfSeconds += SECOND_WEIGHT * (outcome - this.shareOfSeconds);
	}
}
