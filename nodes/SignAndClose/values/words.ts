/* Joins the words of messages, hints and errors. */

const LIST = new Intl.ListFormat('en-GB');
const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Joins the sentences that there are, each without its final period. */
export const joinSentences = (...parts: Array<string | false | null | undefined>): string =>
	parts.filter(Boolean).join('. ');

/** Joins parts of a sentence, e.g. "2, 4 and 7". */
export const joinWithAnd = (parts: ReadonlyArray<string | number>): string =>
	LIST.format(parts.map(String));

/** Joins what can be chosen, e.g. "2, 4 or 7". */
export const joinWithOr = (parts: readonly string[]): string => CHOICE.format(parts);

/** A name in quotes, as messages show it. */
export const quote = (name: string): string => `'${name}'`;

/** Joins names in quotes, e.g. "'Loan Number', 'Type'". */
export const joinQuoted = (names: readonly string[]): string => names.map(quote).join(', ');

/** Numbers texts of which there are several, e.g. "(1) No signer", "(2) No document". */
export const withNumbers = (texts: readonly string[]): string[] =>
	texts.map((text, index) => `(${index + 1}) ${text}`);

/** A text that begins a sentence. */
export const toCapitalized = (text: string): string =>
	text.replace(/^./, (letter) => letter.toUpperCase());

/** A word with its article, e.g. "a notary", "an order". */
export const withArticle = (word: string): string =>
	`${/^(?:[aeio]|u(?!ni|s)|XML\b)/i.test(word) ? 'an' : 'a'} ${word}`;
