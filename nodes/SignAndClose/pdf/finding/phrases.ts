import type { Page } from '../pages';
import { Turns, type Pause } from '../limits';
import { levelled } from './levelling';
import { linesOf, type Line } from './lines';

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
	pages: readonly Page[],
	phrases: readonly Phrase[],
	pause: Pause,
): Promise<Occurrence[][]> {
	const turns = new Turns(pause);
	const found = phrases.map((): Occurrence[] => []);
	for (const page of pages) {
		await turns.due();
		for (const line of linesOf(page.runs)) {
			phrases.forEach(({ text, notInside = [] }, index) => {
				const others = notInside.flatMap((other) => matchesOf(line, other));
				for (const match of matchesOf(line, text)) {
					if (others.some(([first, last]) => first <= match[0] && last >= match[1])) continue;
					found[index].push({ page: page.number, ...boxOf(line, match) });
				}
			});
		}
	}
	for (const each of found) each.sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
	return found;
}

const isLetter = (text: string): boolean => /^[\p{L}\p{N}\p{M}]$/u.test(text);

/** The places of a line at which a phrase stands. */
function matchesOf(line: Line, phrase: string): Match[] {
	const wanted = levelled(phrase);
	const matches: Match[] = [];
	if (wanted === '') return matches;
	const { text, glyphs } = line;
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
		const end = at + wanted.length;
		const [first, last] = [glyphs[at], glyphs[end - 1]];
		const gap = narrowestGap(line, first, last);
		if (gap === undefined) continue;
		const isWhole = (left: number): boolean =>
			!isLetter(text[left] ?? '') ||
			!isLetter(text[left + 1] ?? '') ||
			isBetweenWords(line, glyphs[left], glyphs[left + 1], gap);
		if (isWhole(at - 1) && isWhole(end - 1)) matches.push([first, last]);
	}
	return matches;
}

/** The narrowest gap between glyphs next to each other, in em; undefined if one is too wide. */
function narrowestGap(line: Line, first: number, last: number): number | undefined {
	let narrowest = Infinity;
	for (let index = first + 1; index <= last; index++) {
		const gap = gapBefore(line, index);
		if (gap > WIDEST_GAP || gap < -LARGEST_OVERLAP) return undefined;
		narrowest = Math.min(narrowest, gap);
	}
	return narrowest === Infinity ? 0 : Math.max(0, narrowest);
}

function gapBefore({ starts, ends, ems }: Line, index: number): number {
	return (starts[index] - ends[index - 1]) / Math.min(ems[index], ems[index - 1]);
}

/** Whether two letters belong to different words, in a text that's spaced out by a gap. */
function isBetweenWords(line: Line, left: number, right: number, gap: number): boolean {
	if (left === right) return false;
	return line.hasSpaceBefore[right] || gapBefore(line, right) > NARROWEST_GAP + gap;
}

/** The box around glyphs of a line, in user space. */
function boxOf(line: Line, [first, last]: Match): Omit<Occurrence, 'page'> {
	const { cosine, sine } = line;
	const [start, end] = [line.starts[first], line.ends[last]];
	const bottom = line.baselines[first];
	const top = bottom + line.heights[first];
	const corners = [start, end].flatMap((along) => [bottom, top].map((up) => [along, up]));
	const xs = corners.map(([along, up]) => along * cosine - up * sine);
	const ys = corners.map(([along, up]) => along * sine + up * cosine);
	const [x, y] = [Math.min(...xs), Math.min(...ys)];
	return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
