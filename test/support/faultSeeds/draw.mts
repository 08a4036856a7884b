import { seededRandom } from '../../../bench/seededRandom.mts';

/** Draws from a seed: the same numbers for the same seed. */
export interface Draw {
	/** From 0 up to 1. */
	number(): number;
	/** A whole number from `least` to `most`. */
	whole(least: number, most: number): number;
	one<T>(choices: readonly T[]): T;
	/** True with this probability. */
	chance(probability: number): boolean;
}

export function drawFrom(seed: number): Draw {
	const number = seededRandom(seed);
	const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
	return {
		number,
		whole,
		one: (choices) => choices[whole(0, choices.length - 1)],
		chance: (probability) => number() < probability,
	};
}
