/** How many options with two values seven combinations can cover. */
const MOST_OPTIONS = 15;
/** The combinations in which options have their second value. */
const ROWS = [0, 1, 2, 3, 4, 5];

/**
 * Seven combinations of options with two values each, in which every two options meet in each
 * combination of their values. In the first one, all options have their first value. In the other
 * six, each option has its second value in another four of them: two such options share at least two
 * of the six, and each has one that the other lacks.
 * @throws Error when there are more options, or an option has not two values
 */
export function pairwise<T extends Record<string, readonly [unknown, unknown]>>(
	options: T,
): Array<{ [K in keyof T]: T[K][number] }> {
	const names = Object.keys(options);
	if (names.length > MOST_OPTIONS || names.some((name) => options[name].length !== 2))
		throw new Error(`Seven combinations cover ${MOST_OPTIONS} options with two values`);
	// Each four is what two others leave.
	const fours = ROWS.flatMap((a) =>
		ROWS.filter((b) => b > a).map((b) => ROWS.filter((row) => row !== a && row !== b)),
	);
	return [-1, ...ROWS].map(
		(row) =>
			Object.fromEntries(
				names.map((name, index) => [name, options[name][fours[index].includes(row) ? 1 : 0]]),
			) as { [K in keyof T]: T[K][number] },
	);
}
