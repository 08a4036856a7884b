import { ownValue } from '../values/json';

/* Which events are selected and subscribed to (docs/service/webhooks.md#wildcards). */

/** Older names of events, with the names they have today (docs/service/webhooks.md#names-that-are-not-events). */
const OLDER_NAMES: Record<string, string> = {
	'transaction.completed_with_rejection': 'transaction.completed_with_rejections',
};

/**
 * Names that earlier versions of this package offered, but that no service takes: one of them makes
 * it refuse the whole webhook (docs/service/webhooks.md#names-that-are-not-events). Saved workflows
 * may hold them.
 */
export const NOT_EVENTS: readonly string[] = ['transaction.canceled'];

/** Returns the names among the selected ones that no service takes. */
export function notOffered(chosen: readonly string[]): string[] {
	return NOT_EVENTS.filter((name) => chosen.includes(name));
}

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
 * Builds the list of events to subscribe to. Names that no service takes are left out, and events
 * that a selected wildcard covers, because the service might deliver them twice.
 * @returns the names, sorted
 */
export function toSubscriptions(chosen: readonly string[]): string[] {
	const all = [...new Set(chosen.map(currentName))];
	return all
		.filter(
			(event) =>
				!NOT_EVENTS.includes(event) &&
				!isChosen(
					event,
					all.filter((other) => other !== event && other.endsWith('*')),
				),
		)
		.sort();
}
