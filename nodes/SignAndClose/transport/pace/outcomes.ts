import type { Fault } from '../failure/fault';
import type { Answer } from '../http/answer';
import { header } from '../http/headers';
import { LONGEST_RETRY_AFTER_MS, parseRetryAfter } from '../http/retry';
import type { Ended } from './pace';

/* Reads what an outcome tells. No limits are documented (docs/service/api.md#rate-limits). */

export const TOO_MANY_REQUESTS = 429;
const REFUSED = new Set([TOO_MANY_REQUESTS, 503]);
/** Statuses of a service, or of a gateway before it, that is overloaded. */
const OVERLOADED = new Set([408, 502, 504, 522, 524]);
/** Headers that say when requests are taken again; the others come with any answer of a quota. */
const PAUSES = ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'];
/** Greater numbers are no spans but times since 1970: seconds, and milliseconds from the second on. */
const [LEAST_SECONDS, LEAST_MS] = [1e9, 1e12];

/** @param outcome undefined when the request failed in a way of our own */
export function endOf(outcome: Answer | Fault | undefined): Ended {
	if (outcome === undefined) return { outcome: 'unknown' };
	if ('code' in outcome) return { outcome: outcome.timedOut ? 'overloaded' : 'unknown' };
	const { status } = outcome;
	if (OVERLOADED.has(status)) return { outcome: 'overloaded' };
	if (!REFUSED.has(status)) return { outcome: 'answered' };
	const pauseMs = askedPause(outcome, Date.now());
	// A longer pause is the person's to grant, for this request alone.
	const isGranted = status === TOO_MANY_REQUESTS || (pauseMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
	return { outcome: 'refused', pauseMs: isGranted ? pauseMs : undefined };
}

/**
 * Reads how long a service that refuses a request asks to wait.
 * @param now milliseconds since 1970. Dates are compared with the answer's own date, if it has one,
 *   because the clocks can differ
 * @returns milliseconds from now; undefined when it says nothing
 */
export function askedPause({ status, headers }: Answer, now: number): number | undefined {
	const date = Date.parse(header(headers, 'date') ?? '');
	const there = Number.isNaN(date) ? now : date;
	for (const name of REFUSED.has(status) ? PAUSES : PAUSES.slice(0, 1)) {
		const value = header(headers, name);
		const ms = Number(value) * (Number(value) < LEAST_MS ? 1000 : 1);
		const isTime = Number(value) >= LEAST_SECONDS;
		const pauseMs = parseRetryAfter(isTime ? new Date(ms).toUTCString() : value, there);
		if (pauseMs !== undefined) return pauseMs;
	}
	return undefined;
}
