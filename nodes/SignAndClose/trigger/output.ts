import type { IDataObject } from 'n8n-workflow';

import type { Delivery } from '../service/resources/deliveries';
import { recordIdOf } from '../service/resources/transactionState';
import { transactionIn, type TransactionForm } from '../service/resources/simplified/transaction';
import { asObject, asText } from '../service/values/json';
import type { Confirmation } from './authenticity/confirmation';

/* The items that the trigger outputs in version 1. */

/** How an event reached the trigger. */
export interface Arrival {
	/**
	 * Delivered by a call, recovered after its delivery failed, pulled from the event records, or seen
	 * as a change of the transaction.
	 */
	by: 'delivery' | 'recovery' | 'pull' | 'change';
	/** ISO 8601: when the call came, when the service tried to deliver the event, or when it was seen. */
	at: string;
	/** The service's own ID of the delivery (docs/service/webhooks.md#request-id). */
	requestId?: string;
	headers?: IDataObject;
	/** A call had brought it, and n8n may have been killed before its execution began. */
	again?: boolean;
}

/** The header of a delivery's request ID where the service doesn't name another one. */
const REQUEST_ID_HEADER = 'x-request-id';

/**
 * Reads the request ID of a delivery, which support can look up. It isn't the event's identity: a
 * repeat may carry another one.
 * @param name the header's name in lower case, where the service has said it
 */
export function requestIdOf(headers: IDataObject, name = REQUEST_ID_HEADER): string | undefined {
	return asText(headers[name]);
}

/**
 * Headers of a delivery that are shown. All others may be secret: proxies add the whole URL, tokens
 * and addresses under names that nobody can list.
 */
const SHOWN_HEADERS = new Set(['content-type', 'date', 'user-agent', REQUEST_ID_HEADER]);

/** Keeps the headers of a delivery that certainly hold no secret. */
export function shownHeaders(headers: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => SHOWN_HEADERS.has(name.toLowerCase())),
	);
}

/** What every item says of its event: whether it's a repeat, genuine, out of date, and when it was. */
export function knownOf(
	{ key, occurred }: Delivery,
	confirmation: Confirmation | undefined,
): IDataObject {
	return {
		delivery_key: key,
		...(confirmation !== undefined && { confirmed: confirmation.kind === 'confirmed' }),
		...(confirmation?.kind === 'unconfirmed' && { unconfirmed_reason: confirmation.reason }),
		...(confirmation?.kind === 'confirmed' &&
			confirmation.outdated !== undefined && { outdated: confirmation.outdated }),
		...(occurred !== undefined && { date_occurred: occurred }),
	};
}

/** What every item says of how its event arrived. */
export function arrivalOf({ by, at, again, requestId }: Arrival): IDataObject {
	return {
		by,
		at,
		...(again === true && { again }),
		...(requestId !== undefined && { request_id: requestId }),
	};
}

/**
 * Builds the item of an event as version 1 of the node gives it: its IDs at top level, what is known
 * of its delivery, and the transaction when it was retrieved.
 * @param form how much of the transaction comes out
 */
export function toItem(
	delivery: Delivery,
	arrival: Arrival,
	confirmation: Confirmation | undefined,
	form: TransactionForm,
): IDataObject {
	const { event, transactionId, data } = delivery;
	const document = asObject(data.document);
	const transaction = confirmation?.kind === 'confirmed' ? confirmation.transaction : undefined;
	const recordId = transaction && recordIdOf(transaction);
	return {
		event,
		transaction_id: transactionId ?? null,
		...(document.document_id !== undefined && { document_id: document.document_id }),
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...knownOf(delivery, confirmation),
		data,
		...(transaction !== undefined && { transaction: transactionIn(form, transaction) }),
		delivery: {
			...arrivalOf(arrival),
			...(arrival.headers && { headers: arrival.headers }),
		},
	};
}
