import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { explain } from '../../core/explanations';
import { createService, type ServiceClient } from '../../service/client';
import { findFailure } from '../../service/errors/failure';
import { plainText } from '../../service/errors/plainText';
import type { Delivery } from '../../service/resources/deliveries';
import { retrieveTransaction } from '../../service/resources/transactions';
import { isOutdated } from '../events/outdated';

/* Asks the service about events, because a call from outside may come from anybody. */

/** What the service says about an event when it is asked with our own key. */
export type Confirmation =
	| { kind: 'confirmed'; transaction?: IDataObject; outdated?: boolean }
	/** The service can't confirm it, now or later. The event is passed on and marked. */
	| { kind: 'unconfirmed'; reason: string }
	/**
	 * The service can't be asked at the moment. The delivery is refused, so that the service sends it
	 * again.
	 */
	| { kind: 'later'; reason: string };

/** Statuses that asking again doesn't change (docs/service/errors.md#statuses). */
const PERMANENT = new Set([400, 401, 403, 404, 422]);

/**
 * Confirms an event by retrieving its transaction, because a delivery itself holds little more than
 * IDs (docs/service/webhooks.md#deliveries). For a deleted transaction, "not found" is the
 * confirmation.
 * @param impatient whether a delivery waits for its answer
 */
export async function confirm(
	service: ServiceClient,
	{ event, transactionId }: Delivery,
	impatient = false,
): Promise<Confirmation> {
	if (transactionId === undefined)
		return { kind: 'unconfirmed', reason: 'The event has no transaction' };
	try {
		const transaction = await retrieveTransaction(service, transactionId, 'realEstate', impatient);
		const outdated = event === 'transaction.deleted' ? true : isOutdated(event, transaction);
		return { kind: 'confirmed', transaction, ...(outdated !== undefined && { outdated }) };
	} catch (thrown) {
		const failure = findFailure(thrown);
		const status = failure?.flags.httpStatus;
		if (status === 404 && event === 'transaction.deleted') return { kind: 'confirmed' };
		const reason =
			failure === undefined
				? "The service couldn't be asked"
				: plainText(service.redact(explain(failure).message));
		// A request that we refuse ourselves, e.g. one to another host than the credential's, never
		// succeeds.
		const refused = status === undefined && failure?.flags.final === true;
		return refused || (status !== undefined && PERMANENT.has(status))
			? { kind: 'unconfirmed', reason }
			: { kind: 'later', reason };
	}
}

/**
 * Confirms a delivery that waits for its answer.
 * @returns also the secrets of the credential, which n8n must not store with the event
 */
export async function confirmDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
): Promise<{ confirmation: Confirmation; secrets: string[] }> {
	const service = await createService(context);
	const confirmation = await confirm(service, delivery, true);
	return { confirmation, secrets: service.settings.outputSecrets };
}
