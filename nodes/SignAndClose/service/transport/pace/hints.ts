import { parseRetryAfter } from '../retry';

/*
 * Reads what an answer says about limits. No service of this kind documents any
 * (docs/service/api.md#rate-limits), so all headers in use are understood.
 */

/** What an answer says about limits. Times are milliseconds from now. */
export interface Hints {
	/** How long to wait before the next request. */
	retryAfterMs?: number;
	/** The quota is used up for so long. */
	usedUpForMs?: number;
}

/** The names under which services tell what is left of a quota, and when it's full again. */
const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
/** Greater numbers are no spans but times since 1970: seconds, and milliseconds from the second on. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e12;

/**
 * Reads the hints of an answer.
 * @param header gives a header by its name in lower case
 * @param now current time in milliseconds since 1970. Dates are compared with the answer's own
 *   date, if it has one, because the clocks can differ
 */
export function readHints(header: (name: string) => string | undefined, now: number): Hints {
	const date = Date.parse(header('date') ?? '');
	const there = Number.isNaN(date) ? now : date;
	const retryAfterMs = parseRetryAfter(header('retry-after'), there);
	const usedUpForMs = usedUp(header, there);
	return {
		...(retryAfterMs !== undefined && { retryAfterMs }),
		...(usedUpForMs !== undefined && { usedUpForMs }),
	};
}

function usedUp(header: (name: string) => string | undefined, now: number): number | undefined {
	const times = PREFIXES.flatMap((prefix) => [
		Number(header(`${prefix}-remaining`) ?? '1') === 0
			? parseReset(header(`${prefix}-reset`), now)
			: undefined,
		parseJoined(header(prefix)),
	]).filter((ms) => ms !== undefined);
	return times.length === 0 ? undefined : Math.max(...times);
}

/** Reads seconds, a time since 1970, or a date. Nothing, 0 and the past say nothing. */
function parseReset(value: string | undefined, now: number): number | undefined {
	const text = value?.trim() ?? '';
	if (!/^\d{1,15}(\.\d{1,9})?$/.test(text)) return parseRetryAfter(text, now);
	const number = Number(text);
	const ms =
		number >= LEAST_EPOCH_MS
			? number - now
			: number >= LEAST_EPOCH_SECONDS
				? number * 1000 - now
				: number * 1000;
	return ms > 0 ? ms : undefined;
}

/**
 * Reads one header that holds all: `"default";r=0;t=30`, a list of them, or
 * `limit=100, remaining=0, reset=30`.
 */
function parseJoined(value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const policies = /;\s*r=/.test(value) ? value.split(',') : [value];
	const times = policies
		.filter((policy) => /(?:^|[;,\s])(?:r|remaining)\s*=\s*0+(?![\d.])/.test(policy))
		.map((policy) => Number(/(?:^|[;,\s])(?:t|reset)\s*=\s*(\d{1,9})/.exec(policy)?.[1] ?? 0));
	const longest = Math.max(0, ...times);
	return longest > 0 ? longest * 1000 : undefined;
}
