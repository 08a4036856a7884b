import { getOwnValue } from '../../values/json';
import { IDENTITY_EVENT } from './events';

/* Which events are selected, by their names, by older names and by wildcards (docs/service/webhooks.md#events). */

/** Other names of events, with those that the service lists (docs/service/webhooks.md#names-that-are-not-events). */
const FORMER_NAMES: Record<string, string> = {
	'transaction.completed_with_rejection': 'transaction.completed_with_rejections',
	...Object.fromEntries(
		['passed', 'failed'].map((end) => [
			`${IDENTITY_EVENT}_${end}`.replace('transaction.', ''),
			`${IDENTITY_EVENT}_${end}`,
		]),
	),
};

/** Returns the name that an event has today. */
export function toCurrentName(event: string): string {
	return getOwnValue(FORMER_NAMES, event) ?? event;
}

/**
 * Whether an event is one of the selected ones. `*` and names like `transaction.*` match as in the
 * service, and an older name of an event stands for the current one.
 */
export function isSelected(event: string, selection: readonly string[]): boolean {
	return selection.some(
		(pattern) =>
			pattern === '*' ||
			toCurrentName(pattern) === toCurrentName(event) ||
			(pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))),
	);
}

/**
 * Builds the list of events to subscribe to. Events that a selected wildcard covers are left out,
 * because the service might deliver them twice.
 * @returns the names, sorted
 */
export function toSubscriptions(selection: readonly string[]): string[] {
	const all = [...new Set(selection.map(toCurrentName))];
	const isCovered = (event: string) =>
		all.some(
			(pattern) => pattern !== event && pattern.endsWith('*') && isSelected(event, [pattern]),
		);
	return all.filter((event) => !isCovered(event)).sort();
}
