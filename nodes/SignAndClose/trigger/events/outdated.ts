import type { IDataObject } from 'n8n-workflow';

import { isDraft } from '../../service/resources/transactionState';
import { asText, ownValue } from '../../service/values/json';

/*
 * Marks outdated events. Deliveries come unordered (docs/service/webhooks.md#retries), so an event
 * may announce a state that the transaction is no longer in. An event that is ahead of the
 * service's own answer is not outdated, but news.
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
