import type { GlyphRun } from '../content/marks';

/** A glyph, measured along the direction of its line and across it. */
interface PlacedGlyph {
	/** Levelled, and so empty for white space. */
	text: string;
	start: number;
	end: number;
	baseline: number;
	em: number;
	height: number;
	hasSpaceBefore: boolean;
}

/** The glyphs of a line from left to right, without white space. */
export interface TextLine {
	/** The direction of the line. */
	cosine: number;
	sine: number;
	glyphs: PlacedGlyph[];
	/** Their texts, and the place in glyphs of each character of it. */
	text: string;
	owners: number[];
}

/** Baselines that are closer than this, in em, are one line. */
const SAME_LINE = 0.25;

/** The same character so near to itself, in em, is one that's printed twice to be bold. */
const SAME_GLYPH = 0.1;

/** Directions within a degree are one. */
const getDirection = ({ sine, cosine }: GlyphRun): number =>
	Math.round((Math.atan2(sine, cosine) * 180) / Math.PI + 360) % 360;

/** The lines of a page. */
export function findLines(runs: readonly GlyphRun[]): TextLine[] {
	const directions = new Map<number, GlyphRun[]>();
	for (const run of runs) {
		const direction = getDirection(run);
		directions.set(direction, directions.get(direction) ?? []);
		directions.get(direction)?.push(run);
	}
	return [...directions.values()].flatMap((parallelRuns) => buildLines(parallelRuns));
}

function buildLines(runs: readonly GlyphRun[]): TextLine[] {
	const [{ cosine, sine }] = runs;
	const glyphs = runs.flatMap((run) => placeGlyphs(run, cosine, sine));
	glyphs.sort((a, b) => a.baseline - b.baseline);
	const lines: PlacedGlyph[][] = [];
	for (const glyph of glyphs) {
		const line = lines.at(-1);
		const distance = glyph.baseline - (line?.[0].baseline ?? -Infinity);
		if (line !== undefined && distance <= SAME_LINE * Math.min(glyph.em, line[0].em))
			line.push(glyph);
		else lines.push([glyph]);
	}
	return lines.map((line) => buildLine(line, cosine, sine));
}

function placeGlyphs(run: GlyphRun, cosine: number, sine: number): PlacedGlyph[] {
	const { em, height } = run;
	return run.texts.map((text, index) => {
		const x = run.x + run.starts[index] * run.cosine;
		const y = run.y + run.starts[index] * run.sine;
		const start = x * cosine + y * sine;
		const end = start + run.ends[index] - run.starts[index];
		const baseline = y * cosine - x * sine;
		return { text: normalizeText(text), start, end, baseline, em, height, hasSpaceBefore: false };
	});
}

function buildLine(all: PlacedGlyph[], cosine: number, sine: number): TextLine {
	all.sort((a, b) => a.start - b.start);
	const line: TextLine = { cosine, sine, glyphs: [], text: '', owners: [] };
	let hasSpaceBefore = false;
	for (const glyph of all) {
		const before = line.glyphs.at(-1);
		if (glyph.text === '') hasSpaceBefore = true;
		else if (glyph.text !== before?.text || glyph.start - before.start >= SAME_GLYPH * glyph.em) {
			line.owners.push(...new Array<number>(glyph.text.length).fill(line.glyphs.length));
			line.glyphs.push({ ...glyph, hasSpaceBefore });
			hasSpaceBefore = false;
		}
	}
	line.text = line.glyphs.map(({ text }) => text).join('');
	return line;
}

/** Nothing of a text like that changes, which saves most of the time. */
const PLAIN = /^[A-Za-z0-9]+$/;

const QUOTES =
	/[\u2018-\u201b\u2032\u2035\u0060\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u055a\ua78c]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036\u301d-\u301f\u02ba\u02ee\u00ab\u00bb]/g;
const DASHES = /[\p{Pd}\u2043\u2212\u02d7\u00ad]/gu;
const INVISIBLE = /[\s\u200b-\u200f\u2060\ufeff]/g;

/** A text without white space, in which signs that look alike are the same. */
export const normalizeText = (text: string): string =>
	PLAIN.test(text)
		? text
		: text
				.replace(QUOTES, "'")
				.replace(DOUBLE_QUOTES, '"')
				.replace(DASHES, '-')
				.normalize('NFKC')
				.replace(INVISIBLE, '');
