import { tryToParseDateTime } from 'n8n-workflow';

type DateTime = ReturnType<typeof tryToParseDateTime>;

interface DateTimeClass {
	fromISO(text: string, options: { zone: string; setZone?: boolean }): DateTime;
	fromJSDate(date: Date, options: { zone: string }): DateTime;
	fromMillis(milliseconds: number, options: { zone: string }): DateTime;
}

/**
 * luxon's DateTime, taken from the one that n8n itself hands out: the package has no run-time
 * dependencies, so importing the library would only work where n8n happens to have it in reach.
 */
const DateTime = tryToParseDateTime(new Date(0)).constructor as unknown as DateTimeClass;

/**
 * A moment that a person chose, as the service takes it (ISO 8601 with its offset; gaps.md §3).
 * n8n's date fields carry no zone: a time without one is meant in the workflow's zone. One with a
 * zone, or an expression's date, is taken as it is.
 *
 * Where the clocks are put forward, a time that does not exist moves forward with them; where they
 * are put back, the first of the two is meant.
 * @param zone IANA name, e.g. America/New_York
 * @returns undefined when it is no date
 */
export function toInstant(value: unknown, zone: string): string | undefined {
	const read = readDate(value, zone);
	return read?.isValid === true
		? (read.toISO({ suppressMilliseconds: true }) ?? undefined)
		: undefined;
}

/** A day without a time, e.g. of birth: what was written, whatever the zone. */
export function toDay(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : (toInstant(value, 'UTC') ?? '');
	const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
	return day !== undefined && DateTime.fromISO(day, { zone: 'UTC' }).isValid ? day : undefined;
}

function readDate(value: unknown, zone: string): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	// A DateTime of an expression comes from n8n's own copy of the library.
	if (
		typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function'
	) {
		return readDate((value as { toISO: () => unknown }).toISO(), zone);
	}
	// Seconds since 1970 have ten digits, milliseconds more: nobody means January 1970.
	if (typeof value === 'number')
		return Number.isFinite(value)
			? DateTime.fromMillis(Math.abs(value) < 1e11 ? value * 1000 : value, { zone })
			: undefined;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const text = value.trim().replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, '$1T$2');
	// Of a time that comes twice the library takes either, depending on the season it is asked in.
	return DateTime.fromISO(text, { zone, setZone: true }).getPossibleOffsets()[0];
}
