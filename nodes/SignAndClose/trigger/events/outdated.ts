import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../service/values/json';
import { isDraft } from '../../service/resources/transactionState';

/**
 * Deliveries come unordered (gaps.md §2): an event that tells of a state which the transaction is
 * no longer in is marked. One that is ahead of what the service says of the transaction is not: it
 * is news.
 */

/** How far a transaction has come. What is not listed tells nothing about its place. */
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

/** gaps.md §5, status. */
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
 * @param transaction as confirmed by the service
 * @returns undefined when the event or the state says nothing about it
 */
export function isOutdated(event: string, transaction: IDataObject): boolean | undefined {
	const told = STAGES[event];
	const status = asText(transaction.status);
	// Back to a draft: whatever was told before has passed.
	if (told !== undefined && isDraft(transaction)) return told !== 0;
	const now = status === undefined ? undefined : STATUS_STAGES[status];
	return told === undefined || now === undefined ? undefined : told < now;
}
