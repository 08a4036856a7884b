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
	/^[-\u2010\u2011\u2013\u00ad\u2043\u2212\ufe63\uff0d]$/.test(text);
