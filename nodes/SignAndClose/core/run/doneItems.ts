/** The most groups of items that are listed. */
const MOST_GROUPS = 20;

/**
 * Says which items were done although the run stopped. A new execution would do them again.
 * @param indexes of the items, ascending, from 0
 * @returns undefined when there are none
 */
export function describeDone(indexes: number[]): string | undefined {
	if (indexes.length === 0) return undefined;
	const groups: Array<{ from: number; to: number }> = [];
	for (const index of indexes) {
		const last = groups.at(-1);
		if (last !== undefined && last.to === index - 1) last.to = index;
		else groups.push({ from: index, to: index });
	}
	const shown = groups.slice(0, MOST_GROUPS).flatMap(named);
	const left = groups.slice(MOST_GROUPS).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	if (left > 0) shown.push(`${left} others`);
	const list = new Intl.ListFormat('en-GB').format(shown);
	return indexes.length === 1
		? `Item ${list} is done: leave it out if you run the workflow again`
		: `Items ${list} are done: leave them out if you run the workflow again`;
}

function named({ from, to }: { from: number; to: number }): string[] {
	if (to > from + 1) return [`${from + 1} to ${to + 1}`];
	return from === to ? [String(from + 1)] : [String(from + 1), String(to + 1)];
}
