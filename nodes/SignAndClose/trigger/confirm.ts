import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { findFailure } from '../service/failures';
import { retrieveTransaction } from '../service/transactions';
import type { Delivery } from '../service/deliveries';
import { isOutdated } from './outdated';

/** What the service itself says about an event, asked with our own key. A call from outside is believed no further than that. */
export type Confirmation =
	| { kind: 'confirmed'; transaction?: IDataObject; outdated?: boolean }
	/** The service can't confirm it and never will: passed on, marked. */
	| { kind: 'unconfirmed'; reason: string }
	/** It can't be asked at the moment: the delivery is turned away, so that the service sends it again. */
	| { kind: 'later'; reason: string };

/** Answers that stay what they are (interface.md §7; gaps.md §9). */
const PERMANENT = new Set([400, 401, 403, 404, 422]);

/**
 * Retrieves the transaction of an event (interface.md §6: further detail needs a Retrieve Transaction call).
 * For a deleted transaction "not found" is the confirmation.
 * @param impatient while a delivery waits for its answer
 */
export async function confirm(service: ServiceClient, { event, transactionId }: Delivery, impatient = false): Promise<Confirmation> {
	if (transactionId === undefined) return { kind: 'unconfirmed', reason: 'The event names no transaction' };
	try {
		const transaction = await retrieveTransaction(service, transactionId, 'realEstate', impatient);
		const outdated = event === 'transaction.deleted' ? true : isOutdated(event, transaction);
		return { kind: 'confirmed', transaction, ...(outdated !== undefined && { outdated }) };
	} catch (thrown) {
		const failure = findFailure(thrown);
		const status = failure?.details.httpStatus;
		if (status === 404 && event === 'transaction.deleted') return { kind: 'confirmed' };
		const reason = failure === undefined ? 'The service could not be asked' : service.redact(failure.message);
		return status !== undefined && PERMANENT.has(status) ? { kind: 'unconfirmed', reason } : { kind: 'later', reason };
	}
}
