import { describe, expect, test } from '@jest/globals';

import { LIMITS } from '../../../../../nodes/SignAndClose/service/limits.ts';
import type {
	Ended,
	Started,
} from '../../../../../nodes/SignAndClose/service/transport/pace/outcomes.ts';
import { Pace } from '../../../../../nodes/SignAndClose/service/transport/pace/pace.ts';

/** What refusals, hints and slow answers do to a pace, worked out by hand. */

const rules = LIMITS.pace;
const ANSWERED: Ended = { outcome: 'answered' };
const REFUSED: Ended = { outcome: 'refused', mild: false };
const MILD: Ended = { outcome: 'refused', mild: true };
const UNKNOWN: Ended = { outcome: 'unknown' };
const start = (pace: Pace, now: number) => {
	const started = pace.start(now);
	expect(started).toMatchObject({ at: now });
	return started as Started;
};

describe('refusals without a hint', () => {
	test.each([
		[0, 175],
		[0.5, 200],
		[1, 225],
	])('pause by 200 ms, spread by an eighth: %f', (random, ms) => {
		const pace = new Pace(rules);
		pace.ended(start(pace, 0), REFUSED, 10, random);
		expect(pace.pausedUntil).toBe(10 + ms);
	});
	test('say nothing new of requests that were under way with a refused one', () => {
		const pace = new Pace(rules);
		const [first, second] = [start(pace, 0), start(pace, 10)];
		pace.ended(first, REFUSED, 10, 0.5);
		pace.ended(start(pace, 210), ANSWERED, 220, 0.5);
		expect(pace.pausedUntil).toBe(-Infinity);
		pace.ended(second, REFUSED, 230, 0.5);
		expect(pace.pausedUntil).toBe(-Infinity);
	});
	test('say nothing new while another pause is under way', () => {
		const pace = new Pace(rules);
		const [first, second] = [start(pace, 1), start(pace, 1)];
		pace.ended(first, { ...ANSWERED, usedUpForMs: 50 } as Ended, 10, 0);
		pace.ended(second, REFUSED, 20, 0.5);
		expect(pace.pausedUntil).toBe(60);
		pace.ended(start(pace, 60), REFUSED, 70, 0.5);
		expect(pace.pausedUntil).toBe(270);
	});
	test('pause for two places when requests are spread already', () => {
		const pace = new Pace(rules);
		for (let now = 0; now < 1000; now += 10) pace.ended(start(pace, now), ANSWERED, now + 1, 0);
		pace.ended(start(pace, 1000), REFUSED, 1000, 0.5);
		pace.ended(start(pace, 1200), ANSWERED, 1201, 0);
		// A hundred in 1,200 ms: one in 12 ms.
		pace.ended(start(pace, 1300), REFUSED, 1301, 0.5);
		expect(pace.pausedUntil).toBeCloseTo(1301 + 2 * 12, 6);
	});
	test('do not halve the requests at once when they had waited for their place', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 8 });
		pace.ended(start(pace, 0), REFUSED, 0, 0.5);
		pace.ended(start(pace, 200), ANSWERED, 200, 0);
		expect(pace.atOnce).toBe(4);
		const { forMs } = pace.start(250) as { forMs: number };
		const placed = start(pace, 250 + forMs);
		expect(placed.spacingMs).toBe(placed.at - 200);
		pace.ended(placed, REFUSED, placed.at + 1, 0.5);
		expect(pace.atOnce).toBe(4);
		expect(pace.pausedUntil).toBe(placed.at + 201);
	});
	test('are counted from the first on, until the service takes requests again', () => {
		const pace = new Pace(rules);
		expect(pace.refusingSince).toBeUndefined();
		const [first, slow] = [start(pace, 0), start(pace, 0)];
		pace.ended(first, REFUSED, 10, 0.5);
		expect(pace.refusingSince).toBe(10);
		// It was sent before the pause, so it doesn't tell that the pause is over.
		pace.ended(slow, ANSWERED, 20, 0.5);
		expect(pace.refusingSince).toBe(10);
		pace.ended(start(pace, 210), REFUSED, 220, 0.5);
		expect(pace.refusingSince).toBe(10);
		expect(pace.pausedUntil).toBe(620);
		pace.ended(start(pace, 620), ANSWERED, 630, 0.5);
		expect(pace.refusingSince).toBeUndefined();
	});
});

describe('a 503', () => {
	test('without a hint halves the requests at once, and begins no pause', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 8 });
		pace.ended(start(pace, 0), MILD, 1, 0);
		expect(pace.atOnce).toBe(4);
		expect(pace.pausedUntil).toBe(-Infinity);
		expect(pace.refusingSince).toBeUndefined();
	});
	test('with a hint pauses for that time', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 8 });
		pace.ended(start(pace, 0), { ...MILD, pauseMs: 1000 } as Ended, 1, 0);
		expect(pace.atOnce).toBe(4);
		expect(pace.pausedUntil).toBe(1001);
		expect(pace.refusingSince).toBeUndefined();
	});
});

describe('hints', () => {
	test('are prolonged by up to a twentieth', () => {
		for (const end of [
			{ ...REFUSED, pauseMs: 1000 },
			{ ...ANSWERED, usedUpForMs: 1000 },
		] as Ended[]) {
			const pace = new Pace(rules);
			pace.ended(start(pace, 0), end, 10, 0.5);
			expect(pace.pausedUntil).toBe(10 + 1025);
			expect(pace.askedUntil).toBe(10 + 1000);
		}
	});
	test('count from the first refusal for requests that were under way with that one', () => {
		const pace = new Pace(rules);
		expect(pace.askedUntil).toBe(-Infinity);
		const [first, second] = [start(pace, 0), start(pace, 10)];
		pace.ended(first, { ...REFUSED, pauseMs: 1000 } as Ended, 10, 0);
		pace.ended(second, { ...REFUSED, pauseMs: 1000 } as Ended, 30, 0);
		expect(pace.pausedUntil).toBe(1030);
		expect(pace.askedUntil).toBe(1010);
		pace.ended(start(pace, 1030), { ...REFUSED, pauseMs: 1000 } as Ended, 1040, 0);
		expect(pace.askedUntil).toBe(2040);
	});
	test('of a used up quota are followed up to the longest wait', () => {
		const pace = new Pace(rules);
		const usedUpForMs = rules.longestWaitMs;
		pace.ended(start(pace, 0), { ...ANSWERED, usedUpForMs } as Ended, 10, 0);
		expect(pace.pausedUntil).toBe(10 + usedUpForMs);
	});
	test('are replaced by what the service says when it is asked again, and by nobody else', () => {
		const pace = new Pace(rules);
		const [first, second] = [start(pace, 0), start(pace, 0)];
		pace.ended(first, { ...REFUSED, pauseMs: 3_600_000 } as Ended, 1, 0);
		pace.ended(second, { ...REFUSED, pauseMs: 1000 } as Ended, 2, 0);
		expect(pace.pausedUntil).toBe(3_600_001);
		const tried = pace.startAgainstHope(rules.hopelessProbeMs)!;
		pace.ended(tried, { ...REFUSED, pauseMs: 1000 } as Ended, rules.hopelessProbeMs + 5, 0);
		expect(pace.pausedUntil).toBe(rules.hopelessProbeMs + 1005);
		expect(pace.askedUntil).toBe(rules.hopelessProbeMs + 1005);
	});
});

describe('a request against hope', () => {
	test('follows no other within ten seconds, whatever the time of day', () => {
		const now = Date.parse('2026-03-04T05:06:07Z');
		const pace = new Pace(rules);
		pace.ended(start(pace, now), { ...REFUSED, pauseMs: 3_600_000 } as Ended, now, 0);
		expect(pace.startAgainstHope(now + rules.hopelessProbeMs - 1)).toBeUndefined();
		expect(pace.startAgainstHope(now + rules.hopelessProbeMs)).toEqual({
			at: now + rules.hopelessProbeMs,
			full: false,
		});
	});
	test('may be the first of all, and begins a pause when it is refused', () => {
		const pace = new Pace(rules);
		expect(pace.isIdle(0)).toBe(true);
		const started = pace.startAgainstHope(0)!;
		expect(pace.isIdle(0)).toBe(false);
		pace.ended(started, { ...REFUSED, pauseMs: 1000 } as Ended, 5, 0);
		expect(pace.pausedUntil).toBe(1005);
	});
});

describe('slower answers', () => {
	const took = (pace: Pace, now: number, ms: number) =>
		pace.ended(start(pace, now), { outcome: 'answered', kind: 'get' }, now + ms, 0);
	/** Allows eight at once, of which none takes long. */
	function wide(): Pace {
		const pace = new Pace({ ...rules, firstAtOnce: 2 });
		for (let now = 0; pace.atOnce < 8; now += 100) {
			const open: Started[] = [];
			for (let next = pace.start(now); next !== 'untilOthersEnd'; next = pace.start(now))
				open.push(next as Started);
			for (const one of open) pace.ended(one, { outcome: 'answered', kind: 'get' }, now + 10, 0);
		}
		return pace;
	}
	test('lower the requests at once by a tenth when they are much slower', () => {
		const pace = wide();
		took(pace, 10_000, 100_000);
		expect(pace.atOnce).toBe(7);
		took(pace, 200_000, 100_000);
		expect(pace.atOnce).toBe(6);
	});
	test('never lower them below those of the start', () => {
		const pace = new Pace(rules);
		took(pace, 0, 10);
		for (let now = 1000; now < 2_000_000; now += 200_000) took(pace, now, 100_000);
		expect(pace.atOnce).toBe(rules.firstAtOnce);
	});
	test('end the fast growth when they are somewhat slower', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 4 });
		took(pace, 0, 50);
		took(pace, 1000, 650);
		// As usual again: a round adds one request, not two.
		for (let now = 2000; now < 3000; now += 100) took(pace, now, 50);
		for (const at of [5000, 6000]) {
			const open = [0, 0, 0, 0].map(() => start(pace, at));
			for (const one of open) pace.ended(one, { outcome: 'answered', kind: 'get' }, at + 50, 0);
		}
		expect(pace.atOnce).toBe(4);
	});
	test('say nothing of requests whose end is unknown', () => {
		const pace = wide();
		pace.ended(start(pace, 10_000), UNKNOWN, 200_000, 0);
		expect(pace.atOnce).toBe(8);
	});
});
