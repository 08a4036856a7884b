import { InputFailure } from '../../../messages/explainedFailure';
import { textOf } from '../../../run/parameters/textOf';
import { toDay } from '../../../values/times';
import { parseState } from '../../shared/places';
import { transactionTypes } from '../../shared/transactionType';
import { plainHeading } from './words';

/* Reads the cells of a sheet, in the forms in which people and spreadsheets write values. */

/** A cell of a row. */
export interface Cell {
	/** Undefined when the cell is empty. */
	value: unknown;
	/** How messages name it: the heading of the column, or the name of the field. */
	label: string;
}

/** What people and spreadsheets write for nothing. */
const NOTHING = /^(?:n\/a|n\.a\.|#n\/a|none|null|undefined|[-–—]+)?$/i;

/** Whether a cell says that there is nothing. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && NOTHING.test(value.trim()));

/**
 * The text of a cell. A sheet that takes digits for a number may write 6175550123.0.
 * @throws InputFailure when it's an object, or what a spreadsheet writes for a mistake in a formula
 */
export function textOfCell({ value, label }: Cell): string {
	const text = (textOf(label, value) ?? '').replace(/^(\d+)\.0+$/, '$1');
	if (!/^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$/.test(text)) return text;
	throw new InputFailure(label, `is '${text}'`, 'Correct the formula in the sheet');
}

const unreadable = ({ label }: Cell, text: string, noun: string, remedy: string) =>
	new InputFailure(label, `is '${text}', which isn't ${noun}`, remedy);

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<month>${MONTHS.join('|')})[a-z]*\\.?`;
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
export function isoDate(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const found = DAYS.map((day) => day.exec(value.trim())?.groups).find((groups) => groups);
	if (found === undefined) return value;
	const { month, day, year, hour, minute, half } = found;
	const two = (digits: unknown) => String(digits).padStart(2, '0');
	const named = MONTHS.indexOf(month.toLowerCase()) + 1;
	const date = `${year}-${two(named || month)}-${two(day)}`;
	if (hour === undefined) return date;
	const isHalf = half !== undefined;
	if (isHalf && (Number(hour) < 1 || Number(hour) > 12)) return value;
	const later = isHalf ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
	return `${date}T${two(later)}:${minute}`;
}

const SERIAL_OF_1970 = 25_569;

/**
 * Reads a date of birth, also as a spreadsheet's number of days since 1900. What may be a year isn't
 * one.
 */
export function birthday(cell: Cell): string {
	const text = textOfCell(cell);
	const serial = /^\d{3,5}$/.test(text) ? Number(text) : undefined;
	const isYear = serial === undefined || serial < 366 || (serial >= 1900 && serial <= 2100);
	const day = isYear
		? toDay(isoDate(cell.value))
		: new Date((serial - SERIAL_OF_1970) * 86_400_000).toISOString().slice(0, 10);
	if (day !== undefined) return day;
	throw unreadable(cell, text, 'a date', 'Write it as 1980-05-17 or 5/17/1980');
}

/**
 * Reads a zip code. A sheet that takes it for a number makes 2110 of 02110, and 21101234 of
 * 02110-1234. Only in the United States are they known to have had zeros.
 */
export function zipCode(cell: Cell, country = 'US'): string {
	const text = textOfCell(cell);
	if (country !== 'US') return text;
	const whole = text.replace(/^(?:\d{3,4}|\d{8})$/, (digits) =>
		digits.padStart(digits.length < 5 ? 5 : 9, '0'),
	);
	const [, five, four] = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(whole) ?? [];
	if (five !== undefined) return four === undefined ? five : `${five}-${four}`;
	throw unreadable(cell, text, 'a zip code', 'Enter its five or nine digits, e.g. 02110');
}

/** Reads a state: one of the United States, or any where the country is another one. */
export const stateOf = (cell: Cell, country = 'US'): string =>
	parseState(textOfCell(cell), cell.label, country === 'US');

/** What sheets call the types of closings, where that's certain. */
const TYPES: ReadonlyMap<string, string> = new Map([
	...transactionTypes.flatMap(({ name, value }): Array<[string, string]> => [
		[plainHeading(name), String(value)],
		[plainHeading(String(value)), String(value)],
	]),
	['refi', 'refinance'],
	['cash out refinance', 'refinance'],
	['cash out refi', 'refinance'],
	['rate term refinance', 'refinance'],
	['rate and term refinance', 'refinance'],
	['home equity line of credit', 'heloc'],
	['loan modification', 'loan_mod_borrower'],
]);

/**
 * Reads the type of a closing by the name in the form, the service's own, or a common one.
 * @throws InputFailure for anything else, because e.g. a purchase can be the buyer's or the seller's
 */
export function closingType(cell: Cell): string {
	const text = textOfCell(cell);
	const type = TYPES.get(plainHeading(text));
	if (type !== undefined) return type;
	// A name of the service that the list doesn't have.
	if (/^[a-z]+(?:_[a-z\d]+)+$/.test(text)) return text;
	const names = transactionTypes.map(({ name }) => name).join('; ');
	throw unreadable(cell, text, 'a type of closing', `Write one of: ${names}`);
}

/** Reads whether somebody owes the loan. In many sheets, vesting is how a title is held. */
export function vestingType(cell: Cell): string {
	const text = textOfCell(cell);
	const type = text.toLowerCase().replace(/[\s-]+/g, '_');
	if (type === 'borrower' || type === 'non_borrower') return type;
	throw unreadable(cell, text, 'a vesting type', 'Write Borrower or Non-Borrower');
}

/** Reads a phone number. 00 and 011 are what people dial for +. */
export const phoneNumber = (cell: Cell): string =>
	textOfCell(cell).replace(/^(?:00|011)(?=[1-9])/, '+');

/** What stands behind a name, and what stands in the name of an organization or of several people. */
const NO_NAME = new RegExp(
	`^(?:jr|sr|ii|iii|iv|esq|md|phd|and|or|et|ux|aka|the|of|for|bank|trust|trustees?|estate|llc|llp|lp|inc|corp|corporation|co|company|credit|union|mortgage|lending|lenders?|loans|title|escrow|holdings?|group|partners|partnership|properties|property|realty|homes|investments?|capital|financial|services|ventures|enterprises|church|foundation|association|fund|national|federal|family|living|revocable)\\.?$`,
	'i',
);

/**
 * Splits a name where it's certain how: the last name before a comma, or two words, none of them in
 * capitals, in which some systems write the last name, before or after the others.
 * @throws InputFailure when it isn't certain, because documents are signed under this name
 */
export function splitName(cell: Cell): Record<string, string> {
	const text = textOfCell(cell);
	const [last, after, ...more] = text.split(',').map((part) => part.trim());
	const words = text.split(/[\s,]+/).filter((word) => word !== '');
	const isPerson =
		more.length === 0 && !words.some((word) => NO_NAME.test(word)) && !/[/&+;()\d]/.test(text);
	const given = (after ?? '').split(/\s+/).filter((word) => word !== '');
	if (isPerson && last !== '' && (given.length === 1 || given.length === 2))
		return { first_name: given[0], last_name: last, ...(given[1] && { middle_name: given[1] }) };
	const isMixed = words.every((word) => word !== word.toUpperCase() || /^\p{L}\.?$/u.test(word));
	if (isPerson && after === undefined && words.length === 2 && isMixed && !/^.\.?$/u.test(words[1]))
		return { first_name: words[0], last_name: words[1] };
	throw new InputFailure(
		cell.label,
		`is '${text}': it isn't certain which part is the last name of a person`,
		'Use two columns, for the first and the last name, or write it as: Last name, first name',
	);
}
