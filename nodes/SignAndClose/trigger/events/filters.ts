import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { text } from '../../fields/shared/builders';
import { platformOf } from '../../service/resources/transactionState';
import { sameId } from '../../service/values/ids';
import { asText } from '../../service/values/json';

/* Filters by the transaction of an event. The transaction has to be retrieved for that. */

/** The fields of the filters. */
export const filterProperties: INodeProperties[] = [
	text(
		'External ID Pattern',
		'external_id',
		'case-*',
		'Only transactions with a matching external ID. Use * for any text.',
	),
	text(
		'Organization ID',
		'organization_id',
		'or_1a2b3c4d',
		'Only transactions of this organization',
	),
	{
		displayName: 'Platform',
		name: 'platform',
		type: 'options',
		options: [
			{ name: 'Business', value: 'business' },
			{ name: 'Real Estate', value: 'realEstate' },
		],
		default: 'realEstate',
		description: 'Only transactions of this platform',
	},
	text('Transaction Type', 'transaction_type', 'refinance', 'Only transactions of this type'),
];

/** Whether any filter is filled in. */
export function hasFilters(filters: IDataObject): boolean {
	return Object.values(filters).some((value) => asText(value) !== undefined);
}

/**
 * Whether a transaction passes all filters that are filled in. What an answer doesn't show can't be
 * filtered out. That counts for the organization and for the type of a closing, which every closing
 * has; an external ID that isn't there was never set (docs/service/transactions.md#answer-fields).
 */
export function passes(transaction: IDataObject, filters: IDataObject): boolean {
	const {
		external_id: pattern,
		organization_id: organization,
		platform,
		transaction_type: type,
	} = filters;
	const own = platformOf(transaction);
	const isHidden = (value: unknown) => asText(value) === undefined;
	return (
		(asText(pattern) === undefined ||
			matchesPattern(String(transaction.external_id ?? ''), String(pattern))) &&
		(asText(organization) === undefined ||
			isHidden(transaction.organization_id) ||
			sameId(transaction.organization_id, organization)) &&
		(asText(platform) === undefined || own === platform) &&
		(asText(type) === undefined ||
			(own === 'realEstate' && isHidden(transaction.transaction_type)) ||
			transaction.transaction_type === type)
	);
}

/**
 * Whether a text matches a pattern. `*` stands for any text, everything else for itself, regardless
 * of case. It isn't a regular expression, so that no pattern of a person can make it slow.
 */
function matchesPattern(value: string, pattern: string): boolean {
	const [first, ...rest] = pattern.toLowerCase().split('*');
	const whole = value.toLowerCase();
	if (rest.length === 0) return whole === first;
	if (!whole.startsWith(first)) return false;
	let from = first.length;
	const last = rest.pop()!;
	for (const part of rest) {
		const at = whole.indexOf(part, from);
		if (at < 0) return false;
		from = at + part.length;
	}
	return whole.length - last.length >= from && whole.endsWith(last);
}
