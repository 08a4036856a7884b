import type { IDataObject } from 'n8n-workflow';

import type { Delivery } from '../service/resources/deliveries';
import { transactionIn } from '../service/resources/simplified/transaction';
import { recordIdOf } from '../service/resources/transactionState';
import { asObject } from '../service/values/json';
import type { Confirmation } from './authenticity/confirmation';
import { arrivalOf, knownOf, toItem, type Arrival } from './output';
import type { TriggerParameters } from './parameters';
import { joinKeys, signerResults, transactionOf } from './subject';

/* The items that the trigger outputs in each version of the node. */

/** Builds the item of an event in the form of the node's version. */
export function toOutput(
	delivery: Delivery,
	arrival: Arrival,
	confirmation: Confirmation | undefined,
	settings: Pick<TriggerParameters, 'form' | 'retrieve' | 'typeVersion'>,
): IDataObject {
	return settings.typeVersion < 2
		? toItem(delivery, arrival, confirmation, settings.form)
		: toFlatItem(delivery, arrival, confirmation, settings);
}

/**
 * Builds the item of version 2: first what joins the event with other lists and routes it, then what
 * is known of it, then the data of the event and the transaction as a whole. The headers of the call
 * aren't part of it, because they say nothing about the event.
 */
function toFlatItem(
	delivery: Delivery,
	arrival: Arrival,
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
		...(data.previous_status !== undefined && { previous_status: data.previous_status }),
		...(documentId !== undefined && { document_id: documentId }),
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...(signers !== undefined && { signers }),
		...knownOf(delivery, confirmation),
		data,
		...(transaction !== undefined && { transaction: transactionIn(form, transaction) }),
		delivery: arrivalOf(arrival),
	};
}
