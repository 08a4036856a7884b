import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { byName, flag, moment, text, titleOf } from '../../shared/fields';
import { organizationId } from '../../shared/commonFields';
import { OPEN } from './conditions';

/* The filters of Transaction: Get Many, and its order. */

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
export const DETAILED_STATUSES: readonly string[] = (
	'draft recalled order_placed sent_to_title_agent sent_to_signer active viewed started ' +
	'partially_complete attempted awaiting_payment open_order review_now sign_now payment_required ' +
	'meeting_in_progress complete complete_with_rejections expired esign_complete wet_sign_complete ' +
	'on_hold converted_to_wet_sign identify_complete_idv_passed identify_complete_idv_failed ' +
	'ready_for_review add_document processing held_for_review declined'
).split(' ');

const DETAILED_NAMES: Record<string, string> = {
	esign_complete: 'eSign Complete',
	identify_complete_idv_failed: 'Identity Check Failed',
	identify_complete_idv_passed: 'Identity Check Passed',
};

function detailedStatusOptions(): INodePropertyOptions[] {
	const states = DETAILED_STATUSES.map((value) => ({
		name: DETAILED_NAMES[value] ?? titleOf(value),
		value,
	}));
	const open = {
		name: 'Open',
		value: OPEN,
		description: "Everything that isn't completed, expired or declined, drafts included",
	};
	return [open, ...states].sort((one, other) => one.name.localeCompare(other.name));
}

/** What the transactions are narrowed to. All of it has to hold. */
export const listFilters: INodeProperties[] = byName([
	moment('Created After', 'created_date_start', 'Only transactions created at this time or later'),
	moment('Created Before', 'created_date_end', 'Only transactions created at this time or earlier'),
	{
		displayName: 'Detailed Status',
		name: 'detailed_status',
		type: 'multiOptions',
		options: detailedStatusOptions(),
		default: [],
		description:
			'Only transactions in one of these states. "Open" stands for everything that isn\'t finished.',
	},
	flag(
		'Document Processing Failed',
		'document_failed',
		"Whether to return only transactions with a document that the service couldn't process. Business lists don't show it.",
	),
	moment('Expires After', 'expires_after', 'Only transactions that expire at this time or later'),
	moment(
		'Expires Before',
		'expires_before',
		'Only transactions that expire, or have expired, at this time or earlier',
	),
	text(
		'External ID',
		'external_id',
		'case-118',
		'Only the transaction with this reference. To find several with the same one, turn on Return All.',
	),
	flag(
		'Identity Check Failed',
		'identity_check_failed',
		'Whether to return only transactions with a signer who failed an identity check and passed none',
	),
	text('Loan Number', 'loan_number', '7001234', 'Only closings of this loan'),
	text(
		'Name Contains',
		'name_contains',
		'Harbor Street',
		'Only transactions with this in the name',
	),
	moment(
		'Not Updated Since',
		'not_updated_since',
		'Only transactions in which nothing has changed since this time',
	),
	organizationId('Only transactions of this organization, instead of the one in the credential'),
	text(
		'Signer Email',
		'signer_email',
		'jane@example.com',
		'Only transactions with a signer who has this email address',
	),
	{
		displayName: 'Status',
		name: 'transaction_status',
		type: 'options',
		options: STATUSES.map((value) => ({ name: titleOf(value), value })),
		default: 'completed',
		description: 'Only transactions with this status. A draft has the status "Started".',
	},
	moment(
		'Updated After',
		'last_updated_date_start',
		'Only transactions changed at this time or later',
	),
	moment(
		'Updated Before',
		'last_updated_date_end',
		'Only transactions changed at this time or earlier',
	),
]);

/** The order of the transactions. */
export const listOptions: INodeProperties[] = [
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'options',
		options: [
			{ name: 'Creation, Newest First', value: 'created_desc' },
			{ name: 'Creation, Oldest First', value: 'created_asc' },
			{ name: 'Expiry, Latest First', value: 'expiry_desc' },
			{ name: 'Expiry, Soonest First', value: 'expiry_asc' },
			{ name: 'Last Update, Newest First', value: 'updated_desc' },
			{ name: 'Last Update, Oldest First', value: 'updated_asc' },
		],
		default: 'expiry_asc',
		description:
			'The order of the transactions. Without it, the newest come first. To sort, the node reads all transactions that match. Those without the date come last.',
	},
];
