import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';

import { toMilliseconds, toDay, toInstant } from '../../../nodes/SignAndClose/values/times.ts';

/** Far from the zone of any machine that runs tests, and from that of n8n. */
const ZONE = 'Asia/Kathmandu';

describe('a time that is sent', () => {
	test.each<[string, unknown, string]>([
		['a date', new Date(0), '1970-01-01T05:30:00+05:30'],
		['with a zone of its own', '2026-12-31T17:00:00-08:00', '2026-12-31T17:00:00-08:00'],
		['in UTC', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['between blanks', ' 2026-12-31T17:00 ', '2026-12-31T17:00:00+05:45'],
		['with a space between day and time', '\n2026-12-31 17:00', '2026-12-31T17:00:00+05:45'],
		['in seconds', 1_767_225_600, '2026-01-01T05:45:00+05:45'],
		['in milliseconds', 1_767_225_600_000, '2026-01-01T05:45:00+05:45'],
		['in seconds before 1970', -86_400, '1969-12-31T05:30:00+05:30'],
		['in the fewest milliseconds', 1e11, '1973-03-03T15:16:40+05:30'],
		['in the most seconds', 99_999_999_999, '5138-11-16T15:31:39+05:45'],
		['in the first day of a spreadsheet', 20_000, '1954-10-03T00:00:00+05:30'],
		['in the last day of a spreadsheet', 99_999, '2173-10-13T00:00:00+05:45'],
		['at the end of that day', 99_999.5, '2173-10-13T12:00:00+05:45'],
		['in the end of that day', 100_000, '2173-10-14T00:00:00+05:45'],
		['in days as text', ' 46387.5\n', '2026-12-31T12:00:00+05:45'],
		['in days, in summer', 46204.25, '2026-07-01T06:00:00+05:45'],
	])('is understood %s', (_what, value, expected) => {
		expect(toInstant(value, ZONE)).toBe(expected);
	});
	test.each<[string, unknown]>([
		['a number that is no day', 19_999.9],
		['a year', 2026],
		['a day of eight digits', 20_261_231],
		['the number before seconds', 999_999_999],
		['the number after days of a spreadsheet', 100_001],
		['one before 1970 that is no day', -19_999],
		['an infinite number', Number.POSITIVE_INFINITY],
		['blanks', ' \t'],
		['a word', 'tomorrow'],
		['a month that does not exist', '2026-13-45'],
		['an object with toISO', { toISO: '2026-12-31' }],
		['an object whose toISO gives nothing', { toISO: () => null }],
		['a date that is none', new Date(Number.NaN)],
		['a number of six digits as text', '463870'],
	])('is not %s', (_what, value) => {
		expect(toInstant(value, ZONE)).toBeUndefined();
	});
});

describe('a day', () => {
	test.each<[unknown, string | undefined]>([
		[' 1980-05-17 ', '1980-05-17'],
		['1980-05-17T23:30:00-05:00', '1980-05-17'],
		['1980-05-17 (as in the passport)', '1980-05-17'],
		['1980-02-29', '1980-02-29'],
		['1981-02-29', undefined],
		['1980-13-01', undefined],
		['on 1980-05-17', undefined],
		['198-05-17', undefined],
		[new Date(Date.UTC(1980, 4, 17, 23, 59)), '1980-05-17'],
		[DateTime.fromISO('1980-05-17T23:59:00', { zone: ZONE }), '1980-05-17'],
		[' 29358\n', '1980-05-17'],
		[29_358.9, '1980-05-17'],
		['2026', undefined],
		[17, undefined],
		[null, undefined],
		[{}, undefined],
		[true, undefined],
	])('%p is %p', (value, expected) => {
		expect(toDay(value)).toBe(expected);
	});
});

describe('a date of an answer', () => {
	const AT = Date.UTC(2026, 2, 4, 5, 6, 7);
	test.each<[string, number]>([
		['2026-03-04T05:06:07Z', AT],
		[' 2026-03-04 05:06:07 ', AT],
		['2026-03-04T05:06:07.250', AT + 250],
		['2026-03-04T05:06', AT - 7_000],
		['2026-03-04t05:06:07z', AT],
		['2026-03-04T10:51:07+05:45', AT],
		['2026-03-04T10:51:07 +0545', AT],
		['2026-03-03 21:06:07-08:00', AT],
	])('%p is read, without a zone as UTC', (text, expected) => {
		expect(toMilliseconds(text)).toBe(expected);
		const zoned = /z|[+-]\d\d:?\d\d\s*$/i.test(text.slice(12));
		expect(toMilliseconds(text, 'zoned')).toBe(zoned ? expected : undefined);
	});
	test.each([
		'',
		'2026-03-04',
		'2026-13-04T05:06:07Z',
		'2026-03-04T25:06:07Z',
		'at 2026-03-04T05:06:07Z',
		'2026-03-04T05:06:07Z!',
		'tomorrow',
		undefined,
		null,
		AT,
		new Date(AT),
		['2026-03-04T05:06:07Z'],
	])('%p is none', (value) => {
		expect(toMilliseconds(value)).toBeUndefined();
		expect(toMilliseconds(value, 'zoned')).toBeUndefined();
	});
});

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
	const NEW_YORK = 'America/New_York';
	test.each([
		['2026-03-08T01:59:59', NEW_YORK, '2026-03-08T01:59:59-05:00'],
		// The hour that doesn't exist is moved forward; of one that comes twice, the first is meant.
		['2026-03-08T02:30:00', NEW_YORK, '2026-03-08T03:30:00-04:00'],
		['2026-11-01T01:30:00', NEW_YORK, '2026-11-01T01:30:00-04:00'],
		['2026-11-01T02:00:00', NEW_YORK, '2026-11-01T02:00:00-05:00'],
		['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-04T02:45:00+11:00'],
	])('%s in %s is %s', (given, zone, expected) => {
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
	fc.assert(
		fc.property(fc.anything(), zones, (given, zone) =>
			['string', 'undefined'].includes(typeof toInstant(given, zone)),
		),
	);
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
});
