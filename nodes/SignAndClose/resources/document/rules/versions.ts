import { splitWords } from './rules';

/* Whether two names are of one paper, one of them of a newer version. */

/**
 * What a name says of a version, and not of the paper: such words with their numbers, and dates. The words
 * of the name stand with one space between them.
 */
const OF_VERSION =
	/(?<!\S)(?:(?:copy(?: of)?|corrected|draft|edition|final|latest|new|r|redrawn?|rev|revised|revision|updated?|v|ver|version)(?: ?\d+)*|\d{6}|\d{8}|\d{1,4}(?: \d{1,4})+)(?!\S)/g;

/** The words and the numbers that tell a paper. */
function splitOwnWords(name: string): { words: string[]; numbers: string[] } {
	const tellingWords = splitWords(splitWords(name).join(' ').replace(OF_VERSION, ' '));
	const isNumber = (word: string) => /^\d+$/.test(word);
	return {
		words: tellingWords.filter((word) => !isNumber(word)).sort(),
		numbers: tellingWords.filter(isNumber),
	};
}

/**
 * Whether two names have the same words but for those that say a version. A number that only one has, e.g.
 * of the loan, makes no difference, while "Addendum 1" and "Addendum 2" are two papers.
 */
export function isSamePaper(left: string, right: string): boolean {
	const [first, second] = [left, right].map(splitOwnWords);
	const isWithin = (numbers: string[], all: string[]) =>
		numbers.every((number) => all.includes(number));
	return (
		first.words.length > 0 &&
		first.words.join(' ') === second.words.join(' ') &&
		(isWithin(first.numbers, second.numbers) || isWithin(second.numbers, first.numbers))
	);
}
