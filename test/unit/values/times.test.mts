import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { readInstant, toDay, toInstant } from '../../../nodes/SignAndClose/values/times.ts';

/** Far from the zone of any machine that runs tests, and from that of n8n. */
const ZONE = 'Asia/Kathmandu';

describe('a time that is sent', () => {
	test.each<[string, unknown, string]>([
		['a date', new Date(0), '1970-01-01T05:30:00+05:30'],
		['with a zone of its own', '2026-12-31T17:00:00-08:00', '2026-12-31T17:00:00-08:00'],
		['in UTC', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['between blanks', ' 2026-12-31T17:00 ', '2026-12-31T17:00:00+05:45'],
		['with a space between day and time', '\n2026-12-31 17:00', '2026-12-31T17:00:00+05:45'],
		[
			'of an expression',
			DateTime.fromISO('2026-12-31T17:00:00-08:00', { setZone: true }),
			'2026-12-31T17:00:00-08:00',
		],
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
	])('is understood %s', (_what, value, expected) => {
		expect(toInstant(value, ZONE)).toBe(expected);
	});
	test.each<[string, unknown]>([
		['a number that is no day', 19_999.9],
		['one before 1970 that is no day', -19_999],
		['an infinite number', Number.POSITIVE_INFINITY],
		['blanks', ' \t'],
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
		expect(readInstant(text)).toBe(expected);
		const zoned = /z|[+-]\d\d:?\d\d\s*$/i.test(text.slice(12));
		expect(readInstant(text, 'zoned')).toBe(zoned ? expected : undefined);
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
		expect(readInstant(value)).toBeUndefined();
		expect(readInstant(value, 'zoned')).toBeUndefined();
	});
	test('is a number or nothing, whatever came', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				expect(readInstant(value)).not.toBeNaN();
			}),
		);
	});
});
