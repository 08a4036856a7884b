import type { GlyphRun } from '../content/marks';
import { normalizeText } from './normalization';

/** A glyph, measured along the direction of its line and across it. */
export interface PlacedGlyph {
	/** As it was drawn. */
	drawn: string;
	/** Levelled, and so empty for white space. */
	text: string;
	start: number;
	end: number;
	baseline: number;
	em: number;
	height: number;
	hasSpaceBefore: boolean;
}

/** A wider gap, in em, separates columns and cells. */
export const WIDEST_GAP = 1.5;

/** How far a letter may stand on the one before, in em. */
export const LARGEST_OVERLAP = 0.5;

/** The same character so near to itself, in em, is one that's printed twice to be bold. */
const SAME_GLYPH = 0.1;

/** How far from its letter an accent may be, in em: above or below it, and behind it. */
const HIGHEST_ACCENT = 0.5;
const FARTHEST_ACCENT = 0.15;

/** Cuts what was drawn in one direction into pieces, in the order of drawing. */
export function splitIntoPieces(
	runs: readonly GlyphRun[],
	cosine: number,
	sine: number,
): PlacedGlyph[][] {
	const pieces: PlacedGlyph[][] = [];
	let before: PlacedGlyph | undefined;
	for (const run of runs) {
		let isFirst = true;
		let hasSpaceBefore = false;
		for (const glyph of placeGlyphs(run, cosine, sine)) {
			if (glyph.text === '') hasSpaceBefore = true;
			else if (before !== undefined && isAccent(glyph, before)) {
				before.text = normalizeText(before.text + glyph.drawn);
				before.end = Math.max(before.end, glyph.end);
			} else if (isFirst || before === undefined || !isSameGlyph(before, glyph)) {
				const gap = before === undefined || isFirst ? NaN : measureGap(before, glyph);
				if (!(gap <= WIDEST_GAP && gap >= -LARGEST_OVERLAP)) pieces.push([]);
				pieces[pieces.length - 1].push(glyph);
				glyph.hasSpaceBefore = hasSpaceBefore;
				[before, isFirst, hasSpaceBefore] = [glyph, false, false];
			}
		}
	}
	return pieces;
}

/** The gap between two glyphs, in em. */
export const measureGap = (left: PlacedGlyph, right: PlacedGlyph): number =>
	(right.start - left.end) / Math.min(left.em, right.em);

const isSameGlyph = (before: PlacedGlyph, glyph: PlacedGlyph): boolean =>
	glyph.text === before.text && Math.abs(glyph.start - before.start) < SAME_GLYPH * glyph.em;

function placeGlyphs(run: GlyphRun, cosine: number, sine: number): PlacedGlyph[] {
	const { em, height } = run;
	return run.texts.map((drawn, index) => {
		const x = run.x + run.starts[index] * run.cosine;
		const y = run.y + run.starts[index] * run.sine;
		const start = x * cosine + y * sine;
		const end = start + run.ends[index] - run.starts[index];
		const baseline = y * cosine - x * sine;
		const text = normalizeText(drawn);
		return { drawn, text, start, end, baseline, em, height, hasSpaceBefore: false };
	});
}

/** Whether a glyph is an accent of the letter that was drawn before. */
const isAccent = (glyph: PlacedGlyph, letter: PlacedGlyph): boolean =>
	/^\p{M}$/u.test(glyph.drawn) &&
	/^\p{L}\p{M}*$/u.test(letter.text) &&
	Math.abs(glyph.baseline - letter.baseline) <= HIGHEST_ACCENT * letter.em &&
	glyph.start >= letter.start &&
	glyph.start <= letter.end + FARTHEST_ACCENT * letter.em;
