import type { IDataObject } from 'n8n-workflow';

import { simplifyTransaction, withTransactionIds } from '../service/resources/transactions';
import { asObject } from '../service/values/json';
import { recordIdOf } from '../service/resources/transactionState';
import type { Confirmation } from './authenticity/confirmation';
import type { Delivery } from '../service/resources/deliveries';

/** How an event came. */
interface Arrival {
	/**
	 * delivered by the service, recovered after a failed delivery, or pulled from the event records
	 */
	by: 'delivery' | 'recovery' | 'pull';
	/** ISO 8601, when it came; for a record, when the service tried to deliver it. */
	at: string;
	headers?: IDataObject;
}

/** Headers that tell nothing about the event, or that are nobody's business. */
const LEFT_OUT =
	/^(authorization|cookie|apikey|x-forwarded-.+|x-real-ip|connection|host|accept.*|content-length|.*signature)$/i;

/** The headers of a delivery that are worth having. */
export function shownHeaders(headers: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name)));
}

/**
 * One item: the event with its ids at top level, what is known of its delivery, and the transaction
 * when it was retrieved.
 */
export function toItem(
	delivery: Delivery,
	arrival: Arrival,
	confirmation: Confirmation | undefined,
	simple: boolean,
): IDataObject {
	const { event, transactionId, data, key, occurred } = delivery;
	const document = asObject(data.document);
	const transaction = confirmation?.kind === 'confirmed' ? confirmation.transaction : undefined;
	const recordId = transaction && recordIdOf(transaction);
	return {
		event,
		transaction_id: transactionId ?? null,
		...(document.document_id !== undefined && { document_id: document.document_id }),
		...(recordId !== undefined && { notarization_record_id: recordId }),
		delivery_key: key,
		...(confirmation !== undefined && { confirmed: confirmation.kind === 'confirmed' }),
		...(confirmation?.kind === 'unconfirmed' && { unconfirmed_reason: confirmation.reason }),
		...(confirmation?.kind === 'confirmed' &&
			confirmation.outdated !== undefined && { outdated: confirmation.outdated }),
		...(occurred !== undefined && { date_occurred: occurred }),
		data,
		...(transaction !== undefined && {
			transaction: simple ? simplifyTransaction(transaction) : withTransactionIds(transaction),
		}),
		delivery: {
			by: arrival.by,
			at: arrival.at,
			...(arrival.headers && { headers: arrival.headers }),
		},
	};
}
