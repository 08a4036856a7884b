import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	decideRetry,
	LONGEST_RETRY_AFTER_MS,
	LONGEST_WAIT_MS,
	MAX_ATTEMPTS,
	parseRetryAfter,
} from '../../../../nodes/SignAndClose/transport/http/retry.ts';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

describe('decideRetry', () => {
	test('a write is repeated after faults that sent nothing, never after an answer', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...WRITES),
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 300, max: 599 }),
				fc.double({ min: 0, max: 0.99, noNaN: true }),
				(method, attempt, status, random) => {
					expect(decideRetry(method, attempt, { kind: 'answer', status }, random).again).toBe(
						false,
					);
				},
			),
		);
		for (const method of WRITES) {
			expect(decideRetry(method, 1, { kind: 'fault', nothingSent: false }, 0).again).toBe(false);
			expect(decideRetry(method, 1, { kind: 'fault', nothingSent: true }, 0).again).toBe(true);
		}
	});
	test('a read is repeated after faults and after the statuses that pass', () => {
		const repeated = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524];
		for (let status = 300; status < 600; status++)
			expect(decideRetry('GET', 1, { kind: 'answer', status }, 0).again).toBe(
				repeated.includes(status),
			);
		expect(decideRetry('GET', 1, { kind: 'fault', nothingSent: false }, 0).again).toBe(true);
	});
	test('a service that keeps silent is asked twice', () => {
		const silent = { kind: 'fault', nothingSent: false, timedOut: true } as const;
		expect(decideRetry('GET', 1, silent, 0).again).toBe(true);
		expect(decideRetry('GET', 2, silent, 0)).toEqual({ again: false, reason: 'attempts' });
	});
	test('a fault that lasts is not repeated, neither for a read nor for a write', () => {
		for (const method of ['GET', ...WRITES])
			expect(
				decideRetry(method, 1, { kind: 'fault', nothingSent: true, lasting: true }, 0),
			).toEqual({ again: false, reason: 'final' });
	});
	test('ends after the last attempt', () => {
		expect(decideRetry('GET', MAX_ATTEMPTS, { kind: 'answer', status: 503 }, 0)).toEqual({
			again: false,
			reason: 'attempts',
		});
	});
	test("the service's own wait comes first, unless it is longer than a person should wait", () => {
		expect(decideRetry('GET', 1, { kind: 'answer', status: 503, retryAfterMs: 7000 }, 0.5)).toEqual(
			{ again: true, waitMs: 7000 },
		);
		expect(
			decideRetry(
				'GET',
				1,
				{ kind: 'answer', status: 503, retryAfterMs: LONGEST_RETRY_AFTER_MS + 1 },
				0.5,
			),
		).toEqual({ again: false, reason: 'longWait' });
	});
	test('a wait of exactly two minutes is granted', () => {
		const outcome = { kind: 'answer', status: 503, retryAfterMs: LONGEST_RETRY_AFTER_MS } as const;
		expect(decideRetry('GET', 1, outcome, 0)).toEqual({
			again: true,
			waitMs: LONGEST_RETRY_AFTER_MS,
		});
	});
	test.each([
		[1, 0, 250],
		[1, 0.5, 375],
		[1, 0.999, 500],
		[2, 0, 500],
		[2, 0.5, 750],
		[3, 0.5, 1500],
		[4, 0, 2000],
	])('without a hint, attempt %i at %f waits %i ms', (attempt, random, waitMs) => {
		for (const outcome of [
			{ kind: 'fault', nothingSent: false },
			{ kind: 'answer', status: 503 },
		] as const)
			expect(decideRetry('GET', attempt, outcome, random)).toEqual({ again: true, waitMs });
	});
	test('HEAD reads, and no other method but GET', () => {
		const fault = { kind: 'fault', nothingSent: false } as const;
		for (const method of ['GET', 'HEAD']) expect(decideRetry(method, 1, fault, 0).again).toBe(true);
		for (const method of [...WRITES, 'OPTIONS', 'get', ''])
			expect(decideRetry(method, 1, fault, 0)).toEqual({ again: false, reason: 'final' });
	});
	test('waits are at least doubled with each attempt, and stay below the limit', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(attempt, random) => {
					const verdict = decideRetry(
						'GET',
						attempt,
						{ kind: 'fault', nothingSent: false },
						random,
					);
					expect(
						verdict.again &&
							verdict.waitMs >= 250 * 2 ** (attempt - 1) &&
							verdict.waitMs <= LONGEST_WAIT_MS,
					).toBe(true);
				},
			),
		);
	});
});

describe('parseRetryAfter', () => {
	const now = Date.parse('2026-03-04T05:06:07Z');
	test('reads seconds and dates', () => {
		expect(parseRetryAfter('3', now)).toBe(3000);
		expect(parseRetryAfter('Wed, 04 Mar 2026 05:06:17 GMT', now)).toBe(10_000);
	});
	test('reads a number as seconds, and texts with spaces around', () => {
		expect(parseRetryAfter(3, now)).toBe(3000);
		expect(parseRetryAfter(' 3 ', now)).toBe(3000);
		expect(parseRetryAfter(' Wed, 04 Mar 2026 05:06:17 GMT ', now)).toBe(10_000);
	});
	test.each(['1.5', '-3', '3,4', '', ' ', '2026-03-05', '9999999999', 'soon', true, [3], { 3: 3 }])(
		'%j says nothing',
		(value) => {
			expect(parseRetryAfter(value, now)).toBeUndefined();
		},
	);
	test('0 and a date in the past say nothing', () => {
		expect(parseRetryAfter(0, now)).toBeUndefined();
		expect(parseRetryAfter('Wed, 04 Mar 2026 05:00:00 GMT', now)).toBeUndefined();
		expect(parseRetryAfter('Wed, 04 Mar 2026 05:06:07 GMT', now)).toBeUndefined();
	});
	test('never throws, and gives only times to come', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const wait = parseRetryAfter(value, now);
				expect(wait === undefined || (Number.isFinite(wait) && wait > 0)).toBe(true);
			}),
		);
	});
});
