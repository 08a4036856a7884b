/*
 * Which names the words of a rule fit: they stand in the name one after the other, each of them as a
 * whole. Capital letters, spaces and punctuation make no difference, so that "Deed of Trust" is in
 * "DEED_OF-TRUST (final)", and "Note" isn't in "Notice".
 */

/** The words of a text: its letters and digits, in small letters. */
export const wordsOf = (text: string): string[] =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether a name has one of these groups of words; no group is in every name. */
export function fits(groups: readonly string[][], name: string): boolean {
	const own = wordsOf(name);
	return (
		groups.length === 0 ||
		groups.some((words) =>
			own.some((_one, at) => words.every((word, more) => own[at + more] === word)),
		)
	);
}
