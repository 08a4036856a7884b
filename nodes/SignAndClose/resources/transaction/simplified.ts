import type { IDataObject } from 'n8n-workflow';

import { recordIdOf } from '../../transport/answers/transactionState';
import { asObjects } from '../../values/json';
import { expiryText, fieldsOf, firstText, selected } from '../shared/output';
import { signerFields } from '../signer/output';
import { withTransactionIds } from './api';

/* What a workflow gets of a transaction (docs/service/transactions.md#answer-fields). */

/**
 * The form in which a transaction is output: as the service answered it, simplified, or with these
 * fields only.
 */
export type TransactionForm = 'raw' | 'simplified' | readonly string[];

/** Returns a transaction in a form, with its ID at top level. */
export function transactionIn(form: TransactionForm, transaction: IDataObject): IDataObject {
	if (form === 'raw') return withTransactionIds(transaction);
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
