import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { explain } from '../../core/explanations';
import { createService, ServiceClient } from '../../service/client';
import { findFailure } from '../../service/errors/failure';
import { plainText } from '../../service/errors/plainText';
import type { Delivery } from '../../service/resources/deliveries';
import { retrieveTransaction } from '../../service/resources/transactions';
import { CREDENTIAL_TYPE, type ServiceSettings } from '../../service/transport/credential';
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
 * The settings that last confirmed an event, by credential. Reading a credential takes n8n longer
 * than the question itself, and a delivery waits for it. State of this process;
 * docs/architecture.md lists all of it.
 */
const confirmedSettings = new Map<string, ServiceSettings>();

/**
 * Confirms a delivery that waits for its answer. The last settings are tried first, but never the
 * last key: n8n puts the current key on each request, and the credential lets it go to its own base
 * URL only. What isn't confirmed in this way is asked again with the credential read anew.
 * @returns also the secrets of the credential, which n8n must not store with the event
 */
export async function confirmDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
): Promise<{ confirmation: Confirmation; secrets: string[] }> {
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
	const known = confirmedSettings.get(credentialId);
	if (known !== undefined) {
		const confirmation = await confirm(new ServiceClient(context, known), delivery, true);
		if (confirmation.kind !== 'confirmed') confirmedSettings.delete(credentialId);
		// Asking once more after "later" would take longer than the service waits.
		if (confirmation.kind !== 'unconfirmed') return { confirmation, secrets: known.outputSecrets };
	}
	const service = await createService(context);
	const confirmation = await confirm(service, delivery, true);
	if (confirmation.kind === 'confirmed') confirmedSettings.set(credentialId, service.settings);
	return { confirmation, secrets: service.settings.outputSecrets };
}
