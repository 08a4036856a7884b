import { describe, expect, test } from '@jest/globals';

import { LatencyWatch } from '../../../../../nodes/SignAndClose/service/transport/pace/latencyWatch.ts';
import { LearnedRate } from '../../../../../nodes/SignAndClose/service/transport/pace/learnedRate.ts';

/** What is learned from refusals and from times, worked out by hand. Times are milliseconds. */

/** Sends requests at these distances, all of which are accepted, and gives the time after them. */
function send(rate: LearnedRate, count: number, everyMs: number, from = 0, waited = false): number {
	for (let index = 0; index < count; index++) {
		rate.started(from + index * everyMs);
		rate.accepted(waited);
	}
	return from + count * everyMs;
}

/** A service that takes ten a second in bursts: 20 in the first second, then none for a second. */
function tenASecond(): LearnedRate {
	const rate = new LearnedRate();
	send(rate, 20, 50);
	rate.resumed(1000, 2000, false);
	return rate;
}

describe('the rate of a service that takes bursts', () => {
	test('is not known before its first refusal', () => {
		const rate = new LearnedRate();
		expect(rate.spacingMs).toBe(0);
		send(rate, 100, 10, 0, true);
		expect(rate.spacingMs).toBe(0);
	});
	test('is what it has accepted in the time until it accepted again, less a tenth at first', () => {
		expect(tenASecond().spacingMs).toBeCloseTo(100 / 0.9, 6);
	});
	test('comes back to what was accepted with forty requests, slowly near it, and goes beyond', () => {
		const rate = tenASecond();
		const at = (count: number, from: number) => {
			send(rate, count, 100, from, true);
			return 1 / rate.spacingMs;
		};
		expect(at(20, 2000)).toBeCloseTo(0.01 * (1 - 0.1 * 0.5 ** 3), 9);
		expect(at(20, 4000)).toBeCloseTo(0.01, 9);
		expect(at(40, 6000)).toBeCloseTo(0.01 * 1.1, 9);
	});
	test('is not changed by requests that did not have to wait', () => {
		const rate = tenASecond();
		const before = rate.spacingMs;
		send(rate, 30, 100, 2000);
		expect(rate.spacingMs).toBe(before);
	});
	test('is as little below a refused rate as needed when many were accepted before', () => {
		const rate = tenASecond();
		// 100 in ten seconds, then a pause of a second: 100 of 11 seconds are no less than four fifths.
		const until = send(rate, 100, 100, 2000, true);
		const refused = 1 / rate.spacingMs;
		rate.resumed(until, until + 1000, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.94 * 0.9, 9);
	});
	test('of requests that had not waited counts as they came', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 200, 2000);
		rate.resumed(until, until + 1000, false);
		expect(1 / rate.spacingMs).toBeCloseTo((100 / 20_000) * 0.94 * 0.9, 9);
	});
	test('is what a quota gives in its whole time when it was used up early', () => {
		const rate = tenASecond();
		// 20 within two seconds, then none for two: half of what was refused, but three quarters at least.
		const until = send(rate, 20, 100, 2000, true);
		const refused = 1 / rate.spacingMs;
		rate.resumed(until, until + 2000, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.75 * 0.9, 9);
	});
	test('falls by a tenth more when little was accepted since the last pause', () => {
		const rate = tenASecond();
		const until = send(rate, 7, 100, 2000, true);
		const refused = 1 / rate.spacingMs;
		rate.resumed(until, until + 500, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.9 * 0.9, 9);
	});
	test('is reached later the dearer a pause is', () => {
		const rate = tenASecond();
		const until = send(rate, 60, 100, 2000, true);
		const limit = (1 / rate.spacingMs) * 0.75;
		rate.resumed(until, until + 10_000, true);
		const untilReached = 12 * 10_000 * limit;
		send(rate, 500, 100, until + 10_000, true);
		expect(1 / rate.spacingMs).toBeCloseTo(limit * (1 - 0.1 * (1 - 500 / untilReached) ** 3), 9);
		send(rate, Math.round(untilReached) - 500, 100, until + 60_000, true);
		expect(1 / rate.spacingMs).toBeCloseTo(limit, 9);
	});
	test('starts anew after a time without requests, which says nothing', () => {
		const rate = new LearnedRate();
		send(rate, 20, 50);
		const until = send(rate, 20, 50, 60_000);
		rate.resumed(until, until + 1000, false);
		expect(rate.spacingMs).toBeCloseTo(100 / 0.9, 6);
	});
	test('falls to what was accepted in the whole time only if that is much less', () => {
		const rate = tenASecond();
		// 20 of which the quota was used up early: 10 a second, when a little less was refused.
		const until = send(rate, 20, 70, 2000, true);
		const refused = 1 / rate.spacingMs;
		rate.resumed(until, until + 600, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.94 * 0.9, 9);
	});
	test('of which exactly four fifths were accepted is not much less', () => {
		const rate = new LearnedRate();
		send(rate, 10, 60);
		rate.resumed(600, 1200, false);
		const refused = 1 / rate.spacingMs;
		expect(12 / 2000).toBe((10 / 1200) * 0.9 * 0.8);
		const until = send(rate, 12, 125, 1200);
		rate.resumed(until, until + 500, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.94 * 0.9, 9);
	});
	test('that was accepted for four times the pause was not used up early', () => {
		const rate = tenASecond();
		const until = send(rate, 20, 200, 2000);
		const refused = 1 / rate.spacingMs;
		rate.resumed(until, until + 1000, true);
		expect(1 / rate.spacingMs).toBeCloseTo(refused * 0.94 * 0.9, 9);
	});
	test('is known from eight accepted requests on, not from seven', () => {
		const spacing = (accepted: number) => {
			const rate = new LearnedRate();
			send(rate, accepted, 10);
			rate.resumed(100, 100 * accepted, false);
			return rate.spacingMs;
		};
		expect(spacing(8)).toBeCloseTo(100 / 0.9, 6);
		expect(spacing(7)).toBeCloseTo(100, 6);
	});
	test('two seconds without a request are no such time', () => {
		const rate = new LearnedRate();
		send(rate, 20, 50);
		const until = send(rate, 20, 50, 2950);
		rate.resumed(until, until + 1050, false);
		expect(rate.spacingMs).toBeCloseTo(5000 / 40 / 0.9, 6);
	});
});

describe('the rate of a service that takes no bursts', () => {
	test('is searched for from five a second when hardly any was accepted', () => {
		for (const accepted of [0, 1, 2]) {
			const rate = new LearnedRate();
			const until = send(rate, accepted, 10);
			rate.started(until);
			rate.resumed(until, until + 2000, false);
			expect(rate.spacingMs).toBeCloseTo(200, 6);
		}
	});
	test('is searched for from what was accepted, a quarter faster with each', () => {
		const rate = new LearnedRate();
		const until = send(rate, 4, 100);
		rate.resumed(until, until + 600, false);
		expect(rate.spacingMs).toBeCloseTo(250, 6);
		send(rate, 1, 250, 1000, true);
		expect(rate.spacingMs).toBeCloseTo(200, 6);
		send(rate, 2, 200, 1250, true);
		expect(rate.spacingMs).toBeCloseTo(128, 6);
	});
	test('is found one step below the refused one', () => {
		const rate = new LearnedRate();
		const until = send(rate, 4, 50);
		rate.resumed(until, until + 200, false);
		send(rate, 3, 100, 400, true);
		const before = 100 / 1.25 ** 2;
		rate.resumed(700, 900, true);
		expect(rate.spacingMs).toBeCloseTo(before / 0.9, 6);
	});
	test('is searched for from five a second when none was sent before the pause', () => {
		const rate = new LearnedRate();
		rate.accepted(true);
		expect(rate.spacingMs).toBe(0);
		rate.resumed(0, 1000, false);
		expect(rate.spacingMs).toBeCloseTo(200, 6);
	});
	test('is spread at exactly a thousand a second, and not beyond', () => {
		const rate = new LearnedRate();
		send(rate, 4, 1);
		rate.resumed(4, 5, false);
		expect(rate.spacingMs).toBe(1.25);
		send(rate, 1, 1, 5, true);
		expect(rate.spacingMs).toBe(1);
		send(rate, 1, 1, 6, true);
		expect(rate.spacingMs).toBe(0);
	});
	test('is never below four a second, and not spread from a thousand a second on', () => {
		const rate = new LearnedRate();
		send(rate, 4, 1000);
		rate.resumed(4000, 60_000, false);
		rate.resumed(60_000, 120_000, true);
		expect(rate.spacingMs).toBeCloseTo(250, 6);
		const fast = new LearnedRate();
		fast.started(0);
		fast.resumed(1, 2, false);
		send(fast, 30, 1, 2, true);
		expect(fast.spacingMs).toBe(0);
	});
});

describe('times', () => {
	test('as usual, or shorter, tell of nothing', () => {
		const watch = new LatencyWatch();
		for (const took of [100, 100, 80, 100, 40, 90]) expect(watch.judge('get', took)).toBe('no');
	});
	test('that grow are noticed smoothly: twice as long, then four times', () => {
		const watch = new LatencyWatch();
		watch.judge('get', 50);
		// With 50 ms of noise on both sides, 450 ms count as five times as long.
		const seen = Array.from({ length: 12 }, () => watch.judge('get', 450));
		expect(seen).toEqual([
			'no',
			'somewhat',
			'somewhat',
			'somewhat',
			'somewhat',
			'somewhat',
			...Array.from({ length: 6 }, () => 'much'),
		]);
	});
	test('that are shorter than ever become usual at once', () => {
		const watch = new LatencyWatch();
		watch.judge('get', 1000);
		expect(watch.judge('get', 50)).toBe('no');
		expect([1, 2].map(() => watch.judge('get', 450))).toEqual(['no', 'somewhat']);
	});
	test.each([
		['four times as long on average are much longer', 158, 3283, 'much'],
		['twice as long on average are somewhat longer', 4947, 29_947, 'somewhat'],
		['a little less than that are as usual', 4947, 29_946, 'no'],
		['a little less than four times are somewhat longer', 158, 3282, 'somewhat'],
	])('%s', (_what, usual, took, slower) => {
		const watch = new LatencyWatch();
		expect(watch.judge('get', usual)).toBe('no');
		expect(watch.judge('get', took)).toBe(slower);
	});
	test('of one kind say nothing about another', () => {
		const watch = new LatencyWatch();
		for (let index = 0; index < 50; index++) {
			expect(watch.judge('get', 20)).toBe('no');
			expect(watch.judge('list', 2000)).toBe('no');
		}
	});
	test('below the noise are as usual', () => {
		const watch = new LatencyWatch();
		watch.judge('get', 1);
		for (let index = 0; index < 50; index++) expect(watch.judge('get', 40)).toBe('no');
	});
	test('that stay long become usual in the end', () => {
		const watch = new LatencyWatch();
		watch.judge('get', 50);
		const seen = Array.from({ length: 20_000 }, () => watch.judge('get', 450));
		expect(seen.lastIndexOf('much')).toBe(648);
		expect(seen.lastIndexOf('somewhat')).toBe(4702);
		expect(seen.at(-1)).toBe('no');
	});
});
