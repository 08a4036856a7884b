/** Nothing of a text like that changes, which saves most of the time. */
const PLAIN = /^[A-Za-z0-9]+$/;

const QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u0060\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\u00ad]/g;
const INVISIBLE = /[\s\u200b-\u200f\u2060\ufeff]/g;

/** A text without white space, in which signs that look alike are the same. */
export const levelled = (text: string): string =>
	PLAIN.test(text)
		? text
		: text
				.replace(QUOTES, "'")
				.replace(DOUBLE_QUOTES, '"')
				.replace(DASHES, '-')
				.normalize('NFKC')
				.replace(INVISIBLE, '');
