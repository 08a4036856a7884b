import { describe, expect, test } from '@jest/globals';

import { LatencyWatch } from '../../../../../nodes/SignAndClose/service/transport/pace/latencyWatch.ts';
import {
	LearnedRate,
	type OverPause,
} from '../../../../../nodes/SignAndClose/service/transport/pace/learnedRate.ts';

/** What is learned from refusals and from times, worked out by hand. Times are milliseconds. */

/** Sends requests at these distances, all of which are accepted, and gives the time after them. */
function send(rate: LearnedRate, count: number, everyMs: number, from = 0, waited = false): number {
	for (let index = 0; index < count; index++) {
		rate.started(from + index * everyMs);
		rate.accepted(waited);
	}
	return from + count * everyMs;
}

/** A pause that began at this time. */
const pauseFrom = (from: number, more: Partial<OverPause> = {}): OverPause => ({
	from,
	refusedAt: from,
	by: 'us',
	...more,
});

/** A service that takes ten a second in bursts: 20 in the first second, then none for a second. */
function tenASecond(): LearnedRate {
	const rate = new LearnedRate();
	send(rate, 20, 50);
	rate.resumed(pauseFrom(1000), 2000);
	return rate;
}

/** The rate in requests a millisecond. */
const rateOf = (rate: LearnedRate) => 1 / rate.spacingMs;

describe('the rate of a service that takes bursts', () => {
	test('is not known before its first refusal', () => {
		const rate = new LearnedRate();
		expect(rate.spacingMs).toBe(0);
		send(rate, 100, 10, 0, true);
		expect(rate.spacingMs).toBe(0);
	});
	test('is what it has accepted in the time until it accepted again', () => {
		expect(tenASecond().spacingMs).toBeCloseTo(100, 6);
	});
	test('counts the time between the last refusal and the next acceptance by half', () => {
		const rate = new LearnedRate();
		send(rate, 20, 50);
		rate.resumed(pauseFrom(1000, { refusedAt: 1400 }), 2000);
		expect(rate.spacingMs).toBeCloseTo(1700 / 20, 6);
	});
	test.each([
		['as long as a pause that was asked for', 20, 5, 1000, 1000],
		['as long as the requests, if that is longer', 20, 100, 1000, 2000],
		['all of it, but the second by which the pause was rounded up', 400, 50, 60_000, 79_000],
	])('takes %s', (_what, count, everyMs, pauseMs, neededMs) => {
		const rate = new LearnedRate();
		const until = send(rate, count, everyMs);
		rate.resumed(pauseFrom(until, { by: 'refusal' }), until + pauseMs);
		expect(rate.spacingMs).toBeCloseTo(neededMs / count, 6);
	});
	test('grows by a fiftieth with each request that waited, as long as none is refused', () => {
		const rate = tenASecond();
		send(rate, 30, 100, 2000);
		expect(rate.spacingMs).toBeCloseTo(100, 6);
		send(rate, 10, 100, 5000, true);
		expect(rateOf(rate)).toBeCloseTo(0.01 * 1.02 ** 10, 9);
	});
	test('lies between what was accepted and what was refused when these differ little', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 100, 2000, true);
		rate.resumed(pauseFrom(until, { spacingMs: 90 }), until + 500);
		// What came before counts by half.
		const reached = (100 + 20 / 2) / (10_500 + 2000 / 2);
		expect(rateOf(rate)).toBeCloseTo(((reached + 1 / 90) / 2) * 0.985, 9);
	});
	test('differs little up to a quarter', () => {
		const rate = tenASecond();
		const until = send(rate, 90, 50, 2000);
		// 100 in 6,000 ms, and one in 45 ms refused.
		expect(100 / 6000).toBe((1 / 45) * 0.75);
		rate.resumed(pauseFrom(until, { spacingMs: 45 }), until + 500);
		expect(rateOf(rate)).toBeCloseTo(((1 / 60 + 1 / 45) / 2) * 0.985, 9);
	});
	test('is what was accepted when much more was refused, and goes there soon', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 100, 2000, true);
		rate.resumed(pauseFrom(until, { spacingMs: 50 }), until + 500);
		const reached = 110 / 11_500;
		expect(rateOf(rate)).toBeCloseTo(reached, 9);
		const untilTried = (1 / 50 / reached - 1) / 0.002;
		send(rate, 100, 100, until + 500, true);
		expect(rateOf(rate)).toBeCloseTo(reached + ((1 / 50 - reached) * 100) / untilTried, 9);
	});
	test('of requests that had not waited counts as they came', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 105, 2000);
		rate.resumed(pauseFrom(until), until + 500);
		const reached = 110 / 12_000;
		expect(rateOf(rate)).toBeCloseTo(((reached + 1 / 105) / 2) * 0.985, 9);
	});
	test('that was kept to is what was refused when requests came faster', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 80, 2000);
		rate.resumed(pauseFrom(until), until + 500);
		expect(110 / 9500).toBeGreaterThan(1 / 100);
		expect(rateOf(rate)).toBeCloseTo(((110 / 9500 + 1 / 100) / 2) * 0.985, 9);
	});
	test('is kept to where requests come too rarely to tell of it', () => {
		const rate = tenASecond();
		const until = send(rate, 100, 112, 2000);
		rate.resumed(pauseFrom(until), until + 500);
		expect(rate.spacingMs).toBeCloseTo(100, 6);
	});
	describe('is doubled, and grows on', () => {
		/** Refused after every so many requests, each sent at the rate, with a pause of a second. */
		function refusedOften(times: number, count: number, by: OverPause['by'] = 'refusal') {
			const rate = new LearnedRate();
			let until = send(rate, 30, 150);
			const rates: number[] = [];
			for (let time = 0; time < times; time++) {
				rate.resumed(
					pauseFrom(until, { by, ...(time > 0 && { spacingMs: rate.spacingMs }) }),
					until + 1000,
				);
				rates.push(rateOf(rate));
				until = send(rate, count, rate.spacingMs, until + 1000, true);
			}
			return { rate, rates };
		}
		test('when it is refused again and again long before it could be too much', () => {
			const { rates } = refusedOften(6, 30);
			// The first refusal settles it, and the second gives a rate to stay below. Four more surprise.
			for (const index of [1, 2, 3, 4]) expect(rates[index] / rates[index - 1]).toBeLessThan(1.1);
			expect(rates[5] / rates[4]).toBeGreaterThan(1.9);
		});
		test('not when a used-up quota is announced each time', () => {
			const { rates } = refusedOften(12, 30, 'announcement');
			for (let index = 2; index < rates.length; index++)
				expect(rates[index] / rates[index - 1]).toBeLessThan(1.1);
		});
	});
	test.each([
		[95, (1 / 95) * 0.94],
		[80, 1 / 100],
	])(
		'after few requests, and one in %i ms refused, is what was accepted, or less',
		(spacingMs, is) => {
			const rate = tenASecond();
			const until = send(rate, 7, 100, 2000);
			rate.resumed(pauseFrom(until, { spacingMs }), until + 500);
			expect(rateOf(rate)).toBeCloseTo(is, 9);
		},
	);
	test.each([
		['later the dearer a pause is', 500, (100 * 500) / 90],
		['after eighty requests at least', 5, 80],
	])('reaches the refused one %s, then goes beyond', (_when, pauseMs, untilTried) => {
		const rate = tenASecond();
		const until = send(rate, 100, 100, 2000);
		rate.resumed(pauseFrom(until, { spacingMs: 90 }), until + pauseMs);
		const accepts = rateOf(rate);
		const after = (count: number) => {
			send(rate, count, 100, until + pauseMs, true);
			return rateOf(rate);
		};
		expect(after(40)).toBeCloseTo(accepts + ((1 / 90 - accepts) * 40) / untilTried, 9);
		const twice = Math.round(2 * untilTried);
		expect(after(twice - 40)).toBeCloseTo((1 / 90) * (1 + (twice / untilTried - 1) ** 3), 9);
	});
	test.each([
		[59_000, 'starts anew after a time without requests, which says nothing', 100],
		[2950, 'starts anew after more than two seconds', 4050 / 40],
	])('after a pause until %i: %s', (from, _what, spacingMs) => {
		const rate = new LearnedRate();
		send(rate, 20, 50);
		const until = send(rate, 20, 50, from);
		const pauseMs = from === 2950 ? 100 : 1000;
		rate.resumed(pauseFrom(until), until + pauseMs);
		expect(rate.spacingMs).toBeCloseTo(spacingMs, 6);
	});
	test('is known from eight accepted requests on, not from seven', () => {
		const after = (accepted: number) => {
			const rate = new LearnedRate();
			send(rate, accepted, 10);
			rate.resumed(pauseFrom(100), 100 * accepted);
			send(rate, 1, 100, 1000, true);
			return rate.spacingMs;
		};
		expect(after(8)).toBeCloseTo(100 / 1.02, 6);
		expect(after(7)).toBeCloseTo(100 / 1.1, 6);
	});
});

describe('the rate of a service that takes no bursts', () => {
	/** Found at one in 50 ms: one in 45 ms was refused while the limit was searched for. */
	function found(): LearnedRate {
		const rate = new LearnedRate();
		const until = send(rate, 4, 50);
		rate.resumed(pauseFrom(until), 400);
		send(rate, 3, 100, 400, true);
		rate.resumed(pauseFrom(700, { spacingMs: 45 }), 900);
		return rate;
	}
	test('is searched for from ten a second when hardly any was accepted', () => {
		for (const accepted of [0, 1, 2]) {
			const rate = new LearnedRate();
			const until = send(rate, accepted, 10);
			rate.started(until);
			rate.resumed(pauseFrom(until), until + 2000);
			expect(rate.spacingMs).toBeCloseTo(100, 6);
		}
	});
	test('is searched for from what was accepted, a tenth faster with each', () => {
		const rate = new LearnedRate();
		const until = send(rate, 4, 100);
		rate.resumed(pauseFrom(until), until + 600);
		expect(rate.spacingMs).toBeCloseTo(250, 6);
		send(rate, 1, 250, 1000, true);
		expect(rate.spacingMs).toBeCloseTo(250 / 1.1, 6);
		send(rate, 2, 200, 1250, true);
		expect(rate.spacingMs).toBeCloseTo(250 / 1.1 ** 3, 6);
	});
	test('is searched for from half of what was refused when hardly any was accepted again', () => {
		const rate = new LearnedRate();
		rate.resumed(pauseFrom(0), 1000);
		send(rate, 2, 100, 1000, true);
		rate.resumed(pauseFrom(1200, { spacingMs: 80 }), 1400);
		expect(rate.spacingMs).toBeCloseTo(160, 6);
		send(rate, 1, 160, 1400, true);
		expect(rate.spacingMs).toBeCloseTo(160 / 1.1, 6);
	});
	test('is searched for from four a second when none was accepted again', () => {
		const rate = new LearnedRate();
		rate.resumed(pauseFrom(0), 1000);
		rate.resumed(pauseFrom(1000), 2000);
		expect(rate.spacingMs).toBeCloseTo(250, 6);
	});
	test('is found one step below the refused one', () => {
		expect(found().spacingMs).toBeCloseTo(45 * 1.1, 6);
	});
	test('stays near what was accepted for long', () => {
		const rate = found();
		const untilTried = (100 * 200) / 45;
		const [accepts, refuses] = [1 / 45 / 1.1, 1 / 45];
		send(rate, 200, 50, 900, true);
		expect(rateOf(rate)).toBeCloseTo(accepts + (refuses - accepts) * (200 / untilTried) ** 3, 9);
	});
	test('is a little below what was refused after enough requests, else well below', () => {
		for (const [count, part] of [
			[8, 0.985],
			[7, 0.94],
		]) {
			const rate = found();
			const until = send(rate, count, 52, 900, true);
			rate.resumed(pauseFrom(until, { spacingMs: 52 }), until + 100);
			expect(rateOf(rate)).toBeCloseTo(part / 52, 9);
		}
	});
	test('is searched for from ten a second when none was sent before the pause', () => {
		const rate = new LearnedRate();
		rate.accepted(true);
		expect(rate.spacingMs).toBe(0);
		rate.resumed(pauseFrom(0), 1000);
		expect(rate.spacingMs).toBeCloseTo(100, 6);
	});
	test('is never below four a second, and not spread from more than a thousand a second on', () => {
		const rate = new LearnedRate();
		send(rate, 20, 1000);
		rate.resumed(pauseFrom(20_000), 60_000);
		rate.resumed(pauseFrom(60_000), 120_000);
		expect(rate.spacingMs).toBeCloseTo(250, 6);
		const fast = new LearnedRate();
		send(fast, 4, 1);
		fast.resumed(pauseFrom(4), 4.4);
		expect(fast.spacingMs).toBeCloseTo(1.1, 6);
		send(fast, 1, 1, 5, true);
		expect(fast.spacingMs).toBeCloseTo(1, 6);
		send(fast, 1, 1, 6, true);
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
