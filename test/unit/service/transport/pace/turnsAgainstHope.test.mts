import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { Turns } from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';
import {
	after,
	ANSWERED,
	ask,
	endSimulation,
	full,
	pass,
	refusedFor,
	RULES,
	simulateTime,
	START,
	UNKNOWN,
} from './asking.mts';

/** Pauses that are too long to wait for, and when turns can be forgotten. */

beforeEach(simulateTime);
afterEach(endSimulation);

const USED_UP = (ms: number) => ({ outcome: 'answered', usedUpForMs: ms }) as const;

describe('a pause that is too long', () => {
	test('lets one request through now and then, and what that is answered ends it', async () => {
		const turns = await after(refusedFor(5000));
		await pass(99);
		const early = ask(turns);
		await pass(0);
		expect(early.error).toMatchObject({ message: 'No turn', forMs: 4901 });
		await pass(1);
		const [tried, second] = [ask(turns), ask(turns)];
		await pass(0);
		expect(tried).toMatchObject({ after: 100, turn: expect.anything() });
		expect(second.error).toMatchObject({ message: 'No turn', forMs: 4900 });
		tried.turn!.end(ANSWERED);
		const third = ask(turns);
		await pass(1000);
		// One was accepted in 100 ms.
		expect(third).toMatchObject({ after: 200, turn: expect.anything() });
	});
	test('lets a request through although it waits from before the pause', async () => {
		const { turns, first } = await full();
		const [waiting, other] = [ask(turns), ask(turns)];
		await pass(100);
		first.end(refusedFor(5000));
		await pass(0);
		expect(waiting).toMatchObject({ after: 100, turn: expect.anything() });
		expect(other).toMatchObject({ after: 100, error: { message: 'No turn', forMs: 5000 } });
	});
	test('is counted from the first of the refusals that follow each other', async () => {
		const turns = await after(refusedFor(200));
		const probe = ask(turns);
		await pass(200);
		probe.turn!.end(refusedFor(100));
		const [last] = [ask(turns)];
		expect(turns.isWorthWaiting({})).toBe(true);
		await pass(100);
		last.turn!.end(refusedFor(1));
		await pass(0);
		expect(turns.isWorthWaiting({})).toBe(false);
	});
	test('is over for whoever comes after its end, however long the refusals go on', async () => {
		const turns = await after(refusedFor(5000));
		await pass(5000);
		const asked = ask(turns);
		await pass(0);
		expect(asked).toMatchObject({ after: 5000, turn: expect.anything() });
	});
	test('is none where a request waits for others to end', async () => {
		const { turns } = await full();
		const asked = ask(turns, { latest: START + 150 });
		await pass(151);
		expect(asked).toMatchObject({ after: 151, error: { message: 'No turn', forMs: 0 } });
	});
});

describe('waiting is worth it', () => {
	test('as long as nothing is known of a pause', () => {
		expect(new Turns(RULES).isWorthWaiting({})).toBe(true);
	});
	test('for a pause without a refusal, unless the request itself was refused long ago', async () => {
		const turns = await after(USED_UP(20));
		expect(turns.isWorthWaiting({})).toBe(true);
		expect(turns.isWorthWaiting({ refusedSince: START - 280 })).toBe(true);
		expect(turns.isWorthWaiting({ refusedSince: START - 281 })).toBe(false);
	});
	test('for a pause that ends in the longest time after the first refusal', async () => {
		expect((await after(refusedFor(300))).isWorthWaiting({})).toBe(true);
		expect((await after(refusedFor(301))).isWorthWaiting({})).toBe(false);
	});
	test('for a pause that ends when a turn is still of use', async () => {
		const turns = await after(refusedFor(200));
		expect(turns.isWorthWaiting({ latest: START + 200 })).toBe(true);
		expect(turns.isWorthWaiting({ latest: START + 199 })).toBe(false);
	});
	test('for a request by its own first refusal or the first of the others, whichever was earlier', async () => {
		const turns = await after(refusedFor(200));
		expect(turns.isWorthWaiting({ refusedSince: START - 100 })).toBe(true);
		expect(turns.isWorthWaiting({ refusedSince: START - 101 })).toBe(false);
		expect(turns.isWorthWaiting({ refusedSince: START + 100 })).toBe(true);
	});
});

describe('turns are idle', () => {
	test('before the first one, and again a while after the last one', async () => {
		const turns = new Turns(RULES);
		expect(turns.isIdle).toBe(true);
		const turn = await turns.take({});
		await pass(RULES.idleMs);
		expect(turns.isIdle).toBe(false);
		turn.end(UNKNOWN);
		expect(turns.isIdle).toBe(true);
		(await turns.take({})).end(UNKNOWN);
		await pass(RULES.idleMs - 1);
		expect(turns.isIdle).toBe(false);
		await pass(1);
		expect(turns.isIdle).toBe(true);
	});
	test('only when nobody waits', async () => {
		const turns = await after(refusedFor(100), { ...RULES, idleMs: 10 });
		await pass(100);
		(await turns.take({})).end(ANSWERED);
		const waiting = ask(turns);
		await pass(50);
		expect(waiting.turn).toBeUndefined();
		expect(turns.isIdle).toBe(false);
		await pass(51);
		waiting.turn!.end(UNKNOWN);
		await pass(10);
		expect(turns.isIdle).toBe(true);
	});
});
