/**
 * How many letters have to be added, removed or replaced to make one text of another (Levenshtein).
 */
export function computeEditDistance(from: string, to: string): number {
	let previous = Array.from({ length: to.length + 1 }, (_none, column) => column);
	for (const [row, letter] of [...from].entries()) {
		const next = [row + 1];
		for (const [column, otherLetter] of [...to].entries())
			next.push(
				Math.min(
					previous[column] + (letter === otherLetter ? 0 : 1),
					previous[column + 1] + 1,
					next[column] + 1,
				),
			);
		previous = next;
	}
	return previous[to.length];
}

/** How much of a text may be misspelled. */
const MOST_MISSPELLED = 1 / 4;

/** Whether a text is nearly the expected one. Both are written alike, e.g. in small letters. */
export function isMisspelled(text: string, expected: string): boolean {
	const tolerance = expected.length * MOST_MISSPELLED;
	return (
		text.length <= expected.length + tolerance && computeEditDistance(text, expected) <= tolerance
	);
}
