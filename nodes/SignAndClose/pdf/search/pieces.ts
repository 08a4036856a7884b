import type { GlyphRun } from '../content/marks';
import { addAccent, findAccent, isCombining, normalizeText } from './normalization';

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

/** Glyphs that were drawn one after the other and stand so, without white space. */
export type Piece = PlacedGlyph[];

/** A wider gap, in em, separates columns and cells. */
export const WIDEST_GAP = 1.5;

/** How far a letter may stand on the one before, in em. */
export const LARGEST_OVERLAP = 0.5;

/** The same character so near to itself, in em, is one that's printed twice to be bold. */
const SAME_GLYPH = 0.1;

/** How far from its letter an accent may be, in em: above or below it, and behind it. */
const HIGHEST_ACCENT = 0.5;
const FARTHEST_ACCENT = 0.15;

/** The pieces of what was drawn in one direction, in the order of drawing. */
export function cutPieces(runs: readonly GlyphRun[], cosine: number, sine: number): Piece[] {
	const placedRuns = runs.map((run) => placeGlyphs(run, cosine, sine));
	const attachedAccents = attachAccents(placedRuns.flat());
	const pieces: Piece[] = [];
	for (const glyphs of placedRuns) {
		let piece: Piece = [];
		let hasSpaceBefore = false;
		for (const glyph of glyphs) {
			if (glyph.text === '') hasSpaceBefore = true;
			if (glyph.text === '' || attachedAccents.has(glyph)) continue;
			const before = piece.at(-1);
			if (before !== undefined && isSameGlyph(before, glyph)) continue;
			const gap = before === undefined ? NaN : measureGap(before, glyph);
			if (!(gap <= WIDEST_GAP && gap >= -LARGEST_OVERLAP)) pieces.push((piece = []));
			piece.push(glyph);
			glyph.hasSpaceBefore = hasSpaceBefore;
			hasSpaceBefore = false;
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

/**
 * Puts accents that are glyphs of their own on their letters: the one that was drawn before, or the
 * next one.
 * @returns these accents
 */
function attachAccents(glyphs: readonly PlacedGlyph[]): Set<PlacedGlyph> {
	const attached = new Set<PlacedGlyph>();
	const attach = (accentGlyph: PlacedGlyph, letter: PlacedGlyph | undefined): void => {
		const accent = findAccent(accentGlyph.drawn);
		if (accent === undefined || letter === undefined || !isAccentOf(accentGlyph, letter)) return;
		letter.text = addAccent(letter.text, accent);
		letter.end = Math.max(letter.end, accentGlyph.end);
		attached.add(accentGlyph);
	};
	let before: PlacedGlyph | undefined;
	let waiting: PlacedGlyph | undefined;
	for (const glyph of glyphs) {
		if (findAccent(glyph.drawn) === undefined) {
			if (glyph.text === '') continue;
			if (waiting !== undefined) attach(waiting, glyph);
			[before, waiting] = [glyph, undefined];
			continue;
		}
		attach(glyph, before);
		waiting = attached.has(glyph) ? undefined : glyph;
	}
	return attached;
}

function isAccentOf(accent: PlacedGlyph, letter: PlacedGlyph): boolean {
	const { start, end, baseline, em } = letter;
	if (!/^\p{L}\p{M}*$/u.test(letter.text)) return false;
	if (Math.abs(accent.baseline - baseline) > HIGHEST_ACCENT * em) return false;
	if (isCombining(accent.drawn) && accent.start >= start)
		return accent.start <= end + FARTHEST_ACCENT * em;
	const middle = (accent.start + accent.end) / 2;
	return middle >= start && middle <= end;
}
