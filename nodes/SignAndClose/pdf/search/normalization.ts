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

/** Whether a dash joins two parts of a word, as in "Co-Borrower"; a long one separates words. */
export const isHyphen = (text: string): boolean =>
	/^[-\u2010\u2011\u2013\u00ad\ufe63\uff0d]$/.test(text);

export const isCombining = (text: string): boolean => /^\p{M}$/u.test(text);

/** Accents that have a width of their own, and the combining characters that look like them. */
const SPACING_ACCENTS = '´`¨ˆ˜¯˘˙˚¸˝˛ˇ';
const COMBINING_ACCENTS =
	'\u0301\u0300\u0308\u0302\u0303\u0304\u0306\u0307\u030a\u0327\u030b\u0328\u030c';

/** The combining character of a glyph that may be an accent; undefined if it's none. */
export function findAccent(text: string): string | undefined {
	if (PLAIN.test(text)) return undefined;
	const index = SPACING_ACCENTS.indexOf(text);
	if (text.length === 1 && index >= 0) return COMBINING_ACCENTS[index];
	return isCombining(text) ? text : undefined;
}

/** A letter with its accent. */
export const addAccent = (letter: string, accent: string): string =>
	normalizeText(letter.replace('ı', 'i') + accent);
