import type { IDataObject } from 'n8n-workflow';

import { signerResults } from '../../resources/signer/output';
import { transactionIn } from '../../resources/transaction/output';
import type { Delivery } from '../../resources/webhook/deliveries';
import { recordIdOf } from '../../transport/answers/transactionState';
import { asObject, asText } from '../../values/json';
import type { Confirmation } from '../authenticity/confirmation';
import type { TriggerParameters } from '../form/parameters';
import { joinKeys, transactionOf } from './subject';

/* The items that the trigger outputs. */

/** How an event reached the trigger. */
export interface Arrival {
	/** Delivered by a call, recovered because no call had brought it, or pulled from the event records. */
	by: 'delivery' | 'recovery' | 'pull';
	/** ISO 8601: when the call came, when the service tried to deliver the event, or when it was seen. */
	at: string;
	/** The service's own ID of the delivery (docs/service/webhooks.md#request-id). */
	requestId?: string;
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
 * Builds the item of an event: first what joins the event with other lists and routes it, then what is
 * known of it, then the data of the event and the transaction as a whole. The headers of the call
 * aren't part of it, because they say nothing about the event.
 */
export function toOutput(
	delivery: Delivery,
	{ by, at, requestId }: Arrival,
	confirmation: Confirmation | undefined,
	{ form, retrieve }: Pick<TriggerParameters, 'form' | 'retrieve'>,
): IDataObject {
	const { event, transactionId, data } = delivery;
	const transaction = retrieve ? transactionOf(confirmation) : undefined;
	const { document_id: documentId } = asObject(data.document);
	const recordId = transaction && recordIdOf(transaction);
	const signers = signerResults(data);
	return {
		event,
		...joinKeys(transactionId, transaction),
		...(documentId !== undefined && { document_id: documentId }),
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...(signers !== undefined && { signers }),
		...knownOf(delivery, confirmation),
		data,
		...(transaction !== undefined && { transaction: transactionIn(form, transaction) }),
		delivery: { by, at, ...(requestId !== undefined && { request_id: requestId }) },
	};
}

/** What every item says of its event: whether it's a repeat, genuine, out of date, and when it was. */
function knownOf({ key, occurred }: Delivery, confirmation: Confirmation | undefined): IDataObject {
	return {
		delivery_key: key,
		...(confirmation !== undefined && { confirmed: confirmation.kind === 'confirmed' }),
		...(confirmation?.kind === 'unconfirmed' && { unconfirmed_reason: confirmation.reason }),
		...(confirmation?.kind === 'confirmed' &&
			confirmation.outdated !== undefined && { outdated: confirmation.outdated }),
		...(occurred !== undefined && { date_occurred: occurred }),
	};
}
