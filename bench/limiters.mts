/**
 * The rate limits that services have. Each knows no clock, so that tests can simulate minutes. Times
 * are milliseconds.
 */

/** How a limiter answers a request. */
export interface Verdict {
	accepted: boolean;
	headers: Record<string, string>;
}

/** Decides about a request that arrives at this time. */
export type Limiter = (now: number) => Verdict;

/**
 * What a refusal says about when to come back. `usedUp` also tells with the last accepted request
 * that the quota is used up.
 */
export type Hint = 'none' | 'retryAfter' | 'zero' | 'past' | 'usedUp';

/** So many requests in so many milliseconds. */
export interface Limit {
	count: number;
	windowMs: number;
	hint: Hint;
}

/** The headers of a refusal; services round up to whole seconds. */
function headersFor(hint: Hint, freeInMs: number, now: number): Record<string, string> {
	const seconds = Math.max(1, Math.ceil(freeInMs / 1000));
	switch (hint) {
		case 'none':
			return {};
		case 'retryAfter':
			return { 'retry-after': String(seconds) };
		case 'zero':
			return { 'retry-after': '0' };
		case 'past':
			return { 'retry-after': new Date(now - 60_000).toUTCString() };
		case 'usedUp':
			return { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(seconds) };
	}
}

/** Counts requests in windows that begin on the clock. */
export function fixedWindow({ count, windowMs, hint }: Limit): Limiter {
	let window = -1;
	let used = 0;
	return (now) => {
		const current = Math.floor(now / windowMs);
		if (current !== window) [window, used] = [current, 0];
		const freeInMs = (window + 1) * windowMs - now;
		const accepted = used < count;
		if (accepted) used++;
		const tells = !accepted || (hint === 'usedUp' && used === count);
		return { accepted, headers: tells ? headersFor(hint, freeInMs, now) : {} };
	};
}

/** Counts the requests of the last so many milliseconds. */
export function slidingWindow({ count, windowMs, hint }: Limit): Limiter {
	let times: number[] = [];
	return (now) => {
		times = times.filter((time) => time > now - windowMs);
		if (times.length < count) {
			times.push(now);
			return { accepted: true, headers: {} };
		}
		return { accepted: false, headers: headersFor(hint, times[0] + windowMs - now, now) };
	};
}

/** Accepts a request whenever its share of the window has passed, as nginx does without `burst`. */
export function noBurst({ count, windowMs, hint }: Limit): Limiter {
	const spacingMs = windowMs / count;
	let last = -Infinity;
	return (now) => {
		const accepted = now - last >= spacingMs;
		if (accepted) last = now;
		return {
			accepted,
			headers: accepted ? {} : headersFor(hint, last + spacingMs - now, now),
		};
	};
}

/** Fills a bucket evenly and takes one out for each request, as nginx does with `burst`. */
export function bucket({ count, windowMs, hint }: Limit): Limiter {
	const perMs = count / windowMs;
	const most = count / 2;
	let [left, last] = [most, -Infinity];
	return (now) => {
		left = Math.min(most, left + (now - last) * perMs);
		last = now;
		const accepted = left >= 1;
		if (accepted) left--;
		return { accepted, headers: accepted ? {} : headersFor(hint, (1 - left) / perMs, now) };
	};
}

/** The kinds of limiters, by name. */
export const LIMITERS = { fixedWindow, slidingWindow, noBurst, bucket };
