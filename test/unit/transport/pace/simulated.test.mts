import { answerTime, type AnswerTimes } from '../../../../bench/answerTimes.mts';
import { LIMITERS, type Hint, type Verdict } from '../../../../bench/limiters.mts';
import { seededRandom } from '../../../../bench/seededRandom.mts';
import { median } from '../../../../bench/statistics.mts';
import { LIMITS } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { simulateRun, type SimulatedRun } from './simulatedRun.mts';

/** How long runs take at services that answer as real ones do, in simulated time. */

const rules = LIMITS.pace;
const SEEDS = [1, 2, 3, 4, 5];
const ITEMS = 1000;

/** The middle of what five seeds take, in seconds. */
function secondsOf(times: AnswerTimes, run: Partial<SimulatedRun> = {}): number {
	const runs = SEEDS.map((seed) => {
		const answerMs = answerTime({ ...times, seed });
		return simulateRun({ items: ITEMS, rules, seed, answerMs, ...run }).seconds;
	});
	return median(runs);
}

describe('1,000 reads whose answers vary', () => {
	/** What they would take with 64 at once, as many as HTTP Request reaches. */
	const with64 = (times: AnswerTimes) => secondsOf(times, { fixed: 64 });

	test.each([20, 50, 200, 500].flatMap((medianMs) => [0, 0.3, 0.6, 1].map((s) => [medianMs, s])))(
		'a median of %i ms, sigma %d: about as fast as 64 at once, or faster',
		(medianMs, sigma) => {
			const times = { medianMs, sigma };
			expect(secondsOf(times) / with64(times)).toBeLessThan(1.1);
		},
	);
	test.each([
		['one answer in a hundred that takes ten times as long', { slowShare: 0.01 }],
		['a first answer that takes a tenth', { fastFirst: true }],
		['answers that take three times as long in the end', { drift: { times: 3, items: ITEMS } }],
	])('%s', (_what, unusual) => {
		const times = { medianMs: 200, sigma: 0.6, ...unusual };
		expect(secondsOf(times) / with64(times)).toBeLessThan(1.1);
	});
	test('0.5 % of 503 cost hardly anything', () => {
		const times = { medianMs: 200, sigma: 0.6 };
		const random = seededRandom(7);
		const service = (): Verdict => ({ accepted: random() >= 0.005, headers: {} });
		expect(secondsOf(times, { service, status: 503 }) / secondsOf(times)).toBeLessThan(1.25);
	});
});

test.each([
	[200, 0.3],
	[100, 0],
	[50, 0.6],
])('a gateway that is congested beyond 32 at once, %i ms, sigma %d', (medianMs, sigma) => {
	const times = { medianMs, sigma, knee: 32 };
	const best = Math.min(...[16, 24, 32, 40, 48].map((fixed) => secondsOf(times, { fixed })));
	expect(secondsOf(times) / best).toBeLessThan(1.2);
});

describe('1,000 reads at 20 a second', () => {
	const IDEAL_SECONDS = 50;
	const hints: Hint[] = ['none', 'retryAfter', 'zero', 'past', 'usedUp'];
	const cases = Object.keys(LIMITERS).flatMap((name) =>
		hints.flatMap((hint) =>
			([20, 50, 100] as const).flatMap((answerMs) =>
				([429, 503] as const).map(
					(status) => [name as keyof typeof LIMITERS, hint, answerMs, status] as const,
				),
			),
		),
	);
	test.each(cases)('%s, hint %s, answers in %i ms, %i', (name, hint, answerMs, status) => {
		const runs = SEEDS.map((seed) =>
			simulateRun({
				items: ITEMS,
				service: LIMITERS[name]({ count: 20, windowMs: 1000, hint }),
				answerMs: () => answerMs,
				status,
				rules,
				seed,
			}),
		);
		const middle = (what: 'seconds' | 'refused') => median(runs.map((run) => run[what]));
		expect(middle('seconds') / IDEAL_SECONDS).toBeLessThan(name === 'noBurst' ? 1.5 : 1.25);
		expect(middle('refused') / (ITEMS + middle('refused'))).toBeLessThanOrEqual(0.05);
		expect(runs.filter(({ refused, failed }) => refused > 75 || failed > 0)).toEqual([]);
	});
});

test.each(['retryAfter', 'none'] as const)(
	'a quota of a minute, %s, costs few requests',
	(hint) => {
		const service = LIMITERS.fixedWindow({ count: 50, windowMs: 60_000, hint });
		const { seconds, sentAt } = simulateRun({ items: 80, service, answerMs: () => 50, rules });
		expect(seconds).toBeLessThan(100);
		// What leaves in the minute after the first burst: nothing, or a few that look whether it's over.
		const early = sentAt.filter((at) => at < 1000).length;
		const resumed = sentAt.findIndex(
			(at, index) => index > 0 && at - sentAt[index - 1] < 300 && at > 2000,
		);
		expect(resumed - early).toBeLessThanOrEqual(10);
	},
);

test('a service that takes 5 at once gets hardly more, and is kept busy', () => {
	const service = (_now: number, open: number): Verdict => ({ accepted: open <= 5, headers: {} });
	const { seconds, refused } = simulateRun({ items: ITEMS, service, answerMs: () => 100, rules });
	expect(refused).toBeLessThan(100);
	expect(seconds).toBeLessThan(2 * ((ITEMS / 5) * 0.1));
});

test.each([
	[429, 1],
	[429, undefined],
	[503, 1],
	[503, undefined],
] as const)(
	'six requests a second from many workflows, of which %d refuses 0.5 %% at random, never pile up',
	(status, wait) => {
		forEachCase(SEEDS, (seed) => {
			const random = seededRandom(seed + 100);
			const headers: Verdict['headers'] = wait === undefined ? {} : { 'retry-after': String(wait) };
			const { seconds } = simulateRun({
				items: 3600,
				everyMs: 1000 / 6,
				service: () => ({ accepted: random() >= 0.005, headers }),
				answerMs: () => 50,
				status,
				rules,
				seed,
			});
			// They come in ten minutes.
			expect(seconds).toBeLessThan(630);
		});
	},
);
