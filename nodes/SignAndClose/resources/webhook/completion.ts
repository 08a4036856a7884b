import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import {
	isCanceled,
	isDraft,
	ENDED_UNFINISHED,
	PHASES,
} from '../../transport/answers/transactionState';
import { normalizeId } from '../../values/ids';
import { asText, getOwnValue } from '../../values/json';
import { findStage } from './events';

/* A transaction is completed once, whatever that is noticed by: a call, a record, or its status. */

/** The events of a completion, named after the status that they bring (docs/service/states.md#status). */
export const COMPLETIONS: readonly string[] = [
	'transaction.completed',
	'transaction.completed_with_rejections',
];

/** Returns the event of a status; undefined when a transaction with it isn't completed. */
export const findCompletion = (status: unknown): string | undefined =>
	COMPLETIONS.find((event) => event === `transaction.${String(status)}`);

/** Whether a transaction has an event at most once. */
export const isCompletion = (event: unknown): boolean => COMPLETIONS.includes(String(event));

/** The key that all runs share which are about the completion of a transaction. */
export function buildCompletionKey(event: string, transactionId: string): string {
	return createHash('sha256')
		.update(JSON.stringify(['once', event, normalizeId(transactionId)]))
		.digest('hex')
		.slice(0, 32);
}

/*
 * Compares an event with the transaction. Deliveries come unordered
 * (docs/service/webhooks.md#retries), so an event may announce a state that the transaction is no
 * longer in: it's outdated. One that the transaction hasn't come to is ahead of the service's answer,
 * or made up.
 */

/** The stages of what was sent, and of what has expired or was canceled. */
const [SENT, EXPIRED] = [2, 6];

/** How far transactions have come with the statuses that no event is named after (docs/service/states.md#status). */
const STAGES_WITHOUT_EVENT: Record<string, number> = { started: 0, active: 3 };

const findStageOfStatus = (status: string | undefined): number | undefined =>
	getOwnValue(STAGES_WITHOUT_EVENT, status ?? '') ?? findStage(`transaction.${status}`);

/**
 * Whether the transaction has moved on, or back, since the event.
 * @param transaction as the service has it now
 * @returns undefined when the event or the status says nothing about it
 */
export function isOutdated(event: string, transaction: IDataObject): boolean | undefined {
	const stage = findStage(event);
	// A draft has left every other state that was announced before.
	if (stage !== undefined && isDraft(transaction)) return stage !== 0;
	const now = isCanceled(transaction) ? EXPIRED : findStageOfStatus(asText(transaction.status));
	return stage === undefined || now === undefined ? undefined : stage < now;
}

/** Whether a transaction is completed by its status or its detailed status. */
const isCompleted = (state = '') => PHASES.finished.has(state) && !ENDED_UNFINISHED.has(state);

/** The events that a completed transaction may have had. */
const COMPLETION_EVENTS = new Set([...COMPLETIONS, 'transaction.released']);

/** The events of an end, which a transaction that hasn't come to it contradicts. */
const ENDS = new Set([...COMPLETION_EVENTS, 'transaction.expired', 'transaction.canceled']);

/** Other events that have the name of a state. */
const STATE_EVENTS = new Set(['transaction.declined', 'transaction.held_for_review']);

/**
 * Whether the service's answer shows an event: `may` if it doesn't yet, and may lag behind, `never` if
 * no answer shows it.
 */
interface Evidence {
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
export function checkEvent(
	event: string,
	transaction: IDataObject,
	isAuthentic: boolean,
): Evidence {
	if (event === 'transaction.deleted')
		return { is: 'may', reason: 'The service still has the transaction' };
	if (event === 'transaction.created' || (isAuthentic && !ENDS.has(event))) return { is: 'shown' };
	const unsignedNote = ENDS.has(event) ? '' : ", and the delivery wasn't signed";
	const stage = findStage(event);
	if (!isAuthentic && stage === undefined && !STATE_EVENTS.has(event))
		return {
			is: 'never',
			reason: `No answer of the service shows ${event}, and the delivery wasn't signed`,
		};
	const states = [transaction.status, transaction.detailed_status].map(asText);
	const now = findStageOfStatus(states[0]) ?? 0;
	const isShown =
		states.some((state) => event === `transaction.${state}`) ||
		(COMPLETION_EVENTS.has(event) && states.some(isCompleted)) ||
		(stage === SENT && now >= SENT && now < EXPIRED);
	if (isShown) return { is: 'shown' };
	const state = states.find((entry) => entry !== undefined);
	const message =
		state === undefined
			? "The service doesn't show the transaction's status"
			: `The transaction has the status '${state}'`;
	return { is: 'may', reason: message + unsignedNote };
}
