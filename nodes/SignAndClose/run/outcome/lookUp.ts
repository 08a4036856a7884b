import type { ServiceClient } from '../../transport/client';
import { findFailure } from '../../transport/failure/failure';
import { UNKNOWN, type Seen } from './goals';

/** How a lost answer is looked up. */
export interface LookUp {
	/**
	 * From which time on what isn't there counts as not done, in milliseconds since 1970. Before it,
	 * the service may still be at work, or its list behind. By default, it never counts.
	 */
	absentFrom?: number;
	/** Ends the wait when the execution is canceled. */
	signal?: AbortSignal;
}

/**
 * Looks again and again, in growing pauses, until the service shows what became of a write whose
 * answer was lost. A look that fails says nothing, and is repeated.
 * @param look is told whether what is missing now counts as not done. `notDone` where the service
 *   shows that the write's work isn't there yet; `unknown` where no later look could tell; undefined
 *   where a later one may
 * @returns unknown when the time is over (docs/behaviour.md#limits), or the service refuses to tell
 */
export async function lookUntilFound<T>(
	service: ServiceClient,
	look: (isLate: boolean) => Promise<Seen<T> | undefined>,
	{ absentFrom = Number.POSITIVE_INFINITY, signal }: LookUp,
): Promise<Seen<T>> {
	const { lookUpMs, lookUpPauseMs } = service.limits;
	const end = Date.now() + lookUpMs;
	for (let pause = lookUpPauseMs; ; pause *= 2) {
		const askedAt = Date.now();
		try {
			const seen = await look(askedAt >= absentFrom);
			if (seen?.state === 'done' || seen?.state === 'unknown') return seen;
			// From then on, nothing new comes.
			if (askedAt >= absentFrom) return seen ?? UNKNOWN;
		} catch (thrown) {
			const { httpStatus = 0 } = findFailure(thrown)?.flags ?? {};
			if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return UNKNOWN;
		}
		const left = end - Date.now();
		if (left <= 0) return UNKNOWN;
		await service.rest(Math.min(pause, left), signal);
	}
}
