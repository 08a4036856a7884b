import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import { outputChoice, readOutput } from '../shared/output';
import { transactionIn, type TransactionForm } from './simplified';

/* How much of a transaction comes out, in both nodes. */

/** The fields to select from (docs/service/transactions.md#answer-fields). */
const FIELDS = [
	'activation_time',
	'cc_recipient_emails',
	'config_id',
	'contacts',
	'cost',
	'date_created',
	'date_updated',
	'detailed_status',
	'documents',
	'expiry',
	'external_id',
	'file_number',
	'lender',
	'loan_number',
	'message_to_signer',
	'notarization_record_id',
	'notary_id',
	'notary_instructions',
	'notary_meeting_time',
	'order_progress',
	'organization_id',
	'payer',
	'recall_reason',
	'recording_jurisdiction',
	'redirect',
	'signers',
	'status',
	'status_description',
	'street_address',
	'title_agency',
	'title_underwriter',
	'transaction_name',
	'transaction_type',
];

const SELECTION =
	'The fields to return. Signers and documents are simplified. An expression may name any other field of the service.';

/** The fields that say how much of a transaction comes out. */
export const transactionOutput = outputChoice(FIELDS, SELECTION);

/**
 * Reads how much of a transaction comes out. Operations do so before they send anything.
 * @throws InputFailure when a value can't be used
 */
export function readTransactionForm(params: Params): TransactionForm {
	return readOutput(params);
}

/** Returns a transaction in the form that the item asks for. */
export function transactionJson(params: Params, transaction: IDataObject): IDataObject {
	return transactionIn(readTransactionForm(params), transaction);
}
