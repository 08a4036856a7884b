import type { INodeProperties } from 'n8n-workflow';

import { collection, flag, rows, text, titleOf } from '../shared/builders';
import { rowTitle, withLook } from '../shared/rowLook';

/*
 * The fields for designations (docs/service/documents.md#designations): rows, or JSON from another
 * system.
 */

/** Who completes which types of designations (docs/service/documents.md#designation-types). */
const TYPES: Array<[string, string[]]> = [
	[
		'',
		[
			'checkmark',
			'date_signed',
			'day_signed',
			'first_name',
			'free_text',
			'full_name',
			'initials',
			'last_name',
			'middle_name',
			'month_signed',
			'radio_checkmark',
			'signature',
			'signature_and_date',
			'year_signed',
		],
	],
	[
		'Signer',
		[
			'address_city',
			'address_line1',
			'address_line2',
			'address_state',
			'address_zip5',
			'dob',
			'email',
			'representative_capacity_type',
		],
	],
	[
		'Notary',
		[
			'commission_county',
			'commission_expiration_date',
			'commission_state',
			'county',
			'disclosure',
			'notary_city',
			'notary_id',
			'principal_id_type',
			'seal',
		],
	],
];

const typeOptions = TYPES.flatMap(([who, types]) =>
	types.map((value) => ({ name: `${who === '' ? '' : `${who}: `}${toTitle(value)}`, value })),
).sort((a, b) => a.name.localeCompare(b.name));

function toTitle(type: string): string {
	const special: Record<string, string> = {
		dob: 'Date of Birth',
		notary_id: 'Notary ID',
		principal_id_type: 'Principal ID Type',
		signature_and_date: 'Signature and Date',
	};
	return special[type] ?? titleOf(type);
}

const whole = (
	displayName: string,
	name: string,
	initial: number,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: 0 },
	default: initial,
	description,
	...more,
});

/** Said below the field, because nobody guesses the unit. */
const POINTS = { hint: 'Points: 72 are one inch' };

/** The rarely used fields of a row. */
export const designationDetails: INodeProperties[] = [
	text(
		'Conditional On',
		'conditional_on_primary',
		'owns-other-property',
		'The identifier of the optional designation that makes this one necessary',
	),
	text(
		'Group',
		'signing_designation_group',
		'either-or',
		"A group of 'Designation Groups'. Can't be combined with 'Optional'.",
	),
	text('Hint', 'hint', 'Your initials', 'Text displayed for the designation'),
	text(
		'Identifier',
		'primary_designation_identifier',
		'owns-other-property',
		'Your own name for this designation, which conditional designations refer to',
	),
	text('Instruction', 'instruction', 'Enter the amount', 'What to ask the signer to do'),
	flag('Optional', 'optional', 'Whether the signer can leave it out'),
];

const row: INodeProperties[] = [
	{
		displayName: 'Signer Name or ID',
		name: 'signer_identifier',
		type: 'options',
		typeOptions: {
			loadOptionsMethod: 'getSigners',
			loadOptionsDependsOn: ['platform', 'transactionId.value'],
		},
		default: '',
		description:
			'The external ID of the signer, "notary", "witness1" and so on. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: typeOptions,
		default: 'signature',
		description:
			"What the signer enters here. Use an expression for a type that isn't in the list.",
	},
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'Number of the page; the first page is 1',
	},
	whole(
		'From Left',
		'x',
		72,
		'Distance from the left edge of the page, in points (72 points are one inch)',
		POINTS,
	),
	whole(
		'From Bottom',
		'y',
		72,
		'Distance from the bottom edge of the page, in points (72 points are one inch)',
		POINTS,
	),
	whole('Width', 'width', 180, 'In points'),
	whole('Height', 'height', 24, 'In points'),
	collection('Details', 'details', designationDetails),
];

/** The choice between rows and JSON, with the fields of both. */
export const designationProperties: INodeProperties[] = [
	{
		displayName: 'Specify Designations',
		name: 'specifyDesignations',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to specify where the document is signed',
	},
	withLook(
		rows('Designations', 'designations', 'Designation', row, {
			displayOptions: { show: { specifyDesignations: ['fields'] } },
			placeholder: 'Add Designation (Where to Sign)',
			description:
				'Where the document is signed. Only drafts accept designations. The list of signers has everybody whom a designation can name.',
		}),
		rowTitle("o('type')", 't(v.signer_identifier)', '`page ${t(v.page) || 1}`'),
		['signer_identifier', 'type', 'page', 'x', 'y'],
	),
	{
		displayName: 'Designations (JSON)',
		name: 'designationsJson',
		type: 'json',
		default: '[]',
		typeOptions: { rows: 6 },
		displayOptions: { show: { specifyDesignations: ['json'] } },
		placeholder:
			'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
		description:
			'Where the document is signed, as a JSON array. Positions are in points (1/72 inch) from the bottom left of the page, and the first page is 0. Use the external ID for a signer and "notary" for the notary.',
	},
];
