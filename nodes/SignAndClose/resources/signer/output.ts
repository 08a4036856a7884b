import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/shapes';
import { asObject, asObjects } from '../../values/json';
import { findExpiry, pickFields, findFirstText, joinTexts, selectFields } from '../../form/output';
import {
	listAwaitedSigners,
	listUnopened,
	summarizeIdentity,
	mayStillSign,
	splitByProgress,
} from './api';

/* What a workflow gets of a signer (docs/service/signers.md#signer-answer). */

/** The form in which a signer is output: as the service answered it, simplified, or these fields. */
type SignerForm = 'raw' | 'simplified' | readonly string[];

/** Returns a signer in a form, with what tells the transaction. */
export function formatSigner(
	form: SignerForm,
	transaction: TransactionAnswer,
	signer: IDataObject,
): IDataObject {
	const simplified = simplifySigner(transaction, signer);
	if (form === 'simplified') return simplified;
	const whole = buildRawSigner(transaction, signer);
	return form === 'raw'
		? whole
		: selectFields(simplified, whole, ['transaction_id', 'signer_id', ...form]);
}

/** What a transaction shows of each of its signers. */
export function buildSignerFields(transaction: IDataObject, signer: IDataObject): IDataObject {
	return {
		...buildSignerKeys(signer),
		email: findEmail(signer),
		...pickFields(signer, ['signing_status']),
		open: mayStillSign(transaction, signer),
	};
}

/** What tells a signer from others. */
const buildSignerKeys = (signer: IDataObject): IDataObject => ({
	...pickFields(signer, ['signer_id']),
	signer_external_id: findFirstText(signer.external_id),
	name: formatFullName(signer),
});

/** Who signs, or reads the shared inbox (docs/service/signers.md#groups-as-signers). */
const findEmail = ({ email, recipient_group: group }: IDataObject) =>
	findFirstText(email, asObject(group).shared_inbox_email);

/** A short name of a signer: the first of name, email address and ID that there is. */
const findName = (signer: IDataObject): string =>
	findFirstText(formatFullName(signer), findEmail(signer), signer.signer_id) ?? 'unnamed signer';

/** Name and email address, of which the second may be wrong. */
const formatInvited = (signer: IDataObject): string =>
	joinTexts([formatFullName(signer), findEmail(signer)], ' · ') ?? findName(signer);

/**
 * Who has signed, as text, whom a transaction waits for, and who has never opened it; null where it
 * doesn't show that.
 */
export function buildProgressFields(transaction: IDataObject): IDataObject {
	const progress = splitByProgress(transaction);
	const total = asObjects(transaction.signers).length;
	return {
		signed: progress === undefined ? null : `${progress.signed.length} of ${total}`,
		waiting_for: listAwaitedSigners(transaction)?.map(findName).join(', ') ?? null,
		never_opened: listUnopened(transaction)?.map(formatInvited).join(', ') ?? null,
	};
}

/** Returns a signer without links and data of the person, and what tells the transaction. */
function simplifySigner(transaction: TransactionAnswer, signer: IDataObject): IDataObject {
	const identity = summarizeIdentity(signer);
	return {
		...buildTransactionKeys(transaction),
		...buildSignerFields(transaction, signer),
		identity_status: identity.status,
		identity_reasons: identity.reasons,
	};
}

/**
 * Returns all that the service answers of a signer. The transaction has an external ID, too, so
 * that of the signer gets a name of its own.
 */
function buildRawSigner(transaction: TransactionAnswer, signer: IDataObject): IDataObject {
	const { external_id: externalId, ...fields } = signer;
	return {
		...fields,
		...buildTransactionKeys(transaction),
		...(externalId !== undefined && { signer_external_id: externalId }),
		open: mayStillSign(transaction, signer),
	};
}

const KEYS = ['transaction_name', 'loan_number', 'external_id', 'file_number', 'status'];

/** What tells the transaction, and joins it with the lists of an office. */
function buildTransactionKeys(transaction: TransactionAnswer): IDataObject {
	return {
		transaction_id: transaction.id,
		...pickFields(transaction, KEYS),
		expiry: findExpiry(transaction),
	};
}

/** The name of a signer; null where the answer has none. */
export const formatFullName = ({
	first_name: first,
	middle_name: middle,
	last_name: last,
}: IDataObject) => joinTexts([first, middle, last]) ?? null;

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
export function buildSignerResults({ signers }: IDataObject): IDataObject[] | undefined {
	const all = asObjects(signers);
	const listResultNames = (signer: IDataObject) =>
		RESULTS.filter((name) => signer[name] !== undefined);
	if (all.every((signer) => listResultNames(signer).length === 0)) return undefined;
	return all.map((signer) => ({
		...buildSignerKeys(signer),
		...pickFields(signer, listResultNames(signer)),
	}));
}
