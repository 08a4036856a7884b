import { sleep } from 'n8n-workflow';

import { asError } from '../failure/failure';
import type { Fault } from '../failure/networkFault';
import type { Answer } from '../http/answer';
import { readRequestedPause, LONGEST_RETRY_AFTER_MS } from '../http/retry';
import { isClosed, isOverloaded, getStatusMeaning } from '../http/statuses';
import type { PaceRules } from '../service/limits';
import { Pace, type RequestEnd } from './pace';

/* Lets requests wait for their turn. When it comes is decided by Pace. */

/** Nobody sleeps longer, in milliseconds, so that what changes meanwhile is noticed. */
const LONGEST_SLEEP_MS = 1_000;

/** What somebody who waits for a turn asks for. */
interface TurnRequest {
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** It goes before the others, or after the first of them. */
	place?: 'first' | 'second';
	/** The time, in milliseconds since 1970, after which a turn is of no use. */
	latest?: number;
}

/** The turns of all requests to one service with one key, in the order in which they were asked for. */
export class Turns {
	readonly pace: Pace;

	private readonly line: Array<{ wake: () => void }> = [];

	constructor(rules: PaceRules) {
		this.pace = new Pace(rules);
	}

	/** Whether nobody waits, and nothing was sent for so long that nothing learned is kept. */
	get isIdle(): boolean {
		return this.line.length === 0 && this.pace.isIdle(Date.now());
	}

	/**
	 * Waits for a turn.
	 * @returns ends it, which has to be done whatever became of the request. A number where the service
	 *   limits requests for longer than one may wait: for so many milliseconds, as far as is known
	 * @throws the reason of the signal when that is aborted
	 */
	async take(request: TurnRequest): Promise<((ended: RequestEnd) => void) | number> {
		const { signal, place: requestedPlace, latest = Infinity } = request;
		const place = { wake: () => {} };
		const wake = () => place.wake();
		signal?.addEventListener('abort', wake);
		this.line.splice(
			requestedPlace === 'first' ? 0 : requestedPlace === 'second' ? 1 : Infinity,
			0,
			place,
		);
		try {
			for (;;) {
				if (signal?.aborted === true) throw asError(signal.reason);
				const now = Date.now();
				const { pausedUntil } = this.pace;
				const isNext = this.line[0] === place && pausedUntil <= latest;
				const turn = isNext ? this.pace.start(now) : Infinity;
				if (typeof turn !== 'number')
					return (ended) => {
						this.pace.noteEnd(turn, ended, Date.now());
						this.line[0]?.wake();
					};
				if (this.pace.isHopeless(now) || Math.max(now, pausedUntil) > latest)
					return Math.max(0, pausedUntil - now);
				const rest = new AbortController();
				place.wake = () => rest.abort();
				const ms = Math.ceil(Math.min(turn, LONGEST_SLEEP_MS, latest + 1 - now));
				await sleep(ms, rest.signal).catch(() => undefined);
			}
		} finally {
			signal?.removeEventListener('abort', wake);
			this.line.splice(this.line.indexOf(place), 1);
			this.line[0]?.wake();
		}
	}
}

/** The turns of all accounts, which workflows share. docs/architecture.md lists all such state. */
export const accounts = new Map<string, Turns>();

/**
 * The turns of one account, for one request. Idle accounts are forgotten when another one comes.
 * @param account names base URL and key, without giving the key away
 */
export function getTurns(account: string, rules: PaceRules): Turns {
	const current = accounts.get(account);
	if (current?.isIdle === false) return current;
	for (const [name, { isIdle }] of accounts) if (isIdle) accounts.delete(name);
	const turns = new Turns(rules);
	accounts.set(account, turns);
	return turns;
}

/**
 * Reads what an outcome tells. No limits are documented (docs/service/api.md#rate-limits).
 * @param outcome undefined when the request failed in a way of our own
 */
export function toRequestEnd(outcome: Answer | Fault | undefined): RequestEnd {
	if (outcome === undefined) return { outcome: 'unknown' };
	if ('code' in outcome) return { outcome: outcome.timedOut ? 'overloaded' : 'unknown' };
	const { status } = outcome;
	if (isOverloaded(status)) return { outcome: 'overloaded' };
	if (!isClosed(status)) return { outcome: 'answered' };
	const pauseMs = readRequestedPause(outcome, Date.now());
	// A longer pause is the person's to grant, for this request alone.
	const isGranted =
		getStatusMeaning(status) === 'limited' || (pauseMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
	return { outcome: 'refused', pauseMs: isGranted ? pauseMs : undefined };
}
