import { InputFailure } from '../../messages/failures';
import { formatForDisplay } from '../../values/plainValues';

/** What becomes of an expression in a text field that finds nothing, or calculates with it. */
const NOTHING = new Set(['', 'undefined', 'null', '[object Object]']);

/**
 * Reads any value as text without surrounding spaces.
 * @param label the parameter's name in the editor
 * @returns undefined when empty
 * @throws InputFailure when it's something other than text, a number, true or false, or a number that
 *   JSON has rounded
 */
export function parseText(label: string, value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value)) {
		throw new InputFailure(
			label,
			`must be text, but is ${formatForDisplay(value)}`,
			'Point the expression to one of its fields',
		);
	}
	if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
		throw new InputFailure(
			label,
			`is the number ${value}, which isn't exact at this size`,
			'Make the column or the field a text, where the number comes from',
		);
	const text = String(value).trim();
	return NOTHING.has(text) ? undefined : text;
}

const ROUNDED = /^[-+]?\d(?:[.,]\d+)?e\+\d+$|^[-+]?\d[.,]\d+e\d+$/i;

/**
 * Checks that a number of a loan or the like is the one that somebody entered.
 * @param label the parameter's name in the editor, or the column's
 * @throws InputFailure when a spreadsheet has rounded it
 */
export function checkExactNumber(label: string, value: string): void {
	if (ROUNDED.test(value.trim()))
		throw new InputFailure(
			label,
			`is '${value}', which a spreadsheet has rounded`,
			'Format the column or the field as text, and enter the number again',
		);
}

/**
 * Reads an array, or a text with commas, as texts. What is empty in it is left out.
 * @param label the parameter's name in the editor
 * @throws InputFailure when something in it isn't text
 */
export function parseTexts(label: string, value: unknown): string[] {
	const list: unknown[] = Array.isArray(value)
		? value
		: (parseText(label, value)?.split(',') ?? []);
	return list.flatMap((entry) => parseText(label, entry) ?? []);
}
