import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { createService, ServiceClient } from '../../service/client';
import { findFailure } from '../../service/errors/failure';
import { CREDENTIAL_TYPE, type ServiceSettings } from '../../service/transport/credential';
import { retrieveTransaction } from '../../service/resources/transactions';
import type { Delivery } from '../../service/resources/deliveries';
import { explain } from '../../core/explanations';
import { isOutdated } from '../events/outdated';

/**
 * What the service itself says about an event, asked with our own key. A call from outside is
 * believed no further than that.
 */
export type Confirmation =
	| { kind: 'confirmed'; transaction?: IDataObject; outdated?: boolean }
	/** The service can't confirm it and never will: passed on, marked. */
	| { kind: 'unconfirmed'; reason: string }
	/**
	 * It can't be asked at the moment: the delivery is turned away, so that the service sends it
	 * again.
	 */
	| { kind: 'later'; reason: string };

/** Answers that stay what they are (interface.md §7; gaps.md §9). */
const PERMANENT = new Set([400, 401, 403, 404, 422]);

/**
 * Retrieves the transaction of an event (interface.md §6: further detail needs a Retrieve
 * Transaction call). For a deleted transaction "not found" is the confirmation.
 * @param impatient while a delivery waits for its answer
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
				: service.redact(explain(failure).message);
		// Refused on our side, e.g. an address that is not the credential's: it stays so, too.
		const refused = status === undefined && failure?.flags.final === true;
		return refused || (status !== undefined && PERMANENT.has(status))
			? { kind: 'unconfirmed', reason }
			: { kind: 'later', reason };
	}
}

/**
 * By credential: what the last confirmation worked with. Reading a credential costs n8n more than
 * the question itself, and a delivery waits for it.
 */
const confirmedSettings = new Map<string, ServiceSettings>();

/**
 * Confirms a delivery that waits for its answer. The settings of the last time are tried first, but
 * never the key of the last time: n8n puts the key on each request, and the credential lets it go
 * to its own base URL only. Whatever is not confirmed that way is asked again with the credential
 * read anew.
 */
export async function confirmDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
): Promise<Confirmation> {
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
	const known = confirmedSettings.get(credentialId);
	if (known !== undefined) {
		const confirmation = await confirm(new ServiceClient(context, known), delivery, true);
		if (confirmation.kind === 'confirmed') return confirmation;
		confirmedSettings.delete(credentialId);
		// Asking once more would take longer than the service waits.
		if (confirmation.kind === 'later') return confirmation;
	}
	const service = await createService(context);
	const confirmation = await confirm(service, delivery, true);
	if (confirmation.kind === 'confirmed') confirmedSettings.set(credentialId, service.settings);
	return confirmation;
}
