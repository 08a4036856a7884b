import { jest } from '@jest/globals';

import type { PaceRules } from '../../../../../nodes/SignAndClose/service/limits.ts';
import type { Ended } from '../../../../../nodes/SignAndClose/service/transport/pace/outcomes.ts';
import {
	Turns,
	type Turn,
	type Wish,
} from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';

/** Turns in simulated time, in which pauses aren't spread. */

export const START = Date.parse('2026-03-04T05:06:07Z');
export const RULES: PaceRules = {
	firstAtOnce: 2,
	mostAtOnce: 8,
	firstPauseMs: 20,
	longestOwnPauseMs: 100,
	longestWaitMs: 300,
	hangMs: 20_000,
	probeMs: 50,
	hopelessProbeMs: 100,
	idleMs: 1000,
};
/** With it, pauses of seconds are worth waiting for. */
export const PATIENT: PaceRules = { ...RULES, longestWaitMs: 600_000 };
export const ANSWERED: Ended = { outcome: 'answered' };
export const UNKNOWN: Ended = { outcome: 'unknown' };
export const refusedFor = (pauseMs: number): Ended => ({
	outcome: 'refused',
	mild: false,
	pauseMs,
});

export function simulateTime(): void {
	jest.useFakeTimers({ now: START });
	jest.spyOn(Math, 'random').mockReturnValue(0);
}
export function endSimulation(): void {
	jest.restoreAllMocks();
	jest.useRealTimers();
}
/** Lets so many milliseconds pass. */
export const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
/** Goes to the next timer, and tells how long after the start of the test it was due. */
export async function nextTimer(): Promise<number> {
	await jest.advanceTimersToNextTimerAsync();
	return Date.now() - START;
}

export interface Asked {
	turn?: Turn;
	error?: Error;
	/** Milliseconds from the start of the test to the turn or the error. */
	after?: number;
}

/** Asks for a turn, and tells what came of it. */
export function ask(turns: Turns, wish: Wish = {}): Asked {
	const asked: Asked = {};
	turns.take(wish).then(
		(turn) => Object.assign(asked, { turn, after: Date.now() - START }),
		(error: Error) => Object.assign(asked, { error, after: Date.now() - START }),
	);
	return asked;
}
/** Those who have got a turn, by their names. */
export const served = (asked: Record<string, Asked>) =>
	Object.keys(asked).filter((name) => asked[name].turn !== undefined);

/** Turns with as many open requests as are allowed. */
export async function full(rules = RULES) {
	const turns = new Turns(rules);
	const [first, second] = [await turns.take({}), await turns.take({})];
	return { turns, first, second };
}
/** Turns of a service that has just ended a request so. */
export async function after(end: Ended, rules = RULES): Promise<Turns> {
	const turns = new Turns(rules);
	(await turns.take({})).end(end);
	return turns;
}
