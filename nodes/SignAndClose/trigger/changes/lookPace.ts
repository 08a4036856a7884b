import { randomInt } from 'crypto';

/* How often transactions are asked for: in seconds while something moves, in minutes otherwise. */

const SHORTEST_MS = 5_000;
/** Two requests a look, one for each platform, are at most 45 an hour then. */
const LONGEST_MS = 180_000;
/** Pauses are that much shorter or longer, in percent, so that workflows don't ask all at once. */
const SPREAD = 10;

/** The pauses between the looks of one workflow. */
export class LookPace {
	private pause = SHORTEST_MS;

	/**
	 * Returns how long to wait for the next look, in milliseconds.
	 * @param moved whether the look has found anything that has changed
	 */
	next(moved: boolean): number {
		const pause = moved ? SHORTEST_MS : this.pause;
		this.pause = Math.min(2 * pause, LONGEST_MS);
		return Math.round((pause * randomInt(100 - SPREAD, 100 + SPREAD + 1)) / 100);
	}
}
