import { Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import type { Answer } from '../../../../../nodes/SignAndClose/service/transport/answer.ts';
import type { Fault } from '../../../../../nodes/SignAndClose/service/transport/fault.ts';
import { sendInTurn } from '../../../../../nodes/SignAndClose/service/transport/pace/sendInTurn.ts';
import { Turns } from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';
import {
	ask,
	endSimulation,
	full,
	pass,
	PATIENT,
	RULES,
	served,
	simulateTime,
	START,
} from './asking.mts';
import { answer, fault, service, watch } from './sending.mts';

/** What requests are sent in their turn, how often, and what their answers teach the pace. */

beforeEach(simulateTime);
afterEach(endSimulation);

describe('of four requests at once', () => {
	const WIDE = { ...PATIENT, firstAtOnce: 4 };
	/** Ends four requests that are open together so; gives how many may be open then. */
	async function afterFour(outcome: Answer | Fault) {
		const turns = new Turns(WIDE);
		await Promise.all(
			[1, 2, 3, 4].map(async () => {
				const { send } = service(outcome, answer(500));
				return await sendInTurn(() => turns, { method: 'GET', impatientMs: 0 }, send);
			}),
		);
		const next = ask(turns);
		await pass(0);
		return { atOnce: turns.atOnce, free: next.turn !== undefined };
	}
	test.each([200, 201, 299, 300, 400, 401, 404, 409, 422, 500, 501, 520, 521, 523])(
		'answers with %i leave room for a fifth',
		async (status) => {
			expect(await afterFour(answer(status))).toEqual({ atOnce: 5, free: true });
		},
	);
	test.each([408, 502, 503, 504, 522, 524])(
		'answers with %i leave two, without a pause',
		async (status) => {
			expect(await afterFour(answer(status))).toEqual({ atOnce: 2, free: true });
		},
	);
	test('answers with 429 leave two, after a pause', async () => {
		expect(await afterFour(answer(429))).toEqual({ atOnce: 2, free: false });
	});
	test('none in time leave two', async () => {
		expect(await afterFour(fault(true))).toEqual({ atOnce: 2, free: true });
	});
	test('cut connections leave four', async () => {
		expect(await afterFour(fault(false))).toEqual({ atOnce: 4, free: true });
	});
});

describe('the pause', () => {
	const RETRY = { 'retry-after': '2' };
	const USED_UP = { 'ratelimit-remaining': '0', 'ratelimit-reset': '3' };
	/** How long the service is left alone after this answer. */
	async function pauseAfter(outcome: Answer, rules = PATIENT): Promise<number> {
		const turns = new Turns(rules);
		await sendInTurn(() => turns, { method: 'GET', impatientMs: 0 }, service(outcome).send);
		const next = ask(turns);
		while (next.after === undefined) await jest.advanceTimersToNextTimerAsync();
		return next.after;
	}
	test.each([
		['429 without a word', answer(429), 18],
		['429 that says how long', answer(429, RETRY), 2000],
		['429 that says how long in a list', answer(429, { 'retry-after': ['2', '5'] }), 2000],
		['429 of a quota', answer(429, USED_UP), 3000],
		['429 with both', answer(429, { ...RETRY, ...USED_UP }), 2000],
		['503 without a word', answer(503), 0],
		['503 that says how long', answer(503, RETRY), 2000],
		['503 that asks for two minutes', answer(503, { 'retry-after': '120' }), 120_000],
		['503 that asks for more', answer(503, { 'retry-after': '121' }), 0],
		['503 of a quota', answer(503, USED_UP), 0],
		['502 that says how long', answer(502, RETRY), 0],
		['a success that says how long', answer(200, RETRY), 0],
		['a success with which a quota is used up', answer(200, USED_UP), 3000],
		['a refusal with which a quota is used up', answer(404, USED_UP), 3000],
	])('after %s', async (_what, outcome, ms) => {
		// Without a hint, it is 20 ms less an eighth, so that several n8n don't return together.
		expect(await pauseAfter(outcome)).toBe(ms);
	});
});

describe('answers that take longer and longer', () => {
	/** Two quick successes, then one answer that takes minutes; gives how many may be open then. */
	async function afterSlow(status: number, kind?: string): Promise<number> {
		const turns = new Turns({ ...RULES, firstAtOnce: 1 });
		for (const [code, ms] of [
			[200, 10],
			[200, 10],
			[status, 100_000],
		]) {
			const sending = sendInTurn(
				() => turns,
				{ method: 'GET', kind },
				async () => {
					await pass(ms);
					return answer(code);
				},
			);
			await sending;
			if (ms === 10) expect(turns.atOnce).toBeLessThanOrEqual(2);
		}
		return turns.atOnce;
	}
	test.each([200, 201, 299])('hold requests back when they are successes: %i', async (status) => {
		expect(await afterSlow(status, 'list')).toBe(1);
	});
	test.each([300, 404, 500])('say nothing when they are none: %i', async (status) => {
		expect(await afterSlow(status, 'list')).toBe(2);
	});
	test('say nothing when it is not known how long they usually take', async () => {
		expect(await afterSlow(200)).toBe(2);
	});
});

describe('a request', () => {
	test('is sent once, and its outcome given, whatever it is but 429', async () => {
		for (const outcome of [answer(200), answer(404), answer(503), fault(true), fault(false)]) {
			const { sentAt, send } = service(outcome);
			const done = await sendInTurn(() => new Turns(RULES), { method: 'POST' }, send);
			expect(done).toEqual({ outcome, sent: 1 });
			expect(done.outcome).toBe(outcome);
			expect(sentAt).toEqual([0]);
		}
	});
	test.each(['GET', 'POST'])(
		'%s is sent again after each 429, and their bodies end',
		async (method) => {
			const bodies = [1, 2, 3].map(() => Readable.from(['Too many requests']));
			const refusals = bodies.map((body) => ({ status: 429, headers: {}, body }));
			const last = { status: 200, headers: {}, body: Readable.from(['done']) };
			const { sentAt, send } = service(...refusals, last);
			const turns = new Turns(RULES);
			const settled = watch(sendInTurn(() => turns, { method }, send));
			await pass(1000);
			expect(settled.value).toEqual({ outcome: last, sent: 4 });
			expect(sentAt).toEqual([0, 18, 53, 123]);
			expect(bodies.map((body) => body.destroyed)).toEqual([true, true, true]);
			expect(last.body.destroyed).toBe(false);
		},
	);
	test('is given up with its last 429 when the service has refused for too long', async () => {
		const body = Readable.from(['Too many requests']);
		const { sentAt, send } = service(
			answer(429, { 'retry-after': '1' }),
			answer(429, { 'retry-after': '1' }),
			{ ...answer(429, { 'retry-after': '1' }), body },
		);
		const turns = new Turns({ ...RULES, longestWaitMs: 2500 });
		const settled = watch(sendInTurn(() => turns, { method: 'GET' }, send));
		await pass(10_000);
		expect(sentAt).toEqual([0, 1000, 2000]);
		expect(settled.value).toMatchObject({ outcome: { status: 429 }, sent: 3 });
		// Whoever asked reads why.
		expect(body.destroyed).toBe(false);
	});
	test('that was refused goes before those that were not', async () => {
		const turns = new Turns({ ...RULES, firstAtOnce: 1 });
		const { sentAt, send } = service(answer(429), answer(200));
		const settled = watch(sendInTurn(() => turns, { method: 'GET' }, send));
		const others = { a: ask(turns), b: ask(turns) };
		await pass(18);
		expect(sentAt).toEqual([0, 18]);
		expect(served(others)).toEqual([]);
		expect(settled.value).toEqual({ outcome: answer(200), sent: 2 });
	});
	test('counts its time from its own first 429, though others were answered since', async () => {
		const turns = new Turns({ ...RULES, longestWaitMs: 1020 });
		const { sentAt, send } = service(answer(429), answer(429, { 'retry-after': '1' }));
		const settled = watch(sendInTurn(() => turns, { method: 'GET' }, send));
		await pass(0);
		const other = ask(turns, { refusedSince: START });
		await pass(18);
		other.turn!.end({ outcome: 'answered' });
		await pass(3000);
		// A second more would be 1,037 ms after its first refusal, but only 1,000 after that of others.
		expect(sentAt).toEqual([0, 37]);
		expect(settled.value).toMatchObject({ outcome: { status: 429 }, sent: 2 });
	});
	test('asks anew for the turns of its service each time', async () => {
		const turns = [new Turns(RULES), new Turns(RULES), new Turns(RULES)];
		let asked = 0;
		const { sentAt, send } = service(answer(429), answer(200));
		await sendInTurn(() => turns[asked++], { method: 'GET' }, send);
		expect(sentAt).toEqual([0, 0]);
		expect(asked).toBe(3);
	});
	test('that throws gives its turn back, and says nothing about the service', async () => {
		const turns = new Turns({ ...RULES, firstAtOnce: 1 });
		const broken = new Error('The file is gone');
		const send = async () => await Promise.reject<Answer>(broken);
		await expect(sendInTurn(() => turns, { method: 'GET' }, send)).rejects.toBe(broken);
		expect(turns.atOnce).toBe(1);
		const next = ask(turns);
		await pass(0);
		expect(next.turn).toBeDefined();
	});
	test('ends its waiting by its signal, with the reason of that', async () => {
		const { turns } = await full();
		const { sentAt, send } = service(answer(200));
		const stop = new AbortController();
		const { signal } = stop;
		const settled = watch(sendInTurn(() => turns, { method: 'GET', signal }, send));
		await pass(0);
		const why = new Error('The run was stopped');
		stop.abort(why);
		await pass(0);
		expect(settled.error).toBe(why);
		expect(sentAt).toEqual([]);
	});
});
