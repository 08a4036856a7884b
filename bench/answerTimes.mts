import { seededRandom } from './seededRandom.mts';

/**
 * How long services take for their answers. A delay belongs to its item and not to its place in a
 * run, so that everybody who is compared meets the same. Times are milliseconds.
 */

/** How long the answer for an item takes while so many requests are open, this one included. */
export type AnswerTime = (item: number, open: number) => number;

/** A kind of service. */
export interface AnswerTimes {
	/** What half of the answers take. */
	medianMs: number;
	/** How much they vary: of a lognormal distribution, 0 for not at all. */
	sigma: number;
	seed?: number;
	/** The share of answers that take ten times as long. */
	slowShare?: number;
	/** Whether the first answer takes a tenth. */
	fastFirst?: boolean;
	/** How much slower the last of so many items is than the first one. */
	drift?: { times: number; items: number };
	/** A gateway whose answers take 1 + (open / knee)² as long. */
	knee?: number;
}

/** Two independent numbers in [0, 1) for an item. */
function numbersOf(seed: number, item: number): [number, number] {
	const random = seededRandom(Math.imul(seed, 1_000_003) + item);
	return [random(), random()];
}

/** A number of the normal distribution for an item (Box and Muller). */
function normal(seed: number, item: number): number {
	const [first, second] = numbersOf(2 * seed, item);
	return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
}

/** How long a service of this kind takes. */
export function answerTime({
	medianMs,
	sigma,
	seed = 1,
	slowShare = 0,
	fastFirst = false,
	drift,
	knee,
}: AnswerTimes): AnswerTime {
	return (item, open) => {
		const usual = medianMs * Math.exp(sigma * normal(seed, item));
		const slow = numbersOf(2 * seed + 1, item)[0] < slowShare ? 10 : 1;
		const fast = fastFirst && item === 0 ? 0.1 : 1;
		const drifted = drift === undefined ? 1 : 1 + ((drift.times - 1) * item) / drift.items;
		const congested = knee === undefined ? 1 : 1 + (open / knee) ** 2;
		return usual * slow * fast * drifted * congested;
	};
}

/** Whether an item is among the given share that is refused at random when it's asked for first. */
export function isUnlucky(seed: number, item: number, share: number): boolean {
	return numbersOf(3 * seed + 2, item)[1] < share;
}
