import type { IDataObject } from 'n8n-workflow';

import { asObjects } from '../../values/json';
import { recordIdOf } from '../transactionState';
import { withTransactionIds } from '../transactions';
import { signerFields } from './signer';
import { expiryText, fieldsOf, firstText, selected } from './values';

/* What a workflow gets of a transaction (docs/service/transactions.md#answer-fields). */

/**
 * The form in which a transaction is output: as the service answered it, simplified, simplified as
 * version 1 of the nodes does it, or with these fields only.
 */
export type TransactionForm = 'raw' | 'simplified' | 'simplifiedV1' | readonly string[];

/** Returns a transaction in a form, with its ID at top level. */
export function transactionIn(form: TransactionForm, transaction: IDataObject): IDataObject {
	if (form === 'raw') return withTransactionIds(transaction);
	if (form === 'simplifiedV1') return simplifyTransactionV1(transaction);
	const simplified = simplifyTransaction(transaction);
	if (form === 'simplified') return simplified;
	return selected(simplified, transaction, ['transaction_id', ...form]);
}

/**
 * Returns what tells which case it is, how far it is, who is missing and until when: ten fields,
 * the signers and the documents, without links. A list that the answer doesn't have is null, which
 * isn't the same as empty.
 */
export function simplifyTransaction(transaction: IDataObject): IDataObject {
	const { signers, documents } = transaction;
	return {
		transaction_id: transaction.id,
		transaction_name: firstText(transaction.transaction_name),
		status: firstText(transaction.status),
		// Some answers have no detailed status (docs/service/states.md#detailed-status).
		detailed_status: firstText(transaction.detailed_status, transaction.status),
		...fieldsOf(transaction, ['loan_number', 'external_id', 'file_number']),
		expiry: expiryText(transaction),
		...fieldsOf(transaction, ['date_updated']),
		notarization_record_id: recordIdOf(transaction) ?? null,
		signers: Array.isArray(signers)
			? asObjects(signers).map((signer) => signerFields(transaction, signer))
			: null,
		documents: Array.isArray(documents) ? asObjects(documents).map(documentFields) : null,
	};
}

function documentFields(document: IDataObject): IDataObject {
	return {
		document_id: document.id,
		...fieldsOf(document, [
			'document_name',
			'requirement',
			'tracking_id',
			'processing_state',
			'processing_error',
		]),
	};
}

/**
 * Returns the ten fields that version 1 of the nodes gives. Workflows rely on them, so they never
 * change.
 */
function simplifyTransactionV1(transaction: IDataObject): IDataObject {
	return {
		transaction_id: transaction.id,
		transaction_name: transaction.transaction_name ?? null,
		transaction_type: transaction.transaction_type ?? null,
		status: transaction.status ?? null,
		detailed_status: transaction.detailed_status ?? null,
		organization_id: transaction.organization_id ?? null,
		date_created: transaction.date_created ?? null,
		date_updated: transaction.date_updated ?? null,
		notarization_record_id: recordIdOf(transaction) ?? null,
		documents: asObjects(transaction.documents).map((document) => ({
			document_id: document.id,
			document_name: document.document_name ?? null,
			requirement: document.requirement ?? null,
		})),
	};
}
