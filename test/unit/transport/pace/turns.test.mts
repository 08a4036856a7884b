import { getEventListeners } from 'node:events';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import type { PaceRules } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import type { Ended } from '../../../../nodes/SignAndClose/transport/pace/pace.ts';
import {
	accounts,
	NoTurn,
	Turns,
	turnsOf,
} from '../../../../nodes/SignAndClose/transport/pace/turns.ts';

/** Who gets the next turn, and when, in simulated time. */

const START = Date.parse('2026-03-04T05:06:07Z');
const RULES: PaceRules = {
	firstAtOnce: 2,
	mostAtOnce: 8,
	firstPauseMs: 20,
	longestOwnPauseMs: 100,
	longestWaitMs: 3000,
	hangMs: 20_000,
	probeMs: 50,
	hopelessProbeMs: 100,
	idleMs: 1000,
};
const ANSWERED: Ended = { outcome: 'answered' };
const UNKNOWN: Ended = { outcome: 'unknown' };
const refusedFor = (pauseMs: number): Ended => ({ outcome: 'refused', pauseMs });

beforeEach(() => {
	jest.useFakeTimers({ now: START });
	accounts.clear();
});
afterEach(() => void jest.useRealTimers());

/** Lets so many milliseconds pass. */
const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

interface Asked {
	end?: (ended: Ended) => void;
	error?: Error;
	/** Milliseconds from the start of the test to the turn or the error. */
	after?: number;
}
/** Asks for a turn, and tells what came of it. */
function ask(turns: Turns, wish: Parameters<Turns['take']>[0] = {}): Asked {
	const asked: Asked = {};
	turns.take(wish).then(
		(end) => Object.assign(asked, { end, after: Date.now() - START }),
		(error: Error) => Object.assign(asked, { error, after: Date.now() - START }),
	);
	return asked;
}
/** Turns with as many open requests as are allowed. */
async function full() {
	const turns = new Turns(RULES);
	return { turns, ends: [await turns.take({}), await turns.take({})] };
}
/** Turns of a service that has just ended a request so. */
async function after(end: Ended): Promise<Turns> {
	const turns = new Turns(RULES);
	(await turns.take({}))(end);
	return turns;
}

describe('turns come', () => {
	test('in the order of asking, at once when one ends', async () => {
		const { turns, ends } = await full();
		const asked = [ask(turns), ask(turns), ask(turns)];
		await pass(10);
		expect(asked.map((one) => one.after)).toEqual([undefined, undefined, undefined]);
		ends[0](UNKNOWN);
		await pass(0);
		expect(asked.map((one) => one.after)).toEqual([10, undefined, undefined]);
		ends[1](UNKNOWN);
		asked[0].end!(UNKNOWN);
		await pass(0);
		expect(asked.map((one) => one.after)).toEqual([10, 10, 10]);
	});
	test('first to whoever was refused, or is waited for', async () => {
		const { turns, ends } = await full();
		const [patient, urgent] = [ask(turns), ask(turns, { place: 'first' })];
		ends[0](UNKNOWN);
		await pass(0);
		expect([patient.after, urgent.after]).toEqual([undefined, 0]);
	});
	test('at the end of a pause to one, and after its answer to the others', async () => {
		const turns = await after(refusedFor(2500));
		const asked = [ask(turns), ask(turns)];
		await pass(2499);
		expect(asked[0].after).toBeUndefined();
		await pass(10);
		expect(asked.map((one) => one.after)).toEqual([2500, undefined]);
		asked[0].end!(ANSWERED);
		await pass(0);
		expect(asked[1].after).toBe(2509);
	});
});

describe('no turn comes', () => {
	test('after the time at which it is of use', async () => {
		const { turns } = await full();
		const asked = ask(turns, { latest: START + 60 });
		await pass(61);
		expect(asked).toMatchObject({ after: 61, error: { message: 'No turn', forMs: 0 } });
	});
	test('at once, when a pause ends later than that', async () => {
		const turns = await after(refusedFor(200));
		const [hurried, just] = [
			ask(turns, { latest: START + 199 }),
			ask(turns, { latest: START + 200 }),
		];
		await pass(0);
		expect(hurried).toMatchObject({ after: 0, error: { forMs: 200 } });
		await pass(200);
		expect(just.after).toBe(200);
	});
	test('at once, when the service asks for a pause that is too long, also to who waits', async () => {
		const { turns, ends } = await full();
		const waiting = [ask(turns), ask(turns)];
		await pass(10);
		ends[0](refusedFor(5000));
		const late = ask(turns);
		await pass(1000);
		for (const { error } of [...waiting.slice(1), late]) expect(error).toBeInstanceOf(NoTurn);
		expect(late.error).toMatchObject({ forMs: 5000 });
	});
	test('but one is tried now and then, and its answer ends the pause', async () => {
		const turns = await after(refusedFor(5000));
		await pass(RULES.hopelessProbeMs);
		const [tried, other] = [ask(turns), ask(turns)];
		await pass(0);
		expect(tried.after).toBe(100);
		expect(other.error).toMatchObject({ forMs: 4900 });
		tried.end!(ANSWERED);
		const next = ask(turns);
		await pass(0);
		expect(next.after).toBe(100);
	});
});

describe('a signal', () => {
	const why = new Error('The run was stopped');
	test('ends the waiting with its own reason, and nobody else loses a turn', async () => {
		const { turns, ends } = await full();
		const stop = new AbortController();
		const stopped = ask(turns, { signal: stop.signal });
		const other = ask(turns);
		await pass(7);
		stop.abort(why);
		await pass(0);
		expect(stopped).toEqual({ error: why, after: 7 });
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
		ends[0](UNKNOWN);
		await pass(0);
		expect(other.after).toBe(7);
	});
	test('whose reason is a text ends it with an error of that text', async () => {
		const { turns } = await full();
		const asked = ask(turns, { signal: AbortSignal.abort('stopped by hand') });
		await pass(0);
		expect(asked.error).toEqual(new Error('stopped by hand'));
		expect(turns.isIdle).toBe(false);
	});
});

describe('accounts', () => {
	test('share no turns with each other', async () => {
		const mine = turnsOf('mine', RULES);
		await mine.take({});
		expect(turnsOf('mine', RULES)).toBe(mine);
		expect(turnsOf('yours', RULES)).not.toBe(mine);
		expect([...accounts.keys()]).toEqual(['mine', 'yours']);
	});
	test('are forgotten a while after their last request, when another asks', async () => {
		const idle = turnsOf('idle', RULES);
		(await idle.take({}))(ANSWERED);
		await turnsOf('busy', RULES).take({});
		await pass(RULES.idleMs - 1);
		expect(turnsOf('idle', RULES)).toBe(idle);
		await pass(1);
		turnsOf('last', RULES);
		expect([...accounts.keys()]).toEqual(['busy', 'last']);
		expect(turnsOf('idle', RULES)).not.toBe(idle);
	});
});
