import fc from 'fast-check';

import {
	readRequestedPause,
	decideRetry,
	LONGEST_RETRY_AFTER_MS,
	LONGEST_WAIT_MS,
	MAX_ATTEMPTS,
} from '../../../../nodes/SignAndClose/transport/http/retry.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', ''];
const FAULT = { nothingSent: false };

describe('whether another attempt follows', () => {
	test('of a write only after a fault that sent nothing', () => {
		forEachCase(WRITES, (method) => {
			forEachCase(
				Array.from({ length: 300 }, (_value, index) => 300 + index),
				(status) => expect(decideRetry(method, 1, { status }, 0)).toBeUndefined(),
			);
			expect(decideRetry(method, 1, FAULT, 0)).toBeUndefined();
			expect(decideRetry(method, 1, { nothingSent: true }, 0)).toBe(250);
		});
	});
	test('of a read after faults and after the statuses that pass', () => {
		const passing = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524];
		forEachCase(
			Array.from({ length: 300 }, (_value, index) => 300 + index),
			(status) =>
				expect(decideRetry('GET', 1, { status }, 0) !== undefined).toBe(passing.includes(status)),
		);
		forEachCase(['GET', 'HEAD'], (method) => expect(decideRetry(method, 1, FAULT, 0)).toBe(250));
	});
	test('not after a fault that lasts, the fifth attempt, or the second one in silence', () => {
		forEachCase(['GET', 'POST'], (method) =>
			expect(decideRetry(method, 1, { nothingSent: true, lasting: true }, 0)).toBeUndefined(),
		);
		expect(decideRetry('GET', MAX_ATTEMPTS - 1, { status: 503 }, 0)).toBeDefined();
		expect(decideRetry('GET', MAX_ATTEMPTS, { status: 503 }, 0)).toBeUndefined();
		expect(decideRetry('GET', 1, { ...FAULT, timedOut: true }, 0)).toBeDefined();
		expect(decideRetry('GET', 2, { ...FAULT, timedOut: true }, 0)).toBeUndefined();
	});
	test("after the service's own wait, unless it is longer than two minutes", () => {
		const wait = (retryAfterMs: number) => decideRetry('GET', 1, { status: 503, retryAfterMs }, 0);
		expect(wait(7000)).toBe(7000);
		expect(wait(LONGEST_RETRY_AFTER_MS)).toBe(120_000);
		expect(wait(LONGEST_RETRY_AFTER_MS + 1)).toBeUndefined();
	});
	test('after waits that double, spread at random, and stay below the limit', () => {
		expect(decideRetry('GET', 1, FAULT, 0.5)).toBe(375);
		expect(decideRetry('GET', 3, { status: 503 }, 0.5)).toBe(1500);
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(attempt, random) => {
					const waitMs = decideRetry('GET', attempt, FAULT, random)!;
					expect(waitMs >= 250 * 2 ** (attempt - 1) && waitMs <= LONGEST_WAIT_MS).toBe(true);
				},
			),
		);
	});
});

const NOW = Date.parse('2026-03-04T05:06:07Z');
const asked = (status: number, headers: object) =>
	readRequestedPause({ status, headers: { ...headers }, body: undefined }, NOW);

test.each([
	[{ 'retry-after': '3' }, 3000],
	[{ 'retry-after': [' 3 ', '5'] }, 3000],
	[{ 'retry-after': ' Wed, 04 Mar 2026 05:06:17 GMT ' }, 10_000],
	// The service's clock is an hour behind, and so is its date.
	[
		{ 'retry-after': 'Wed, 04 Mar 2026 04:06:17 GMT', date: 'Wed, 04 Mar 2026 04:06:07 GMT' },
		10_000,
	],
	...['0', '1.5', '-3', '3,4', '', '2026-03-05', 'soon', 'Wed, 04 Mar 2026 05:00:00 GMT'].map(
		(value): [object, undefined] => [{ 'retry-after': value }, undefined],
	),
	[{ 'ratelimit-reset': '30' }, 30_000],
	[{ 'x-ratelimit-reset': String(NOW / 1000 + 20) }, 20_000],
	[{ 'x-rate-limit-reset': String(NOW + 5000) }, 5000],
	[{ 'x-ratelimit-reset': 'Wed, 04 Mar 2026 05:06:17 GMT' }, 10_000],
	[{ 'x-ratelimit-reset': String(NOW / 1000 - 20) }, undefined],
	[{ 'retry-after': '2', 'ratelimit-reset': '30' }, 2000],
	[{ 'retry-after': '0', 'ratelimit-reset': '30' }, 30_000],
	[{}, undefined],
])('%j asks for a pause of %s ms', (headers, pauseMs) => {
	forEachCase([429, 503], (status) => expect(asked(status, headers)).toBe(pauseMs));
	expect(asked(500, { 'ratelimit-reset': '30', ...headers, 'retry-after': '' })).toBeUndefined();
});

test('a pause is always to come', () => {
	const names = ['retry-after', 'date', 'ratelimit-reset', 'x-ratelimit-reset'];
	const value = fc.oneof(fc.string(), fc.constantFrom('0', '-1', '1e9', '12', '1e400', 'NaN'));
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), (headers) => {
			const pauseMs = asked(429, headers) ?? 1;
			expect(Number.isFinite(pauseMs) && pauseMs > 0).toBe(true);
		}),
	);
});
