import { titleOf } from '../../shared/titles';
import type { Column, Reading } from './cells';
import { FORM_FIELDS, isPerson, isSameOwner, type RowKind, type Target } from './rowFields';
import { personTitle } from './whoSigns';

/* How messages name a row, and the one hint that a run has about its rows. */

/** What an item tells of its row, for the hint of the whole run. */
export interface RowNote {
	/** How messages name the row. */
	row: string;
	/** Headings, and what they fill in. */
	used: Array<[heading: string, what: string]>;
	/** Headings of columns that fill in nothing, though they have a value or mean nothing. */
	unused: string[];
	/** What was left out or is missing. */
	remarks: string[];
}

/**
 * Notes what a row tells.
 * @param isByHeading whether it tells what was found: who has mapped the columns knows it
 */
export function noteOf(
	columns: Column[],
	{ row, used, remarks }: Reading,
	kind: RowKind,
	isByHeading: boolean,
): RowNote {
	return {
		row,
		used: (isByHeading ? columns : []).flatMap(({ label, target }) =>
			target && used.has(label) ? [[label, targetTitle(target, kind)]] : [],
		),
		unused: columns.flatMap(({ label, target, value }) =>
			used.has(label) || label === 'row_number' || (target && value === undefined) ? [] : [label],
		),
		remarks,
	};
}

function targetTitle({ owner, name }: Target, kind: RowKind): string {
	if (isPerson(owner)) return personTitle(owner);
	const field =
		owner === 'transaction' && FORM_FIELDS[kind].find(({ target }) => target.name === name);
	return field ? field.displayName : titleOf(owner);
}

/** What tells a row from others: the first name in it, and the number of the loan. */
export function describeRow(columns: Column[]): string {
	const cells = columns.flatMap(({ target, value }) =>
		target !== undefined && ['string', 'number'].includes(typeof value)
			? [{ ...target, text: String(value).trim() }]
			: [],
	);
	const person = cells.find(({ owner, name }) => isPerson(owner) && name.endsWith('name'))?.owner;
	const textOf = (wanted: string, of = person) =>
		cells.find(({ owner, name }) => name === wanted && of && isSameOwner(owner, of))?.text;
	const names = [textOf('first_name'), textOf('last_name')].filter(Boolean);
	const loan = textOf('loan_number', 'transaction')?.replace(/\.0+$/, '');
	const known = [textOf('name') ?? names.join(' '), loan === undefined ? '' : `loan ${loan}`];
	const text = known.filter(Boolean).join(', ');
	return text === '' ? '' : ` (${text})`;
}

/** How many remarks a hint has, and how many rows each of them names. */
const MOST = 20;

const list = new Intl.ListFormat('en-GB');
const quoted = (headings: string[]) => headings.map((heading) => `'${heading}'`);
const someOf = (texts: string[]) =>
	texts.length > MOST ? [...texts.slice(0, MOST), `${texts.length - MOST} more`] : texts;

/**
 * Says which columns fill in what, which fill in nothing, and which cells were left out.
 * @param notes those of all items, in input order
 */
export function describeRows(notes: readonly RowNote[]): string | undefined {
	const used = new Map(notes.flatMap((note) => note.used));
	const unused = new Set(notes.flatMap((note) => note.unused).filter((name) => !used.has(name)));
	const matched = groups([...used].map(([heading, what]) => [what, heading])).map(
		([what, headings]) => `${list.format(quoted(headings))} to ${what}`,
	);
	const remarks = notes.flatMap((note) => {
		// Other rows use these columns.
		const own = note.unused.filter((name) => used.has(name));
		const texts = [
			...note.remarks,
			...(own.length > 0 ? [`${list.format(quoted(own))} not used`] : []),
		];
		return texts.map((text): [string, string] => [text, note.row]);
	});
	const parts = [
		...(matched.length > 0 ? [`Columns matched: ${matched.join('; ')}`] : []),
		...(unused.size > 0 ? [`Not used: ${quoted([...unused]).join(', ')}`] : []),
		...someOf(groups(remarks).map(([text, rows]) => `${list.format(someOf(rows))}: ${text}`)),
	];
	return parts.length === 0 ? undefined : parts.join('. ');
}

/** Puts together what belongs to the same. */
function groups(entries: Array<[key: string, value: string]>): Array<[string, string[]]> {
	const found = new Map<string, string[]>();
	for (const [key, value] of entries) found.set(key, [...(found.get(key) ?? []), value]);
	return [...found];
}
