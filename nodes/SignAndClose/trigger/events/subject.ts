import type { IDataObject } from 'n8n-workflow';

import { fieldsOf } from '../../resources/shared/output';
import { mayStillSign } from '../../resources/signer/api';
import type { Delivery } from '../../resources/webhook/deliveries';
import { platformOf } from '../../transport/answers/transactionState';
import { asObject, asObjects } from '../../values/json';
import type { Confirmation } from '../authenticity/confirmation';
import { areMet, type Conditions } from '../conditions/conditions';

/* What an event is about: the fields that conditions compare, and that join it with other lists. */

/** The transaction that the service has shown for an event, whether it confirms the event or not. */
export function transactionOf(confirmation: Confirmation | undefined): IDataObject | undefined {
	return confirmation !== undefined && 'transaction' in confirmation
		? confirmation.transaction
		: undefined;
}

/**
 * Returns what joins an event with the lists of an office, and how far its transaction is. The names
 * are always there, so that no expression meets a name that is missing.
 * @param transaction undefined when it isn't known
 */
export function joinKeys(
	transactionId: string | undefined,
	transaction: IDataObject | undefined,
): IDataObject {
	const { signers } = transaction ?? {};
	return {
		transaction_id: transactionId ?? null,
		...fieldsOf(transaction ?? {}, ['loan_number', 'external_id', 'status']),
		// A list that the answer doesn't have isn't the same as an empty one.
		signers_open:
			transaction !== undefined && Array.isArray(signers)
				? asObjects(signers).filter((signer) => mayStillSign(transaction, signer)).length
				: null,
	};
}

/** Whether an event, with the transaction that the service has shown for it, meets the conditions. */
export function meetsConditions(
	conditions: Conditions | undefined,
	{ event, transactionId, occurred, data }: Delivery,
	transaction: IDataObject | undefined,
): boolean {
	const { document_id: documentId, name } = asObject(data.document);
	const own: IDataObject = {
		...joinKeys(transactionId, transaction),
		event,
		date_occurred: occurred,
		document_id: documentId,
		document_name: name,
		data,
		...(transaction !== undefined && { platform: platformOf(transaction) }),
	};
	return areMet(conditions, own, transaction);
}
