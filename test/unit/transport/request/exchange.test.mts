import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, jest, test } from '@jest/globals';

import { Exchange } from '../../../../nodes/SignAndClose/transport/request/exchange.ts';

/** One request and what it holds on to. */

const never = new Promise<{ body: unknown }>(() => undefined);
const silent = () => new Readable({ read() {} });

describe('an exchange', () => {
	test('gives the answer, and ends with it everything that belongs to the request', async () => {
		const stop = new AbortController();
		const exchange = new Exchange(stop.signal);
		const [upload, body] = [silent(), silent()];
		exchange.hold(upload);
		expect(await exchange.answered(Promise.resolve({ body }), 60_000, 60_000)).toEqual({ body });
		expect([upload.destroyed, body.destroyed, exchange.signal.aborted]).toEqual([
			false,
			false,
			false,
		]);
		exchange.end();
		expect([upload.destroyed, body.destroyed, exchange.signal.aborted]).toEqual([true, true, true]);
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});
	test('ends its streams before its connection, the last one first', () => {
		const exchange = new Exchange();
		const ended: string[] = [];
		const held = (name: string) =>
			new Readable({
				read() {},
				destroy: (_error, done) => {
					ended.push(name);
					done(null);
				},
			});
		exchange.hold(held('upload'));
		exchange.hold(held('answer'));
		exchange.signal.addEventListener('abort', () => void ended.push('connection'));
		exchange.end();
		expect(ended).toEqual(['answer', 'upload', 'connection']);
	});
	test('leaves no timer behind when the answer has come', async () => {
		jest.useFakeTimers();
		try {
			const exchange = new Exchange();
			await exchange.answered(Promise.resolve({ body: 'text' }), 60_000, 60_000);
			await expect(
				exchange.answered(Promise.reject(new Error('cut')), 60_000, 60_000),
			).rejects.toThrow('cut');
			expect(jest.getTimerCount()).toBe(0);
		} finally {
			jest.useRealTimers();
		}
	});
	test('gives up after silence, counted from the last move', async () => {
		const exchange = new Exchange();
		const began = Date.now();
		// The silence is much longer than a pause, so that a busy machine doesn't make one of the other.
		const waiting = exchange.answered(never, 2_000, 60_000);
		for (let moves = 0; moves < 24; moves++) {
			await wait(100);
			exchange.moved();
		}
		await expect(waiting).rejects.toThrow('ESTALLED');
		expect(Date.now() - began).toBeGreaterThanOrEqual(4_300);
	});
	test('drops an answer that comes after it was given up', async () => {
		const exchange = new Exchange();
		const late = Promise.withResolvers<{ body: unknown }>();
		const failed = Promise.withResolvers<{ body: unknown }>();
		await expect(exchange.answered(late.promise, 20, 60_000)).rejects.toThrow('ESTALLED');
		await expect(exchange.answered(failed.promise, 20, 60_000)).rejects.toThrow('ESTALLED');
		exchange.end();
		const body = silent();
		late.resolve({ body });
		// Jest fails a test whose rejections nobody handles.
		failed.reject(new Error('late'));
		await wait(0);
		expect(body.destroyed).toBe(true);
		const upload = silent();
		exchange.hold(upload);
		expect(upload.destroyed).toBe(true);
	});
	test('ends when the execution is stopped, also if it had been stopped before', () => {
		const stop = new AbortController();
		const exchange = new Exchange(stop.signal);
		const body = silent();
		exchange.hold(body);
		stop.abort();
		expect([body.destroyed, exchange.signal.aborted]).toEqual([true, true]);
		expect(new Exchange(stop.signal).signal.aborted).toBe(true);
	});
});
