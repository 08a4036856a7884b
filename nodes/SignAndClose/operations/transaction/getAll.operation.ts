import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineOperation } from '../../core/operation';
import { collection, moment, readCollection, text, titleOf } from '../../fields/shared/builders';
import { organizationId, readOrganization } from '../../fields/shared/organization';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { many, readLimit } from '../../fields/shared/returnAll';
import { listEntries, mostNeeded, take } from '../../service/pagination';
import { asText } from '../../service/values/json';

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

const filters: INodeProperties[] = [
	moment('Created After', 'created_date_start', 'Only transactions created at this time or later'),
	moment('Created Before', 'created_date_end', 'Only transactions created at this time or earlier'),
	text('External ID', 'external_id', 'case-118', 'Only the transaction with this reference'),
	text('Loan Number', 'loan_number', '7001234', 'Only closings of this loan'),
	organizationId('Only transactions of this organization, instead of the one in the credential'),
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
];

/**
 * Filters that the service doesn't have on the platform, so we apply them to its answer
 * (docs/service/transactions.md#filters-of-the-list).
 */
const OURS = {
	business: ['external_id', 'loan_number', 'organization_id'],
	realEstate: ['external_id'],
};

/** Lists transactions, the newest first (docs/service/transactions.md#list-transactions). */
export const getManyTransactions = defineOperation({
	resource: 'transaction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions, newest first, by status, time, loan number or organization',
	kind: 'read',
	properties: [
		platform,
		...many,
		collection('Filters', 'filters', filters, { placeholder: 'Add Filter' }),
		simplify,
	],
	async execute({ service, params }) {
		const side = readPlatform(params);
		const chosen: IDataObject = {
			...readCollection(params, params.object('filters'), filters),
			organization_id: readOrganization(params, service.settings, 'filters'),
		};
		const ours = OURS[side === 'business' ? 'business' : 'realEstate'].filter(
			(field) => asText(chosen[field]) !== undefined,
		);
		const query = Object.fromEntries(
			Object.entries(chosen).filter(
				([field, value]) => value !== undefined && !ours.includes(field),
			),
		);
		const limit = readLimit(params);
		const entries = listEntries(
			service,
			'listTransactions',
			{ platform: side, query },
			mostNeeded(limit, ours.length > 0),
		);
		const found = await take(entries, limit, (entry) =>
			ours.every((field) => entry[field] === chosen[field]),
		);
		return found.map((entry) => ({ json: transactionJson(params, entry) }));
	},
});
