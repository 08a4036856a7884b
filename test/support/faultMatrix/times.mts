import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';

/** Seconds that take less than a second: limits and delays are shortened by one factor. */

/**
 * The limits of look-ups.
 * @param secondMs how many milliseconds a second takes
 * @param own others than those of the node, as they'd be in earnest
 */
export function lookUpLimits(secondMs: number, own: Partial<Limits> = {}): Partial<Limits> {
	const { lookUpMs, lookUpPauseMs, absentAfterMs } = { ...LIMITS, ...own };
	const all = Object.entries({ lookUpMs, lookUpPauseMs, absentAfterMs });
	return Object.fromEntries(all.map(([name, ms]) => [name, (ms * secondMs) / 1_000]));
}
