import type { Rectangle } from '../document/pageTree';
import type { Matrix } from './matrix';

/** Glyphs that follow each other on a line, in user space. */
export interface Run {
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

/** How far from its line a glyph may stand, and how large a step back may be, in em. */
const SAME_LINE = 0.01;

/** The runs of a page, with how many of its glyphs are known. */
export class Runs {
	readonly runs: Run[] = [];

	glyphs = 0;

	known = 0;

	constructor(private readonly visible: Rectangle) {}

	/**
	 * Adds a glyph, unless it's outside of what viewers show.
	 * @param text undefined if it isn't certain what it is or where it is
	 * @param matrix from text space at font size 1 to user space, at the glyph's origin
	 * @param width in that text space
	 */
	add(text: string | undefined, matrix: Matrix, width: number, emHeight: number): void {
		const [a, b, c, d, x, y] = matrix;
		const { left, right, bottom, top } = this.visible;
		const [middleX, middleY] = [x + (a * width) / 2, y + (b * width) / 2];
		if (!(middleX >= left && middleX <= right && middleY >= bottom && middleY <= top)) return;
		if (text === undefined || text.trim() !== '') this.glyphs++;
		const unit = Math.hypot(a, b);
		if (text === undefined || unit === 0) return;
		if (text.trim() !== '') this.known++;
		const run = this.runOf(x, y, a / unit, b / unit, unit * emHeight, Math.hypot(c, d) * emHeight);
		const start = (x - run.x) * run.cosine + (y - run.y) * run.sine;
		run.texts.push(text);
		run.starts.push(start);
		run.ends.push(start + width * unit);
	}

	private runOf(
		x: number,
		y: number,
		cosine: number,
		sine: number,
		em: number,
		height: number,
	): Run {
		const last = this.runs.at(-1);
		if (last !== undefined && Math.abs(last.em - em) + Math.abs(last.height - height) < em / 1000) {
			const turned = Math.abs(last.cosine - cosine) + Math.abs(last.sine - sine);
			const off = (y - last.y) * last.cosine - (x - last.x) * last.sine;
			if (turned < 1e-6 && Math.abs(off) < SAME_LINE * em) return last;
		}
		const run: Run = { x, y, cosine, sine, em, height, texts: [], starts: [], ends: [] };
		this.runs.push(run);
		return run;
	}
}
