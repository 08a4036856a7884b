import type { IDataObject } from 'n8n-workflow';

import type { Delivery } from '../service/resources/deliveries';
import { mayStillSign } from '../service/resources/signers';
import { nameOf } from '../service/resources/simplified/signer';
import { fieldsOf, firstText } from '../service/resources/simplified/values';
import { platformOf } from '../service/resources/transactionState';
import { asObject, asObjects } from '../service/values/json';
import type { Confirmation } from './authenticity/confirmation';
import { areMet, type Conditions } from './conditions/conditions';

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

/** Results of a signer that an event may bring (docs/service/webhooks.md#data-of-deliveries). */
const RESULTS = [
	'signing_status',
	'kba_passed',
	'credential_analysis_passed',
	'selfie_passed',
	'full_verification_process_passed',
];

/**
 * Returns the signers that an event is about, with what it says of their identity checks or of how
 * far they are.
 * @returns undefined when the event brings no such results
 */
export function signerResults({ signers }: IDataObject): IDataObject[] | undefined {
	const results = asObjects(signers).map((signer) => {
		const known = RESULTS.filter((result) => signer[result] !== undefined);
		return {
			known,
			json: {
				...fieldsOf(signer, ['signer_id']),
				signer_external_id: firstText(signer.external_id),
				name: nameOf(signer),
				...fieldsOf(signer, known),
			},
		};
	});
	return results.some(({ known }) => known.length > 0)
		? results.map(({ json }) => json)
		: undefined;
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
