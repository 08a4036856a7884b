import { expect, test } from '@jest/globals';

import { Rate } from '../../../../nodes/SignAndClose/transport/pace/rate.ts';

/** The rate that refusals have shown. Times are milliseconds. */

/** A rate after so many requests were accepted from 0 to the end of a pause. */
function learned(accepted: number, ms: number): Rate {
	const rate = new Rate();
	rate.begin(0);
	for (let count = 0; count < accepted; count++) rate.accepted(false);
	rate.learn(ms);
	return rate;
}
const perSecond = (rate: Rate) => 1000 / rate.spacingMs;
const accept = (rate: Rate, count: number, spread = true) => {
	for (let done = 0; done < count; done++) rate.accepted(spread);
};

test('no refusal, no rate', () => {
	const rate = new Rate();
	accept(rate, 1000);
	expect(rate.spacingMs).toBe(0);
});

test('begins with what was accepted, the pause included', () => {
	expect(perSecond(learned(20, 1000))).toBeCloseTo(20);
	expect(perSecond(learned(30, 2000))).toBeCloseTo(15);
});

test('is never slower than four a second', () => {
	expect(perSecond(learned(1, 60_000))).toBe(4);
});

test('counts from the first request after a time without any', () => {
	const rate = new Rate();
	accept(rate, 5, false);
	rate.begin(60_000);
	accept(rate, 20, false);
	rate.learn(61_000);
	expect(perSecond(rate)).toBeCloseTo(20);
});

test('grows with each accepted request that waited for its place, until it is too fast', () => {
	const rate = learned(20, 1000);
	accept(rate, 100, false);
	expect(perSecond(rate)).toBeCloseTo(20);
	accept(rate, 35);
	expect(perSecond(rate)).toBeCloseTo(20 * 1.02 ** 35);
	accept(rate, 200);
	expect(rate.spacingMs).toBe(0);
});

test('a refused rate is cut to what was accepted, by 7 to 30 %', () => {
	const cut = (acceptedPerSecond: number) => {
		const rate = learned(20, 1000);
		accept(rate, acceptedPerSecond, false);
		rate.learn(2000);
		return perSecond(rate);
	};
	expect(cut(5)).toBeCloseTo(14);
	expect(cut(16)).toBeCloseTo(16);
	expect(cut(20)).toBeCloseTo(18.6);
});

test('after a long time it is cut by 7 %, and comes back to the refused rate in 500 requests', () => {
	const rate = learned(20, 1000);
	accept(rate, 125, false);
	rate.learn(60_000);
	expect(perSecond(rate)).toBeCloseTo(18.6);
	accept(rate, 250);
	expect(perSecond(rate)).toBeCloseTo(19.3);
	accept(rate, 250);
	expect(perSecond(rate)).toBeCloseTo(20);
	// What isn't refused any more doesn't hold it back.
	accept(rate, 36);
	expect(perSecond(rate)).toBeGreaterThan(38);
});
