import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../answers';
import { asBoolean } from '../../values/booleans';
import { asObject, asObjects, asText } from '../../values/json';
import { isOpen } from '../signers';
import { fieldsOf, firstText, selected } from './values';

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
		...fieldsOf(signer, ['signer_id']),
		name: nameOf(signer),
		// Somebody signs who reads the shared inbox (docs/service/signers.md#groups-as-signers).
		email: firstText(signer.email, asObject(signer.recipient_group).shared_inbox_email),
		...fieldsOf(signer, ['signing_status']),
		open: isOpen(transaction, signer),
	};
}

/** Returns a signer without links and data of the person, and what tells the transaction. */
function simplifySigner(transaction: TransactionAnswer, signer: IDataObject): IDataObject {
	const identity = identityOf(signer);
	return {
		...transactionKeys(transaction),
		...signerFields(transaction, signer),
		signer_external_id: firstText(signer.external_id),
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
		open: isOpen(transaction, signer),
	};
}

/** What tells the transaction, and joins it with the lists of an office. */
function transactionKeys(transaction: TransactionAnswer): IDataObject {
	return {
		transaction_id: transaction.id,
		...fieldsOf(transaction, [
			'transaction_name',
			'loan_number',
			'external_id',
			'file_number',
			'status',
		]),
		expiry: firstText(transaction.expiry, transaction.expiration_time),
	};
}

function nameOf({ first_name: first, middle_name: middle, last_name: last }: IDataObject) {
	return firstText([first, middle, last].filter((part) => asText(part) !== undefined).join(' '));
}

/** The states of a check that didn't succeed, the most urgent first. */
const UNFINISHED = ['failure', 'action_required', 'pending', 'unknown', 'skipped'];

/**
 * Returns how the checks of a signer's identity ended
 * (docs/service/signers.md#e-signature-authentication-records). A check can be repeated, so one that
 * succeeded counts. Otherwise the most urgent state does: nobody says in which order records come.
 * @returns the status is null where the answer has no record; the reasons are what the service says of
 *   checks that weren't passed in the end
 */
function identityOf(signer: IDataObject): { status: string | null; reasons: string[] } {
	const records = asObjects(signer.esign_authentication_records).filter(
		({ status }) => status !== 'deleted',
	);
	const isPassed = ({ status, verified }: IDataObject) =>
		status === 'success' || asBoolean(verified) === true;
	if (records.some(isPassed)) return { status: 'success', reasons: [] };
	const states = records.flatMap(({ status }) => asText(status) ?? []);
	const status = UNFINISHED.find((state) => states.includes(state)) ?? states[0] ?? null;
	return { status, reasons: [...new Set(records.flatMap(reasonsOf))] };
}

/** What failed, in the service's words: `kba_mismatch: Two answers are wrong`. */
function reasonsOf(record: IDataObject): string[] {
	return asObjects(record.failure_reasons).map(({ category, check, reasons }) => {
		const what = firstText(category, check) ?? 'unknown';
		const why = Array.isArray(reasons) ? reasons.filter((reason) => asText(reason)) : [];
		return why.length === 0 ? what : `${what}: ${why.join('; ')}`;
	});
}
