import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isDraft } from '../../transport/answers/transactionState';
import { plainId } from '../../values/ids';
import { asText, ownValue } from '../../values/json';

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

/* A transaction is completed once, whatever that is noticed by: a call, a record, or its status. */

/** The event by the status that it brings a transaction into (docs/service/states.md#status). */
const COMPLETION_EVENTS: Record<string, string> = {
	completed: 'transaction.completed',
	completed_with_rejections: 'transaction.completed_with_rejections',
};

/** The events of a completion. */
export const COMPLETIONS: readonly string[] = Object.values(COMPLETION_EVENTS);

/** Returns the event of a status; undefined when a transaction with it isn't completed. */
export const completionOf = (status: unknown): string | undefined =>
	ownValue(COMPLETION_EVENTS, String(status));

/** Whether a transaction has an event at most once. */
export const isCompletion = (event: unknown): boolean => COMPLETIONS.includes(String(event));

/** The key that all runs share which are about the completion of a transaction. */
export function completionKey(event: string, transactionId: string): string {
	return createHash('sha256')
		.update(JSON.stringify(['once', event, plainId(transactionId)]))
		.digest('hex')
		.slice(0, 32);
}

/*
 * Compares an event with the transaction. Deliveries come unordered
 * (docs/service/webhooks.md#retries), so an event may announce a state that the transaction is no
 * longer in: it's outdated. One that the transaction hasn't come to is ahead of the service's answer,
 * or made up.
 */

/** How far each event has brought a transaction. Events that aren't listed say nothing about it. */
const STAGES: Record<string, number> = {
	'transaction.created': 0,
	'transaction.recalled': 0,
	'transaction.sent_to_closing_ops': 1,
	'transaction.sent_to_title_agency': 1,
	'transaction.sent': 2,
	'transaction.sent_to_signer': 2,
	'transaction.received': 3,
	'transaction.partially_completed': 4,
	'transaction.completed': 5,
	'transaction.completed_with_rejections': 5,
	'transaction.expired': 6,
};

/** How far a transaction with this status has come (docs/service/states.md#status). */
const STATUS_STAGES: Record<string, number> = {
	started: 0,
	sent_to_closing_ops: 1,
	sent_to_title_agency: 1,
	sent: 2,
	received: 3,
	active: 3,
	partially_completed: 4,
	completed: 5,
	completed_with_rejections: 5,
	expired: 6,
};

/**
 * Whether the transaction has moved on, or back, since the event.
 * @param transaction as the service has it now
 * @returns undefined when the event or the status says nothing about it
 */
export function isOutdated(event: string, transaction: IDataObject): boolean | undefined {
	const told = ownValue(STAGES, event);
	const status = asText(transaction.status);
	// A draft has left every other state that was announced before.
	if (told !== undefined && isDraft(transaction)) return told !== 0;
	const now = status === undefined ? undefined : ownValue(STATUS_STAGES, status);
	return told === undefined || now === undefined ? undefined : told < now;
}

/** What a detailed status says of a transaction that is completed. */
const COMPLETED = new Set<string | undefined>([
	'completed',
	'completed_with_rejections',
	'complete',
	'complete_with_rejections',
	'wet_sign_complete',
	'identify_complete_idv_passed',
	'identify_complete_idv_failed',
	'awaiting_payment',
	'payment_required',
]);

/** The events that a completed transaction may have had. */
const AT_COMPLETION = new Set([...COMPLETIONS, 'transaction.released']);

/** The events of an end, which a transaction that hasn't come to it contradicts. */
const ENDS = new Set([...AT_COMPLETION, 'transaction.expired']);

/** Other events that have the name of a state. */
const NAMED = new Set(['transaction.declined', 'transaction.held_for_review']);

/**
 * Whether the service's answer shows an event: `may` if it doesn't yet, and may lag behind, `never` if
 * no answer shows it.
 */
interface Shown {
	is: 'shown' | 'may' | 'never';
	reason?: string;
}

/**
 * Says whether a transaction is in the state that an event names, or in one that none comes to without
 * it (docs/service/states.md#transitions).
 * @param transaction as the service has it now
 * @param isAuthentic whether the event certainly comes from the service, so that only an end that the
 *   transaction hasn't come to speaks against it
 */
export function showsEvent(event: string, transaction: IDataObject, isAuthentic: boolean): Shown {
	if (event === 'transaction.deleted')
		return { is: 'may', reason: 'The service still has the transaction' };
	if (event === 'transaction.created' || (isAuthentic && !ENDS.has(event))) return { is: 'shown' };
	const unsigned = ENDS.has(event) ? '' : ", and the call wasn't signed";
	const told = ownValue(STAGES, event);
	if (!isAuthentic && told === undefined && !NAMED.has(event))
		return {
			is: 'never',
			reason: `No answer of the service shows ${event}, and the call wasn't signed`,
		};
	const states = [transaction.status, transaction.detailed_status].map(asText);
	const now = ownValue(STATUS_STAGES, states[0] ?? '') ?? 0;
	const isShown =
		states.some((state) => event === `transaction.${state}`) ||
		(AT_COMPLETION.has(event) && states.some((state) => COMPLETED.has(state))) ||
		(told === STAGES['transaction.sent'] && now >= told && now < STATUS_STAGES.expired);
	if (isShown) return { is: 'shown' };
	const state = states.find((each) => each !== undefined);
	const said =
		state === undefined
			? "The service doesn't show the transaction's status"
			: `The transaction has the status '${state}'`;
	return { is: 'may', reason: said + unsigned };
}
