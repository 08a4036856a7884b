import type { IDataObject } from 'n8n-workflow';

import { isDraft } from '../../service/resources/transactionState';
import { asText, ownValue } from '../../service/values/json';
import { COMPLETIONS } from './completion';

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
