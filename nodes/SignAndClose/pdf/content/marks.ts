import type { Rectangle } from '../document/pageTree';
import { SIGN_GLYPH } from '../fonts/characters';
import type { PdfObject } from '../syntax/objects';
import { decodeTextString } from '../syntax/textStrings';
import type { Matrix } from './matrix';

/** Glyphs that follow each other on a line, in user space. */
export interface GlyphRun {
	/** Where the line's zero is, on the baseline. */
	x: number;
	y: number;
	/** The direction in which the line goes, as a vector of length 1. */
	cosine: number;
	sine: number;
	/** How wide an em is along the line, and how high above it. */
	em: number;
	height: number;
	/** The text of each glyph, and where it begins and ends along the line. */
	texts: string[];
	starts: number[];
	ends: number[];
}

/** How far from the line of a run its glyphs may stand, in em. */
const SAME_LINE = 0.01;

/** A text that no letter or sign that people know is in. */
const UNNAMED = /^[\s\ufffc\ufffd\p{Co}]*$/u;

/** Whether that's a letter that nobody knows, or a sign. */
const isPuzzling = (text: string): boolean =>
	UNNAMED.test(text) && text.trim() !== '' && text !== SIGN_GLYPH;

/** Bytes of a text, such as of "ffi" in UTF-16. A longer one says too little of where its words are. */
const LONGEST_LIGATURE = 8;

const isNear = (left: number, right: number): boolean => Math.abs(left - right) < 1e-6;

/** What's on a page. */
export class Marks {
	readonly runs: GlyphRun[] = [];

	/** Glyphs of which it's known what they are and where. */
	known = 0;

	/** Glyphs that are only there to be found, as programs add them that recognize text in a picture. */
	invisible = 0;

	/** Glyphs of which nobody knows where they are. */
	lost = 0;

	/** Glyphs that are letters nobody knows, or signs. */
	puzzling = 0;

	/** What the sequence that was opened last stands for (14.9.4), and how many glyphs are in it. */
	private sequence = { text: '', count: 0 };

	/** Form fields and text boxes with a text that viewers make up. */
	unreadAnnotations = 0;

	/** In square units of user space; pictures on top of each other count each. */
	pictureArea = 0;

	/** Curves that are drawn, of which outlines of letters have many. */
	curves = 0;

	constructor(
		/** What viewers show of the page. */
		public visible: Rectangle,
	) {}

	/**
	 * Adds a glyph, unless it's outside of what viewers show.
	 * @param text undefined if it isn't certain where it is
	 * @param matrix from text space at font size 1 to user space, at the glyph's origin
	 * @param width in that text space
	 */
	addGlyph(text: string | undefined, matrix: Matrix, width: number, emHeight: number): void {
		const [a, b, c, d, x, y] = matrix;
		const { left, right, bottom, top } = this.visible;
		const [middleX, middleY] = [x + (a * width) / 2, y + (b * width) / 2];
		if (!(middleX >= left && middleX <= right && middleY >= bottom && middleY <= top)) return;
		const unit = Math.hypot(a, b);
		if (text === undefined) this.lost++;
		if (text === undefined || unit === 0) return;
		if (!UNNAMED.test(text)) this.known++;
		else if (isPuzzling(text)) this.puzzling++;
		this.sequence.count++;
		const [em, height] = [unit * emHeight, Math.hypot(c, d) * emHeight];
		const run = this.findRun({ x, y, cosine: a / unit, sine: b / unit, em, height });
		const start = (x - run.x) * run.cosine + (y - run.y) * run.sine;
		run.texts.push(text);
		run.starts.push(start);
		run.ends.push(start + width * unit);
	}

	/** Begins a sequence of marked content, with the text that it stands for, if it has one. */
	openSequence(actualText: PdfObject): void {
		const isText = actualText instanceof Uint8Array && actualText.length <= LONGEST_LIGATURE;
		this.sequence = { text: isText ? decodeTextString(actualText) : '', count: 0 };
	}

	/** Ends a sequence. If its only glyph is one that nobody knows, its text says what that is. */
	closeSequence(): void {
		const { text, count } = this.sequence;
		this.sequence = { text: '', count: 0 };
		const { texts = [], starts = [], ends = [] } = this.runs.at(-1) ?? {};
		const last = texts.length - 1;
		const isWide = ends[last] > starts[last];
		if (UNNAMED.test(text) || count !== 1 || !isPuzzling(texts[last]) || !isWide) return;
		texts[last] = text;
		this.puzzling--;
		this.known++;
	}

	/** The run that a glyph goes on, or a new one. */
	private findRun(glyph: Omit<GlyphRun, 'texts' | 'starts' | 'ends'>): GlyphRun {
		const last = this.runs.at(-1);
		if (last !== undefined && isNear(last.em, glyph.em) && isNear(last.height, glyph.height)) {
			const isTurned = !isNear(last.cosine, glyph.cosine) || !isNear(last.sine, glyph.sine);
			const off = (glyph.y - last.y) * last.cosine - (glyph.x - last.x) * last.sine;
			if (!isTurned && Math.abs(off) < SAME_LINE * glyph.em) return last;
		}
		const run: GlyphRun = { ...glyph, texts: [], starts: [], ends: [] };
		this.runs.push(run);
		return run;
	}
}
