import { getHeader, type Answer } from './answer';
import { isClosed, isRepeatedRead } from './statuses';

/*
 * Decides by one pure rule when a request is repeated. Reads may be repeated; writes only when
 * nothing can have been done, because the service has no idempotency key, so a repeated create
 * would make a second transaction (docs/service/errors.md#nothing-twice).
 */

/** Attempts in all, the first one included. */
export const MAX_ATTEMPTS = 5;
/** A service that doesn't answer costs a whole time-out each time, so it is asked twice at most. */
const MAX_SLOW_ATTEMPTS = 2;
const FIRST_WAIT_MS = 500;
/** The longest pause that the node chooses by itself. */
export const LONGEST_WAIT_MS = 30_000;
/**
 * The longest pause that the node grants a service that is unavailable and asks for one. A longer
 * one is reported to the person instead of letting the node sleep for minutes.
 */
export const LONGEST_RETRY_AFTER_MS = 120_000;

/** What became of an attempt: an answer, or a fault that kept it from coming. */
type Outcome =
	| { status: number; retryAfterMs?: number }
	| { nothingSent: boolean; timedOut?: boolean; lasting?: boolean };

/**
 * Decides whether another attempt follows. 429 isn't decided here: it's no failed attempt, and says
 * nothing but to come later (docs/behaviour.md#rate-limits).
 * @param attempt number of the attempt that has just ended, from 1
 * @param random number in [0, 1) that spreads the pauses of several clients
 * @returns after how many milliseconds; undefined when none follows
 */
export function decideRetry(
	method: string,
	attempt: number,
	outcome: Outcome,
	random: number,
): number | undefined {
	if (!mayRepeat(isRead(method), outcome)) return undefined;
	const isSlow = 'nothingSent' in outcome && outcome.timedOut === true;
	if (attempt >= (isSlow ? MAX_SLOW_ATTEMPTS : MAX_ATTEMPTS)) return undefined;
	const requestedMs = 'status' in outcome ? outcome.retryAfterMs : undefined;
	if (requestedMs !== undefined)
		return requestedMs > LONGEST_RETRY_AFTER_MS ? undefined : requestedMs;
	const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

/** Whether a method only reads. */
export function isRead(method: string): boolean {
	return method === 'GET' || method === 'HEAD';
}

function mayRepeat(isReading: boolean, outcome: Outcome): boolean {
	if ('nothingSent' in outcome)
		return outcome.lasting !== true && (isReading || outcome.nothingSent);
	return isReading && isRepeatedRead(outcome.status);
}

/** Headers that say when requests are taken again; the others come with any answer of a quota. */
const PAUSES = ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'];
/** Greater numbers are no spans but times since 1970: seconds, and milliseconds from the second on. */
const [LEAST_SECONDS, LEAST_MS] = [1e9, 1e12];

/**
 * Reads how long a service that refuses a request asks to wait: seconds, an HTTP date, or a time
 * since 1970. 0 and a time in the past say nothing: who takes them for "at once" is refused again
 * and again.
 * @param now milliseconds since 1970. Dates are compared with the answer's own date, if it has one,
 *   because the clocks can differ
 * @returns milliseconds from now; undefined when it says nothing
 */
export function readRequestedPause({ status, headers }: Answer, now: number): number | undefined {
	const date = Date.parse(getHeader(headers, 'date') ?? '');
	const there = Number.isNaN(date) ? now : date;
	for (const name of isClosed(status) ? PAUSES : PAUSES.slice(0, 1)) {
		const text = getHeader(headers, name)?.trim() ?? '';
		const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
		const time =
			number >= LEAST_MS
				? number
				: number >= LEAST_SECONDS
					? number * 1000
					: Date.parse(/[a-z]/i.test(text) ? text : '');
		const pauseMs = number < LEAST_SECONDS ? number * 1000 : time - there;
		if (pauseMs > 0) return pauseMs;
	}
	return undefined;
}
