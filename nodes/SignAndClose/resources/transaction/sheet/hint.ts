import type { OperationCall, RunSummary } from '../../../run/operation';
import { readRowNumber } from '../../../run/rowNumbers';
import { isEmail } from '../../../form/checks';
import { toTitle } from '../../../form/titles';
import { isObject } from '../../../values/json';
import { toCapitalized, joinWithAnd, quote } from '../../../values/words';
import type { Column, RowReader } from './cells';
import { FORM_FIELDS, isPerson, isSameOwner, type RowKind, type ColumnTarget } from './rowFields';
import { formatPerson } from './signerChoice';

/* How messages name a row, and the one hint that a run has about its rows. */

/** What an item tells of its row, for the hint of the whole run. */
export interface RowNote {
	/** How messages name the row. */
	row: string;
	/** Headings, and what they fill in. */
	used: Array<[heading: string, what: string]>;
	/** Headings of columns that fill in nothing, though they have a value or mean nothing. */
	unused: string[];
	/** Those of them that have an email address: somebody may have been forgotten. */
	unusedEmails: string[];
	/** Why, where somebody could wonder. */
	reasons: ReadonlyMap<string, string>;
	/** What was left out or is missing, and what became of it. */
	remarks: string[];
	/** Whether its transaction was there before. */
	isFound?: boolean;
}

/**
 * Notes what a row tells.
 * @param isByHeading whether it tells what was found: who has mapped the columns knows it
 */
export function buildRowNote(
	columns: Column[],
	{ row, used, reasons, remarks }: RowReader,
	kind: RowKind,
	isByHeading: boolean,
): RowNote {
	const unused = columns.filter(
		({ label, target, value }) =>
			!used.has(label) &&
			label !== 'row_number' &&
			(target === undefined || value !== undefined) &&
			!isFileList(value),
	);
	return {
		row,
		used: (isByHeading ? columns : []).flatMap(({ label, target }) =>
			target && used.has(label) ? [[label, formatTarget(target, kind)]] : [],
		),
		unused: unused.map(({ label }) => label),
		unusedEmails: unused
			.filter(({ value }) => typeof value === 'string' && isEmail(value.trim()))
			.map(({ label }) => label),
		reasons,
		remarks,
	};
}

/** Whether a form has put its files there. They come as files of the item, too, and aren't cells. */
const isFileList = (value: unknown): boolean =>
	typeof value === 'object' &&
	[value].flat().every((file) => isObject(file) && 'filename' in file && 'mimetype' in file);

/** Says which columns nobody reads, although somebody's email address is in them. */
const describeUnusedEmails = (headings: string[]): string[] =>
	headings.length === 0
		? []
		: [
				headings.length === 1
					? `${quote(headings[0])} isn't used, although it has an email address`
					: `${joinWithAnd(headings.map(quote))} aren't used, although they have email addresses`,
			];

/** Adds to the note of a row. */
export const addRemark = (
	note: RowNote | undefined,
	...remarks: Array<string | undefined>
): RowNote | undefined =>
	note && { ...note, remarks: [...note.remarks, ...remarks.filter((text) => text !== undefined)] };

function formatTarget({ owner, name }: ColumnTarget, kind: RowKind): string {
	if (isPerson(owner)) return formatPerson(owner);
	const field =
		owner === 'transaction' && FORM_FIELDS[kind].find(({ target }) => target.name === name);
	return field ? field.displayName : toTitle(owner);
}

/** How messages name an item: as the row that the person sees, where n8n has read it of a sheet. */
export function nameRow({ context }: OperationCall, itemIndex: number): string {
	const number = readRowNumber(context, itemIndex);
	return number === undefined ? `item ${itemIndex + 1}` : `row ${number}`;
}

/** Whether the run has no other item. */
export const isOnlyItem = ({ context }: OperationCall): boolean =>
	context.getInputData().length === 1;

/** Begins a sentence about an item: with its name, if there are several. */
export const nameItem = (call: OperationCall): string =>
	isOnlyItem(call) ? 'It' : toCapitalized(nameRow(call, call.itemIndex));

/** What tells a row from others: the first name in it, and the number of the loan. */
export function describeRow(columns: Column[]): string {
	const cells = columns.flatMap(({ target, value }) =>
		target !== undefined && ['string', 'number'].includes(typeof value)
			? [{ ...target, text: String(value).trim() }]
			: [],
	);
	const person = cells.find(({ owner, name }) => isPerson(owner) && name.endsWith('name'))?.owner;
	const findText = (expectedName: string, expectedOwner = person) =>
		cells.find(
			({ owner, name }) =>
				name === expectedName && expectedOwner && isSameOwner(owner, expectedOwner),
		)?.text;
	const names = [findText('first_name'), findText('last_name')].filter(Boolean);
	const loan = findText('loan_number', 'transaction')?.replace(/\.0+$/, '');
	const parts = [findText('name') ?? names.join(' '), loan === undefined ? '' : `loan ${loan}`];
	const text = parts.filter(Boolean).join(', ');
	return text === '' ? '' : ` (${text})`;
}

/** How many remarks a hint has, and how many rows each of them names. */
const MAX_NAMED = 20;

const limitList = (texts: string[]) =>
	texts.length > MAX_NAMED
		? [...texts.slice(0, MAX_NAMED), `${texts.length - MAX_NAMED} more`]
		: texts;

/**
 * Says what is to be known of single rows, first of unused email addresses, and at the end of the hint
 * which columns fill in what, if any row is new, and which fill in nothing.
 * @param notes those of all items, in input order
 */
export function describeRows(notes: readonly RowNote[]): RunSummary {
	const used = new Map(notes.flatMap((note) => note.used));
	const unused = new Set(notes.flatMap((note) => note.unused).filter((name) => !used.has(name)));
	const matched = groupByKey([...used].map(([heading, title]) => [title, heading])).map(
		([title, headings]) => `${joinWithAnd(headings.map(quote))} to ${title}`,
	);
	const reasons = new Map(notes.flatMap((note) => [...note.reasons]));
	const nameUnused = (heading: string) =>
		quote(heading) + (reasons.has(heading) ? ` (${reasons.get(heading)})` : '');
	const remarks = notes.flatMap((note) => {
		// Other rows use these columns.
		const unusedHere = note.unused.filter((name) => used.has(name));
		const texts = [
			...note.remarks,
			...(unusedHere.length > 0 ? [`${joinWithAnd(unusedHere.map(quote))} not used`] : []),
		];
		return texts.map((text): [string, string] => [text, note.row]);
	});
	const nameRows = (rows: string[]) =>
		rows.length > 1 && rows.length === notes.length
			? `All ${rows.length} rows`
			: joinWithAnd(limitList(rows));
	const ofItems = limitList(
		groupByKey(remarks).map(([text, rows]) => `${nameRows(rows)}: ${text}`),
	);
	// Who runs a sheet again knows them.
	const isNew = notes.some(({ isFound }) => isFound !== true);
	const last = [
		...(isNew && matched.length > 0 ? [`Columns matched: ${matched.join('; ')}`] : []),
		...(unused.size > 0 ? [`Not used: ${[...unused].map(nameUnused).join(', ')}`] : []),
	];
	const emails = new Set(notes.flatMap((note) => note.unusedEmails));
	const unusedEmails = [...unused].filter((heading) => emails.has(heading));
	return { ofItems: [...describeUnusedEmails(unusedEmails), ...ofItems], last: last.join('. ') };
}

/** Puts together what belongs to the same. */
function groupByKey(entries: Array<[key: string, value: string]>): Array<[string, string[]]> {
	const valuesByKey = new Map<string, string[]>();
	for (const [key, value] of entries)
		valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), value]);
	return [...valuesByKey];
}
