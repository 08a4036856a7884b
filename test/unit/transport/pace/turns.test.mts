import { getEventListeners } from 'node:events';

import { LIMITS } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import type { RequestEnd } from '../../../../nodes/SignAndClose/transport/pace/pace.ts';
import { accounts, Turns, getTurns } from '../../../../nodes/SignAndClose/transport/pace/turns.ts';

/** Who gets the next turn, and when, in simulated time. */

const START = Date.parse('2026-03-04T05:06:07Z');
const RULES = { ...LIMITS.pace, firstAtOnce: 2, longestWaitMs: 3000, hopelessProbeMs: 100 };
const ANSWERED: RequestEnd = { outcome: 'answered' };
const UNKNOWN: RequestEnd = { outcome: 'unknown' };
const refusedFor = (pauseMs: number): RequestEnd => ({ outcome: 'refused', pauseMs });

beforeEach(() => {
	jest.useFakeTimers({ now: START });
	accounts.clear();
});
afterEach(() => void jest.useRealTimers());

/** Lets so many milliseconds pass. */
const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

interface Asked {
	end?: (ended: RequestEnd) => void;
	/** Milliseconds for which no turn comes. */
	noneFor?: number;
	error?: Error;
	/** Milliseconds from the start of the test to the turn or the error. */
	after?: number;
}
/** Asks for a turn, and notes what came of it. */
function ask(turns: Turns, how: Parameters<Turns['take']>[0] = {}): Asked {
	const asked: Asked = {};
	const note = (more: Asked) => void Object.assign(asked, more, { after: Date.now() - START });
	turns.take(how).then(
		(turn) => note(typeof turn === 'number' ? { noneFor: turn } : { end: turn }),
		(error: Error) => note({ error }),
	);
	return asked;
}
/** Turns with as many open requests as are allowed. */
async function full() {
	const turns = new Turns(RULES);
	const open = [ask(turns), ask(turns)];
	await pass(0);
	return { turns, ends: open.map(({ end }) => end!) };
}
/** Turns of a service that has just ended a request so. */
async function after(ended: RequestEnd): Promise<Turns> {
	const turns = new Turns(RULES);
	const asked = ask(turns);
	await pass(0);
	asked.end!(ended);
	return turns;
}

describe('turns come', () => {
	test('in the order of asking, at once when one ends', async () => {
		const { turns, ends } = await full();
		const asked = [ask(turns), ask(turns), ask(turns)];
		await pass(10);
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
		expect(asked).toEqual({ after: 61, noneFor: 0 });
	});
	test('at once, when a pause ends later than that', async () => {
		const turns = await after(refusedFor(200));
		const hurried = ask(turns, { latest: START + 199 });
		const just = ask(turns, { latest: START + 200 });
		await pass(200);
		expect([hurried, just.after]).toEqual([{ after: 0, noneFor: 200 }, 200]);
	});
	test('at once, when the service asks for a pause that is too long, also to who waits', async () => {
		const { turns, ends } = await full();
		const waiting = [ask(turns), ask(turns)];
		await pass(10);
		ends[0](refusedFor(5000));
		const late = ask(turns);
		await pass(1000);
		expect(waiting[1].noneFor).toBeGreaterThan(0);
		expect(late.noneFor).toBe(5000);
	});
	test('but one is tried now and then, and its answer ends the pause', async () => {
		const turns = await after(refusedFor(5000));
		await pass(RULES.hopelessProbeMs);
		const [tried, other] = [ask(turns), ask(turns)];
		await pass(0);
		expect([tried.after, other.noneFor]).toEqual([100, 4900]);
		tried.end!(ANSWERED);
		const next = ask(turns);
		await pass(0);
		expect(next.after).toBe(100);
	});
});

test('a signal ends the waiting with its own reason, and nobody else loses a turn', async () => {
	const { turns, ends } = await full();
	const stop = new AbortController();
	const stopped = ask(turns, { signal: stop.signal });
	const other = ask(turns);
	await pass(7);
	stop.abort('stopped by hand');
	await pass(0);
	expect(stopped).toEqual({ error: new Error('stopped by hand'), after: 7 });
	expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	ends[0](UNKNOWN);
	await pass(0);
	expect(other.after).toBe(7);
});

test('each account has turns of its own, which are forgotten a while after its last request', async () => {
	const idle = getTurns('idle', RULES);
	const asked = ask(idle);
	await pass(0);
	asked.end!(ANSWERED);
	ask(getTurns('busy', RULES));
	await pass(RULES.idleMs - 1);
	expect(getTurns('idle', RULES)).toBe(idle);
	await pass(1);
	getTurns('last', RULES);
	expect([...accounts.keys()]).toEqual(['busy', 'last']);
});
