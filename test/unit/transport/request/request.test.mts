import { setTimeout as wait } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { createService } from '../../../../nodes/SignAndClose/transport/client.ts';
import { LIMITS } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import { hookContext } from '../../../support/engine.mts';
import { startRawService } from '../../../support/live/rawService.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { senderOf } from '../sender.mts';

/** When requests are repeated, what n8n's log says about it, and what is learned of the clock. */

// Without it, pauses are up to twice as long.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

/** Answers one after the other, and the last one from then on. */
const inTurn = (...answers: Answer[]) => {
	let next = 0;
	return () => answers[Math.min(next++, answers.length - 1)];
};
const CUT: Answer = { respond: (response) => response.destroy() };
const REFUSED: Answer = { status: 500, body: 'not now' };

/**
 * Sends a request of an execution that is cancelled as soon as a pause begins.
 * @returns what the log says of the pause; undefined when there was none
 */
async function pauseOf(impatient: boolean, answer: Answer): Promise<string | undefined> {
	return await withService(inTurn(answer), async ({ url }) => {
		const stop = new AbortController();
		const { context, send } = senderOf({ signal: stop.signal });
		let said: string | undefined;
		jest.spyOn(context.logger, 'info').mockImplementation((text) => {
			said = text;
			stop.abort();
		});
		await send('GET', url, { impatient }).catch((thrown: unknown) => {
			if (said === undefined) throw thrown;
		});
		return said;
	});
}

describe('a read', () => {
	test.each([
		['a refusal that passes', REFUSED, 'status 500'],
		['a cut connection', CUT, 'ECONNRESET'],
	])('is repeated after %s, and the log says so', async (_what, first, reason) => {
		await withService(inTurn(first, { body: 'done' }), async ({ url, requests }) => {
			const { context, send } = senderOf();
			const info = jest.spyOn(context.logger, 'info');
			expect(await send('GET', url)).toMatchObject({
				attempts: 2,
				answer: { status: 200, body: 'done' },
			});
			expect(requests).toHaveLength(2);
			expect(info.mock.calls).toEqual([
				[`Sign and Close waits 1 s before it tries again (${reason}, attempt 1)`],
			]);
		});
	});
	test.each([300, 399, 400, 404, 501])('answered with %i is not repeated', async (status) => {
		await withService(inTurn({ status, body: 'as it is' }), async ({ url, requests }) => {
			const { send, sender } = senderOf();
			const { answer, attempts } = await send('GET', url);
			expect({ status: answer.status, attempts }).toEqual({ status, attempts: 1 });
			// The body of a refusal is text already.
			if (status >= 400) expect(answer.body).toBe('as it is');
			expect(await sender.withText(answer)).toMatchObject({ status, body: 'as it is' });
			expect(requests).toHaveLength(1);
		});
	});
	test('is not repeated when the service asks for a longer pause than two minutes', async () => {
		const unavailable = { status: 503, headers: { 'retry-after': '121' }, body: 'later' };
		await withService(inTurn(unavailable), async ({ url, requests }) => {
			expect(await senderOf().send('GET', url)).toMatchObject({
				attempts: 1,
				answer: { status: 503, body: 'later' },
			});
			expect(requests).toHaveLength(1);
		});
	});
	test('waits as long as the service asks for, and no longer than its execution', async () => {
		const unavailable = { status: 500, headers: { 'retry-after': '120' } };
		expect(await pauseOf(false, unavailable)).toMatch(/waits 120 s .*\(status 500, attempt 1\)/);
	});
});

describe('a request that somebody waits for', () => {
	test.each([
		['a refusal that passes', REFUSED],
		['a cut connection', CUT],
	])('is repeated once after %s', async (_what, answer) => {
		await withService(inTurn(answer), async ({ url, requests }) => {
			const sent = senderOf().send('GET', url, { impatient: true });
			if (answer === CUT)
				await expect(sent).rejects.toMatchObject({
					reason: { code: 'unreachable', fault: 'ECONNRESET', attempts: 2 },
					flags: { inDoubt: false },
				});
			else expect(await sent).toMatchObject({ attempts: 2, answer: { status: 500 } });
			expect(requests).toHaveLength(2);
		});
	});
	test('waits three seconds, and no longer', async () => {
		const after = (seconds: number) => ({
			status: 500,
			headers: { 'retry-after': String(seconds) },
		});
		expect(await pauseOf(true, after(3))).toMatch(/waits 3 s /);
		expect(await pauseOf(true, after(4))).toBeUndefined();
		expect(await pauseOf(false, after(4))).toMatch(/waits 4 s /);
	});
	test('is told at once that the service takes no more for four seconds', async () => {
		const limited = { status: 429, headers: { 'retry-after': '4' }, body: 'slow down' };
		await withService(inTurn(limited, { body: 'done' }), async ({ url, requests }) => {
			expect(await senderOf().send('POST', url, { impatient: true })).toMatchObject({
				attempts: 1,
				answer: { status: 429, body: 'slow down' },
			});
			expect(requests).toHaveLength(1);
		});
	});
});

describe('a write', () => {
	test('that was cut is in doubt, and not repeated', async () => {
		await withService(inTurn(CUT), async ({ url, requests }) => {
			await expect(senderOf().send('POST', url)).rejects.toMatchObject({
				reason: { code: 'unreachable', fault: 'ECONNRESET', attempts: 1 },
				flags: { inDoubt: true },
			});
			expect(requests).toHaveLength(1);
		});
	});
	test('that could not be sent is not in doubt', async () => {
		await withService(inTurn({}), async ({ url, requests }) => {
			await expect(senderOf().send('NO METHOD', url)).rejects.toMatchObject({
				reason: { code: 'unreachable', fault: 'ERR_INVALID_HTTP_TOKEN', attempts: 1 },
				flags: { inDoubt: false },
			});
			expect(requests).toEqual([]);
		});
	});
});

test('a request ends with its execution, and leaves no connection', async () => {
	await using service = await startRawService(() => undefined);
	const stop = new AbortController();
	const sent = senderOf({ signal: stop.signal }).send('POST', service.url);
	const failed = expect(sent).rejects.toMatchObject({ flags: { inDoubt: true } });
	while (service.asked.length === 0) await wait(5);
	stop.abort();
	await failed;
	await service.untilLeft();
});

test('at the start, as many requests may be open as the limits say', () => {
	const pace = { ...LIMITS.pace, firstAtOnce: 7 };
	expect(senderOf({ limits: { pace } }).sender.atOnce).toBe(7);
});

describe("the service's clock", () => {
	const dated = (date: string): Answer => ({ headers: { date }, body: {} });
	const UNDATED: Answer = {
		respond: (response) => {
			response.sendDate = false;
			response.end('{}');
		},
	};
	const [EARLY, LATE] = [Date.UTC(2026, 2, 4, 5, 6, 7), Date.UTC(2030, 2, 4, 5, 6, 7)];
	const text = (at: number) => new Date(at).toUTCString();
	/** How far ahead the clock may be at most after these answers, given as one of its times. */
	const readAfter = async (...answers: Answer[]) =>
		await withService(inTurn(...answers), async ({ credential, requests }) => {
			const { context } = hookContext({ credential, parameters: {} }, 'path');
			const client = await createService(context);
			const began = Date.now();
			while (requests.length < answers.length)
				await client.json('getTransaction', {
					platform: 'business',
					path: { transactionId: 'ot_1' },
				});
			const took = Date.now() - began;
			const latest = client.latestServiceTime(began);
			// It's compared with the time at which a request was sent, which nobody knows exactly.
			return latest === undefined ? undefined : { latest, took };
		});
	test.each<[string, Answer[], number]>([
		['an answer shows it, to the end of its second', [dated(text(EARLY))], EARLY],
		['several do: the least of them counts', [dated(text(LATE)), dated(text(EARLY))], EARLY],
		['a later one shows more', [dated(text(EARLY)), dated(text(LATE))], EARLY],
		['another answer shows none', [dated(text(EARLY)), UNDATED, dated('soon')], EARLY],
	])('is known when %s', async (_what, answers, shown) => {
		const { latest, took } = (await readAfter(...answers))!;
		expect(latest).toBeGreaterThanOrEqual(shown + 1000 - took);
		expect(latest).toBeLessThanOrEqual(shown + 1000);
	});
	test('moves on with the clock of this machine', async () => {
		await withService(inTurn(dated(text(EARLY))), async ({ credential }) => {
			const { context } = hookContext({ credential, parameters: {} }, 'path');
			const client = await createService(context);
			await client.json('getTransaction', {
				platform: 'business',
				path: { transactionId: 'ot_1' },
			});
			expect(client.latestServiceTime(5_000)! - client.latestServiceTime(2_000)!).toBe(3_000);
		});
	});
	test('is unknown as long as no answer shows it', async () => {
		expect(await readAfter(UNDATED)).toBeUndefined();
		expect(await readAfter(dated('soon'))).toBeUndefined();
	});
	test('is not that of another host', async () => {
		await withService(inTurn(dated(text(EARLY))), async ({ url }) => {
			const { sender, send } = senderOf();
			await send('GET', url);
			expect(sender.latestServiceTime(0)).toBeUndefined();
		});
	});
});
