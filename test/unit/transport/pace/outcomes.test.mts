import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { askedPause, endOf } from '../../../../nodes/SignAndClose/transport/pace/outcomes.ts';

/** What outcomes tell about the pace. */

const NOW = Date.parse('2026-03-04T05:06:07Z');

const asked = (status: number, headers: object) =>
	askedPause({ status, headers: { ...headers }, body: undefined }, NOW);

test.each([
	[{ 'retry-after': '3' }, 3000],
	[{ 'retry-after': ['3', '5'] }, 3000],
	[{ 'retry-after': 'Wed, 04 Mar 2026 05:06:17 GMT' }, 10_000],
	// The service's clock is an hour behind, and so is its date.
	[
		{ 'retry-after': 'Wed, 04 Mar 2026 04:06:17 GMT', date: 'Wed, 04 Mar 2026 04:06:07 GMT' },
		10_000,
	],
	[{ 'retry-after': '0' }, undefined],
	[{ 'retry-after': 'Wed, 04 Mar 2026 05:00:00 GMT' }, undefined],
	[{ 'retry-after': 'soon' }, undefined],
	[{ 'ratelimit-reset': '30' }, 30_000],
	[{ 'x-ratelimit-reset': String(NOW / 1000 + 20) }, 20_000],
	[{ 'x-rate-limit-reset': String(NOW + 5000) }, 5000],
	[{ 'x-ratelimit-reset': 'Wed, 04 Mar 2026 05:06:17 GMT' }, 10_000],
	[{ 'x-ratelimit-reset': '0' }, undefined],
	[{ 'x-ratelimit-reset': String(NOW / 1000 - 20) }, undefined],
	[{ 'retry-after': '2', 'ratelimit-reset': '30' }, 2000],
	[{ 'retry-after': '0', 'ratelimit-reset': '30' }, 30_000],
	[{}, undefined],
])('%j asks for a pause of %s ms', (headers, pauseMs) => {
	for (const status of [429, 503]) expect(asked(status, headers)).toBe(pauseMs);
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

describe('the end of a request', () => {
	const answer = (status: number, headers = {}) => endOf({ status, headers, body: undefined });
	test.each([200, 201, 204, 302, 400, 401, 403, 404, 409, 422, 500, 520])(
		'%i: answered',
		(status) => {
			expect(answer(status, { 'retry-after': '5' })).toEqual({ outcome: 'answered' });
		},
	);
	test.each([408, 502, 504, 522, 524])('%i: overloaded', (status) => {
		expect(answer(status)).toEqual({ outcome: 'overloaded' });
	});
	test.each([429, 503])('%i: refused, for as long as it says', (status) => {
		expect(answer(status)).toEqual({ outcome: 'refused' });
		expect(answer(status, { 'retry-after': '5' })).toEqual({ outcome: 'refused', pauseMs: 5000 });
	});
	test('503 pauses the others for two minutes at most', () => {
		expect(answer(503, { 'retry-after': '120' })).toMatchObject({ pauseMs: 120_000 });
		expect(answer(503, { 'retry-after': '121' })).toEqual({ outcome: 'refused' });
		expect(answer(429, { 'retry-after': '121' })).toMatchObject({ pauseMs: 121_000 });
	});
	test('silence is overload, anything else unknown', () => {
		const fault = { code: 'X', nothingSent: false, timedOut: true, lasting: false };
		expect(endOf(fault)).toEqual({ outcome: 'overloaded' });
		expect(endOf({ ...fault, timedOut: false })).toEqual({ outcome: 'unknown' });
		expect(endOf(undefined)).toEqual({ outcome: 'unknown' });
	});
});
