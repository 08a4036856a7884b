import { describe, expect, test } from '@jest/globals';

import { AtOnce } from '../../../../nodes/SignAndClose/transport/pace/atOnce.ts';

/** How many requests may be open at once, by what more of them bring. */

const MOST = 256;
/** A service that gives so many answers a second with so many at once. */
type Throughput = (atOnce: number) => number;

/** The limits of so many rounds at a service that's kept busy; time goes on in milliseconds. */
function limitsOf(atOnce: AtOnce, throughput: Throughput, rounds: number): number[] {
	const limits: number[] = [];
	let now = 0;
	for (let answers = 0; limits.length < rounds && answers < 100_000; answers++) {
		const before = atOnce.value;
		now += 1000 / throughput(before);
		atOnce.answered(now, true, before - 1);
		if (atOnce.value !== before || answers === 0) limits.push(atOnce.value);
	}
	return limits;
}

test('they grow with each round of answers, up to the most', () => {
	expect(limitsOf(new AtOnce(8, MOST), (n) => 10 * n, 5)).toEqual([8, 24, 72, 216, 256]);
});

test('slower answers shrink nothing, as long as more of them come', () => {
	// Latency grows fivefold from 8 to 256 at once.
	const atOnce = new AtOnce(8, MOST);
	limitsOf(atOnce, (n) => 10 * Math.sqrt(n), 5);
	expect(atOnce.value).toBe(MOST);
});

test('when more bring no more answers, they go halfway back, and grow by a tenth from then on', () => {
	const limits = limitsOf(new AtOnce(8, MOST), (n) => n / (1 + (n / 32) ** 2), 20);
	expect(limits.slice(0, 4)).toEqual([8, 24, 72, 41]);
	for (const limit of limits.slice(10)) expect(Math.abs(limit - 32)).toBeLessThan(8);
});

test('a service that has slowed down meanwhile is not compared with what it was', () => {
	const atOnce = new AtOnce(64, 64);
	for (const answersPerSecond of [1000, 100, 1]) {
		limitsOf(atOnce, () => answersPerSecond, 2);
		expect(atOnce.value).toBe(64);
	}
});

test('where less is asked for than allowed, nothing is learned', () => {
	const atOnce = new AtOnce(8, MOST);
	for (let answers = 0; answers < 1000; answers++) atOnce.answered(answers * 10, false, 0);
	expect(atOnce.value).toBe(8);
});

describe('a no', () => {
	test('halves them, but not below two, and from then on they grow by a tenth', () => {
		const atOnce = new AtOnce(64, MOST);
		atOnce.saidNo(0, 0);
		expect(atOnce.value).toBe(32);
		expect(limitsOf(atOnce, (n) => 10 * n, 4)).toEqual([32, 35, 38, 42]);
		for (let count = 0; count < 10; count++) atOnce.saidNo(0, 0);
		expect(atOnce.value).toBe(2);
		expect(limitsOf(atOnce, (n) => 10 * n, 3)).toEqual([2, 3, 4]);
	});
	test('is not blamed on what was tried before it', () => {
		const atOnce = new AtOnce(8, MOST);
		limitsOf(atOnce, (n) => 10 * n, 2);
		atOnce.saidNo(0, 0);
		expect(atOnce.value).toBe(12);
		expect(limitsOf(atOnce, () => 1, 2)).toEqual([12, 13]);
	});
	test('begins rounds that count nothing of what was open before', () => {
		const atOnce = new AtOnce(16, MOST);
		atOnce.saidNo(0, 100);
		for (let answers = 0; answers < 107; answers++) atOnce.answered(answers, true, 8);
		expect(atOnce.value).toBe(8);
		atOnce.answered(107, true, 8);
		expect(atOnce.value).toBe(9);
	});
});
