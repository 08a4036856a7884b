/** Which events are chosen and subscribed to (gaps.md §8). */

/** Whether an event is one that was chosen; wildcards as the service knows them (gaps.md §8). */
export function isChosen(event: string, chosen: readonly string[]): boolean {
	return chosen.some(
		(pattern) =>
			pattern === '*' ||
			pattern === event ||
			(pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))),
	);
}

/**
 * What is subscribed: a wildcard makes those it covers superfluous, which the service would deliver
 * twice.
 */
export function toSubscriptions(chosen: readonly string[]): string[] {
	const all = [...new Set(chosen)];
	return all
		.filter(
			(event) =>
				!isChosen(
					event,
					all.filter((other) => other !== event && other.endsWith('*')),
				),
		)
		.sort();
}
