/** How many options with two values six combinations can cover. */
const MOST_OPTIONS = 10;

/**
 * Six combinations of options with two values each, in which every two options meet in each
 * combination of their values. In the first one, all options have their first value. In the other
 * five, each option has its second value in another three of them: two such options share at least
 * one of the five, and each has one that the other lacks.
 * @throws Error when there are more options, or an option has not two values
 */
export function pairwise<T extends Record<string, readonly [unknown, unknown]>>(
	options: T,
): Array<{ [K in keyof T]: T[K][number] }> {
	const names = Object.keys(options);
	if (names.length > MOST_OPTIONS || names.some((name) => options[name].length !== 2))
		throw new Error(`Six combinations cover ${MOST_OPTIONS} options with two values`);
	const rows = [0, 1, 2, 3, 4];
	const threes = rows.flatMap((a) =>
		rows.filter((b) => b > a).flatMap((b) => rows.filter((c) => c > b).map((c) => [a, b, c])),
	);
	return [-1, ...rows].map(
		(row) =>
			Object.fromEntries(
				names.map((name, index) => [name, options[name][threes[index].includes(row) ? 1 : 0]]),
			) as { [K in keyof T]: T[K][number] },
	);
}
