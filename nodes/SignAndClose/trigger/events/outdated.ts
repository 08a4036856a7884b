import type { IDataObject } from 'n8n-workflow';

import { isDraft } from '../../service/resources/transactionState';
import { asText, ownValue } from '../../service/values/json';

/*
 * Compares an event with the transaction. Deliveries come unordered
 * (docs/service/webhooks.md#retries), so an event may announce a state that the transaction is no
 * longer in: it's outdated. An event of an end that the transaction hasn't come to is ahead of the
 * service's answer, or made up.
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

/** The statuses of a transaction that is completed, and what a detailed status says of it. */
const COMPLETED = [
	'completed',
	'completed_with_rejections',
	'complete',
	'complete_with_rejections',
	'wet_sign_complete',
	'identify_complete_idv_passed',
	'identify_complete_idv_failed',
	'awaiting_payment',
	'payment_required',
];

/**
 * The states that an event of an end names. No other state can be skipped for certain
 * (docs/service/states.md#transitions).
 */
const ENDS: Record<string, readonly string[]> = {
	'transaction.completed': COMPLETED,
	'transaction.completed_with_rejections': COMPLETED,
	'transaction.released': COMPLETED,
	'transaction.expired': ['expired'],
};

/**
 * Says what speaks against an event: the transaction isn't in the state that the event names, or is
 * there although it was deleted.
 * @param transaction as the service has it now
 * @returns undefined when nothing speaks against it
 */
export function contradictionOf(event: string, transaction: IDataObject): string | undefined {
	if (event === 'transaction.deleted') return 'The service still has the transaction';
	const needed = ownValue(ENDS, event);
	const state = asText(transaction.status) ?? asText(transaction.detailed_status);
	if (needed === undefined || (state !== undefined && needed.includes(state))) return undefined;
	return state === undefined
		? "The service doesn't show the transaction's status"
		: `The transaction has the status '${state}'`;
}
