import type { IDataObject } from 'n8n-workflow';

import { HeadingFailure, InputFailure } from '../../../messages/failures';
import { parseEach } from '../../../messages/inputFaults';
import { checkExactNumber, parseText } from '../../../run/parameters/texts';
import { asError } from '../../../transport/failure/failure';
import { isMisspelled } from '../../../values/editDistance';
import { formatForDisplay } from '../../../values/plainValues';
import { toDay, withoutUsForm } from '../../../values/times';
import { checkPhoneDigits, DEFAULT_COUNTRY, withPlus } from '../../../form/phone';
import { parseCountry, parseState } from '../../../form/statesAndCountries';
import { transactionTypes } from '../../../form/commonFields';
import type { HeadingMeaning } from './headings';
import { toPlainHeading } from './words';

/*
 * Reads the cells of a sheet, in the forms in which people and spreadsheets write values, and notes what
 * becomes of them.
 */

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
export const isEmptyCell = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && NOTHING.test(value.trim()));

/**
 * The text of a cell. A sheet that takes digits for a number may write 6175550123.0.
 * @throws InputFailure when it's an object, a formula, or what a spreadsheet writes for a mistake in one
 */
export function readCellText({ value, label }: Cell): string {
	const text = (parseText(label, value) ?? '').replace(/^(\d+)\.0+$/, '$1');
	if (!/^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$|^=[^=\s]/.test(text)) return text;
	throw new InputFailure(label, `is '${text}'`, 'Correct the formula in the sheet');
}

const buildCellFailure = ({ label }: Cell, text: string, noun: string, remedy: string) =>
	new InputFailure(label, `is '${text}', which isn't ${noun}`, remedy);

const SERIAL_OF_1970 = 25_569;

/**
 * Reads a date of birth, also as a spreadsheet's number of days since 1900. What may be a year isn't
 * one.
 */
function parseBirthDate(cell: Cell): string {
	const text = typeof cell.value === 'object' ? formatForDisplay(cell.value) : readCellText(cell);
	const serial = /^\d{3,5}$/.test(text) ? Number(text) : undefined;
	const isYear = serial === undefined || serial < 366 || (serial >= 1900 && serial <= 2100);
	const day = isYear
		? toDay(withoutUsForm(cell.value))
		: new Date((serial - SERIAL_OF_1970) * 86_400_000).toISOString().slice(0, 10);
	if (day !== undefined) return day;
	throw buildCellFailure(cell, text, 'a date', 'Write it as 1980-05-17 or 5/17/1980');
}

/**
 * Reads a zip code. A sheet that takes it for a number makes 2110 of 02110, and 21101234 of
 * 02110-1234. Only in the United States are they known to have had zeros.
 */
function parseZipCode(cell: Cell, country: string): string {
	const text = readCellText(cell);
	if (country !== 'US') return text;
	const whole = text.replace(/^(?:\d{3,4}|\d{8})$/, (digits) =>
		digits.padStart(digits.length < 5 ? 5 : 9, '0'),
	);
	const [, five, four] = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(whole) ?? [];
	if (five !== undefined) return four === undefined ? five : `${five}-${four}`;
	throw buildCellFailure(cell, text, 'a zip code', 'Enter its five or nine digits, e.g. 02110');
}

/**
 * Reads the type of a closing by the name in the form or the service's own.
 * @throws InputFailure for anything else, because e.g. a purchase can be the buyer's or the seller's
 */
export function parseClosingType(cell: Cell): string {
	const text = readCellText(cell);
	const matchesType = (word: unknown) => toPlainHeading(String(word)) === toPlainHeading(text);
	const match = transactionTypes.find(({ name, value }) => matchesType(name) || matchesType(value));
	if (match !== undefined) return String(match.value);
	// A name of the service that the list doesn't have.
	if (/^[a-z]+(?:_[a-z\d]+)+$/.test(text)) return text;
	const names = transactionTypes.map(({ name }) => name).join('; ');
	throw buildCellFailure(cell, text, 'a type of closing', `Write one of: ${names}`);
}

/** Reads whether somebody owes the loan. In many sheets, vesting is how a title is held. */
function parseVestingType(cell: Cell): string {
	const text = readCellText(cell);
	const type = text.toLowerCase().replace(/[\s-]+/g, '_');
	if (type === 'borrower' || type === 'non_borrower') return type;
	throw buildCellFailure(cell, text, 'a vesting type', 'Write Borrower or Non-Borrower');
}

/** Reads a phone number. Without + and without a country code, it's one of the United States. */
function parsePhoneNumber(cell: Cell, { country_code: code }: IDataObject): string {
	const text = readCellText(cell);
	const isNational = !withPlus(text).startsWith('+') && (code ?? '') === '';
	if (isNational) checkPhoneDigits(text.replace(/\D/g, ''), text, DEFAULT_COUNTRY, cell.label);
	return text;
}

/** Reads a number by which a transaction or a signer is found again. */
function parseReference(cell: Cell): string {
	const text = readCellText(cell);
	checkExactNumber(cell.label, text);
	return text;
}

type CellReader = (cell: Cell, values: IDataObject) => IDataObject[string];
const parseMoment: CellReader = ({ value }) => withoutUsForm(value) as string;

/** The country of a person's address or of the property. */
const findCountry = ({ address_country: addressCountry, country = addressCountry }: IDataObject) =>
	(country ?? 'US') as string;

/** How a cell becomes a value, where that isn't its text. Some depend on values that were read before. */
const CELL_READERS: Readonly<Record<string, CellReader>> = {
	phone: parsePhoneNumber,
	dob: parseBirthDate,
	vesting_type: parseVestingType,
	address_country: (cell) => parseCountry(readCellText(cell), cell.label),
	address_state: (cell, values) =>
		parseState(readCellText(cell), cell.label, findCountry(values) === 'US'),
	address_zip: (cell, values) => parseZipCode(cell, findCountry(values)),
	external_id: parseReference,
	loan_number: parseReference,
	file_number: parseReference,
	activation_time: parseMoment,
	expiration_time: parseMoment,
	expiry: parseMoment,
	notary_meeting_time: parseMoment,
	cc_recipient_emails: (cell) =>
		Array.isArray(cell.value) ? (cell.value as string[]) : readCellText(cell),
};

/** The cells of somebody or something, by the names of their targets. */
export type Cells = Map<string, Cell>;

/** A column and its cell in a row. */
export type Column = HeadingMeaning & Cell;

/** What becomes of cells in a form. */
interface CellForm {
	/** What the form calls differently. */
	formNames: ReadonlyMap<string, string>;
	/** What isn't left out when it can't be read. */
	needed?: readonly string[];
	/** @throws InputFailure when the values, these new ones among them, can't be used */
	check(values: IDataObject, addedNames: readonly string[]): void;
}

/** The reading of one row. */
export class RowReader {
	/** Headings of columns that fill in something, or of which a remark tells. */
	readonly used = new Set<string>();

	/** Why columns that are understood fill in nothing, by their headings. */
	readonly reasons = new Map<string, string>();

	readonly remarks: string[] = [];

	/** @param row how messages name the row */
	constructor(
		readonly row: string,
		private readonly columns: Column[],
		private readonly isMapped: boolean,
	) {}

	use(cells: Cell[]): void {
		for (const { label } of cells) this.used.add(label);
	}

	/**
	 * Reads cells that aren't needed. What can't be read is left out, and said after the run.
	 * @param subject how the remark calls what was left out
	 */
	readOptional<T>(cells: Cell[], readCells: () => T, subject = 'it'): T | undefined {
		this.use(cells);
		try {
			return readCells();
		} catch (thrown) {
			if (!(thrown instanceof InputFailure)) throw asError(thrown);
			const labels = cells.map(({ label }) => label);
			const about = labels.includes(thrown.parameter) ? '' : `'${labels.join("' and '")}': `;
			this.remarks.push(`${about}${thrown.message}, so ${subject} was left out`);
			return undefined;
		}
	}

	/**
	 * Reads cells in turn, as values of a form. A cell that isn't needed and can't be used beside those
	 * before is left out.
	 * @param groups names of cells; those of one group need each other
	 * @param start values that are there before
	 * @throws InputFailure with all that's needed and can't be used
	 */
	assemble(
		cells: Cells,
		groups: ReadonlyArray<readonly string[]>,
		{ formNames, needed = [], check }: CellForm,
		start: IDataObject = {},
	): IDataObject {
		let values = start;
		parseEach(groups, (group) => {
			const names = group.filter((name) => cells.get(name)?.value !== undefined);
			if (names.length === 0) return;
			const groupCells = names.map((name) => cells.get(name)!);
			const add = () => {
				const next = { ...values };
				for (const [index, name] of names.entries())
					next[formNames.get(name) ?? name] = (CELL_READERS[name] ?? readCellText)(
						groupCells[index],
						next,
					);
				check(next, names);
				values = next;
				this.use(groupCells);
			};
			if (group.some((name) => needed.includes(name))) add();
			else this.readOptional(groupCells, add);
		});
		return values;
	}

	/**
	 * Says what is missing.
	 * @param label the heading, or the one that a column for it could have
	 * @param name what is missing
	 * @param hasColumn whether only the cell is empty
	 */
	describeMissing(label: string, name: string, hasColumn: boolean): InputFailure {
		if (this.isMapped)
			return new InputFailure(label, 'is empty', 'Map a column that has a value in every row');
		if (hasColumn)
			return new InputFailure(label, 'is empty', 'Fill in the cell, or leave the row out');
		const isOfSameKind = (otherName: string) =>
			otherName === name || [otherName, name].every((candidate) => /name$/.test(candidate));
		const hints = this.columns.flatMap(({ label: heading, bare: attributeName }) =>
			attributeName !== undefined && isOfSameKind(attributeName)
				? [`'${heading}' doesn't say whose it is. `]
				: [],
		);
		const misspelled = this.findSimilarHeading(label);
		if (misspelled !== undefined)
			return new HeadingFailure(
				misspelled,
				`isn't a known heading: did you mean '${label}'?`,
				'Correct it in the heading row of the sheet, and run the workflow again',
			);
		return new HeadingFailure(
			label,
			'has no column',
			`${hints.join('')}Give a column this heading, or set 'Fields From' to 'Input Items, Columns Mapped by Hand'`,
		);
	}

	/** A heading that means nothing, and is nearly the one that a column should have. */
	private findSimilarHeading(label: string): string | undefined {
		const expected = toPlainHeading(label);
		return this.columns.find(
			({ target, bare, label: heading }) =>
				target === undefined &&
				bare === undefined &&
				isMisspelled(toPlainHeading(heading), expected),
		)?.label;
	}
}
