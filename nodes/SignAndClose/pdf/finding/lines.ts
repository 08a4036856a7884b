import type { Run } from '../content/runs';
import { levelled } from './levelling';

/** The glyphs of a line from left to right, without those that only are white space. */
export interface Line {
	/** The direction of the line. */
	cosine: number;
	sine: number;
	/** Of each glyph: along the line, and above the page's zero. */
	starts: number[];
	ends: number[];
	baselines: number[];
	ems: number[];
	heights: number[];
	hasSpaceBefore: boolean[];
	/** Their levelled texts, and the glyph of each character of it. */
	text: string;
	glyphs: number[];
}

interface PlacedGlyph {
	text: string;
	start: number;
	end: number;
	baseline: number;
	em: number;
	height: number;
}

/** Baselines that are closer than this, in em, are one line. */
const SAME_LINE = 0.25;

/** The same character so near to itself, in em, is one that's printed twice to be bold. */
const SAME_GLYPH = 0.1;

/** Directions within a degree are one. */
const directionOf = (run: Run): number =>
	Math.round((Math.atan2(run.sine, run.cosine) * 180) / Math.PI + 360) % 360;

/** The lines of a page. */
export function linesOf(runs: readonly Run[]): Line[] {
	const directions = new Map<number, Run[]>();
	for (const run of runs) {
		const direction = directionOf(run);
		const others = directions.get(direction);
		if (others === undefined) directions.set(direction, [run]);
		else others.push(run);
	}
	return [...directions.values()].flatMap((each) => linesOfDirection(each));
}

function linesOfDirection(runs: readonly Run[]): Line[] {
	const [{ cosine, sine }] = runs;
	const glyphs = runs.flatMap((run) => placedGlyphs(run, cosine, sine));
	glyphs.sort((a, b) => a.baseline - b.baseline);
	const lines: PlacedGlyph[][] = [];
	let last: PlacedGlyph | undefined;
	for (const glyph of glyphs) {
		const distance = SAME_LINE * Math.min(glyph.em, last?.em ?? 0);
		if (last === undefined || glyph.baseline - last.baseline > distance) {
			lines.push([glyph]);
			last = glyph;
		} else lines[lines.length - 1].push(glyph);
	}
	return lines.map((line) => lineOf(line, cosine, sine));
}

function placedGlyphs(run: Run, cosine: number, sine: number): PlacedGlyph[] {
	const { em, height } = run;
	return run.texts.map((text, index) => {
		const x = run.x + run.starts[index] * run.cosine;
		const y = run.y + run.starts[index] * run.sine;
		const start = x * cosine + y * sine;
		const end = start + run.ends[index] - run.starts[index];
		return { text: levelled(text), start, end, baseline: y * cosine - x * sine, em, height };
	});
}

function lineOf(glyphs: PlacedGlyph[], cosine: number, sine: number): Line {
	glyphs.sort((a, b) => a.start - b.start);
	const shown: PlacedGlyph[] = [];
	const line: Line = {
		...{ cosine, sine, text: '', glyphs: [], hasSpaceBefore: [] },
		...{ starts: [], ends: [], baselines: [], ems: [], heights: [] },
	};
	let hasSpaceBefore = false;
	for (const glyph of glyphs) {
		const before = shown.at(-1);
		if (glyph.text === '') hasSpaceBefore = true;
		else if (glyph.text !== before?.text || glyph.start - before.start >= SAME_GLYPH * glyph.em) {
			shown.push(glyph);
			line.hasSpaceBefore.push(hasSpaceBefore);
			for (let n = 0; n < glyph.text.length; n++) line.glyphs.push(shown.length - 1);
			hasSpaceBefore = false;
		}
	}
	line.text = shown.map(({ text }) => text).join('');
	line.starts = shown.map(({ start }) => start);
	line.ends = shown.map(({ end }) => end);
	line.baselines = shown.map(({ baseline }) => baseline);
	line.ems = shown.map(({ em }) => em);
	line.heights = shown.map(({ height }) => height);
	return line;
}
