import { execFileSync } from 'node:child_process';

import type { Line } from '../blocks.mts';

/**
 * Where the characters of a made PDF are, for tools that don't say what they have drawn: as Ghostscript's
 * own reader sees them, in the order in which they're drawn, to a point.
 */

const HEIGHT = 792;

/** Wider gaps, in points, separate what a person sees apart. */
const WIDEST_GAP = 14;

/** Wider ones, in points, are between words, with or without a space. */
const WORD_GAP = 3;

const OPTIONS = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=txtwrite', '-dTextFormat=0'];

interface Character {
	left: number;
	right: number;
	baseline: number;
	text: string;
}

export function readPrintedLines(path: string): Line[] {
	const answer = execFileSync('gs', [...OPTIONS, '-sOutputFile=-', path], {
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
	});
	return answer
		.split('<page>')
		.slice(1)
		.flatMap((page, index) => joinLines([...readCharacters(page)], index + 1));
}

function* readCharacters(page: string): Generator<Character> {
	let isSign = false;
	for (const [, font, left, top, right, text] of page.matchAll(
		/ font="([^"]*)"|<char bbox="(-?\d+) (-?\d+) (-?\d+) -?\d+" c="([^"]*)"/g,
	)) {
		if (font !== undefined) isSign = /Dingbats|Symbol/.test(font);
		else
			yield {
				left: Number(left),
				right: Number(right),
				baseline: HEIGHT - Number(top),
				text: isSign ? '\u2751' : decode(text),
			};
	}
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (text: string): string =>
	text
		.replace(/&#x([0-9a-f]+);/gi, (_, code: string) => decodeCode(Number.parseInt(code, 16)))
		.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => NAMED[name])
		.replace(/\t/g, ' ')
		.normalize('NFKC');

/** What's behind the first letter of a ligature of three, which Ghostscript adds up. */
const SUMS: Record<number, string> = { 0xcf: 'fi', 0xd2: 'fl', 0xda: 'ft' };

/** Of the letters of a ligature Ghostscript swaps the bytes. */
function decodeCode(code: number): string {
	const [high, low] = [code >> 8, code & 0xff];
	if (low !== 0 || code === 0) return String.fromCodePoint(code);
	return SUMS[high] ?? (high < 0x80 ? String.fromCodePoint(high) : String.fromCodePoint(code));
}

/** A line goes on as long as each character is drawn right after the one before. */
function joinLines(characters: Character[], page: number): Line[] {
	const lines: Line[] = [];
	let before: Character | undefined;
	for (const character of characters) {
		const gap = character.left - (before?.right ?? -Infinity);
		const isNext = before?.baseline === character.baseline && gap > -3 && gap < WIDEST_GAP;
		if (!isNext) lines.push({ page, text: '', xs: [], baselines: [] });
		const line = lines[lines.length - 1];
		const isApart = gap >= WORD_GAP && before?.text !== ' ' && character.text !== ' ';
		if (isNext && isApart) append(line, ' ', character);
		append(line, character.text, character);
		before = character;
	}
	return lines;
}

function append(line: Line, text: string, { left, baseline }: Character) {
	for (const unit of text.split('')) {
		line.text += unit;
		line.xs.push(left);
		line.baselines.push(baseline);
	}
}
