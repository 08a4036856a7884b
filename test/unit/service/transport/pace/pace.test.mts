import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { LIMITS } from '../../../../../nodes/SignAndClose/service/limits.ts';
import type {
	Ended,
	Held,
	Started,
} from '../../../../../nodes/SignAndClose/service/transport/pace/outcomes.ts';
import { Pace } from '../../../../../nodes/SignAndClose/service/transport/pace/pace.ts';

const rules = LIMITS.pace;
const ANSWERED: Ended = { outcome: 'answered' };
const REFUSED: Ended = { outcome: 'refused', mild: false };
const isStarted = (value: Started | Held): value is Started =>
	typeof value === 'object' && 'at' in value;

/** As many requests as may start now. */
function startAll(pace: Pace, now: number): Started[] {
	const started: Started[] = [];
	for (let next = pace.start(now); isStarted(next); next = pace.start(now)) started.push(next);
	return started;
}

/** Answers requests, each of which is followed by another, until as many are open as ever. */
function grow(pace: Pace): number {
	const open: Started[] = [];
	let now = 0;
	for (; now < 20_000; now += 50) {
		open.push(...startAll(pace, now));
		pace.ended(open.shift()!, ANSWERED, now, 0);
	}
	for (const started of open) pace.ended(started, ANSWERED, now, 0);
	return now + 1;
}

describe('requests at once', () => {
	test('begin with few, grow with answers up to the most, and not without need', () => {
		const idle = new Pace(rules);
		expect(startAll(idle, 0)).toHaveLength(rules.firstAtOnce);
		const busy = new Pace(rules);
		grow(busy);
		expect(busy.atOnce).toBe(rules.mostAtOnce);
		const single = new Pace(rules);
		for (let now = 0; now < 100_000; now += 100)
			single.ended(single.start(now) as Started, ANSWERED, now + 50, 0);
		expect(single.atOnce).toBe(rules.firstAtOnce);
	});
	test('are halved by a refusal, once for all that were open together', () => {
		const pace = new Pace(rules);
		const now = grow(pace);
		const open = startAll(pace, now);
		for (const started of open) pace.ended(started, REFUSED, now + 50, 0);
		expect(pace.atOnce).toBe(rules.mostAtOnce / 2);
	});
	test('are halved by an overloaded gateway, without a pause', () => {
		const pace = new Pace(rules);
		const now = grow(pace);
		const [started] = startAll(pace, now);
		pace.ended(started, { outcome: 'overloaded' }, now + 50, 0);
		expect(pace.atOnce).toBe(rules.mostAtOnce / 2);
		expect(pace.pausedUntil).toBe(-Infinity);
	});
	test('grow by half of one with each answer to as many as allowed, and only to those', () => {
		const pace = new Pace(rules);
		const open = startAll(pace, 7);
		expect(open).toEqual([
			{ at: 7, full: false },
			{ at: 7, full: false },
			{ at: 7, full: true },
		]);
		// The first was open with as many as allowed, the second with fewer, the third completed them.
		const seen = open.map((started) => {
			pace.ended(started, ANSWERED, 10, 0);
			return pace.atOnce;
		});
		expect(seen).toEqual([3, 3, 4]);
	});
	test('grow by one in a round of answers after the first trouble', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 4 });
		const open = startAll(pace, 0);
		pace.ended(open.shift()!, { outcome: 'overloaded' }, 0, 0);
		for (const started of open) pace.ended(started, { outcome: 'unknown' }, 0, 0);
		expect(pace.atOnce).toBe(2);
		const seen: number[] = [];
		for (let round = 1; round < 5; round++) {
			for (const started of startAll(pace, round)) pace.ended(started, ANSWERED, round, 0);
			seen.push(pace.atOnce);
		}
		expect(seen).toEqual([2, 3, 4, 4]);
	});
	test('are halved once for requests of the same millisecond', () => {
		const pace = new Pace({ ...rules, firstAtOnce: 8 });
		const [first, second] = startAll(pace, 5);
		pace.ended(first, { outcome: 'overloaded' }, 5, 0);
		pace.ended(second, { outcome: 'overloaded' }, 5, 0);
		expect(pace.atOnce).toBe(4);
	});
	test('stay as many when nothing is known of a request', () => {
		const pace = new Pace(rules);
		for (const started of startAll(pace, 0)) pace.ended(started, { outcome: 'unknown' }, 1, 0);
		expect(pace.atOnce).toBe(rules.firstAtOnce);
	});
	test('do not grow while the service becomes slower', () => {
		const pace = new Pace(rules);
		let now = 0;
		for (let round = 0; round < 30; round++, now += 10_000)
			for (const started of startAll(pace, now))
				pace.ended(started, { outcome: 'answered', kind: 'read' }, now + 100 * 2 ** round, 0);
		expect(pace.atOnce).toBeLessThan(10);
	});
});

describe('a pause', () => {
	test('lasts as long as the service says, for all, and ends with one request', () => {
		const pace = new Pace(rules);
		const [first, second] = startAll(pace, 0);
		pace.ended(first, { ...REFUSED, pauseMs: 60_000 } as Ended, 10, 0);
		pace.ended(second, ANSWERED, 20, 0);
		expect(pace.start(60_009)).toEqual({ forMs: 1 });
		const probe = startAll(pace, 60_010);
		expect(probe).toHaveLength(1);
		pace.ended(probe[0], ANSWERED, 60_050, 0);
		// What was learned spreads the others.
		expect(pace.start(60_050)).toEqual({ forMs: expect.any(Number) });
	});
	test('begins with an answer that says the quota is used up', () => {
		const pace = new Pace(rules);
		pace.ended(pace.start(0) as Started, { ...ANSWERED, usedUpForMs: 5000 } as Ended, 10, 0);
		expect(pace.start(11)).toEqual({ forMs: 4999 });
	});
	test('is not begun by a quota that comes back too late to wait for', () => {
		const pace = new Pace(rules);
		const usedUpForMs = rules.longestWaitMs + 1;
		pace.ended(pace.start(0) as Started, { ...ANSWERED, usedUpForMs } as Ended, 10, 0);
		expect(isStarted(pace.start(11))).toBe(true);
	});
	test('without a hint doubles with each refusal, up to a limit', () => {
		const pace = new Pace(rules);
		const pauses: number[] = [];
		for (let now = 0, count = 0; count < 12; count++) {
			pace.ended(pace.start(now) as Started, REFUSED, now + 1, 0.5);
			pauses.push(pace.pausedUntil - now - 1);
			now = pace.pausedUntil;
		}
		expect(pauses.slice(0, 4)).toEqual([200, 400, 800, 1600]);
		expect(pauses.at(-1)).toBe(rules.longestOwnPauseMs);
	});
	test('does not wait for ever for the answer of its first request', () => {
		const pace = new Pace(rules);
		pace.ended(pace.start(0) as Started, REFUSED, 1, 0);
		const after = pace.pausedUntil;
		expect(isStarted(pace.start(after))).toBe(true);
		expect(pace.start(after + 1)).toEqual({ forMs: rules.probeMs - 1 });
		expect(pace.start(after + rules.probeMs - 1)).toEqual({ forMs: 1 });
		expect(isStarted(pace.start(after + rules.probeMs))).toBe(true);
	});
	test('has another first request when the network fails', () => {
		const pace = new Pace(rules);
		pace.ended(pace.start(0) as Started, REFUSED, 1, 0);
		const after = pace.pausedUntil;
		pace.ended(pace.start(after) as Started, { outcome: 'unknown' }, after + 1, 0);
		expect(isStarted(pace.start(after + 1))).toBe(true);
	});
	test('that is too long lets a request through now and then, and its answer ends it', () => {
		const pace = new Pace(rules);
		pace.ended(pace.start(0) as Started, { ...REFUSED, pauseMs: 3_600_000 } as Ended, 1, 0);
		expect(pace.startAgainstHope(1000)).toBeUndefined();
		const tried = pace.startAgainstHope(rules.hopelessProbeMs)!;
		expect(pace.startAgainstHope(3 * rules.hopelessProbeMs)).toBeUndefined();
		pace.ended(tried, ANSWERED, 3 * rules.hopelessProbeMs, 0);
		expect(pace.pausedUntil).toBe(-Infinity);
	});
	test('does not take a time without requests for the pace of the service', () => {
		const pace = new Pace(rules);
		const burst = (from: number) => {
			for (let count = 0; count < 20; count++)
				pace.ended(pace.start(from + count) as Started, ANSWERED, from + count, 0);
		};
		burst(0);
		burst(60_000);
		pace.ended(pace.start(60_050) as Started, { ...REFUSED, pauseMs: 1000 } as Ended, 60_051, 0);
		const after = pace.pausedUntil;
		pace.ended(pace.start(after) as Started, ANSWERED, after, 0);
		// 20 a second were accepted, not 40 a minute.
		expect((pace.start(after) as { forMs: number }).forMs).toBeLessThan(100);
	});
	test('is not begun by a single 503', () => {
		const pace = new Pace(rules);
		pace.ended(pace.start(0) as Started, { outcome: 'refused', mild: true }, 1, 0);
		expect(isStarted(pace.start(2))).toBe(true);
	});
});

test('is idle when nothing is open and nothing was sent for a while', () => {
	const pace = new Pace(rules);
	const started = pace.start(0) as Started;
	expect(pace.isIdle(rules.idleMs)).toBe(false);
	pace.ended(started, { ...ANSWERED, usedUpForMs: 1000 } as Ended, 10, 0);
	expect(pace.isIdle(rules.idleMs)).toBe(false);
	expect(pace.isIdle(rules.idleMs + 1010)).toBe(true);
});

test('whatever happens: few at once, nothing during a pause, and never stuck', () => {
	const end = fc.oneof(
		fc.constant(ANSWERED),
		fc.record({ outcome: fc.constant('answered' as const), kind: fc.constantFrom('a', 'b') }),
		fc.record({
			outcome: fc.constant('answered' as const),
			usedUpForMs: fc.integer({ min: 1, max: 400_000 }),
		}),
		fc.record({ outcome: fc.constant('refused' as const), mild: fc.boolean() }),
		fc.record({
			outcome: fc.constant('refused' as const),
			mild: fc.boolean(),
			pauseMs: fc.integer({ min: 1, max: 400_000 }),
		}),
		fc.constantFrom<Ended>({ outcome: 'overloaded' }, { outcome: 'unknown' }),
	);
	const step = fc.record({ after: fc.integer({ min: 0, max: 5000 }), which: fc.nat(31), end });
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 200 }),
			fc.double({ min: 0, max: 0.99 }),
			(steps, random) => {
				const pace = new Pace(rules);
				const open: Started[] = [];
				let now = 0;
				for (const { after, which, end: ended } of steps) {
					now += after;
					const paused = now < pace.pausedUntil;
					const started = startAll(pace, now);
					if (paused) expect(started).toEqual([]);
					open.push(...started);
					expect(open.length).toBeLessThanOrEqual(rules.mostAtOnce + 1);
					expect(pace.atOnce).toBeGreaterThanOrEqual(1);
					expect(pace.atOnce).toBeLessThanOrEqual(rules.mostAtOnce);
					const [one] = open.splice(which % Math.max(1, open.length), 1);
					if (one !== undefined) pace.ended(one, ended, now, random);
				}
				for (const one of open) pace.ended(one, ANSWERED, now, random);
				// However it went, the next request may leave after a while that is named.
				for (let tries = 0; ; tries++) {
					expect(tries).toBeLessThan(5);
					const next = pace.start(now);
					if (isStarted(next)) break;
					expect(next).not.toBe('untilOthersEnd');
					const { forMs } = next as { forMs: number };
					expect(forMs).toBeGreaterThan(0);
					expect(Number.isFinite(forMs)).toBe(true);
					now += forMs;
				}
			},
		),
	);
});

describe('a request for which the service was unavailable', () => {
	const UNAVAILABLE: Ended = { outcome: 'refused', mild: true };
	test('waits, at the third time, until no other is open, and no other is sent with it', () => {
		const pace = new Pace(rules);
		const [first, second] = [pace.start(0), pace.start(0)] as Started[];
		expect(pace.start(1, 2)).toBe('untilOthersEnd');
		pace.ended(first, ANSWERED, 2, 0);
		expect(pace.start(2, 2)).toBe('untilOthersEnd');
		pace.ended(second, ANSWERED, 3, 0);
		const alone = pace.start(3, 2) as Started;
		expect(isStarted(alone)).toBe(true);
		expect(pace.start(4)).toBe('untilOthersEnd');
		pace.ended(alone, ANSWERED, 5, 0);
		expect(startAll(pace, 5)).toHaveLength(rules.firstAtOnce);
	});
	test('keeps others for no longer than the one after a pause does', () => {
		const pace = new Pace(rules);
		expect(isStarted(pace.start(0, 2))).toBe(true);
		expect(pace.start(rules.probeMs - 1)).toBe('untilOthersEnd');
		expect(isStarted(pace.start(rules.probeMs))).toBe(true);
		expect(isStarted(pace.start(rules.probeMs))).toBe(true);
	});
	test('is sent beside others at the second time', () => {
		const pace = new Pace(rules);
		pace.start(0);
		expect(pace.start(0, 1)).toMatchObject({ second: true });
	});
	/** Twenty others are accepted before each of those that are sent for the second time. */
	function pausedAfterSecondTimes(...outcomes: Ended[]): boolean {
		const pace = new Pace(rules);
		outcomes.forEach((outcome, now) => {
			for (let others = 0; others < 20; others++)
				pace.ended(pace.start(now) as Started, ANSWERED, now, 0);
			pace.ended(pace.start(now, 1) as Started, outcome, now, 0);
		});
		return pace.pausedUntil > -Infinity;
	}
	test('tells of a limit when it is refused at the second time, four times in a row', () => {
		const four = Array.from({ length: 4 }, () => UNAVAILABLE);
		expect(pausedAfterSecondTimes(...four.slice(1))).toBe(false);
		expect(pausedAfterSecondTimes(...four)).toBe(true);
	});
	test('tells of no limit when each third of the second times is refused', () => {
		const outcomes = Array.from({ length: 99 }, (_, index) =>
			index % 3 === 0 ? UNAVAILABLE : ANSWERED,
		);
		expect(pausedAfterSecondTimes(...outcomes)).toBe(false);
	});
});
