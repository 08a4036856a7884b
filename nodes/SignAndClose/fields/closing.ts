import type { INodeProperties } from 'n8n-workflow';

import { addressProperties } from './address';
import { transactionType } from './transactionType';

function idLocator(displayName: string, name: string, placeholder: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'id', value: '' },
		description,
		modes: [{ displayName: 'By ID', name: 'id', type: 'string', placeholder }],
	};
}

const signerProperties: INodeProperties[] = [
	{
		displayName: 'Signer Email',
		name: 'signerEmail',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. jane@example.com',
		description: 'Where the service sends the signing link',
	},
	{ displayName: 'Signer First Name', name: 'signerFirstName', type: 'string', default: '', required: true, placeholder: 'e.g. Jane' },
	{ displayName: 'Signer Middle Name', name: 'signerMiddleName', type: 'string', default: '', placeholder: 'e.g. Ann' },
	{ displayName: 'Signer Last Name', name: 'signerLastName', type: 'string', default: '', required: true, placeholder: 'e.g. Borrower' },
	{
		displayName: 'Signer Phone',
		name: 'signerPhone',
		type: 'string',
		default: '',
		placeholder: 'e.g. 6175550123',
		description: 'Needed when the signer proves the identity by SMS',
	},
	{
		displayName: 'Signer External ID',
		name: 'signerExternalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. borrower-1',
		description: 'Your own name for this signer. Designations of documents refer to it, so it is needed when there are any.',
	},
];

const identityChecks: INodeProperties = {
	displayName: 'Identity Checks',
	name: 'identityChecks',
	type: 'multiOptions',
	options: [
		{ name: 'Knowledge Questions', value: 'knowledge', description: 'Questions that only the signer can answer' },
		{ name: 'Selfie', value: 'selfie', description: 'A picture of the signer is compared with the photo ID' },
		{ name: 'SMS Code', value: 'sms', description: 'A code is sent to the signer phone' },
	],
	default: [],
	description:
		'How a signer of e-signature documents proves the identity. All three together reach the highest assurance level, IAL2. No effect for a signer whose documents are notarized: the notary checks the identity',
};

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Additional Fields (JSON)',
			name: 'additionalJson',
			type: 'json',
			default: '{}',
			description: 'Fields of the service that this node does not list, as a JSON object. They win over the ones above.',
		},
		{ displayName: 'File Number', name: 'file_number', type: 'string', default: '', placeholder: 'e.g. F-2026-118' },
		{ displayName: 'Loan Number', name: 'loan_number', type: 'string', default: '', placeholder: 'e.g. 7001234' },
		{
			displayName: 'Message to Signer',
			name: 'message_to_signer',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'Text that the signer reads in the invitation',
		},
		{
			displayName: 'Paper Note Consent',
			name: 'paper_note_consent',
			type: 'boolean',
			default: false,
			description: 'Whether the note is signed on paper, so that no eNote is needed',
		},
		{
			displayName: 'Require Secondary Photo ID',
			name: 'require_secondary_photo_id',
			type: 'boolean',
			default: false,
			description: 'Whether the signer has to show a second photo ID',
		},
	],
};

/** Creation parameters of a closing (interface.md §2). */
export const closingProperties: INodeProperties[] = [
	transactionType,
	{
		displayName: 'Transaction Name',
		name: 'transactionName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Refinance 100 Harbor Street',
		description: 'How the closing is called in lists and e-mails',
	},
	...signerProperties,
	...addressProperties,
	idLocator('Recording Jurisdiction', 'recordingJurisdictionId', 'e.g. rl1a2b3c', "Where the deed is recorded, as 'Address: Verify' tells"),
	idLocator('Title Agency', 'titleAgencyId', 'e.g. or_1a2b3c', "The title agency, one of those 'Address: Verify' lists for the jurisdiction"),
	idLocator('Title Underwriter', 'titleUnderwriterId', 'e.g. or_4d5e6f', "The underwriter, one of those 'Address: Verify' lists for the agency"),
	identityChecks,
	additionalFields,
];
