import { tryToParseDateTime } from 'n8n-workflow';

import { isObject } from './json';

/* Dates and times as the service takes them, from whatever a person or an expression gives. */

type DateTime = ReturnType<typeof tryToParseDateTime>;

interface DateTimeClass {
	fromISO(text: string, options: { zone: string; setZone?: boolean }): DateTime;
	fromJSDate(date: Date, options: { zone: string }): DateTime;
	fromMillis(milliseconds: number, options: { zone: string }): DateTime;
}

/**
 * luxon's DateTime, taken from an object that n8n itself returns. The package has no run-time
 * dependencies, and an import would work only where n8n happens to have the library in reach.
 */
const DateTime = tryToParseDateTime(new Date(0)).constructor as unknown as DateTimeClass;

/**
 * Converts a date to ISO 8601 with an offset, because the service reads a time without one in the
 * account's time zone (docs/service/transactions.md#creation-fields). n8n's date fields have no
 * zone: a time without one is in the workflow's zone. A time with a zone is taken as it is.
 *
 * A time that doesn't exist because clocks are put forward moves forward with them. Of a time that
 * comes twice because clocks are put back, the first one is meant.
 * @param zone IANA name, e.g. America/New_York
 * @param day which moment of a day without a time is meant; the editor's date field gives a time
 * @returns undefined when the value isn't a date
 */
export function toInstant(
	value: unknown,
	zone: string,
	day: 'begin' | 'end' = 'begin',
): string | undefined {
	const date = readDate(value, zone);
	const moment = day === 'end' && isDay(value) ? date?.endOf('day').startOf('second') : date;
	return moment?.isValid === true
		? (moment.toISO({ suppressMilliseconds: true }) ?? undefined)
		: undefined;
}

/** A text without the blanks around it, and a spreadsheet's date in a text as a number. */
function normalizeDate(value: unknown): unknown {
	const text = typeof value === 'string' ? value.trim() : value;
	return typeof text === 'string' && SERIAL.test(text) ? Number(text) : text;
}

/** Whether a value is a day without a time: as ISO 8601 or a whole number of a spreadsheet. */
function isDay(value: unknown): boolean {
	const date = normalizeDate(value);
	if (typeof date === 'string') return !/[T: ]/i.test(date);
	return Number.isInteger(date) && isSerial(date as number);
}

/**
 * Reads a day without a time, e.g. a date of birth. The day is the one that was written, whatever
 * the time zone.
 * @returns YYYY-MM-DD; undefined when the value isn't a date
 */
export function toDay(value: unknown): string | undefined {
	const date = normalizeDate(value);
	const text = typeof date === 'string' ? date : (toInstant(date, 'UTC') ?? '');
	const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
	return day !== undefined && DateTime.fromISO(day, { zone: 'UTC' }).isValid ? day : undefined;
}

const MONTHS =
	'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
	'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTH = `(?<month>${MONTHS})\\.?`;
/** 5/17/1980, May 17, 1980, 17 May 1980, each with or without a time. */
const DAYS = [
	/(?<month>\d{1,2})([/-])(?<day>\d{1,2})\2(?<year>\d{4})/.source,
	`${MONTH} (?<day>\\d{1,2}),? (?<year>\\d{4})`,
	`(?<day>\\d{1,2}) ${MONTH} (?<year>\\d{4})`,
].map(
	(day) =>
		new RegExp(
			`^${day}(?:,? (?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::\\d\\d)?(?: ?(?<half>[ap])\\.?m\\.?)?)?$`,
			'i',
		),
);

/**
 * Brings a date as it's written in the United States into year-month-day, with its time. Anything
 * else stays as it is.
 */
export function withoutUsForm(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const match = DAYS.map((day) => day.exec(value.trim())?.groups).find((groups) => groups);
	if (match === undefined) return value;
	const { month, day, year, hour, minute, half } = match;
	const formatTwoDigits = (digits: unknown) => String(digits).padStart(2, '0');
	const monthNumber =
		MONTHS.split('|').findIndex((pattern) => pattern.startsWith(month.slice(0, 3).toLowerCase())) +
		1;
	const date = `${year}-${formatTwoDigits(monthNumber || month)}-${formatTwoDigits(day)}`;
	if (hour === undefined) return date;
	const isHalf = half !== undefined;
	if (isHalf && (Number(hour) < 1 || Number(hour) > 12)) return value;
	const later = isHalf ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
	return `${date}T${formatTwoDigits(later)}:${minute}`;
}

function readDate(value: unknown, zone: string): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	// A DateTime in an expression's result comes from n8n's own copy of luxon.
	if (isObject(value) && typeof value.toISO === 'function')
		return readDate((value as unknown as { toISO: () => unknown }).toISO(), zone);
	const date = normalizeDate(value);
	if (typeof date === 'number') return readNumber(date, zone);
	if (typeof date !== 'string' || date === '') return undefined;
	const text = date.replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, '$1T$2');
	// When a time comes twice, luxon picks either of the two, depending on the season in which it
	// runs.
	return DateTime.fromISO(text, { zone, setZone: true }).getPossibleOffsets()[0];
}

/** A spreadsheet's date as text, e.g. 46387 or 46387.5. */
const SERIAL = /^\d{5}(\.\d+)?$/;
/** Spreadsheets count days from December 30, 1899; these numbers are the years 1954 to 2173. */
const FIRST_SERIAL = 20_000;
const LAST_SERIAL = 99_999;
const isSerial = (value: number) => value >= FIRST_SERIAL && value <= LAST_SERIAL + 1;
const SERIAL_OF_1970 = 25_569;
const DAY_MS = 86_400_000;

/** A number of days from a spreadsheet, or of seconds or milliseconds since 1970. */
function readNumber(value: number, zone: string): DateTime | undefined {
	if (isSerial(value)) {
		const written = new Date(Math.round((value - SERIAL_OF_1970) * DAY_MS)).toISOString();
		// The serial has no zone: it is what a clock on the wall showed.
		return readDate(written.replace('Z', ''), zone);
	}
	// Other small numbers are years, days such as 20261231, counters or mistakes: as seconds they would
	// all be in 1970. Seconds have ten digits today, milliseconds more.
	if (!Number.isFinite(value) || (value > -FIRST_SERIAL && value < 1e9)) return undefined;
	return DateTime.fromMillis(Math.abs(value) < 1e11 ? value * 1000 : value, { zone });
}

/** A date and a time, and the zone if there is one. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Reads a date of an answer. One without a zone is taken as UTC, so that dates of one service can be
 * compared wherever n8n runs.
 * @param accepts `zoned` refuses a date without a zone, for comparisons with other clocks
 * @returns milliseconds since 1970; undefined when the value isn't such a date
 */
export function toMilliseconds(
	value: unknown,
	accepts: 'any' | 'zoned' = 'any',
): number | undefined {
	const [, day, time, zone] = INSTANT.exec(typeof value === 'string' ? value.trim() : '') ?? [];
	if (day === undefined || (zone === undefined && accepts === 'zoned')) return undefined;
	const instant = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
	return Number.isNaN(instant) ? undefined : instant;
}
