import { getEventListeners } from 'node:events';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { NoTurn, Turns } from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';
import {
	after,
	ANSWERED,
	ask,
	endSimulation,
	full,
	nextTimer,
	pass,
	PATIENT,
	refusedFor,
	RULES,
	served,
	simulateTime,
	START,
	UNKNOWN,
} from './asking.mts';

/** Who gets the next turn, and when. */

beforeEach(simulateTime);
afterEach(endSimulation);

describe('the order', () => {
	test('is that of asking, and a turn that ends makes room at once', async () => {
		const { turns, first, second } = await full();
		expect(turns.atOnce).toBe(2);
		const asked = { a: ask(turns), b: ask(turns), c: ask(turns) };
		await pass(0);
		expect(served(asked)).toEqual([]);
		first.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a']);
		second.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a', 'b']);
		asked.a.turn!.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a', 'b', 'c']);
		expect(asked.c.after).toBe(0);
	});
	test.each([
		['who cannot wait for long', { latest: START + 200 }],
		['who was refused before', { refusedSince: START }],
	])('has those first %s', async (_who, wish) => {
		const { turns, first, second } = await full();
		const asked = { a: ask(turns), b: ask(turns), urgent: ask(turns, wish) };
		first.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['urgent']);
		second.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a', 'urgent']);
	});
	test('has one first who found the service unavailable twice, as soon as it is alone', async () => {
		const { turns, first, second } = await full();
		const asked = {
			a: ask(turns),
			once: ask(turns, { unavailable: 1 }),
			twice: ask(turns, { unavailable: 2 }),
		};
		first.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual([]);
		second.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['twice']);
		asked.twice.turn!.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a', 'once', 'twice']);
	});
});

describe('whoever waits', () => {
	test('is woken when the pause is over, one alone until its answer, then the others', async () => {
		const turns = await after(refusedFor(40));
		const asked = { a: ask(turns), b: ask(turns), c: ask(turns) };
		await pass(39);
		expect(served(asked)).toEqual([]);
		await pass(1);
		expect(served(asked)).toEqual(['a']);
		await pass(5);
		expect(served(asked)).toEqual(['a']);
		asked.a.turn!.end(ANSWERED);
		await pass(1000);
		expect(served(asked)).toEqual(['a', 'b', 'c']);
		// What was learned spreads them: one was accepted in 40 ms.
		expect([asked.a.after, asked.b.after, asked.c.after]).toEqual([40, 80, 120]);
	});
	test('comes back after a second at most, by one timer, as long as others are open', async () => {
		const { turns } = await full();
		for (let count = 0; count < 5; count++) ask(turns);
		await pass(0);
		expect(jest.getTimerCount()).toBe(1);
		expect(await nextTimer()).toBe(1000);
		expect(jest.getTimerCount()).toBe(1);
		expect(await nextTimer()).toBe(2000);
	});
	test('comes back each second of a long pause, and at its end', async () => {
		const turns = await after(refusedFor(2500), PATIENT);
		const asked = [ask(turns), ask(turns)];
		const timers: number[] = [];
		while (asked[0].turn === undefined) {
			expect(jest.getTimerCount()).toBe(1);
			timers.push(await nextTimer());
		}
		expect(timers).toEqual([1000, 2000, 2500]);
	});
	test('comes back earlier when the pause is shorter than a timer that runs already', async () => {
		const { turns, first, second } = await full(PATIENT);
		const asked = { a: ask(turns), b: ask(turns), c: ask(turns) };
		await pass(10);
		first.end(refusedFor(20));
		second.end(UNKNOWN);
		expect(await nextTimer()).toBe(30);
		expect(served(asked)).toEqual(['a']);
		// The others wait for the answer of the first, for as long as one is waited for.
		await pass(49);
		expect(served(asked)).toEqual(['a']);
		await pass(1);
		expect(served(asked)).toEqual(['a', 'b']);
		// The timer of the beginning starts no other, as one runs already.
		expect(jest.getTimerCount()).toBe(2);
		expect(await nextTimer()).toBe(1000);
		expect(jest.getTimerCount()).toBe(1);
		expect(await nextTimer()).toBe(1080);
	});
});

describe('a signal', () => {
	const why = new Error('The run was stopped');
	test('ends the waiting with its own reason, and nobody else loses a turn', async () => {
		const { turns, first } = await full();
		const stop = new AbortController();
		const asked = { a: ask(turns), stopped: ask(turns, { signal: stop.signal }), b: ask(turns) };
		await pass(7);
		stop.abort(why);
		await pass(0);
		expect(asked.stopped).toEqual({ error: why, after: 7 });
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
		first.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a']);
		asked.a.turn!.end(UNKNOWN);
		await pass(0);
		expect(served(asked)).toEqual(['a', 'b']);
	});
	test('whose reason is a text ends the waiting with an error of that text', async () => {
		const { turns } = await full();
		const stop = new AbortController();
		const asked = ask(turns, { signal: stop.signal });
		stop.abort('stopped by hand');
		await pass(0);
		expect(asked.error).toBeInstanceOf(Error);
		expect(asked.error!.message).toBe('stopped by hand');
	});
	test('that was given before lets nobody ask', async () => {
		const turns = new Turns(RULES);
		await expect(turns.take({ signal: AbortSignal.abort(why) })).rejects.toBe(why);
		expect(turns.isIdle).toBe(true);
	});
	test('is not listened to after the turn has come, and then takes no turn from others', async () => {
		const stop = new AbortController();
		const turns = new Turns(RULES);
		const first = await turns.take({ signal: stop.signal });
		await turns.take({});
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
		const waiting = ask(turns);
		stop.abort(why);
		first.end(UNKNOWN);
		await pass(0);
		expect(waiting.error).toBeUndefined();
		expect(waiting.turn).toBeDefined();
	});
	test('is not listened to after the turn was denied', async () => {
		const stop = new AbortController();
		const turns = await after(refusedFor(5000));
		const denied = ask(turns, { signal: stop.signal });
		await pass(0);
		expect(denied.error).toBeInstanceOf(NoTurn);
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});
});

describe('no turn', () => {
	test('comes at the time after which it is of no use', async () => {
		const { turns, first } = await full();
		const asked = [150, 60, 400].map((ms) => ask(turns, { latest: START + ms }));
		const other = ask(turns);
		await pass(0);
		expect(await nextTimer()).toBe(61);
		expect(asked.map((one) => one.after)).toEqual([undefined, 61, undefined]);
		expect(asked[1].error).toBeInstanceOf(NoTurn);
		expect(asked[1].error).toMatchObject({ message: 'No turn', forMs: 0 });
		expect(await nextTimer()).toBe(151);
		// Not even after a long time, because the service hasn't asked for a pause.
		expect(asked[0].error).toMatchObject({ message: 'No turn', forMs: 0 });
		first.end(UNKNOWN);
		await pass(0);
		expect(asked[2].turn).toBeDefined();
		expect(other.turn).toBeUndefined();
	});
	test('comes at once when a pause lasts too long, with the rest of the pause', async () => {
		const turns = await after(refusedFor(400));
		await pass(10);
		const asked = ask(turns);
		await pass(0);
		expect(asked.error).toMatchObject({ message: 'No turn', forMs: 390 });
		expect(asked.after).toBe(10);
		// Who was turned away doesn't take the turn of another.
		await pass(390);
		const [probe, next] = [ask(turns), ask(turns)];
		await pass(0);
		expect(probe.turn).toBeDefined();
		probe.turn!.end(ANSWERED);
		await pass(200);
		expect(next.after).toBe(500);
	});
	test('comes at once for who cannot wait for a pause, and the others wait', async () => {
		const turns = await after(refusedFor(200));
		const asked = ask(turns, { latest: START + 199 });
		const [just, patient] = [ask(turns, { latest: START + 200 }), ask(turns)];
		await pass(0);
		expect(asked.error).toMatchObject({ message: 'No turn', forMs: 200 });
		await pass(200);
		expect(just).toMatchObject({ after: 200, turn: expect.anything() });
		expect(patient.error).toBeUndefined();
	});
	test('does not come at exactly the last time that is of use', async () => {
		const asked = ask(new Turns(RULES), { latest: START });
		await pass(0);
		expect(asked).toMatchObject({ after: 0, turn: expect.anything() });
	});
});
