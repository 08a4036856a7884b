import type { IDataObject } from 'n8n-workflow';

import { pickFields } from '../../form/output';
import { mayStillSign } from '../../resources/signer/api';
import { buildSignerResults } from '../../resources/signer/output';
import { formatTransactionAs } from '../../resources/transaction/output';
import type { Delivery } from '../../resources/webhook/deliveries';
import { derivePlatform } from '../../transport/answers/transaction';
import { findRecordId } from '../../transport/answers/transactionState';
import { asObject, asObjects, withoutEmpty } from '../../values/json';
import { areMet, type Conditions } from '../conditions';
import type { Confirmation } from './confirmation';
import type { TriggerParameters } from '../parameters';

/* The items that the trigger outputs. */

/** How an event reached the trigger. */
export interface EventArrival {
	/** Delivered by a call, recovered because no call had brought it, or pulled from the event records. */
	by: 'delivery' | 'recovery' | 'pull';
	/** ISO 8601: when the call came, when the service tried to deliver the event, or when it was seen. */
	at: string;
	/**
	 * The service's own ID of the delivery, which its support can look up
	 * (docs/service/webhooks.md#request-id). It isn't the event's identity: a repeat may have another one.
	 */
	requestId?: string;
}

/**
 * Builds the item of an event: first what joins the event with other lists and routes it, then what is
 * known of it, then the data of the event and the transaction as a whole. The headers of the call
 * aren't part of it, because they say nothing about the event.
 */
export function toEventOutput(
	delivery: Delivery,
	{ by, at, requestId }: EventArrival,
	confirmation: Confirmation | undefined,
	{ form, retrieve }: Pick<TriggerParameters, 'form' | 'retrieve'>,
): IDataObject {
	const { event, transactionId, data } = delivery;
	const transaction = retrieve ? confirmation?.transaction : undefined;
	const { document_id: documentId } = asObject(data.document);
	return {
		event,
		...buildJoinKeys(transactionId, transaction),
		...withoutEmpty({
			document_id: documentId,
			notarization_record_id: transaction && findRecordId(transaction),
			signers: buildSignerResults(data),
			// Whether it's a repeat, genuine, out of date, and when it was.
			delivery_key: delivery.key,
			confirmed: confirmation && confirmation.kind === 'confirmed',
			unconfirmed_reason: confirmation?.reason,
			outdated: confirmation?.outdated,
			date_occurred: delivery.occurred,
		}),
		data,
		...(transaction !== undefined && { transaction: formatTransactionAs(form, transaction) }),
		delivery: withoutEmpty({ by, at, request_id: requestId }),
	};
}

/* What an event is about: the fields that conditions compare, and that join it with other lists. */

/**
 * Returns what joins an event with the lists of an office, and how far its transaction is. The names
 * are always there, so that no expression meets a name that is missing.
 * @param transaction undefined when it isn't known
 */
export function buildJoinKeys(transactionId?: string, transaction?: IDataObject) {
	const { signers } = transaction ?? {};
	return {
		transaction_id: transactionId ?? null,
		...pickFields(transaction ?? {}, ['loan_number', 'external_id', 'status']),
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
	const eventFields: IDataObject = {
		...buildJoinKeys(transactionId, transaction),
		event,
		date_occurred: occurred,
		document_id: documentId,
		document_name: name,
		data,
		...(transaction !== undefined && { platform: derivePlatform(transaction) }),
	};
	return areMet(conditions, eventFields, transaction);
}
