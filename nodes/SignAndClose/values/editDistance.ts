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
