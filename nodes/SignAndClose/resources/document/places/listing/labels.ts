import { findLines, NARROWEST_GAP } from '../../../../pdf/search/lines';
import { measureGap, WIDEST_GAP, type PlacedGlyph } from '../../../../pdf/search/pieces';
import type { PdfPage } from '../../../../pdf/pages';
import { readLabel } from '../formFields/fieldNames';

/* Short lines of text that look like the labels of places to sign. */

export interface Label {
	/** As it stands in the document, so that At a Text finds it. */
	text: string;
	page: number;
	/** The lower left corner of the text, in user space, and its size. */
	x: number;
	y: number;
	width: number;
	height: number;
	/** What is filled in there, and by whom, as far as its words say it. */
	type: string;
	party?: string;
}

/** A longer text is prose. */
const MOST_LETTERS = 60;

/** The labels of a page, from the top to the bottom. Text that isn't level is left out. */
export const findLabels = ({ number: page, runs }: PdfPage): Label[] =>
	findLines(runs)
		.flat()
		.filter(({ sine, cosine }) => sine === 0 && cosine > 0)
		.flatMap(({ glyphs }) => splitAtGaps(glyphs))
		.flatMap((glyphs): Label[] => {
			if (glyphs.length > MOST_LETTERS) return [];
			const text = joinGlyphs(glyphs);
			const meaning = readLabel(text);
			if (meaning === undefined) return [];
			const [first, last] = [glyphs[0], glyphs[glyphs.length - 1]];
			const size = { width: last.end - first.start, height: first.height };
			return [{ text, page, x: first.start, y: first.baseline, ...size, ...meaning }];
		})
		.sort((a, b) => b.y - a.y || a.x - b.x);

/** Signs of which lines are made are no part of a label. */
const isRule = ({ text }: PlacedGlyph): boolean => /^[_.\-…]+$/.test(text);

/** The texts of a line: wide gaps and drawn lines are between them. */
function splitAtGaps(glyphs: readonly PlacedGlyph[]): PlacedGlyph[][] {
	const parts: PlacedGlyph[][] = [];
	let before: PlacedGlyph | undefined;
	for (const glyph of glyphs) {
		const isNear = before !== undefined && measureGap(before, glyph) <= WIDEST_GAP;
		const follows = isNear && !(isRule(glyph) && isRule(before!));
		if (!follows) parts.push([]);
		parts[parts.length - 1].push(glyph);
		before = glyph;
	}
	return parts.filter((part) => part.some((glyph) => !isRule(glyph)));
}

/** The text of glyphs, with spaces between words, without the lines around it. */
export const joinGlyphs = (glyphs: readonly PlacedGlyph[]): string =>
	glyphs
		.map(({ drawn, hasSpaceBefore }, index) => {
			const isApart = index > 0 && measureGap(glyphs[index - 1], glyphs[index]) > NARROWEST_GAP;
			return (index > 0 && (hasSpaceBefore || isApart) ? ' ' : '') + drawn;
		})
		.join('')
		.replace(/^[^\p{L}\p{N}]+|[\s_:…]+$/gu, '');
