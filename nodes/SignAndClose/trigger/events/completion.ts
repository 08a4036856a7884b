import { createHash } from 'crypto';

import { plainId } from '../../service/values/ids';
import { ownValue } from '../../service/values/json';

/* A transaction is completed once, whatever that is noticed by: a call, a record, or its status. */

/** The event by the status that it brings a transaction into (docs/service/states.md#status). */
const EVENTS: Record<string, string> = {
	completed: 'transaction.completed',
	completed_with_rejections: 'transaction.completed_with_rejections',
};

/** The events of a completion. */
export const COMPLETIONS: readonly string[] = Object.values(EVENTS);

/** Returns the event of a status; undefined when a transaction with it isn't completed. */
export const completionOf = (status: unknown): string | undefined =>
	ownValue(EVENTS, String(status));

/** Whether a transaction has an event at most once. */
export const isCompletion = (event: unknown): boolean => COMPLETIONS.includes(String(event));

/** The key that all runs share which are about the completion of a transaction. */
export function completionKey(event: string, transactionId: string): string {
	return createHash('sha256')
		.update(JSON.stringify(['once', event, plainId(transactionId)]))
		.digest('hex')
		.slice(0, 32);
}
