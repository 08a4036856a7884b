import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import {
	transactionIn,
	type TransactionForm,
} from '../../service/resources/simplified/transaction';
import { VERSION_1, VERSION_2 } from '../form/versions';
import { outputChoice, readOutput } from './output';
import { simplify } from './platform';

/* How much of a transaction comes out, in both nodes. Version 1 of them has a switch. */

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

type Show = NonNullable<INodeProperties['displayOptions']>['show'];

/**
 * Builds the fields that say how much of a transaction comes out.
 * @param show when they are there
 */
export function transactionOutputFor(show: Show = {}): INodeProperties[] {
	return [
		{ ...simplify, displayOptions: { show: { ...show, ...VERSION_1 } } },
		...outputChoice(FIELDS, SELECTION, { ...show, ...VERSION_2 }),
	];
}

/** The fields of operations that return a transaction. */
export const transactionOutput = transactionOutputFor();

/**
 * Reads how much of a transaction comes out. Operations do so before they send anything.
 * @throws InputFailure when a value can't be used
 */
export function readTransactionForm(params: Params): TransactionForm {
	if (params.typeVersion >= 2) return readOutput(params);
	return params.boolean('simplify') ? 'simplifiedV1' : 'raw';
}

/** Returns a transaction in the form that the item asks for. */
export function transactionJson(params: Params, transaction: IDataObject): IDataObject {
	return transactionIn(readTransactionForm(params), transaction);
}
