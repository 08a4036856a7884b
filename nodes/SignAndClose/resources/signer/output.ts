import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/answers';
import { asObject, asObjects } from '../../values/json';
import { expiryText, fieldsOf, firstText, joinTexts, selected } from '../shared/output';
import { awaitedSigners, identityOf, mayStillSign, signersByProgress } from './api';

/* What a workflow gets of a signer (docs/service/signers.md#signer-answer). */

/** The form in which a signer is output: as the service answered it, simplified, or these fields. */
export type SignerForm = 'raw' | 'simplified' | readonly string[];

/** Returns a signer in a form, with what tells the transaction. */
export function signerIn(
	form: SignerForm,
	transaction: TransactionAnswer,
	signer: IDataObject,
): IDataObject {
	const simplified = simplifySigner(transaction, signer);
	if (form === 'simplified') return simplified;
	const whole = wholeSigner(transaction, signer);
	return form === 'raw'
		? whole
		: selected(simplified, whole, ['transaction_id', 'signer_id', ...form]);
}

/** What a transaction shows of each of its signers. */
export function signerFields(transaction: IDataObject, signer: IDataObject): IDataObject {
	return {
		...signerKeys(signer),
		email: emailOf(signer),
		...fieldsOf(signer, ['signing_status']),
		open: mayStillSign(transaction, signer),
	};
}

/** What tells a signer from others. */
const signerKeys = (signer: IDataObject): IDataObject => ({
	...fieldsOf(signer, ['signer_id']),
	signer_external_id: firstText(signer.external_id),
	name: nameOf(signer),
});

/** Who signs, or reads the shared inbox (docs/service/signers.md#groups-as-signers). */
const emailOf = ({ email, recipient_group: group }: IDataObject) =>
	firstText(email, asObject(group).shared_inbox_email);

/** Who has signed, as text, and whom a transaction waits for; null where it doesn't show that. */
export function progressFields(transaction: IDataObject): IDataObject {
	const progress = signersByProgress(transaction);
	const total = asObjects(transaction.signers).length;
	return {
		signed: progress === undefined ? null : `${progress.signed.length} of ${total}`,
		waiting_for:
			awaitedSigners(transaction)
				?.map((one) => firstText(nameOf(one), emailOf(one), one.signer_id) ?? 'unnamed signer')
				.join(', ') ?? null,
	};
}

/** Returns a signer without links and data of the person, and what tells the transaction. */
function simplifySigner(transaction: TransactionAnswer, signer: IDataObject): IDataObject {
	const identity = identityOf(signer);
	return {
		...transactionKeys(transaction),
		...signerFields(transaction, signer),
		identity_status: identity.status,
		identity_reasons: identity.reasons,
	};
}

/**
 * Returns all that the service answers of a signer. The transaction has an external ID, too, so
 * that of the signer gets a name of its own.
 */
function wholeSigner(transaction: TransactionAnswer, signer: IDataObject): IDataObject {
	const { external_id: externalId, ...fields } = signer;
	return {
		...fields,
		...transactionKeys(transaction),
		...(externalId !== undefined && { signer_external_id: externalId }),
		open: mayStillSign(transaction, signer),
	};
}

const KEYS = ['transaction_name', 'loan_number', 'external_id', 'file_number', 'status'];

/** What tells the transaction, and joins it with the lists of an office. */
function transactionKeys(transaction: TransactionAnswer): IDataObject {
	return {
		transaction_id: transaction.id,
		...fieldsOf(transaction, KEYS),
		expiry: expiryText(transaction),
	};
}

/** The name of a signer; null where the answer has none. */
export const nameOf = ({ first_name: first, middle_name: middle, last_name: last }: IDataObject) =>
	joinTexts([first, middle, last]) ?? null;

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
	const all = asObjects(signers);
	const resultsIn = (signer: IDataObject) => RESULTS.filter((name) => signer[name] !== undefined);
	if (all.every((signer) => resultsIn(signer).length === 0)) return undefined;
	return all.map((signer) => ({ ...signerKeys(signer), ...fieldsOf(signer, resultsIn(signer)) }));
}
