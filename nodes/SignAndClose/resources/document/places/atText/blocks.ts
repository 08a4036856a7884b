import type { GlyphRun } from '../../../../pdf/content/marks';
import { findLines, type TextLine } from '../../../../pdf/search/lines';
import { isHyphen, normalizeText } from '../../../../pdf/search/normalization';
import type { Occurrence } from '../../../../pdf/search/phrases';
import type { NextSide } from '../designations';
import { joinGlyphs } from '../listing/labels';

/*
 * Blocks of a page: what stands below each other and begins at the same edge. A label may go on with
 * the next line of its block, and another text may belong to it, on its line or below it.
 */

/** How far apart, in em, baselines of a label in two lines are. */
const NEAREST_LINE = 0.5;
const FARTHEST_LINE = 1.6;

/** How different, in em, its letters are in size. */
const SAME_SIZE = 0.2;

/** How far apart, in units of user space, its lines may begin. */
const SAME_EDGE = 3;

/** How far apart, in em, baselines of a line may be, and edges of a block. */
const ON_LINE = 0.5;
const NEAR_EDGE = 1;

/** The widest gap of a block, in em, and by how many times it may be wider than one before. */
const WIDEST_GAP = 3.5;
const MOST_UNEVEN = 1.75;

/** What's no farther apart, in points, is at the same distance. */
const SAME_DISTANCE = 1;

/** A shorter label is like another one only as a whole. */
const SHORT_LABEL = 6;

/** What's on a page. */
type Runs = readonly GlyphRun[];

/** The lines of a page, each with the one that goes on with it. */
export function findBlockLines(runs: Runs): TextLine[][] {
	const lines = findLines(runs);
	const lowerLines = new Map<string, TextLine>();
	for (const line of lines.flat()) {
		const [{ start, baseline, em }] = line.glyphs;
		const edge = Math.round(start / SAME_EDGE);
		const toKey = (near: number) => [near, line.cosine, line.sine].join();
		const next = [edge, edge - 1, edge + 1]
			.flatMap((near) => lowerLines.get(toKey(near)) ?? [])
			.find(({ glyphs: [first] }) => {
				const distance = (baseline - first.baseline) / em;
				const isAlike = Math.abs(first.em - em) <= SAME_SIZE * em;
				return isAlike && distance >= NEAREST_LINE && distance <= FARTHEST_LINE;
			});
		lowerLines.set(toKey(edge), line);
		if (next === undefined) continue;
		next.brokenWord = readBrokenWord(line);
		joinLines(line, next);
	}
	return lines;
}

/** The beginning of a word that goes on with the next line, such as "Co-". */
function readBrokenWord({ glyphs }: TextLine): string | undefined {
	const word = joinGlyphs(glyphs).split(' ').at(-1) ?? '';
	return /\p{L}$/u.test(word.slice(0, -1)) && isHyphen(word.slice(-1)) ? word : undefined;
}

function joinLines(line: TextLine, next: TextLine): void {
	line.text += next.text.slice(0, next.length);
	line.glyphs = [...line.glyphs, ...next.glyphs.slice(0, next.glyphCount)];
	const owners = next.owners.slice(0, next.length).map((owner) => owner + line.glyphCount);
	line.owners = [...line.owners, ...owners];
}

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

/** The lines on which a phrase stands. */
function listSpans({ line, rest, ...box }: Occurrence): Span[] {
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
function isLike(label: string, text: string): boolean {
	if (label.length < SHORT_LABEL) return text.includes(label);
	const half = Math.floor(label.length / 2) + 1;
	return text.includes(label.slice(0, half)) || text.includes(label.slice(-half));
}

/** Where a text may belong to another one. */
interface Surroundings {
	/** The text, without white space, and its lines. */
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

/**
 * Finds the text that belongs to another one: the nearest on its line, to the right; otherwise the
 * nearest below it, in its block.
 * @param label the text, and where it's meant
 * @param nexts where the next text stands
 * @param runs of the page
 * @returns none, the only one, or those that are in question
 */
export function findNext(
	label: { text: string; occurrence: Occurrence },
	nexts: readonly Occurrence[],
	side: NextSide,
	runs: Runs,
): Occurrence[] {
	const { line, page } = label.occurrence;
	const isParallel = ({ cosine, sine }: TextLine): boolean =>
		cosine === line.cosine && sine === line.sine;
	const surroundings: Surroundings = {
		label: normalizeText(label.text),
		anchor: listSpans(label.occurrence),
		pieces: listPieces(runs).filter((piece) => isParallel(piece.line)),
		candidates: nexts
			.filter((next) => next.page === page && isParallel(next.line))
			.map((next) => ({ ...listSpans(next)[0], occurrence: next })),
	};
	const right = side === 'below' ? [] : findRight(surroundings);
	const below = side === 'right' ? [] : findBelow(surroundings);
	// What stands in a column of its own may be another signer's.
	const isInDoubt = right.some((candidate) => findAbove(candidate, surroundings) !== undefined);
	const nearest = right.length === 0 ? below : [...right, ...(isInDoubt ? below : [])];
	return nearest.map(({ occurrence }) => occurrence);
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
	if (isLike(label, between.map(({ text }) => text).join(''))) return [];
	return onRight
		.filter(({ start }) => start <= nearest + SAME_DISTANCE)
		.filter((candidate) => !isLike(label, findAbove(candidate, surroundings)?.line.text ?? ''));
}

/** What stands right above a next text in its column, unless it's another one of them. */
function findAbove(next: Span, { pieces, candidates }: Surroundings): Piece | undefined {
	const above = pieces
		.filter((piece) => isAtEdge(piece, next) && !isOnLine(piece, next))
		.filter(({ base }) => base > next.base && base <= next.base + WIDEST_GAP * next.em)
		.filter(({ line }) => /[\p{L}\p{N}]/u.test(line.text))
		.sort((lower, upper) => lower.base - upper.base)
		.at(0);
	const isNext = candidates.some(
		(candidate) => above && isOnLine(candidate, above) && isAtEdge(candidate, above),
	);
	return isNext ? undefined : above;
}

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
		if (isLike(label, piece.line.text)) return [];
		// Texts over each other are no lines of a block.
		if (gap > ON_LINE * piece.em) widest = Math.min(widest, gap * MOST_UNEVEN);
		above = piece.base;
	}
	return [];
}
