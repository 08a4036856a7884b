import type { IDataObject } from 'n8n-workflow';

import { isChosen } from '../../service/resources/events';
import { asText, ownValue } from '../../service/values/json';

/*
 * What a transaction's state says about the events that have led to it. Without a webhook, states are
 * all that the service shows (docs/service/states.md).
 */

/** Detailed statuses that tell more than the status, which stays as it was. */
const DETAILED = new Set(['declined', 'held_for_review', 'recalled']);

/**
 * Returns the state of a transaction that is compared between two looks: its status, or what its
 * detailed status tells beyond it.
 * @returns undefined when the answer shows neither
 */
export function stateOf({ status, detailed_status: detailed }: IDataObject): string | undefined {
	const details = asText(detailed);
	return details !== undefined && DETAILED.has(details) ? details : (asText(status) ?? details);
}

/** The events that bring a transaction into a state (docs/service/webhooks.md#events-of-transactions). */
const EVENTS: Record<string, readonly string[]> = {
	started: ['transaction.created'],
	recalled: ['transaction.recalled'],
	sent_to_closing_ops: ['transaction.sent_to_closing_ops'],
	sent_to_title_agency: ['transaction.sent_to_title_agency'],
	sent: ['transaction.sent', 'transaction.sent_to_signer'],
	received: ['transaction.received'],
	partially_completed: ['transaction.partially_completed'],
	completed: ['transaction.completed'],
	completed_with_rejections: ['transaction.completed_with_rejections'],
	expired: ['transaction.expired'],
	declined: ['transaction.declined'],
	held_for_review: ['transaction.held_for_review'],
};

/** The event of every change, also of one into a state that has no event of its own. */
const ANY_CHANGE = 'transaction.updated';

/** States that a transaction comes to once, so that a change to them needs no time to be told from others. */
const ONCE = new Set(['completed', 'completed_with_rejections']);

/** States that end a transaction. */
const FINAL = new Set([...ONCE, 'expired', 'declined']);

/** The first state of a transaction. */
export const isFirst = (state: string): boolean => state === 'started';
/** Whether a transaction comes to a state at most once. */
export const isOnce = (state: string): boolean => ONCE.has(state);
/** Whether a transaction ends in a state. */
export const isFinal = (state: string): boolean => FINAL.has(state);

/**
 * Returns the selected event that stands for a change into a state.
 * @returns undefined when no selected event does
 */
export function eventFor(state: string, selected: readonly string[]): string | undefined {
	const names = [...(ownValue(EVENTS, state) ?? []), ANY_CHANGE];
	return names.find((name) => isChosen(name, selected));
}

/** Whether changes of states can show an event at all. */
export function canSee(event: string): boolean {
	return (
		event === '*' ||
		event === 'transaction.*' ||
		event === ANY_CHANGE ||
		Object.values(EVENTS).some((names) => names.includes(event))
	);
}

/** Returns the event of a final state. */
export const finalEvent = (state: string): string => `transaction.${state}`;

const ONCE_EVENTS = new Set<unknown>([...ONCE].map(finalEvent));
/** Whether a transaction has an event at most once, by whatever it's noticed. */
export const isOnceEvent = (event: unknown): boolean => ONCE_EVENTS.has(event);

/**
 * Whether a transaction is completed and the event of that is selected. It has the same key, whatever
 * it's noticed by, unlike another event that stands for the change.
 */
export function isCompletion({ state }: { state: string }, selected: readonly string[]): boolean {
	return isOnce(state) && eventFor(state, selected) === finalEvent(state);
}
