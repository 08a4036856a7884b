import type { Answer } from '../askNode.mts';
import { isInWord, type Place } from '../truth.mts';

/** What a reader of PDFs sees, apart from the node's own. */
export interface Judge {
	name: string;
	words: SeenWord[];
	/** How far, in points, its places of words may be wrong. */
	tolerance: number;
}

/** A word between white space, or a part of one. */
export interface SeenWord extends Place {
	text: string;
	/** Whether white space is before it. */
	beginsWord: boolean;
	/** Where it ends. */
	right: number;
}

/**
 * Found: a judge sees each place, and none that isn't found. Misplaced: no judge sees the text there.
 * Not seen: a judge sees more of them, on pages that the node reads. Refused: with a reason, though a
 * judge sees it. Not there: for the node and the judges.
 */
export type Verdict = 'found' | 'misplaced' | 'not seen' | 'refused' | 'not there';

export function judge(answer: Answer, judges: Judge[], phrase: string): Verdict {
	const seen = judges.map((each) => findSeen(each, phrase));
	const most = Math.max(...seen.map(({ length }) => length));
	if (!('places' in answer)) {
		if (most === 0) return 'not there';
		return answer.refused.includes("isn't on page") && !/ page \d+ (is|has) /.test(answer.refused)
			? 'not seen'
			: 'refused';
	}
	const isSeen = (place: Place) =>
		judges.some(({ tolerance }, index) =>
			seen[index].some(
				(other) =>
					other.page === place.page &&
					Math.hypot(other.x - place.x, other.y - place.y) <= tolerance,
			),
		);
	if (!answer.places.every(isSeen)) return 'misplaced';
	return answer.places.length < most ? 'not seen' : 'found';
}

const level = (text: string): string =>
	text
		.replace(/[‘’ʼ´`]/g, "'")
		.replace(/[“”]/g, '"')
		.normalize('NFKC')
		.replace(/\s/g, '');

const isLetter = (text: string | undefined): boolean =>
	text !== undefined && /^[\p{L}\p{N}\p{M}]/u.test(text);

/** Kinds of dashes don't matter, but for where words end. */
const levelDashes = (text: string): string => text.replace(/[‐-―−]/g, '-');

/** A wider gap, in points, is between columns. */
const WIDEST_GAP = 18;

/** Where a phrase begins among words that follow each other on a line. */
export function findSeen({ words }: Judge, phrase: string): Place[] {
	const wanted = levelDashes(level(phrase));
	const places: Place[] = [];
	for (const [first, word] of words.entries()) {
		const raw = level(word.text);
		const text = levelDashes(raw);
		for (let at = text.indexOf(wanted[0]); at >= 0; at = text.indexOf(wanted[0], at + 1)) {
			const touches = at === 0 && !word.beginsWord && isRightBehind(word, words[first - 1]);
			if (touches || isInWord(raw, at)) continue;
			if (goesOn(words, first, at, wanted))
				places.push({
					page: word.page,
					x: word.x + ((word.right - word.x) * at) / text.length,
					y: word.y,
				});
		}
	}
	return places;
}

/** Whether a word goes on with the letters of the one before. */
const isRightBehind = (word: SeenWord, before: SeenWord | undefined): boolean =>
	before !== undefined &&
	isLetter(before.text.at(-1)) &&
	Math.abs(before.y - word.y) < 3 &&
	Math.abs(before.right - word.x) < 1;

/** Whether the words from one on are the wanted text, and then a word ends. */
function goesOn(words: SeenWord[], first: number, at: number, wanted: string): boolean {
	let text = level(words[first].text).slice(at);
	let last = first;
	while (text.length < wanted.length && wanted.startsWith(levelDashes(text))) {
		const [word, next] = [words[last], words[last + 1]];
		const isNear =
			next?.page === word.page &&
			Math.abs(next.y - word.y) < 3 &&
			Math.abs(next.x - word.right) < WIDEST_GAP;
		if (!isNear) return false;
		text += level(next.text);
		last++;
	}
	if (!levelDashes(text).startsWith(wanted)) return false;
	const next = words[last + 1];
	return !isInWord(text + (next?.beginsWord === false ? next.text : ''), wanted.length);
}

export const describeSeen = (judges: Judge[], phrase: string): string =>
	judges
		.map((each) => {
			const places = findSeen(each, phrase).map(
				({ page, x, y }) => `${page}:${Math.round(x)},${Math.round(y)}`,
			);
			return `${each.name}: ${places.join(' ') || '-'}`;
		})
		.join('\t');
