import type { GlyphRun } from '../content/marks';
import { Budget, type Pause } from '../bounds/limits';
import { findLines, NARROWEST_GAP, SAME_TEXT, type TextLine } from './lines';
import { SIGN_GLYPH } from '../fonts/characters';
import { isHyphen, normalizeText } from './normalization';
import { measureGap } from './pieces';

export interface Phrase {
	text: string;
	/** Longer phrases that have this one in them, which aren't meant: "Co-Borrower Signature". */
	notInside?: readonly string[];
	/** Whether to find it as a part of longer words, too. */
	inWords?: boolean;
}

/** Where a phrase stands, in user space; of a phrase in two lines, the first one. */
export interface Occurrence {
	/** The page's number. */
	page: number;
	/** The lower left corner of a box from the baseline to the height of the font. */
	x: number;
	y: number;
	width: number;
	height: number;
	/** What stands around it on its line, with it: "Co-Borrower Signature Date". */
	around: string;
	/** The longer word that it's only a part of, if these are wanted. */
	inWord?: string;
	/** The line, and the box on the second one. */
	line: TextLine;
	rest?: Box;
}

type Box = Pick<Occurrence, 'x' | 'y' | 'width' | 'height'>;

/** How many characters are shown before a phrase and behind it. */
const AROUND = 25;

/** How much of a word a message shows. */
const LONGEST_WORD = 60;

/** First and last glyph of a line that make up a phrase, and the longer word that it's only a part of. */
interface Match {
	first: number;
	last: number;
	around: string;
	inWord?: string;
}

/**
 * Finds phrases where they stand on a line, or on a whole line and the next that goes on with it, as
 * whole words; a hyphenated word is one. White space doesn't matter, nor do the kinds of quotes and
 * dashes, and ligatures are the letters that they stand for. A phrase that's printed over itself is
 * found once.
 * @param pause lets others work, after each 25 ms
 * @param readLines the lines of a page as findLines(), which may have the next one's text, too
 * @returns for each phrase where it is, from page to page and from the top to the bottom
 */
export async function findPhrases(
	pages: ReadonlyArray<{ number: number; runs: GlyphRun[] }>,
	phrases: readonly Phrase[],
	pause: Pause,
	readLines = findLines,
): Promise<Occurrence[][]> {
	const budget = new Budget(pause);
	const occurrences = phrases.map((): Occurrence[] => []);
	for (const page of pages) {
		await budget.pauseIfDue();
		for (const texts of readLines(page.runs)) {
			for (const [index, phrase] of phrases.entries())
				for (const box of findOnLine(texts, phrase))
					occurrences[index].push({ page: page.number, ...box });
		}
	}
	for (const list of occurrences) list.sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
	return occurrences;
}

/** Where a phrase begins on a line. Of places in texts over each other that overlap, the first one counts. */
function findOnLine(texts: TextLine[], { text, notInside = [], inWords = false }: Phrase) {
	const lineMatches = texts.flatMap((line) => {
		const matches = findMatches(line, text);
		const longerMatches = (matches.length === 0 ? [] : notInside).flatMap((longerPhrase) =>
			findMatches(line, longerPhrase),
		);
		const isInside = ({ first, last }: Match): boolean =>
			longerMatches.some((longer) => longer.first <= first && longer.last >= last);
		const toLineMatch = (match: Match) => ({ line, match, start: line.glyphs[match.first].start });
		return matches.filter((match) => !isInside(match)).map(toLineMatch);
	});
	lineMatches.sort((a, b) => a.start - b.start);
	let free = -Infinity;
	return lineMatches.flatMap(({ line, match, start }) => {
		const { end, em } = line.glyphs[Math.min(match.last, line.glyphCount - 1)];
		const isWhole = match.inWord === undefined;
		if (isWhole ? start < free : !inWords) return [];
		if (isWhole) free = end - SAME_TEXT * em;
		return [buildOccurrence(line, match)];
	});
}

/** What's unknown may be a letter. */
const isLetter = (text = ''): boolean => /^[\p{L}\p{N}\p{M}\ufffd]$/u.test(text);

/** The places at which a phrase begins on a line. Behind a whole line, it may go on with a word on the next one. */
function findMatches(line: TextLine, phrase: string): Match[] {
	const pattern = normalizeText(phrase);
	const matches: Match[] = [];
	if (pattern === '') return matches;
	const { text, owners, length } = line;
	let wordEnd = -1;
	for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
		let last = at + pattern.length - 1;
		if (last >= length && (at > 0 || !isBetweenWords(phrase, length))) continue;
		const gap = measureNarrowestGap(line, owners[at], owners[last]);
		const around = writeAround(line, at, last, gap);
		const match = { first: owners[at], last: owners[last], around };
		const [from, to] = [holdDash(line, at, at - 1, gap), holdDash(line, last, last + 1, gap)];
		const { brokenWord = '' } = at > 0 ? {} : line;
		const isWhole =
			from === at && to === last && !isInWord(line, at - 1, gap) && !isInWord(line, last, gap);
		if (isWhole && brokenWord === '') {
			matches.push(match);
			// The rest of a ruled line is the same place.
			const isOfSigns = ![...pattern].some(isLetter);
			while (isOfSigns && text[last + 1] === text[last] && isJoined(line, last, 0)) last++;
			at = last;
		} else if (at > wordEnd) {
			const word = readWord(line, from, to, gap);
			matches.push({ ...match, inWord: brokenWord + word.text });
			wordEnd = word.end;
		}
	}
	return matches;
}

/** Whether white space stands behind so many characters of a phrase. */
const isBetweenWords = (phrase: string, count: number): boolean =>
	[...phrase.matchAll(/\s+/g)].some(
		({ index }) => normalizeText(phrase.slice(0, index)).length === count,
	);

/** The narrowest gap between glyphs next to each other, in em. */
function measureNarrowestGap({ glyphs }: TextLine, first: number, last: number): number {
	let narrowest = first < last ? Infinity : 0;
	for (let index = first + 1; index <= last; index++)
		narrowest = Math.min(narrowest, measureGap(glyphs[index - 1], glyphs[index]));
	return Math.max(0, narrowest);
}

/** Whether a character and the next one stand together, in a text that's spaced out by a gap. */
function isJoined({ glyphs, owners }: TextLine, at: number, gap: number): boolean {
	const [left, right] = [glyphs[owners[at]], glyphs[owners[at + 1]]];
	if (left === right) return true;
	return !right.hasSpaceBefore && measureGap(left, right) <= NARROWEST_GAP + gap;
}

/** The end of a phrase, or the letter beyond it to which its dash belongs, as in "Co-". */
const holdDash = (line: TextLine, end: number, beyond: number, gap: number): number =>
	line.text[end] === '-' &&
	isLetter(line.text[beyond]) &&
	isJoined(line, Math.min(end, beyond), gap)
		? beyond
		: end;

/** Whether a character and the next one belong to one word. */
function isInWord(line: TextLine, at: number, gap: number): boolean {
	const { text, owners, glyphs } = line;
	const isBetweenLetters = (left: number): boolean =>
		isLetter(text[left - 1]) &&
		isHyphen(glyphs[owners[left]].drawn) &&
		isLetter(text[left + 1]) &&
		isJoined(line, left - 1, gap) &&
		isJoined(line, left, gap);
	if (at < 0 || at + 1 >= text.length) return false;
	if (isLetter(text[at]) && isLetter(text[at + 1])) return isJoined(line, at, gap);
	return isBetweenLetters(at) || isBetweenLetters(at + 1);
}

/** The words around characters, and where they end. */
function readWord(line: TextLine, from: number, to: number, gap: number) {
	let [start, end] = [from, to];
	while (isInWord(line, start - 1, gap)) start--;
	while (isInWord(line, end, gap)) end++;
	return { text: writeText(line, start, Math.min(end, start + LONGEST_WORD), gap), end };
}

/** The characters around a phrase, as far as no column ends; of a phrase in two lines, on both. */
function writeAround(line: TextLine, from: number, to: number, gap: number): string {
	const count = to < line.length ? line.length : line.text.length;
	const [start, end] = [Math.max(0, from - AROUND), Math.min(count - 1, to + AROUND)];
	const text = writeText(line, start, end, gap).replaceAll(SIGN_GLYPH, '').trim();
	return `${start > 0 ? '…' : ''}${text}${end < count - 1 ? '…' : ''}`;
}

/** Characters of a line, with spaces between words. */
function writeText(line: TextLine, from: number, to: number, gap: number): string {
	let text = '';
	for (let at = from; at <= to; at++)
		text += line.text[at] + (at < to && !isJoined(line, at, gap) ? ' ' : '');
	return text;
}

function buildOccurrence(line: TextLine, { first, last, ...words }: Match) {
	const { glyphCount } = line;
	return {
		...{ line, ...buildBox(line, first, Math.min(last, glyphCount - 1)), ...words },
		...(last >= glyphCount && { rest: buildBox(line, glyphCount, last) }),
	};
}

/** The box around glyphs of a line, in user space. */
function buildBox({ cosine, sine, glyphs }: TextLine, first: number, last: number): Box {
	const { start, baseline, height: up } = glyphs[first];
	const along = glyphs[last].end - start;
	const x = start * cosine - baseline * sine;
	const y = start * sine + baseline * cosine;
	const [alongX, alongY] = [along * cosine, along * sine];
	const [upX, upY] = [-up * sine, up * cosine];
	return {
		x: x + Math.min(0, alongX) + Math.min(0, upX),
		y: y + Math.min(0, alongY) + Math.min(0, upY),
		width: Math.abs(alongX) + Math.abs(upX),
		height: Math.abs(alongY) + Math.abs(upY),
	};
}
