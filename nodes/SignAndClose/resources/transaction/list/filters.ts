import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { parseEmail } from '../../../form/checks';
import { defineOrganizationId } from '../../../form/commonFields';
import {
	sortByDisplayName,
	defineChoice,
	defineFlag,
	defineDateTime,
	defineText,
	type OptionTuple,
} from '../../../form/fields';
import { parseCollection } from '../../../form/input';
import { toTitle } from '../../../form/titles';
import {
	buildExpiryFilter,
	hasFailedDocument,
	hasFailedIdentity,
	buildSignerFilter,
	buildStatusFilter,
	buildNameFilter,
	buildOrganizationFilter,
	OPEN,
	UNOPENED,
	WAITING,
	type TransactionFilter,
} from './conditions';

/*
 * The filters of Transaction: Get Many. The service's own come first; the node filters by the others
 * (docs/service/transactions.md#filters-of-the-list).
 */

/** The statuses that the list can be filtered by (docs/service/states.md#status). */
const STATUSES = [
	'active',
	'completed',
	'completed_with_rejections',
	'expired',
	'partially_completed',
	'received',
	'sent',
	'sent_to_closing_ops',
	'sent_to_title_agency',
	'started',
];

/** Detailed statuses (docs/service/states.md#detailed-status). An expression may pass any text. */
const DETAILED_STATUSES = (
	'draft recalled order_placed sent_to_title_agent sent_to_signer active viewed started ' +
	'partially_complete attempted awaiting_payment open_order review_now sign_now payment_required ' +
	'meeting_in_progress complete complete_with_rejections expired esign_complete wet_sign_complete ' +
	'on_hold converted_to_wet_sign identify_complete_idv_passed identify_complete_idv_failed ' +
	'ready_for_review add_document processing held_for_review declined canceled'
).split(' ');

const detailedStatuses: OptionTuple[] = [
	...DETAILED_STATUSES.map((value): OptionTuple => [toTitle(value), value]),
	[
		'Open',
		OPEN,
		"Everything that isn't completed, expired, declined or canceled, drafts included",
	] as OptionTuple,
	[
		'Invited, Never Opened',
		UNOPENED,
		'Everything that was sent and that a signer has never opened, maybe because the address is wrong',
	] as OptionTuple,
	[
		'Sent, Waiting for a Signer',
		WAITING,
		"Everything that was sent and that somebody hasn't signed, without drafts",
	] as OptionTuple,
].sort(([a], [b]) => a.localeCompare(b));

/** What the transactions are narrowed to. All of it has to hold. */
export const listFilters: INodeProperties[] = sortByDisplayName([
	defineDateTime(
		'Created After',
		'created_date_start',
		'Only transactions created at this time or later',
	),
	defineDateTime(
		'Created Before',
		'created_date_end',
		'Only transactions created at this time or earlier',
	),
	defineChoice(
		'Detailed Status',
		'detailed_status',
		detailedStatuses,
		'Only transactions in one of these states. "Open" stands for everything that isn\'t finished.',
		{ type: 'multiOptions', default: [] },
	),
	defineFlag(
		'Document Processing Failed',
		'document_failed',
		"Whether to return only transactions with a document that the service couldn't process. Business lists don't show it.",
	),
	defineDateTime(
		'Expiration After',
		'expires_after',
		'Only transactions that expire at this time or later',
	),
	defineDateTime(
		'Expiration Before',
		'expires_before',
		'Only transactions that expire, or have expired, at this time or earlier',
	),
	defineText(
		'External ID',
		'external_id',
		'case-118',
		'Only the transaction with this reference. To find several with the same one, turn on Return All.',
	),
	defineFlag(
		'Identity Check Failed',
		'identity_check_failed',
		'Whether to return only transactions with a signer who failed an identity check and passed none',
	),
	defineText('Loan Number', 'loan_number', '7001234', 'Only closings of this loan'),
	defineText(
		'Name Contains',
		'name_contains',
		'Harbor Street',
		'Only transactions with this in the name',
	),
	defineOrganizationId(
		'Only transactions of this organization, instead of the one in the credential',
	),
	defineText(
		'Signer Email',
		'signer_email',
		'jane@example.com',
		'Only transactions with a signer who has this email address',
	),
	defineChoice(
		'Status',
		'transaction_status',
		STATUSES.map((value) => [toTitle(value), value]),
		'Only transactions with this status. A draft has the status "Started".',
		{ default: 'completed' },
	),
	defineDateTime(
		'Updated After',
		'last_updated_date_start',
		'Only transactions changed at this time or later',
	),
	defineDateTime(
		'Updated Before',
		'last_updated_date_end',
		'Only transactions whose last change was at this time or earlier',
	),
]);

/** Filters of the service's lists. */
const SHARED_FILTERS = [
	'created_date_start',
	'created_date_end',
	'last_updated_date_start',
	'last_updated_date_end',
	'transaction_status',
];
const REAL_ESTATE_FILTERS = [...SHARED_FILTERS, 'loan_number', 'organization_id'];

/** Filters of the node, where the service doesn't have them: each is made from what was entered. */
const FILTER_BUILDERS: Record<string, (value: string, label: string) => TransactionFilter> = {
	document_failed: () => hasFailedDocument,
	expires_after: (value) => buildExpiryFilter({ from: Date.parse(value) }),
	expires_before: (value) => buildExpiryFilter({ to: Date.parse(value) }),
	external_id: (value) => (transaction) => transaction.external_id === value,
	identity_check_failed: () => hasFailedIdentity,
	loan_number: (value) => (transaction) => transaction.loan_number === value,
	name_contains: buildNameFilter,
	organization_id: buildOrganizationFilter,
	signer_email: (value, label) => buildSignerFilter(parseEmail(value, label)),
};

/** The detailed statuses of drafts, whose status is "started" (docs/service/states.md#transitions). */
const OF_DRAFTS = ['draft', 'recalled'];

/** What an item looks for. */
export interface ListFilters {
	/** Filters of the service. */
	query: IDataObject;
	/** Filters of the node, by their labels. */
	filters: Record<string, TransactionFilter>;
	/** Whether one External ID is looked for: the first match is enough. */
	hasKey: boolean;
}

/**
 * Parses the filters.
 * @param organization the one in the credential
 * @throws InputFailure naming the filter
 */
export function parseListFilters(
	params: Params,
	platform: Platform,
	organization: string | undefined,
): ListFilters {
	const values = parseCollection(params, params.getObject('filters'), listFilters);
	const ofService = platform === 'business' ? SHARED_FILTERS : REAL_ESTATE_FILTERS;
	const query: IDataObject = {};
	const filters: Record<string, TransactionFilter> = {};
	for (const name of ofService) if (values[name] !== undefined) query[name] = values[name];
	for (const [name, buildFilter] of Object.entries(FILTER_BUILDERS)) {
		if (ofService.includes(name) || values[name] === false) continue;
		const value = params.getTextIn(values, name);
		if (value !== undefined) filters[params.label(name)] = buildFilter(value, params.label(name));
	}
	if (organization !== undefined && values.organization_id === undefined) {
		if (ofService.includes('organization_id')) query.organization_id = organization;
		// What doesn't say whose it is may be ours.
		else
			filters[params.label('organization_id')] = (transaction) =>
				buildOrganizationFilter(organization)(transaction) !== false;
	}
	const states = (values.detailed_status ?? []) as string[];
	if (states.length > 0) {
		filters[params.label('detailed_status')] = buildStatusFilter(states);
		if (states.every((state) => OF_DRAFTS.includes(state))) query.transaction_status ??= 'started';
	}
	return { query, filters, hasKey: values.external_id !== undefined };
}
