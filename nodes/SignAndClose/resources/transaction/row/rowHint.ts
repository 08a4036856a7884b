import type { RowNote } from './reading';

/* The one hint that a run has about its rows. */

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
