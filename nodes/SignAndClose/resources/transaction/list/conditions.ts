import type { IDataObject } from 'n8n-workflow';

import { CANCELED, isCanceled, isOpen } from '../../../transport/answers/transactionState';
import { sameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { toMilliseconds } from '../../../values/times';
import { isFailed } from '../../document/api';
import { awaitedSigners, identityOf } from '../../signer/api';
import { addressesOf, peopleOf } from '../../signer/people';

/*
 * Filters that the service's list doesn't have (docs/service/transactions.md#filters-of-the-list),
 * for the whole transactions that it lists.
 */

/**
 * Whether a transaction is wanted; undefined when it doesn't show what the filter compares. Then it
 * isn't taken, and a hint counts it.
 */
export type Filter = (transaction: IDataObject) => boolean | undefined;

/** Only transactions whose name contains the text, in any case. */
export function nameContains(text: string): Filter {
	const wanted = plain(text);
	return ({ transaction_name: name }) => plain(asText(name) ?? '').includes(wanted);
}

/** Only transactions that this address signs, or one of whose signers shares this inbox. */
export function hasSigner(email: string): Filter {
	const wanted = plain(email);
	return (transaction) => {
		const people = peopleOf(transaction);
		return people?.some((person) => addressesOf(person).some((own) => plain(own) === wanted));
	};
}

/** Only transactions of this organization, whose ID is written with or without its underscore. */
export function ofOrganization(id: string): Filter {
	return ({ organization_id: own }) => (asText(own) === undefined ? undefined : sameId(own, id));
}

/** The choice that stands for every state in which something is left to happen. */
export const OPEN = 'open';

/** The choice that stands for every sent transaction with a signer who hasn't signed. */
export const WAITING = 'waiting';

/** Only transactions in one of these detailed statuses, open ones, or those that wait for a signer. */
export function inDetailedStatus(wanted: readonly string[]): Filter {
	return (transaction) => {
		if (wanted.includes(OPEN) && isOpen(transaction)) return true;
		const own = detailedStatusOf(transaction);
		if (own !== undefined && wanted.includes(own)) return true;
		const awaited = wanted.includes(WAITING) ? awaitedSigners(transaction) : [];
		if (awaited !== undefined && awaited.length > 0) return true;
		return own === undefined || awaited === undefined ? undefined : false;
	};
}

/**
 * The detailed status. Some drafts are answered without one (docs/service/states.md#detailed-status);
 * one that was recalled keeps the reason.
 */
function detailedStatusOf(transaction: IDataObject): string | undefined {
	if (isCanceled(transaction)) return CANCELED;
	const { status, detailed_status: detailed, recall_reason: reason } = transaction;
	const draft = asText(reason) === undefined ? 'draft' : 'recalled';
	return asText(detailed) ?? (status === 'started' ? draft : asText(status));
}

/** Only transactions that expire within these times, which are milliseconds since 1970. */
export function expires({ from = -Infinity, to = Infinity }): Filter {
	return (transaction) => {
		const at = expiryOf(transaction);
		if (at === undefined) return false;
		return Number.isNaN(at) ? undefined : at >= from && at <= to;
	};
}

/**
 * When a transaction expires, in milliseconds since 1970. Real estate has two names for it
 * (docs/service/transactions.md#answer-fields). A day without a time counts to its end, as for closings
 * (docs/service/transactions.md#times).
 * @returns undefined when it never expires, NaN when the date can't be read
 */
export function expiryOf({ expiry, expiration_time: other }: IDataObject): number | undefined {
	const dates = [expiry, other].flatMap((value) => asText(value)?.trim() || []);
	if (dates.length === 0) return undefined;
	const times = dates.map((date) => toMilliseconds(date) ?? toMilliseconds(`${date}T23:59:59`));
	return times.find((time) => time !== undefined) ?? Number.NaN;
}

/**
 * Only transactions with a signer who has failed an identity check and hasn't passed one
 * (docs/service/signers.md#e-signature-authentication-records).
 */
export const hasFailedIdentity: Filter = (transaction) => {
	if (detailedStatusOf(transaction) === 'identify_complete_idv_failed') return true;
	return peopleOf(transaction)?.some((signer) => identityOf(signer).status === 'failure');
};

/**
 * Only transactions with a document that the service couldn't process
 * (docs/service/documents.md#processing). Where the business list has no state for it, it doesn't
 * show it (docs/service/documents.md#two-forms-of-the-answer).
 */
export const hasFailedDocument: Filter = ({ documents }) => {
	if (!Array.isArray(documents)) return undefined;
	const all = asObjects(documents);
	if (all.some(isFailed)) return true;
	return all.every((document) => 'processing_error' in document) ? false : undefined;
};

/** The form in which texts are compared that people type. */
function plain(text: string): string {
	return text.normalize('NFC').trim().toLowerCase();
}
