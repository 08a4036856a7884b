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

/** The generator called mulberry32: small, and good enough to draw tests. */
export function drawFrom(seed: number): Draw {
	let state = seed >>> 0;
	const number = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
	return {
		number,
		whole,
		one: (choices) => choices[whole(0, choices.length - 1)],
		chance: (probability) => number() < probability,
	};
}
