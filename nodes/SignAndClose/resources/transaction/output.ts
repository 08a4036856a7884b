import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import { hasEnded, findRecordId } from '../../transport/answers/transactionState';
import { asObjects } from '../../values/json';
import {
	defineOutputChoice,
	parseOutput,
	findExpiry,
	pickFields,
	findFirstText,
	selectFields,
} from '../../form/output';
import { buildProgressFields, buildSignerFields } from '../signer/output';

/* How much of a transaction comes out, in both nodes (docs/service/transactions.md#answer-fields). */

/** The fields to select from (docs/service/transactions.md#answer-fields), and the node's own. */
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
	'ended',
	'expiry',
	'external_id',
	'file_number',
	'lender',
	'loan_number',
	'message_to_signer',
	'never_opened',
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
	'signed',
	'signers',
	'status',
	'status_description',
	'street_address',
	'title_agency',
	'title_underwriter',
	'transaction_name',
	'transaction_type',
	'waiting_for',
];

const SELECTION =
	'The fields to return. Signers and documents are simplified. An expression may name any other field of the service.';

/** The fields that say how much of a transaction comes out. */
export const transactionOutputFields = defineOutputChoice(FIELDS, SELECTION);

/**
 * Parses how much of a transaction comes out. Operations do so before they send anything.
 * @throws InputFailure when a value can't be used
 */
export const parseTransactionOutput: (params: Params) => TransactionForm = parseOutput;

/** Returns a transaction in the form that the item asks for. */
export function formatTransaction(params: Params, transaction: IDataObject): IDataObject {
	return formatTransactionAs(parseTransactionOutput(params), transaction);
}

/**
 * Returns a transaction of a list. Simplified, it's a row without lists, so that it fits into a
 * table, a sheet or an email.
 */
export function formatListedTransaction(params: Params, transaction: IDataObject): IDataObject {
	const json = formatTransaction(params, transaction);
	if (parseTransactionOutput(params) !== 'simplified') return json;
	delete json.signers;
	delete json.documents;
	return json;
}

/**
 * The form in which a transaction is output: as the service answered it, simplified, or with these
 * fields only.
 */
export type TransactionForm = 'raw' | 'simplified' | readonly string[];

/** Returns a transaction in a form, with its ID at top level. */
export function formatTransactionAs(form: TransactionForm, transaction: IDataObject): IDataObject {
	const recordId = findRecordId(transaction);
	if (form === 'raw')
		return {
			transaction_id: transaction.id,
			...(recordId !== undefined && { notarization_record_id: recordId }),
			...transaction,
		};
	const simplified = simplifyTransaction(transaction);
	if (form === 'simplified') return simplified;
	return selectFields(simplified, transaction, ['transaction_id', ...form]);
}

/**
 * Returns what tells which case it is, how far it is, who is missing and until when, the signers and
 * the documents, without links. What the answer doesn't show is null: a list that it doesn't have
 * isn't the same as an empty one.
 */
export function simplifyTransaction(transaction: IDataObject): IDataObject {
	const { signers, documents } = transaction;
	return {
		transaction_id: transaction.id,
		transaction_name: findFirstText(transaction.transaction_name),
		...pickFields(transaction, ['loan_number', 'external_id', 'file_number']),
		status: findFirstText(transaction.status),
		// Some answers have no detailed status (docs/service/states.md#detailed-status).
		detailed_status: findFirstText(transaction.detailed_status, transaction.status),
		ended: hasEnded(transaction) ?? null,
		...buildProgressFields(transaction),
		expiry: findExpiry(transaction),
		notarization_record_id: findRecordId(transaction) ?? null,
		signers: Array.isArray(signers)
			? asObjects(signers).map((signer) => buildSignerFields(transaction, signer))
			: null,
		documents: Array.isArray(documents) ? asObjects(documents).map(simplifyDocument) : null,
	};
}

function simplifyDocument(document: IDataObject): IDataObject {
	return {
		document_id: document.id,
		...pickFields(document, [
			'document_name',
			'requirement',
			'tracking_id',
			'processing_state',
			'processing_error',
		]),
	};
}
