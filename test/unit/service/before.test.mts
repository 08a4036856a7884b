import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	beforeOf,
	isMadeSince,
	type Before,
} from '../../../nodes/SignAndClose/service/resources/before.ts';
import { readInstant } from '../../../nodes/SignAndClose/service/values/times.ts';

/** What a lost create has made is told from what was there, whatever the clocks show. */

const HOUR = 3_600_000;
const AT = Date.UTC(2026, 10, 22, 6);
const noClock = { latestServiceTime: () => undefined };
const created = (id: string, at: number, write = (date: Date) => date.toISOString()) => ({
	id,
	date_created: write(new Date(at)),
});

/** How services write a date. */
const WRITINGS = {
	milliseconds: (date: Date) => date.toISOString(),
	seconds: (date: Date) => `${date.toISOString().slice(0, 19)}Z`,
	'without a zone': (date: Date) => date.toISOString().slice(0, -1),
	'with a space': (date: Date) => date.toISOString().slice(0, 19).replace('T', ' '),
	'another zone': (date: Date) =>
		new Date(date.getTime() - 5 * HOUR).toISOString().replace('Z', '-05:00'),
};

describe('with what was there before', () => {
	const world = fc.record({
		/** The service's clock, compared with this machine's. */
		skew: fc.integer({ min: -HOUR, max: HOUR }),
		/** Ages of older entries when the write was sent. */
		ages: fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 30 }),
		/** How long the service took. */
		took: fc.integer({ min: 1, max: 2_000 }),
		writing: fc.constantFrom(...Object.values(WRITINGS)),
		tellsTotal: fc.boolean(),
		newestFirst: fc.boolean(),
		limit: fc.integer({ min: 1, max: 12 }),
	});
	test('no older entry is ever taken for the new one, and the new one is missed only in a tie', () => {
		fc.assert(
			fc.property(world, ({ skew, ages, took, writing, tellsTotal, newestFirst, limit }) => {
				const older = [...ages]
					.sort((one, other) => one - other)
					.map((age, index) => created(`old${index}`, AT + skew - age, writing));
				const listed = newestFirst ? older : [...older].reverse();
				const entries = listed.slice(0, limit);
				const before = beforeOf({ entries, ...(tellsTotal && { total: older.length }) }, limit);
				const ours = created('new', AT + skew + took, writing);
				const call = { before, startedAt: AT };
				for (const entry of older) expect(isMadeSince(noClock, entry, call)).toBe(false);
				const dates = entries.map((entry) => readInstant(entry.date_created)!);
				const tie = readInstant(ours.date_created)! <= Math.min(...dates);
				const whole = entries.length < limit || (tellsTotal && entries.length === older.length);
				const ordered = newestFirst && dates[0] > dates[dates.length - 1];
				if (whole || (ordered && !tie)) expect(isMadeSince(noClock, ours, call)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});
	test('a list that says nothing of its order proves nothing', () => {
		for (const entries of [
			[created('a', AT - 5_000), created('b', AT - 1_000)],
			[created('a', AT), { id: 'b' }],
			[created('a', AT), { date_created: 'yesterday', id: 'b' }],
			[{ date_created: new Date(AT).toISOString() }],
			[created('a', AT), created('b', AT)],
		])
			expect(beforeOf({ entries }, 2)).toBeUndefined();
	});
	test('a list that is whole proves without dates', () => {
		const before = beforeOf({ entries: [{ id: 'a' }], total: 1 }, 10);
		expect(before).toEqual({ ids: ['a'] });
		expect(isMadeSince(noClock, { id: 'b' }, { before, startedAt: AT })).toBe(true);
		expect(isMadeSince(noClock, { id: 'a' }, { before, startedAt: AT })).toBe(false);
		expect(beforeOf({ entries: [{ id: 'a' }] }, 10)).toEqual({ ids: ['a'] });
		expect(beforeOf({ entries: [] }, 10)).toEqual({ ids: [] });
	});
});

describe('with clocks alone', () => {
	const clock = { latestServiceTime: (local: number) => local + 1_000 };
	test.each<[string, unknown, boolean]>([
		['later than the clock can have shown', new Date(AT + 1_000).toISOString(), true],
		['within the second that the clock leaves open', new Date(AT + 999).toISOString(), false],
		['without a zone', new Date(AT + 9_000).toISOString().slice(0, -1), false],
		['that is none', 'soon', false],
		['that is missing', undefined, false],
	])('an entry with a date %s', (_what, date, expected) => {
		const entry = { id: 'a', date_created: date as string };
		expect(isMadeSince(clock, entry, { startedAt: AT })).toBe(expected);
		expect(isMadeSince(noClock, entry, { startedAt: AT })).toBe(false);
	});
});

test('an entry is the same with and without its underscore', () => {
	const before: Before = { ids: ['ot_1'] };
	expect(isMadeSince(noClock, { id: 'ot1' }, { before, startedAt: AT })).toBe(false);
});
