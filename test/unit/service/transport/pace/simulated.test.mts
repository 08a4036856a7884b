import { describe, expect, test } from '@jest/globals';

import { LIMITERS, type Hint, type Verdict } from '../../../../../bench/limiters.mts';
import { seededRandom } from '../../../../../bench/seededRandom.mts';
import { median } from '../../../../../bench/statistics.mts';
import { LIMITS } from '../../../../../nodes/SignAndClose/service/limits.ts';
import { simulateRun } from './simulatedRun.mts';

/** How long the rule takes and how many requests it wastes, in simulated time. */

const rules = LIMITS.pace;
const SEEDS = [1, 2, 3, 4, 5];

describe('1,000 reads at 20 a second', () => {
	const IDEAL_SECONDS = 50;
	const hints: Hint[] = ['none', 'retryAfter', 'zero', 'past', 'usedUp'];
	const cases = Object.keys(LIMITERS).flatMap((name) =>
		hints.flatMap((hint) =>
			([5, 50, 100] as const).map(
				(answerMs) => [name as keyof typeof LIMITERS, hint, answerMs] as const,
			),
		),
	);
	test.each(cases)('%s, hint %s, answers in %i ms', (name, hint, answerMs) => {
		const runs = SEEDS.map((seed) =>
			simulateRun({
				items: 1000,
				service: LIMITERS[name]({ count: 20, windowMs: 1000, hint }),
				answerMs,
				rules,
				seed,
			}),
		);
		// With a quota that is reported as used up, each of its windows ends with a pause.
		const most = hint === 'usedUp' ? 1.25 : 1.12;
		expect(median(runs.map(({ seconds }) => seconds)) / IDEAL_SECONDS).toBeLessThan(most);
		for (const { refused } of runs) expect(refused).toBeLessThan(50);
	});
	test('a way that varies by 8 ms costs a limiter without burst no more than it must', () => {
		const run = (seed: number) =>
			simulateRun({
				items: 1000,
				service: LIMITERS.noBurst({ count: 20, windowMs: 1000, hint: 'none' }),
				answerMs: 50,
				variesMs: 8,
				rules,
				seed,
			}).seconds;
		expect(median(SEEDS.map(run)) / IDEAL_SECONDS).toBeLessThan(1.25);
	});
	test.each([5, 50, 52, 55, 60, 100])(
		'503 without a hint, as nginx answers by default, in %d ms',
		(answerMs) => {
			for (const seed of SEEDS) {
				const { seconds, refused, failed } = simulateRun({
					items: 1000,
					service: LIMITERS.noBurst({ count: 20, windowMs: 1000, hint: 'none' }),
					answerMs,
					status: 503,
					rules,
					seed,
				});
				expect(failed).toBe(0);
				expect(seconds / IDEAL_SECONDS).toBeLessThan(2);
				expect(refused).toBeLessThan(100);
			}
		},
	);
});

test('a window of a minute without a hint costs few requests', () => {
	const { seconds, refused } = simulateRun({
		items: 300,
		service: LIMITERS.fixedWindow({ count: 100, windowMs: 60_000, hint: 'none' }),
		answerMs: 50,
		rules,
	});
	expect(seconds).toBeLessThan(240);
	// Those under way when the window is used up, and a few that look whether it's over.
	expect(refused).toBeLessThan(rules.mostAtOnce + 18);
});

test('after a pause, no two requests leave closer together than the limit allows', () => {
	const { sentAt } = simulateRun({
		items: 100,
		service: LIMITERS.fixedWindow({ count: 20, windowMs: 1000, hint: 'retryAfter' }),
		answerMs: 20,
		rules,
	});
	const pauses = sentAt.flatMap((at, index) =>
		index > 0 && at - sentAt[index - 1] > 700 ? [index] : [],
	);
	expect(pauses.length).toBeGreaterThan(0);
	for (const index of pauses) {
		const inFirst100Ms = sentAt.filter((at) => at >= sentAt[index] && at < sentAt[index] + 100);
		expect(inFirst100Ms.length).toBeLessThanOrEqual(3);
	}
});

test('a service that takes 5 at once gets hardly more, and is kept busy', () => {
	const { seconds, refused } = simulateRun({
		items: 1000,
		service: (_now, open) => ({ accepted: open <= 5, headers: {} }),
		answerMs: 100,
		rules,
	});
	expect(refused).toBeLessThan(100);
	expect(seconds).toBeLessThan(2 * ((1000 / 5) * 0.1));
});

test('a service that becomes slower with each request gets few at once', () => {
	const { most } = simulateRun({
		items: 1000,
		service: () => ({ accepted: true, headers: {} }),
		answerMs: (open) => 100 * Math.max(1, open / 4),
		rules,
	});
	expect(most).toBeGreaterThanOrEqual(6);
	expect(most).toBeLessThanOrEqual(20);
});

test('a service without a limit gets as many requests at once as are ever sent, and no more', () => {
	const { seconds, most } = simulateRun({
		items: 1000,
		service: () => ({ accepted: true, headers: {} }),
		answerMs: 100,
		rules,
	});
	expect(most).toBe(rules.mostAtOnce);
	// Five at once, as before, took 20 seconds.
	expect(seconds).toBeLessThan(6);
});

describe('six requests a second from many workflows, some of which are refused at random', () => {
	test.each([
		[429, 0.015, 1],
		[429, 0.03, 1],
		[429, 0.015, undefined],
		[503, 0.03, 1],
	] as const)(
		'with %d, a share of %d, Retry-After %s: they never pile up',
		(status, share, wait) => {
			for (const seed of SEEDS) {
				const random = seededRandom(seed + 100);
				const { seconds } = simulateRun({
					items: 3600,
					everyMs: 1000 / 6,
					service: (): Verdict => ({
						accepted: random() >= share,
						headers: wait === undefined ? {} : { 'retry-after': String(wait) },
					}),
					answerMs: 50,
					status,
					rules,
					seed,
				});
				// They come in ten minutes.
				expect(seconds).toBeLessThan(630);
			}
		},
	);
});

test.each([0.01, 0.02])(
	'a share of %d that is never answered does not hold up the others',
	(share) => {
		for (const seed of SEEDS) {
			const random = seededRandom(seed + 100);
			const { seconds, atOnce } = simulateRun({
				items: 3600,
				everyMs: 1000 / 6,
				stalls: () => random() < share,
				service: () => ({ accepted: true, headers: {} }),
				answerMs: 50,
				rules,
				seed,
			});
			// They come in ten minutes, and one that isn't answered takes 45 seconds, several times.
			expect(seconds).toBeLessThan(740);
			expect(atOnce).toBeGreaterThan(2);
		}
	},
);

test.each([
	[503, 0.01, 20],
	[503, 0.1, 75],
	[503, 0.2, 400],
	[429, 0.01, 100],
	[429, 0.1, 300],
	[429, 0.2, 400],
] as const)(
	'%d at random, whatever the pace, for a share of %d: never slower than four requests a second',
	(status, share, mostSeconds) => {
		for (const seed of SEEDS) {
			const random = seededRandom(seed + 100);
			const { seconds } = simulateRun({
				items: 1000,
				service: () => ({ accepted: random() >= share, headers: {} }),
				answerMs: 100,
				status,
				rules,
				seed,
			});
			expect(seconds).toBeLessThan(mostSeconds);
		}
	},
);
