import { ownValue } from '../values/json';

/* Which events are selected and subscribed to (docs/service/webhooks.md#wildcards). */

/** Older names of events, with the names they have today (docs/service/webhooks.md#names-that-are-not-events). */
const OLDER_NAMES: Record<string, string> = {
	'transaction.completed_with_rejection': 'transaction.completed_with_rejections',
};

/** Returns the name that an event has today. */
export function currentName(event: string): string {
	return ownValue(OLDER_NAMES, event) ?? event;
}

/**
 * Whether an event is one of the selected ones. `*` and names like `transaction.*` match as in the
 * service, and an older name of an event stands for the current one.
 */
export function isChosen(event: string, chosen: readonly string[]): boolean {
	return chosen.some(
		(pattern) =>
			pattern === '*' ||
			currentName(pattern) === currentName(event) ||
			(pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))),
	);
}

/**
 * Builds the list of events to subscribe to. Events that a selected wildcard covers are left out,
 * because the service might deliver them twice.
 * @returns the names, sorted
 */
export function toSubscriptions(chosen: readonly string[]): string[] {
	const all = [...new Set(chosen.map(currentName))];
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
