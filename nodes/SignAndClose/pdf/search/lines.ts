import type { GlyphRun } from '../content/marks';
import { SIGN_GLYPH, UNKNOWN_GLYPH } from '../fonts/characters';
import { splitIntoPieces, measureGap, WIDEST_GAP, type PlacedGlyph } from './pieces';

/** A piece of a line, up to a wide gap: its glyphs from left to right, without white space. */
export interface TextLine {
	/** The direction of the line. */
	cosine: number;
	sine: number;
	glyphs: PlacedGlyph[];
	/** Their texts, and the place in glyphs of each character of it. */
	text: string;
	owners: number[];
	/** How many of the glyphs and of the characters are its own; others may be the next line's. */
	glyphCount: number;
	length: number;
	/** The beginning of its first word, if that is broken: "Co-" at the end of the line above. */
	brokenWord?: string;
}

/** Baselines that are closer than this, in em, are one line. */
const SAME_LINE = 0.25;

/** Pieces that overlap no more, in em, can be parts of one text. */
export const SAME_TEXT = 0.2;

/** A narrower gap, in em, is none between words, but between letters. */
export const NARROWEST_GAP = 0.15;

/** How many texts may stand over each other on a line; a piece goes on none of those below them. */
const MAX_LAYERS = 50;

/** Directions within a degree are one. */
const getDirection = ({ sine, cosine }: GlyphRun): number =>
	Math.round((Math.atan2(sine, cosine) * 180) / Math.PI + 360) % 360;

/**
 * The lines of a page, in each direction from the bottom to the top: for each baseline the pieces on
 * it, of which several may be printed over each other.
 */
export function findLines(runs: readonly GlyphRun[]): TextLine[][] {
	const directions = new Map<number, GlyphRun[]>();
	for (const run of runs) {
		const direction = getDirection(run);
		directions.set(direction, directions.get(direction) ?? []);
		directions.get(direction)?.push(run);
	}
	return [...directions.values()].flatMap((parallelRuns) => buildLines(parallelRuns));
}

function buildLines(runs: readonly GlyphRun[]): TextLine[][] {
	const [{ cosine, sine }] = runs;
	const pieces = splitIntoPieces(runs, cosine, sine);
	pieces.sort(([a], [b]) => a.baseline - b.baseline);
	const lines: PlacedGlyph[][][] = [];
	for (const piece of pieces) {
		const line = lines.at(-1);
		const [{ baseline, em }] = piece;
		const [first] = line?.[0] ?? [];
		if (line !== undefined && baseline - first.baseline <= SAME_LINE * Math.min(em, first.em))
			line.push(piece);
		else lines.push([piece]);
	}
	return lines.map((line) => joinPieces(line).map((text) => buildLine(text, cosine, sine)));
}

/** Joins the pieces of a line to texts. Of several that a piece could go on, it's the most alike. */
function joinPieces(pieces: PlacedGlyph[][]): PlacedGlyph[][] {
	pieces.sort(([a], [b]) => a.start - b.start);
	const texts: PlacedGlyph[][] = [];
	for (const piece of pieces) {
		const [next] = piece;
		let [best, leastDifference] = [undefined as PlacedGlyph[] | undefined, Infinity];
		for (const text of texts.slice(-MAX_LAYERS)) {
			const last = text[text.length - 1];
			const gap = measureGap(last, next);
			const isFree = gap >= -SAME_TEXT && gap <= WIDEST_GAP;
			const difference =
				Math.abs(next.baseline - last.baseline) +
				Math.abs(next.em - last.em) +
				Math.abs(gap) * 0.01;
			if (isFree && difference < leastDifference) [best, leastDifference] = [text, difference];
		}
		if (best === undefined) texts.push([...piece]);
		else for (const glyph of piece) best.push(glyph);
	}
	return texts;
}

function buildLine(glyphs: PlacedGlyph[], cosine: number, sine: number): TextLine {
	markSigns(glyphs);
	glyphs[0].hasSpaceBefore = true;
	const texts = glyphs.map(({ text }) => text);
	const owners = texts.flatMap(({ length }, index) => Array<number>(length).fill(index));
	const text = texts.join('');
	return { cosine, sine, glyphs, text, owners, length: text.length, glyphCount: glyphs.length };
}

/** Private characters are signs in most fonts, such as check boxes, and letters in a few. */
const isPrivate = (text: string): boolean => /^\p{Co}$/u.test(text);
const isUnknown = (text: string): boolean => text === UNKNOWN_GLYPH || isPrivate(text);

/** Tells unknown glyphs that stand alone, and so are signs, from those that may be letters of a word. */
function markSigns(glyphs: PlacedGlyph[]): void {
	for (const [index, glyph] of glyphs.entries()) {
		if (!isUnknown(glyph.drawn)) continue;
		const isInWord = [glyphs[index - 1], glyphs[index + 1]].some(
			(neighbor) => neighbor !== undefined && mayBeOneWord(glyph, neighbor),
		);
		glyph.text = isInWord ? UNKNOWN_GLYPH : SIGN_GLYPH;
	}
}

/** Whether an unknown glyph may be in one word with its neighbor. */
function mayBeOneWord(unknown: PlacedGlyph, neighbor: PlacedGlyph): boolean {
	const [left, right] = unknown.start < neighbor.start ? [unknown, neighbor] : [neighbor, unknown];
	const gap = measureGap(left, right);
	if (isUnknown(neighbor.drawn)) return gap <= WIDEST_GAP;
	const isClose = gap <= NARROWEST_GAP && !right.hasSpaceBefore;
	return isClose && !isPrivate(unknown.drawn) && /[\p{L}\p{N}]/u.test(neighbor.drawn);
}

/** How many glyphs of lines may be letters that nobody knows. */
export const countUnknown = (lines: readonly TextLine[][]): number =>
	lines.flat().flatMap(({ glyphs }) => glyphs.filter(({ text }) => text === UNKNOWN_GLYPH)).length;
