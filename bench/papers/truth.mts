import type { Line, Phrase } from './blocks.mts';

/** Where phrases are for certain, and what the node has to answer to a row of At a Text. */

export interface Place {
	page: number;
	x: number;
	y: number;
}

export interface Row {
	text: string;
	occurrence: 'only' | 'first' | 'last' | 'nth' | 'every';
	nth?: number;
	/** The number of the only page that's searched. */
	pages?: number;
	notInside?: string;
	/** Where the text begins on its baseline. */
	expected?: Place[];
	/** A part of what the node has to say instead. */
	refused?: string;
}

/** Baselines that are closer than this, in points, are one line. */
const SAME_LINE = 2;

/** How people enter what they see. */
const asTyped = (text: string): string =>
	text
		.replace(/[’‘ʼ]/g, "'")
		.replace(/[“”]/g, '"')
		.replace(/[–—]/g, '-')
		.replace(/[\s\u00a0]/g, ' ');

const isLetter = (character: string | undefined): boolean =>
	character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character);

/** Letters that a hyphen or an en dash joins without a space are one word, as in "Co-Borrower". */
export function isInWord(text: string, at: number): boolean {
	const joins = (sign: number): boolean =>
		/[-\u2010\u2011\u2013\u00ad]/.test(text[sign] ?? '') &&
		isLetter(text[sign - 1]) &&
		isLetter(text[sign + 1]);
	return (isLetter(text[at - 1]) && isLetter(text[at])) || joins(at - 1) || joins(at);
}

/** Where a phrase begins in a text, as whole words. Of a row of underscores that's where the row begins. */
function findInText(text: string, phrase: string): number[] {
	const typed = asTyped(text);
	const starts: number[] = [];
	for (let at = typed.indexOf(phrase); at >= 0; at = typed.indexOf(phrase, at + 1)) {
		const isWhole = !isInWord(text, at) && !isInWord(text, at + phrase.length);
		const isInRow = /^_+$/.test(phrase) && text[at - 1] === '_';
		if (isWhole && !isInRow) starts.push(at);
	}
	return starts;
}

/**
 * All places of a phrase, from page to page, from the top to the bottom. A line goes on with the word
 * that the one before ends with, as in "Co-".
 */
export function findPlaces(lines: readonly Line[], { text, notInside }: Phrase): Place[] {
	const places: Place[] = [];
	for (const [index, { page, xs, baselines, ...line }] of lines.entries()) {
		const goesOn = /\p{L}[-\u2010\u00ad]$/u.test(lines[index - 1]?.text ?? '');
		const longer = notInside === undefined ? [] : findInText(line.text, asTyped(notInside));
		const isInLonger = (at: number) =>
			longer.some((start) => start <= at && at < start + (notInside?.length ?? 0));
		for (const at of findInText(line.text, asTyped(text))) {
			const ys = baselines.slice(at, at + text.length);
			if (Math.max(...ys) - Math.min(...ys) < SAME_LINE && !isInLonger(at) && !(goesOn && at === 0))
				places.push({ page, x: round(xs[at]), y: round(ys[0]) });
		}
	}
	return places.sort(
		(a, b) => a.page - b.page || (Math.abs(a.y - b.y) < SAME_LINE ? a.x - b.x : b.y - a.y),
	);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * The rows that a person may enter for a phrase.
 * @param transformed pages that are rotated or cropped
 */
export function writeRows(phrase: Phrase, places: Place[], transformed: number[] = []): Row[] {
	const answer = (meant: Place[]): Pick<Row, 'expected' | 'refused'> =>
		meant.some(({ page }) => transformed.includes(page))
			? { refused: 'is rotated, cropped or scaled' }
			: { expected: meant };
	if (places.length === 0) return [{ ...phrase, occurrence: 'only', refused: "isn't on page" }];
	if (places.length === 1) return [{ ...phrase, occurrence: 'only', ...answer(places) }];
	const last = places[places.length - 1];
	const ofLastPage = places.filter(({ page }) => page === last.page);
	return [
		{ ...phrase, occurrence: 'only', refused: `stands ${places.length} times` },
		{ ...phrase, occurrence: 'first', ...answer(places.slice(0, 1)) },
		{ ...phrase, occurrence: 'nth', nth: 2, ...answer(places.slice(1, 2)) },
		{ ...phrase, occurrence: 'last', ...answer([last]) },
		{ ...phrase, occurrence: 'every', ...answer(places) },
		...(ofLastPage.length === 1
			? [{ ...phrase, occurrence: 'only' as const, pages: last.page, ...answer([last]) }]
			: []),
	];
}
