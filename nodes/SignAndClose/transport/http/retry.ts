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

type Outcome =
	| { kind: 'answer'; status: number; retryAfterMs?: number }
	| { kind: 'fault'; nothingSent: boolean; timedOut?: boolean; lasting?: boolean };

/** Whether another attempt follows, and after how many milliseconds. */
type Verdict =
	{ again: true; waitMs: number } | { again: false; reason: 'final' | 'attempts' | 'longWait' };

const TRANSIENT_FOR_READS = new Set([
	408, 425, 500, 502, 503, 504,
	// A gateway's own, for a service that it can't reach or that answers it too late.
	520, 521, 522, 523, 524,
]);

/**
 * Decides whether another attempt follows. 429 isn't decided here: it's no failed attempt, and says
 * nothing but to come later (docs/behaviour.md#rate-limits).
 * @param attempt number of the attempt that has just ended, from 1
 * @param random number in [0, 1) that spreads the pauses of several clients
 */
export function decideRetry(
	method: string,
	attempt: number,
	outcome: Outcome,
	random: number,
): Verdict {
	if (!mayRepeat(isRead(method), outcome)) return { again: false, reason: 'final' };
	const most =
		outcome.kind === 'fault' && outcome.timedOut === true ? MAX_SLOW_ATTEMPTS : MAX_ATTEMPTS;
	if (attempt >= most) return { again: false, reason: 'attempts' };
	const hint = outcome.kind === 'answer' ? outcome.retryAfterMs : undefined;
	if (hint !== undefined) {
		return hint > LONGEST_RETRY_AFTER_MS
			? { again: false, reason: 'longWait' }
			: { again: true, waitMs: hint };
	}
	const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return { again: true, waitMs: Math.round(ceiling / 2 + (ceiling / 2) * random) };
}

/** Whether a method only reads. */
export function isRead(method: string): boolean {
	return method === 'GET' || method === 'HEAD';
}

function mayRepeat(read: boolean, outcome: Outcome): boolean {
	if (outcome.kind === 'fault') return outcome.lasting !== true && (read || outcome.nothingSent);
	return read && TRANSIENT_FOR_READS.has(outcome.status);
}

/**
 * Reads a Retry-After header: seconds or an HTTP date. 0 and a date in the past say nothing: who
 * takes them for "at once" is refused again and again.
 * @param now current time in milliseconds since 1970
 * @returns milliseconds from now; undefined when the header says nothing
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	const ms = /^\d{1,9}$/.test(text)
		? Number(text) * 1000
		: /[a-z]/i.test(text)
			? Date.parse(text) - now
			: 0;
	return ms > 0 ? ms : undefined;
}
