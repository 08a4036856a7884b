import type { Fault } from '../failure/fault';
import type { Answer } from '../http/answer';
import { askedPause, LONGEST_RETRY_AFTER_MS } from '../http/retry';
import { isClosed, isOverloaded, meaningOf } from '../http/statuses';
import type { Ended } from './pace';

/* Reads what an outcome tells. No limits are documented (docs/service/api.md#rate-limits). */

/** @param outcome undefined when the request failed in a way of our own */
export function endOf(outcome: Answer | Fault | undefined): Ended {
	if (outcome === undefined) return { outcome: 'unknown' };
	if ('code' in outcome) return { outcome: outcome.timedOut ? 'overloaded' : 'unknown' };
	const { status } = outcome;
	if (isOverloaded(status)) return { outcome: 'overloaded' };
	if (!isClosed(status)) return { outcome: 'answered' };
	const pauseMs = askedPause(outcome, Date.now());
	// A longer pause is the person's to grant, for this request alone.
	const isGranted = meaningOf(status) === 'limited' || (pauseMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
	return { outcome: 'refused', pauseMs: isGranted ? pauseMs : undefined };
}
