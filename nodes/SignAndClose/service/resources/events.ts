/* Which events are selected and subscribed to (docs/service/webhooks.md#wildcards). */

/**
 * Whether an event is one of the selected ones. `*` and names like `transaction.*` match as in the
 * service.
 */
export function isChosen(event: string, chosen: readonly string[]): boolean {
	return chosen.some(
		(pattern) =>
			pattern === '*' ||
			pattern === event ||
			(pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))),
	);
}

/**
 * Builds the list of events to subscribe to. Events that a selected wildcard covers are left out,
 * because the service might deliver them twice.
 * @returns the names, sorted
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
