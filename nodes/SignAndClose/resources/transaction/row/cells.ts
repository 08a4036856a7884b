import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { textOf } from '../../../run/parameters/textOf';
import { shownValue } from '../../../values/shown';
import { toDay, withoutUsForm } from '../../../values/times';
import { parseCountry, parseState } from '../../shared/places';
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

const SERIAL_OF_1970 = 25_569;

/**
 * Reads a date of birth, also as a spreadsheet's number of days since 1900. What may be a year isn't
 * one.
 */
function birthday(cell: Cell): string {
	const text = typeof cell.value === 'object' ? shownValue(cell.value) : textOfCell(cell);
	const serial = /^\d{3,5}$/.test(text) ? Number(text) : undefined;
	const isYear = serial === undefined || serial < 366 || (serial >= 1900 && serial <= 2100);
	const day = isYear
		? toDay(withoutUsForm(cell.value))
		: new Date((serial - SERIAL_OF_1970) * 86_400_000).toISOString().slice(0, 10);
	if (day !== undefined) return day;
	throw unreadable(cell, text, 'a date', 'Write it as 1980-05-17 or 5/17/1980');
}

/**
 * Reads a zip code. A sheet that takes it for a number makes 2110 of 02110, and 21101234 of
 * 02110-1234. Only in the United States are they known to have had zeros.
 */
function zipCode(cell: Cell, country: string): string {
	const text = textOfCell(cell);
	if (country !== 'US') return text;
	const whole = text.replace(/^(?:\d{3,4}|\d{8})$/, (digits) =>
		digits.padStart(digits.length < 5 ? 5 : 9, '0'),
	);
	const [, five, four] = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(whole) ?? [];
	if (five !== undefined) return four === undefined ? five : `${five}-${four}`;
	throw unreadable(cell, text, 'a zip code', 'Enter its five or nine digits, e.g. 02110');
}

/**
 * Reads the type of a closing by the name in the form or the service's own.
 * @throws InputFailure for anything else, because e.g. a purchase can be the buyer's or the seller's
 */
export function closingType(cell: Cell): string {
	const text = textOfCell(cell);
	const isIt = (word: unknown) => plainHeading(String(word)) === plainHeading(text);
	const known = transactionTypes.find(({ name, value }) => isIt(name) || isIt(value));
	if (known !== undefined) return String(known.value);
	// A name of the service that the list doesn't have.
	if (/^[a-z]+(?:_[a-z\d]+)+$/.test(text)) return text;
	const names = transactionTypes.map(({ name }) => name).join('; ');
	throw unreadable(cell, text, 'a type of closing', `Write one of: ${names}`);
}

/** Reads whether somebody owes the loan. In many sheets, vesting is how a title is held. */
function vestingType(cell: Cell): string {
	const text = textOfCell(cell);
	const type = text.toLowerCase().replace(/[\s-]+/g, '_');
	if (type === 'borrower' || type === 'non_borrower') return type;
	throw unreadable(cell, text, 'a vesting type', 'Write Borrower or Non-Borrower');
}

/** Reads a phone number. 00 and 011 are what people dial for +. Without it, only ten digits can be called. */
function phoneNumber(cell: Cell, countryCode: unknown): string {
	const text = textOfCell(cell).replace(/^\(?(?:00|011)(?=[)\s.-]*[1-9])/, '+');
	const isWhole = /^1?\d{10}$/.test(text.replace(/[^\da-z]/gi, ''));
	if (isWhole || text.startsWith('+') || (countryCode ?? '') !== '') return text;
	throw unreadable(cell, text, 'a phone number', 'Write ten digits, or + and the country code');
}

type Reader = (cell: Cell, values: IDataObject) => IDataObject[string];
const moment: Reader = ({ value }) => withoutUsForm(value) as string;

/** The country of a person's address or of the property. */
const countryOf = ({ address_country: own, country = own }: IDataObject) =>
	(country ?? 'US') as string;

/** How a cell becomes a value, where that isn't its text. Some depend on values that were read before. */
export const READERS: Readonly<Record<string, Reader>> = {
	phone: (cell, { country_code: code }) => phoneNumber(cell, code),
	dob: birthday,
	vesting_type: vestingType,
	address_country: (cell) => parseCountry(textOfCell(cell), cell.label),
	address_state: (cell, values) =>
		parseState(textOfCell(cell), cell.label, countryOf(values) === 'US'),
	address_zip: (cell, values) => zipCode(cell, countryOf(values)),
	activation_time: moment,
	expiration_time: moment,
	expiry: moment,
	notary_meeting_time: moment,
	cc_recipient_emails: (cell) =>
		Array.isArray(cell.value) ? (cell.value as string[]) : textOfCell(cell),
};
