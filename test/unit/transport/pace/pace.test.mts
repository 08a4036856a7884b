import fc from 'fast-check';

import { LIMITS } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import {
	Pace,
	type RequestEnd,
	type StartedRequest,
} from '../../../../nodes/SignAndClose/transport/pace/pace.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** When the next request may be sent. Times are milliseconds. */

const rules = { ...LIMITS.pace, firstAtOnce: 10 };
const ANSWERED: RequestEnd = { outcome: 'answered' };
const REFUSED: RequestEnd = { outcome: 'refused' };
const refusedFor = (pauseMs: number): RequestEnd => ({ outcome: 'refused', pauseMs });

/** As many requests as may start now. */
function startAll(pace: Pace, now: number): StartedRequest[] {
	const started: StartedRequest[] = [];
	for (let next = pace.start(now); typeof next !== 'number'; next = pace.start(now))
		started.push(next);
	return started;
}
/** The request that starts now. */
const startOne = (pace: Pace, now: number): StartedRequest => {
	const started = pace.start(now);
	if (typeof started === 'number') throw new Error(`Held for ${started} ms`);
	return started;
};
/** A pace after these ends of requests that were sent at 0, at 10 ms each. */
function after(...ends: RequestEnd[]): { pace: Pace; open: StartedRequest[] } {
	const pace = new Pace(rules);
	const open = startAll(pace, 0);
	for (const end of ends) pace.noteEnd(open.shift()!, end, 10);
	return { pace, open };
}

test('as many requests start as are allowed at once, and the next when one ends', () => {
	const pace = new Pace(rules);
	const open = startAll(pace, 0);
	expect(open).toHaveLength(rules.firstAtOnce);
	expect(open.map(({ full }) => full)).toEqual(open.map((_, i) => i === open.length - 1));
	expect(pace.start(1)).toBe(Infinity);
	pace.noteEnd(open[0], ANSWERED, 2);
	expect(startAll(pace, 2)).toHaveLength(1);
});

test('one that hangs keeps nobody waiting, up to the most ever', () => {
	const pace = new Pace({ ...rules, mostAtOnce: 20 });
	startAll(pace, 0);
	expect(pace.start(rules.hangMs - 1)).toBe(Infinity);
	expect(startAll(pace, rules.hangMs)).toHaveLength(rules.firstAtOnce);
	expect(startAll(pace, 2 * rules.hangMs)).toHaveLength(20 - 2 * rules.firstAtOnce);
});

describe('one no among answers', () => {
	test('tells of no limit: nothing pauses, nothing shrinks', () => {
		forEachCase([REFUSED, { outcome: 'overloaded' } as const], (no) => {
			const { pace } = after(ANSWERED, no, ANSWERED, no, ANSWERED);
			expect(pace.atOnce).toBe(rules.firstAtOnce);
			expect(startAll(pace, 11).length).toBeGreaterThan(0);
		});
	});
	test('that asks for a pause gets it, and no more', () => {
		const { pace, open } = after(ANSWERED, refusedFor(2000));
		expect(pace.start(11)).toBe(1999);
		for (const started of open) pace.noteEnd(started, ANSWERED, 12);
		pace.noteEnd(startOne(pace, 2010), ANSWERED, 2020);
		expect(startAll(pace, 2020)).toHaveLength(rules.firstAtOnce);
	});
});

describe('a second no in a row', () => {
	test('halves the requests at once, once for all that were open together', () => {
		expect(after(...Array<RequestEnd>(8).fill(REFUSED)).pace.atOnce).toBe(rules.firstAtOnce / 2);
		const overloaded = after(...Array<RequestEnd>(8).fill({ outcome: 'overloaded' })).pace;
		expect(overloaded.atOnce).toBe(rules.firstAtOnce / 2);
		expect(overloaded.pausedUntil).toBe(-Infinity);
	});
	test('pauses, and those that were under way change nothing about that', () => {
		const { pace } = after(ANSWERED, REFUSED, REFUSED, REFUSED, refusedFor(60_000));
		expect(pace.pausedUntil).toBe(10 + rules.firstPauseMs);
	});
	test('shows a rate, at which requests are spread after the pause', () => {
		const { pace } = after(ANSWERED, ANSWERED, ANSWERED, ANSWERED, refusedFor(1000), REFUSED);
		pace.noteEnd(startOne(pace, 1010), ANSWERED, 1030);
		// Five in 1,010 ms, the first after the pause included.
		expect(pace.start(1030)).toBeCloseTo(1010 / 5 - 20);
		const spread = startOne(pace, 1010 + 203);
		expect(spread.spread).toBe(true);
	});
});

describe('a pause', () => {
	test('ends with one request alone, which the others wait for, but not for ever', () => {
		const { pace } = after(refusedFor(1000));
		expect(startAll(pace, 1009)).toEqual([]);
		expect(startAll(pace, 1010)).toHaveLength(1);
		expect(pace.start(1011)).toBe(rules.probeMs - 1);
		expect(startAll(pace, 1010 + rules.probeMs).length).toBeGreaterThan(0);
	});
	test('goes on as the service says to that one', () => {
		const { pace } = after(refusedFor(60_000));
		pace.noteEnd(startOne(pace, 60_010), refusedFor(500), 60_020);
		expect(pace.pausedUntil).toBe(60_520);
	});
	test('without a word doubles each time, up to half a minute', () => {
		const { pace } = after(REFUSED, REFUSED);
		const pauses: number[] = [];
		for (let now = pace.pausedUntil; pauses.length < 9; now = pace.pausedUntil) {
			pace.noteEnd(startOne(pace, now), REFUSED, now);
			pauses.push(pace.pausedUntil - now);
		}
		expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
	});
	test('counts what it has cost', () => {
		const { pace } = after(refusedFor(1000), REFUSED);
		pace.noteEnd(startOne(pace, 1500), ANSWERED, 1600);
		expect(pace.pausedMs).toBe(1490);
	});
	test('grows as well when its end is refused so slowly that the others were let go', () => {
		const { pace } = after(REFUSED, REFUSED);
		let now = pace.pausedUntil;
		for (let i = 0; i < 40 && !pace.isHopeless(now); i++) {
			const slow = startOne(pace, now);
			now += rules.probeMs;
			startAll(pace, now);
			pace.noteEnd(slow, REFUSED, (now += 1000));
			if (!pace.isHopeless(now)) now = Math.max(now, pace.pausedUntil);
		}
		// Until then, others are tried, and no pause is longer than half a minute.
		expect(pace.isHopeless(now)).toBe(true);
		expect(now).toBeGreaterThan(rules.longestWaitMs - 30_000);
		expect(now).toBeLessThan(rules.longestWaitMs + 60_000);
	});
	test('of five minutes in all is waited for, a longer one is hopeless until its end', () => {
		expect(after(refusedFor(300_000)).pace.isHopeless(20)).toBe(false);
		const { pace } = after(refusedFor(300_001));
		expect(pace.isHopeless(20)).toBe(true);
		expect(pace.isHopeless(300_011)).toBe(false);
		const again = after(refusedFor(200_000)).pace;
		again.noteEnd(startOne(again, 200_010), refusedFor(200_000), 200_020);
		expect(again.isHopeless(200_030)).toBe(true);
	});
});

test('whatever becomes of requests, others follow', () => {
	const end = fc.record({
		outcome: fc.constantFrom('answered', 'refused', 'overloaded', 'unknown'),
		pauseMs: fc.option(fc.nat(400_000), { nil: undefined }),
	});
	fc.assert(
		fc.property(fc.array(end, { maxLength: 200 }), (ends) => {
			const pace = new Pace(rules);
			let now = 0;
			let open: StartedRequest[] = [];
			forEachCase(ends as RequestEnd[], (one) => {
				for (let waits = 0; open.length === 0; waits++) {
					open = startAll(pace, now);
					const held = pace.start(now);
					now += open.length > 0 || held === Infinity ? 0 : (held as number);
					expect(waits).toBeLessThan(3);
				}
				expect(pace.atOnce).toBeGreaterThanOrEqual(2);
				pace.noteEnd(open.shift()!, one, (now += 5));
			});
		}),
	);
});
