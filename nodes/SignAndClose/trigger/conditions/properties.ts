import type { INodeProperties } from 'n8n-workflow';

import { rows, text, titleOf } from '../../resources/shared/fields';
import { COMPARISONS } from './comparisons';

/* The fields of "Only Run If". */

/** Names of the event and of the transaction that the list offers. */
const FIELDS = (
	'detailed_status document_name event expiry external_id file_number loan_number order_progress ' +
	'organization_id payer platform signers.email signers_open status street_address.state ' +
	'title_agency.name transaction_id transaction_name transaction_type'
).split(' ');

/** The choice of a field that isn't in the list. */
export const OTHER_FIELD = 'other';

const fieldOptions = [
	...FIELDS.map((value) => ({
		name: titleOf(value.replace('.', ' ')).replace(/\bId\b/, 'ID'),
		value,
	})),
	{ name: 'Other Field', value: OTHER_FIELD },
].sort((a, b) => a.name.localeCompare(b.name));

const comparisonOptions = Object.entries(COMPARISONS)
	.map(([value, { name }]) => ({ name, value }))
	.sort((a, b) => a.name.localeCompare(b.name));

/** Comparisons that need no value. */
const ALONE = Object.keys(COMPARISONS).filter((value) => COMPARISONS[value].alone === true);

/**
 * The conditions. Their left side is a name and not an expression, because n8n evaluates expressions
 * of a webhook with the raw request, which isn't the event.
 */
export const onlyRunIf: INodeProperties = rows(
	'Only Run If',
	'onlyRunIf',
	'Condition',
	[
		{
			displayName: 'Field',
			name: 'field',
			type: 'options',
			noDataExpression: true,
			options: fieldOptions,
			default: 'transaction_type',
			description: 'What to compare, of the event or of its transaction',
		},
		{
			...text(
				'Field Name',
				'otherField',
				'data.meeting.meeting_id',
				"Name of a field of the transaction or of the event, whose own data is below 'data'. Put a period between the names of nested fields.",
			),
			noDataExpression: true,
			displayOptions: { show: { field: [OTHER_FIELD] } },
		},
		{
			displayName: 'Comparison',
			name: 'comparison',
			type: 'options',
			noDataExpression: true,
			options: comparisonOptions,
			default: 'equals',
		},
		{
			...text(
				'Value',
				'value',
				'refinance',
				"What to compare with, in any case of letters. An expression can't use the event.",
			),
			displayOptions: { hide: { comparison: ALONE } },
		},
	],
	{
		description:
			"Other events are acknowledged but don't start the workflow. All conditions have to be met, unless 'Conditions to Meet' says otherwise.",
	},
);

/** How the conditions are combined. */
export const conditionsToMeet: INodeProperties = {
	displayName: 'Conditions to Meet',
	name: 'combinator',
	type: 'options',
	options: [
		{ name: 'All', value: 'and' },
		{ name: 'Any', value: 'or' },
	],
	default: 'and',
	description: "How many conditions of 'Only Run If' have to be met",
};
