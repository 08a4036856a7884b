import type { PdfPage } from '../pages';
import { Budget, type Pause } from '../bounds/limits';
import { normalizeText, findLines, type TextLine } from './lines';

export interface Phrase {
	text: string;
	/** Longer phrases that have this one in them, which aren't meant: "Co-Borrower Signature". */
	notInside?: readonly string[];
}

/** Where a phrase stands, in user space. */
export interface Occurrence {
	/** The page's number. */
	page: number;
	/** The lower left corner of a box from the baseline to the height of the font. */
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A wider gap, in em, separates columns and cells. */
const WIDEST_GAP = 1.5;

/** A narrower gap, in em, is none between words, but between letters. */
const NARROWEST_GAP = 0.15;

/** How far a letter may stand on the one before, in em. */
const LARGEST_OVERLAP = 0.5;

/** First and last glyph of a line that make up a phrase. */
type Match = readonly [first: number, last: number];

/**
 * Finds phrases where they stand on a line, as whole words. White space doesn't matter, nor do the kinds
 * of quotes and dashes, and ligatures are the letters that they stand for.
 * @param pause lets others work, after each 25 ms
 * @returns for each phrase where it is, from page to page and from the top to the bottom
 */
export async function findPhrases(
	pages: readonly PdfPage[],
	phrases: readonly Phrase[],
	pause: Pause,
): Promise<Occurrence[][]> {
	const budget = new Budget(pause);
	const occurrences = phrases.map((): Occurrence[] => []);
	for (const page of pages) {
		await budget.pauseIfDue();
		for (const line of findLines(page.runs)) {
			phrases.forEach(({ text, notInside = [] }, index) => {
				const longerMatches = notInside.flatMap((longerPhrase) => findMatches(line, longerPhrase));
				for (const match of findMatches(line, text)) {
					if (longerMatches.some(([first, last]) => first <= match[0] && last >= match[1]))
						continue;
					occurrences[index].push({ page: page.number, ...buildBox(line, match) });
				}
			});
		}
	}
	for (const list of occurrences) list.sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
	return occurrences;
}

/** What's unknown may be a letter. */
const isLetter = (text: string): boolean => /^[\p{L}\p{N}\p{M}\ufffd]$/u.test(text);

/** The places of a line at which a phrase stands. */
function findMatches(line: TextLine, phrase: string): Match[] {
	const pattern = normalizeText(phrase);
	const matches: Match[] = [];
	if (pattern === '') return matches;
	const { text, owners } = line;
	for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
		const last = at + pattern.length - 1;
		const gap = measureNarrowestGap(line, owners[at], owners[last]);
		const endsWord = (index: number): boolean =>
			!isLetter(text[index] ?? '') ||
			!isLetter(text[index + 1] ?? '') ||
			isBetweenWords(line, owners[index], owners[index + 1], gap);
		if (gap >= 0 && endsWord(at - 1) && endsWord(last)) matches.push([owners[at], owners[last]]);
	}
	return matches;
}

/** The narrowest gap between glyphs next to each other, in em; NaN if one is too wide or too narrow. */
function measureNarrowestGap(line: TextLine, first: number, last: number): number {
	if (first === last) return 0;
	const gaps = line.glyphs.slice(first, last).map((_, n) => measureGapBefore(line, first + n + 1));
	if (Math.max(...gaps) > WIDEST_GAP || Math.min(...gaps) < -LARGEST_OVERLAP) return NaN;
	return Math.max(0, Math.min(...gaps));
}

function measureGapBefore({ glyphs }: TextLine, index: number): number {
	const [left, right] = [glyphs[index - 1], glyphs[index]];
	return (right.start - left.end) / Math.min(left.em, right.em);
}

/** Whether two letters belong to different words, in a text that's spaced out by a gap. */
const isBetweenWords = (line: TextLine, left: number, right: number, gap: number): boolean =>
	left !== right &&
	(line.glyphs[right].hasSpaceBefore || measureGapBefore(line, right) > NARROWEST_GAP + gap);

/** The box around glyphs of a line, in user space. */
function buildBox(
	{ cosine, sine, glyphs }: TextLine,
	[first, last]: Match,
): Omit<Occurrence, 'page'> {
	const { start, baseline, height: up } = glyphs[first];
	const along = glyphs[last].end - start;
	const x = start * cosine - baseline * sine;
	const y = start * sine + baseline * cosine;
	const [alongX, alongY] = [along * cosine, along * sine];
	const [upX, upY] = [-up * sine, up * cosine];
	return {
		x: x + Math.min(0, alongX) + Math.min(0, upX),
		y: y + Math.min(0, alongY) + Math.min(0, upY),
		width: Math.abs(alongX) + Math.abs(upX),
		height: Math.abs(alongY) + Math.abs(upY),
	};
}
