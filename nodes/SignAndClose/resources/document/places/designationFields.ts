import type { INodeProperties } from 'n8n-workflow';

import {
	defineChoice,
	defineCollection,
	defineFlag,
	defineNumber,
	defineRows,
	defineText,
} from '../../../form/fields';
import { toTitle } from '../../../form/titles';

/* The fields of designations (docs/service/documents.md#designations): as rows, and as JSON from another system. */

const splitWords = (text: string): string[] => text.split(' ');

/** Who completes which types of designations (docs/service/documents.md#designation-types). */
export const DESIGNATION_TYPES = {
	anyone: splitWords(
		'checkmark date_signed day_signed first_name free_text full_name initials last_name middle_name month_signed radio_checkmark signature signature_and_date year_signed',
	),
	signer: splitWords(
		'address_city address_line1 address_line2 address_state address_zip5 dob email representative_capacity_type',
	),
	notary: splitWords(
		'commission_county commission_expiration_date commission_state county disclosure notary_city notary_id principal_id_type seal',
	),
};

const typeChoices = Object.entries(DESIGNATION_TYPES)
	.flatMap(([role, values]) =>
		values.map((value): [string, string] => [
			`${role === 'anyone' ? '' : `${toTitle(role)}: `}${toTitle(value.replace(`${role}_`, ''))}`,
			value,
		]),
	)
	.sort(([left], [right]) => left.localeCompare(right));

/** Builds a field for a length. The unit stands below it, because nobody guesses it. */
export const definePoints = (
	displayName: string,
	name: string,
	range: [number, number],
	description: string,
) =>
	defineNumber(displayName, name, range, description, {
		hint: "72 points = 1 inch. To use another unit, add 'Unit'.",
	});

/** The rarely used fields of a row. */
export const designationDetails: INodeProperties[] = [
	defineText(
		'Conditional On',
		'conditional_on_primary',
		'owns-other-property',
		'The identifier of the optional designation that makes this one necessary',
	),
	defineText(
		'Group',
		'signing_designation_group',
		'either-or',
		"A group of 'Designation Groups'. Can't be combined with 'Optional'.",
	),
	defineText('Hint', 'hint', 'Your initials', 'Text displayed for the designation'),
	defineText(
		'Identifier',
		'primary_designation_identifier',
		'owns-other-property',
		'Your own name for this designation, which conditional designations refer to',
	),
	defineText('Instruction', 'instruction', 'Enter the amount', 'What to ask the signer to do'),
	defineFlag('Optional', 'optional', 'Whether completing it is optional'),
];

/** Who completes the designation, and what. */
export const assignmentFields: INodeProperties[] = [
	{
		displayName: 'Signer Name or ID',
		name: 'signer_identifier',
		type: 'options',
		typeOptions: {
			loadOptionsMethod: 'getSigners',
			loadOptionsDependsOn: ['platform', 'transactionId.value'],
		},
		default: '',
		// Otherwise, the editor shows it in red before somebody is chosen.
		allowArbitraryValues: true,
		description:
			'By external ID or role; signers without an ID aren\'t listed. Also "notary", "witness1" and so on. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	defineChoice(
		'Type',
		'type',
		typeChoices,
		"What is filled in here. Use an expression for a type that isn't in the list.",
		{ default: 'signature' },
	),
];

/** How large the designation is. */
export const sizeFields: INodeProperties[] = [
	definePoints('Width', 'width', [0, 180], 'Width of the place'),
	definePoints('Height', 'height', [0, 24], 'Height of the place'),
];

/** The fields of a row of designations. */
export const designationFields: INodeProperties[] = [
	...assignmentFields,
	{
		...defineText('Page', 'page', '2', 'Number of the page, of which the first is 1, or "last"'),
		default: '1',
	},
	definePoints('From Left', 'x', [0, 72], 'Distance from the left edge of the page'),
	definePoints(
		'From Bottom or Top',
		'y',
		[0, 72],
		"Distance from the bottom edge of the page, or from the top, as 'Measured From' says",
	),
	...sizeFields,
	defineCollection('Details', 'details', designationDetails),
];

export const designationRows = defineRows(
	'Designations',
	'designations',
	'Designation',
	designationFields,
	{
		displayOptions: { show: { whereToSign: ['rows'] } },
		placeholder: 'Add Designation (Where to Sign)',
		description:
			'Where the document is signed. Checked before anything is sent: against the transaction, and against the pages of the file, except for templates. Only for drafts.',
	},
	['signer_identifier', 'type', 'page', 'x', 'y'],
);

export const designationsJson: INodeProperties = {
	displayName: 'Designations (JSON)',
	name: 'designationsJson',
	type: 'json',
	default: '[]',
	typeOptions: { rows: 6 },
	displayOptions: { show: { whereToSign: ['json'] } },
	placeholder:
		'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
	description:
		'Where the document is signed, as a JSON array in the form of the service. The first page is 0; "last" works, too. A signer is named by the external ID, the notary by "notary".',
};
