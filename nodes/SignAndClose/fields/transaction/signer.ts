import type { INodeProperties } from 'n8n-workflow';

import { additionalJson, collection, rows, text } from '../shared/builders';

/**
 * Signers (interface.md §2, Signer; gaps.md §3): rows with the fields that are always asked for,
 * the rest under Details.
 */

export const identityChecks: INodeProperties = {
	displayName: 'Identity Checks',
	name: 'identityChecks',
	type: 'multiOptions',
	options: [
		{
			name: 'Knowledge Questions',
			value: 'knowledge',
			description: 'Questions that only the signer can answer',
		},
		{
			name: 'Selfie',
			value: 'selfie',
			description: 'A picture of the signer is compared with the photo ID',
		},
		{ name: 'SMS Code', value: 'sms', description: 'A code is sent to the phone of the signer' },
	],
	default: [],
	description:
		'How a signer of e-signature documents proves the identity. All three together reach the highest assurance level, IAL2. No effect for a signer whose documents are notarized: the notary checks the identity',
};

/** Says beside the choice what it reaches (interface.md §2, Rules). */
export const identityNotice: INodeProperties = {
	displayName:
		'Identity checks: <b>selfie, knowledge questions and SMS code together reach IAL2</b>; any other choice reaches a lower level. They apply to signers of e-signature documents. For a signer who performs a notarization they have no effect, because the notary checks the identity.',
	name: 'identityNotice',
	type: 'notice',
	default: '',
};

/** Rarely used fields of a signer. */
export const signerDetailFields: INodeProperties[] = [
	text('Address Line 1', 'address_line1', '12 Elm Street'),
	text('Address Line 2', 'address_line2', 'Unit 4'),
	text('Capacity', 'capacity', 'Trustee', 'In which capacity the signer signs'),
	text('City', 'address_city', 'Boston'),
	text('Country', 'address_country', 'US', 'Two-letter code'),
	text('Date of Birth', 'dob', '1980-05-17', 'Year-month-day'),
	text('Entity', 'entity', 'Harbor Street Trust', 'For whom the signer signs'),
	{
		displayName: 'Order',
		name: 'order',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description:
			'When the signer signs, from 1. Signers with the same number sign at the same time.',
	},
	text('Phone Country Code', 'country_code', '1'),
	text('Postal Code', 'address_postal', '02110'),
	text(
		'Signing Requirement',
		'signing_requirement',
		'',
		'As the service defines it for your account',
	),
	text('State', 'address_state', 'MA', 'Two-letter code'),
	text('Vesting Type', 'vesting_type', 'Joint tenants', 'How the signer holds the title'),
	{
		...additionalJson,
		description: 'Fields of the signer that this node does not list, as a JSON object',
	},
];

/** Details of one signer outside rows. */
export const signerDetails = (displayName: string, name: string) =>
	collection(displayName, name, signerDetailFields);

const row: INodeProperties[] = [
	text('Email', 'email', 'jane@example.com', 'Where the service sends the signing link'),
	text('First Name', 'first_name', 'Jane'),
	text('Middle Name', 'middle_name', 'Ann'),
	text('Last Name', 'last_name', 'Borrower'),
	text('Phone', 'phone_number', '6175550123', 'Needed for the SMS code'),
	text(
		'External ID',
		'external_id',
		'borrower-1',
		'Your own name for this signer. Designations of documents refer to it.',
	),
	identityChecks,
	collection('Details', 'details', signerDetailFields),
];

export const signerRows = (
	displayName: string,
	name: string,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => rows(displayName, name, 'Signer', row, { description, ...more });
