import type { IDataObject } from 'n8n-workflow';

import { CANCELED, isCanceled, isOpen } from '../../../transport/answers/transactionState';
import { isSameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { toMilliseconds } from '../../../values/times';
import { isFailed } from '../../document/api';
import { listAwaitedSigners, listUnopened, summarizeIdentity } from '../../signer/api';
import { listAddresses, listPeople } from '../../signer/people';

/*
 * Filters that the service's list doesn't have (docs/service/transactions.md#filters-of-the-list),
 * for the whole transactions that it lists.
 */

/**
 * Whether a transaction is wanted; undefined when it doesn't show what the filter compares. Then it
 * isn't taken, and a hint counts it.
 */
export type TransactionFilter = (transaction: IDataObject) => boolean | undefined;

/** Only transactions whose name contains the text, in any case. */
export function buildNameFilter(text: string): TransactionFilter {
	const expected = normalizeText(text);
	return ({ transaction_name: name }) => normalizeText(asText(name) ?? '').includes(expected);
}

/** Only transactions that this address signs, or one of whose signers shares this inbox. */
export function buildSignerFilter(email: string): TransactionFilter {
	const expected = normalizeText(email);
	return (transaction) => {
		const people = listPeople(transaction);
		return people?.some((person) =>
			listAddresses(person).some((address) => normalizeText(address) === expected),
		);
	};
}

/** Only transactions of this organization, whose ID is written with or without its underscore. */
export function buildOrganizationFilter(id: string): TransactionFilter {
	return ({ organization_id: organizationId }) =>
		asText(organizationId) === undefined ? undefined : isSameId(organizationId, id);
}

/** The choice that stands for every state in which something is left to happen. */
export const OPEN = 'open';

/** The choice that stands for every sent transaction with a signer who hasn't signed. */
export const WAITING = 'waiting';

/** The choice that stands for every sent transaction with a signer who has never opened it. */
export const UNOPENED = 'unopened';

/** The choices that ask for signers, and how those are found. */
const SIGNER_LISTS = { [WAITING]: listAwaitedSigners, [UNOPENED]: listUnopened };

/** Only transactions in one of these detailed statuses, open ones, or those with such signers. */
export function buildStatusFilter(statuses: readonly string[]): TransactionFilter {
	return (transaction) => {
		if (statuses.includes(OPEN) && isOpen(transaction)) return true;
		const status = readDetailedStatus(transaction);
		if (status !== undefined && statuses.includes(status)) return true;
		const lists = Object.entries(SIGNER_LISTS)
			.filter(([choice]) => statuses.includes(choice))
			.map(([, list]) => list(transaction));
		if (lists.some((signers) => signers !== undefined && signers.length > 0)) return true;
		return status === undefined || lists.includes(undefined) ? undefined : false;
	};
}

/**
 * The detailed status. Some drafts are answered without one (docs/service/states.md#detailed-status);
 * one that was recalled keeps the reason.
 */
function readDetailedStatus(transaction: IDataObject): string | undefined {
	if (isCanceled(transaction)) return CANCELED;
	const { status, detailed_status: detailed, recall_reason: reason } = transaction;
	const draft = asText(reason) === undefined ? 'draft' : 'recalled';
	return asText(detailed) ?? (status === 'started' ? draft : asText(status));
}

/** Only transactions that expire within these times, which are milliseconds since 1970. */
export function buildExpiryFilter({ from = -Infinity, to = Infinity }): TransactionFilter {
	return (transaction) => {
		const at = readExpiry(transaction);
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
export function readExpiry({
	expiry,
	expiration_time: expirationTime,
}: IDataObject): number | undefined {
	const dates = [expiry, expirationTime].flatMap((value) => asText(value)?.trim() || []);
	if (dates.length === 0) return undefined;
	const times = dates.map((date) => toMilliseconds(date) ?? toMilliseconds(`${date}T23:59:59`));
	return times.find((time) => time !== undefined) ?? Number.NaN;
}

/**
 * Only transactions with a signer who has failed an identity check and hasn't passed one
 * (docs/service/signers.md#e-signature-authentication-records).
 */
export const hasFailedIdentity: TransactionFilter = (transaction) => {
	if (readDetailedStatus(transaction) === 'identify_complete_idv_failed') return true;
	return listPeople(transaction)?.some((signer) => summarizeIdentity(signer).status === 'failure');
};

/**
 * Only transactions with a document that the service couldn't process
 * (docs/service/documents.md#processing). Where the business list has no state for it, it doesn't
 * show it (docs/service/documents.md#two-forms-of-the-answer).
 */
export const hasFailedDocument: TransactionFilter = ({ documents }) => {
	if (!Array.isArray(documents)) return undefined;
	const all = asObjects(documents);
	if (all.some(isFailed)) return true;
	return all.every((document) => 'processing_error' in document) ? false : undefined;
};

/** The form in which texts are compared that people type. */
function normalizeText(text: string): string {
	return text.normalize('NFC').trim().toLowerCase();
}
