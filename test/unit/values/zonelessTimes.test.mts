import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';

import { toDay, toInstant } from '../../../nodes/SignAndClose/values/times.ts';

const ZONES = Intl.supportedValuesOf('timeZone').filter((zone) => IANAZone.isValidZone(zone));

const zones = fc.constantFrom(...ZONES);

/** Whole seconds between 1990 and 2060. */
const instants = fc
	.integer({ min: 631_152_000, max: 2_840_140_800 })
	.map((seconds) => seconds * 1000);

const local = (instant: number, zone: string) =>
	DateTime.fromMillis(instant, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");

describe('a time without a zone', () => {
	test('is the moment that the clocks of the zone showed, in any zone and across all its changes', () => {
		fc.assert(
			fc.property(instants, zones, (instant, zone) => {
				const read = toInstant(local(instant, zone), zone)!;
				// An hour that comes twice has two moments; either shows the same local time.
				expect(local(Date.parse(read), zone)).toBe(local(instant, zone));
				const earlier = DateTime.fromMillis(Math.min(instant, Date.parse(read)), { zone });
				if (
					earlier.offset ===
					DateTime.fromMillis(Math.max(instant, Date.parse(read)), { zone }).offset
				)
					expect(Date.parse(read)).toBe(instant);
			}),
			{ numRuns: 2000 },
		);
	});
	test('is sent with the offset of the zone at that time', () => {
		fc.assert(
			fc.property(instants, zones, (instant, zone) => {
				const read = toInstant(local(instant, zone), zone)!;
				expect(read).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
				expect(DateTime.fromISO(read, { setZone: true }).offset).toBe(
					DateTime.fromMillis(Date.parse(read), { zone }).offset,
				);
			}),
		);
	});
	test.each([
		[
			'before the clocks go forward',
			'2026-03-08T01:59:59',
			'America/New_York',
			'2026-03-08T01:59:59-05:00',
		],
		[
			'in the hour that does not exist: moved forward',
			'2026-03-08T02:30:00',
			'America/New_York',
			'2026-03-08T03:30:00-04:00',
		],
		[
			'in the hour that comes twice: the first',
			'2026-11-01T01:30:00',
			'America/New_York',
			'2026-11-01T01:30:00-04:00',
		],
		[
			'after the clocks went back',
			'2026-11-01T02:00:00',
			'America/New_York',
			'2026-11-01T02:00:00-05:00',
		],
		[
			'a half-hour change',
			'2026-10-04T02:15:00',
			'Australia/Lord_Howe',
			'2026-10-04T02:45:00+11:00',
		],
		[
			'as the editor stores a day',
			'2026-12-31T00:00:00',
			'America/Los_Angeles',
			'2026-12-31T00:00:00-08:00',
		],
		['without seconds', '2026-12-31T17:00', 'Asia/Kathmandu', '2026-12-31T17:00:00+05:45'],
		['with a space', '2026-12-31 17:00:00', 'UTC', '2026-12-31T17:00:00Z'],
	])('%s', (_what, given, zone, expected) => {
		expect(toInstant(given, zone)).toBe(expected);
	});
});

describe('a time with a zone', () => {
	test('is the same moment in any zone of the workflow', () => {
		fc.assert(
			fc.property(instants, zones, zones, (instant, written, zone) => {
				const text = DateTime.fromMillis(instant, { zone: written }).toISO()!;
				expect(Date.parse(toInstant(text, zone)!)).toBe(instant);
				expect(Date.parse(toInstant(new Date(instant), zone)!)).toBe(instant);
				expect(Date.parse(toInstant(DateTime.fromMillis(instant, { zone: written }), zone)!)).toBe(
					instant,
				);
			}),
		);
	});
});

test('what is no date is undefined and never throws', () => {
	for (const given of ['', 'tomorrow', '2026-13-45', {}, [], null, undefined, true, Number.NaN])
		expect(toInstant(given, 'America/New_York')).toBeUndefined();
	fc.assert(
		fc.property(fc.anything(), zones, (given, zone) =>
			['string', 'undefined'].includes(typeof toInstant(given, zone)),
		),
	);
});

test('a day is what was written, whatever the zone', () => {
	expect(toDay('1980-05-17')).toBe('1980-05-17');
	expect(toDay('1980-05-17T00:00:00')).toBe('1980-05-17');
	for (const given of ['17.05.1980', '1980-02-30', '', undefined])
		expect(toDay(given)).toBeUndefined();
});

describe('a day without a time', () => {
	const ZONE = 'America/New_York';
	test.each([
		['2026-12-31', '2026-12-31T23:59:59-05:00'],
		[' 2026-12-31 ', '2026-12-31T23:59:59-05:00'],
		['20261231', '2026-12-31T23:59:59-05:00'],
		[46387, '2026-12-31T23:59:59-05:00'],
		['46387', '2026-12-31T23:59:59-05:00'],
		// The clocks go back on this day.
		['2026-11-01', '2026-11-01T23:59:59-05:00'],
	])('%j ends with the last second of that day in the zone', (day, end) => {
		expect(toInstant(day, ZONE, 'end')).toBe(end);
		expect(toInstant(day, ZONE)).toMatch(/T00:00:00-0[45]:00$/);
	});
	test.each([
		'2026-12-31T00:00:00',
		'2026-12-31 00:00',
		'2026-12-31T00:00:00-05:00',
		46387.5,
		'46387.5',
		1_798_693_200,
		new Date(0),
		DateTime.fromISO('2026-12-31', { zone: ZONE }),
	])('%j is a time, whose end is itself', (time) => {
		expect(toInstant(time, ZONE, 'end')).toBe(toInstant(time, ZONE));
	});
	test('that is no date is undefined and never throws', () => {
		fc.assert(
			fc.property(fc.anything(), zones, (given, zone) =>
				['string', 'undefined'].includes(typeof toInstant(given, zone, 'end')),
			),
		);
	});
});

describe('a date of a spreadsheet, which is a number of days', () => {
	test.each([
		[46387, '2026-12-31T00:00:00-05:00'],
		[46387.5, '2026-12-31T12:00:00-05:00'],
		['46387.75', '2026-12-31T18:00:00-05:00'],
		// In summer the zone's other offset.
		[46204.25, '2026-07-01T06:00:00-04:00'],
	])("%p is a time of the workflow's zone", (serial, expected) => {
		expect(toInstant(serial, 'America/New_York')).toBe(expected);
	});
	test('is the day that was written, whatever the zone', () => {
		expect(toDay(29358)).toBe('1980-05-17');
		expect(toDay('29358')).toBe('1980-05-17');
	});
	test.each([0, 1, 2026, 19_999, -5, Number.NaN])('%p is no date', (value) => {
		expect(toInstant(value, 'UTC')).toBeUndefined();
	});
});
