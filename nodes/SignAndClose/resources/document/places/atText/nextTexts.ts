import { findLines, type TextLine } from '../../../../pdf/search/lines';
import { normalizeText } from '../../../../pdf/search/normalization';
import type { Occurrence } from '../../../../pdf/search/phrases';
import type { PlacedGlyph } from '../../../../pdf/search/pieces';
import { quote } from '../../../../values/words';
import type { NextSide, TextDesignation } from '../designations';
import { MOST_LABEL_WORDS, namesOtherParty } from '../formFields/fieldNames';
import { joinGlyphs } from '../listing/labels';
import type { Runs } from './blocks';

/*
 * Blocks of a page: what stands below each other and begins at the same edge. Another text may belong to
 * a label, on its line or below it in its block.
 */

/** How far apart, in em, baselines of a line may be, and edges of a block. */
const ON_LINE = 0.5;
const NEAR_EDGE = 1;

/** The widest gap of a block, in em, and by how many times it may be wider than one before. */
const WIDEST_GAP = 3.5;
const MOST_UNEVEN = 1.75;

/** How far above a next text, in em, the label of its column may stand. */
const FARTHEST_ABOVE = 6;

/** What's no farther apart, in points, is at the same distance. */
const SAME_DISTANCE = 1;

/** A shorter label is like another one only as a whole. */
const SHORT_LABEL = 6;

/** A piece of a line, or where a phrase stands on it, measured along the line and across it. */
interface Span {
	start: number;
	end: number;
	base: number;
	em: number;
}

interface Piece extends Span {
	line: TextLine;
}

/** The pieces of a page's lines that were looked at. */
const knownPieces = new WeakMap<Runs, Piece[]>();

function listPieces(runs: Runs): Piece[] {
	const pieces =
		knownPieces.get(runs) ??
		findLines(runs)
			.flat()
			.map((line) => {
				const [{ start, baseline, height }] = line.glyphs;
				const { end } = line.glyphs[line.glyphs.length - 1];
				return { start, end, base: baseline, em: height, line };
			});
	knownPieces.set(runs, pieces);
	return pieces;
}

/** Where phrases stand that were looked at, each of which may be compared with every other. */
const knownSpans = new WeakMap<Occurrence, Span[]>();

/** The lines on which a phrase stands. */
function listSpans(occurrence: Occurrence): Span[] {
	const spans = knownSpans.get(occurrence) ?? measureSpans(occurrence);
	knownSpans.set(occurrence, spans);
	return spans;
}

function measureSpans({ line, rest, ...box }: Occurrence): Span[] {
	const { cosine, sine, glyphs } = line;
	return [box, rest ?? []].flat().map(({ x, y, width, height }) => {
		const xs = [x, x + width];
		const ys = [y, y + height];
		const along = xs.flatMap((cornerX) => ys.map((cornerY) => cornerX * cosine + cornerY * sine));
		const across = xs.flatMap((cornerX) => ys.map((cornerY) => cornerY * cosine - cornerX * sine));
		return {
			...{ start: Math.min(...along), end: Math.max(...along), base: Math.min(...across) },
			em: glyphs[0].height,
		};
	});
}

const isOnLine = (left: Span, right: Span): boolean =>
	Math.abs(left.base - right.base) <= ON_LINE * Math.max(left.em, right.em);

const isAtEdge = (upper: Span, lower: Span): boolean =>
	Math.abs(upper.start - lower.start) <= NEAR_EDGE * Math.max(upper.em, lower.em);

/** Whether a text has the beginning or the end of a label in it, as the label of the next signer has. */
function isLike(text: string, letters: string): boolean {
	const label = normalizeText(text);
	if (label.length < SHORT_LABEL) return letters.includes(label);
	const half = Math.floor(label.length / 2) + 1;
	return letters.includes(label.slice(0, half)) || letters.includes(label.slice(-half));
}

/** Whether the label of another signer is among glyphs. */
const isOfOther = (label: string, glyphs: readonly PlacedGlyph[]): boolean =>
	isLike(label, glyphs.map(({ text }) => text).join('')) ||
	namesOtherParty(label, joinGlyphs(glyphs));

/** Where a text may belong to another one. */
interface Surroundings {
	/** The text, and its lines. */
	label: string;
	anchor: Span[];
	/** All that's on the page in the direction of the text. */
	pieces: Piece[];
	candidates: Candidate[];
}

/** A next text, with its first line. */
interface Candidate extends Span {
	occurrence: Occurrence;
}

/** The occurrence that the place is next to: the text, or what belongs to it. */
export function chooseNext(
	{ text, nextText, nextSide, noteFault }: TextDesignation,
	occurrence: Occurrence,
	nexts: Occurrence[],
	runs: Runs,
): Occurrence | undefined {
	if (nextText === undefined) return occurrence;
	const candidates = nexts.filter(({ inWord }) => inWord === undefined);
	const nearest = findNext({ text, occurrence }, candidates, nextSide, runs);
	if (nearest.length === 1) return nearest[0];
	const direction = { either: 'on its line or below it', right: 'on its line', below: 'below it' };
	const names = `${quote(nextText)} for ${quote(text)} on page ${occurrence.page}`;
	return noteFault(
		nearest.length === 0
			? `there's no ${names}: it has to stand ${direction[nextSide]}, in the same block, and before another signer's label`
			: `there are ${nearest.length} places that may be the ${names}`,
		"Change 'Next Text', or place it at a longer text of its own",
	);
}

/**
 * Finds the text that belongs to another one: the nearest on its line, to the right; otherwise the
 * nearest below it, in its block.
 * @param label the text, and where it's meant
 * @param nexts where the next text stands
 * @param runs of the page
 * @returns none, the only one, or those that are in question
 */
function findNext(
	label: { text: string; occurrence: Occurrence },
	nexts: readonly Occurrence[],
	side: NextSide,
	runs: Runs,
): Occurrence[] {
	const { line, page } = label.occurrence;
	const isParallel = ({ cosine, sine }: TextLine): boolean =>
		cosine === line.cosine && sine === line.sine;
	const surroundings: Surroundings = {
		label: label.text,
		anchor: listSpans(label.occurrence),
		pieces: listPieces(runs).filter((piece) => isParallel(piece.line)),
		candidates: nexts
			.filter((next) => next.page === page && isParallel(next.line))
			.map((next) => ({ ...listSpans(next)[0], occurrence: next })),
	};
	const right = side === 'below' ? [] : findRight(surroundings);
	const below = side === 'right' ? [] : findBelow(surroundings);
	// What stands in a column of its own may be another signer's.
	const isInDoubt = right.some((candidate) => listAbove(candidate, surroundings).length > 0);
	const nearest = right.length === 0 ? below : [...right, ...(isInDoubt ? below : [])];
	const before = nearest.length === 1 ? findBefore(nearest[0], surroundings) : [];
	return [...before, ...nearest].map(({ occurrence }) => occurrence);
}

/** The nearest ones on the lines of a label, unless they are another signer's. */
function findRight(surroundings: Surroundings): Candidate[] {
	const { label, anchor, pieces, candidates } = surroundings;
	const onRight = candidates.filter((candidate) =>
		anchor.some((line) => isOnLine(line, candidate) && candidate.start >= line.end - SAME_DISTANCE),
	);
	const nearest = Math.min(...onRight.map(({ start }) => start));
	const end = Math.max(...anchor.map((line) => line.end)) - SAME_DISTANCE;
	const between = pieces
		.filter((piece) => anchor.some((line) => isOnLine(line, piece)))
		.flatMap(({ line }) => line.glyphs.filter(({ start }) => start >= end && start < nearest));
	if (isOfOther(label, between)) return [];
	return onRight
		.filter(({ start }) => start <= nearest + SAME_DISTANCE)
		.filter((candidate) => !isInOtherColumn(candidate, surroundings));
}

/** What stands above a next text in its column, up to a wide gap or another one of them. */
function listAbove(next: Span, { pieces, candidates }: Surroundings): Piece[] {
	const column = pieces
		.filter((piece) => isAtEdge(piece, next) && !isOnLine(piece, next) && piece.base > next.base)
		.filter(({ line }) => /[\p{L}\p{N}]/u.test(line.text))
		.sort((lower, upper) => lower.base - upper.base);
	const end = column.findIndex((piece, index) => {
		const { base } = index === 0 ? next : column[index - 1];
		const isNext = candidates.some(
			(candidate) => isOnLine(candidate, piece) && isAtEdge(candidate, piece),
		);
		return isNext || piece.base - base > FARTHEST_ABOVE * next.em;
	});
	return end < 0 ? column : column.slice(0, end);
}

/** Whether a next text is in the column of another signer. */
const isInOtherColumn = (next: Span, surroundings: Surroundings): boolean =>
	listAbove(next, surroundings).some(({ line }) => isOfOther(surroundings.label, line.glyphs));

/**
 * The next text before a label, where that's no other signer's. So it may be its own, and the one behind
 * the next signer's: "Date ___ Borrower ___ Date ___ Lender ___".
 */
function findBefore(nearest: Candidate, surroundings: Surroundings): Candidate[] {
	const { anchor, pieces, candidates } = surroundings;
	const [first] = anchor;
	if (anchor.some((line) => isOnLine(line, nearest)))
		return candidates
			.filter((candidate) => isOnLine(candidate, first) && candidate.start < first.start)
			.slice(-1)
			.filter(
				({ start }) =>
					!pieces.some((piece) => isOnLine(piece, first) && hasLetterBefore(piece, start)),
			)
			.filter((candidate) => !isInOtherColumn(candidate, surroundings));
	const farthest = 2 * first.base - nearest.base + SAME_DISTANCE;
	return candidates
		.filter((candidate) => isAtEdge(candidate, first) && !isOnLine(candidate, first))
		.filter(({ base }) => base > first.base && base <= farthest)
		.slice(-1)
		.filter((candidate) => {
			const [above] = listAbove(candidate, surroundings);
			return (
				above === undefined || joinGlyphs(above.line.glyphs).split(' ').length > MOST_LABEL_WORDS
			);
		});
}

const hasLetterBefore = ({ line }: Piece, end: number): boolean =>
	line.glyphs.some(({ start, text }) => start < end && /\p{L}/u.test(text));

/** The first ones of the block below a label: before a wide gap and the label of the next signer. */
function findBelow({ label, anchor, pieces, candidates }: Surroundings): Candidate[] {
	const [first, last = first] = anchor;
	const column = pieces
		.filter((piece) => isAtEdge(piece, first) && piece.base < last.base && !isOnLine(piece, last))
		.sort((upper, lower) => lower.base - upper.base);
	let [above, widest] = [last.base, WIDEST_GAP * last.em];
	for (const piece of column) {
		const gap = above - piece.base;
		if (gap > widest) return [];
		const nearest = candidates.filter(
			(candidate) => isOnLine(candidate, piece) && isAtEdge(candidate, first),
		);
		if (nearest.length > 0) return nearest;
		if (isOfOther(label, piece.line.glyphs)) return [];
		// Texts over each other are no lines of a block.
		if (gap > ON_LINE * piece.em) widest = Math.min(widest, gap * MOST_UNEVEN);
		above = piece.base;
	}
	return [];
}
