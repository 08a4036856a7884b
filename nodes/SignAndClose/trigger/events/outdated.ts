import type { IDataObject } from 'n8n-workflow';

import { isDraft, phaseOf } from '../../service/resources/transactionState';
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

/** Events that say that a transaction is over. No other state can be skipped for certain. */
const ENDS = new Set([
	'transaction.completed',
	'transaction.completed_with_rejections',
	'transaction.released',
	'transaction.expired',
]);

/**
 * Says what speaks against an event: the transaction isn't over, or is there although it was
 * deleted. States on the way to the end prove nothing, because any of them may be skipped
 * (docs/service/states.md#transitions).
 * @param transaction as the service has it now
 * @returns undefined when nothing speaks against it
 */
export function contradictionOf(event: string, transaction: IDataObject): string | undefined {
	if (event === 'transaction.deleted') return 'The service still has the transaction';
	if (!ENDS.has(event)) return undefined;
	const { status, detailed_status: detailed } = transaction;
	const phase = phaseOf(transaction);
	// Nothing is known of a status that isn't listed.
	if (phase === undefined) return undefined;
	const completed = ownValue(STATUS_STAGES, String(status)) === STAGES['transaction.completed'];
	const fits = phase === 'finished' && !(event === 'transaction.expired' && completed);
	return fits
		? undefined
		: `The transaction has the status '${asText(status) ?? asText(detailed)}'`;
}
