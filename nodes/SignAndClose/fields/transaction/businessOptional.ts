import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import { withoutEmpty } from '../../service/values/json';
import {
	additionalJson,
	flag,
	longText,
	moment,
	payer,
	readCollection,
	text,
} from '../shared/builders';
import { notaryLocator } from '../shared/locators';
import { organizationId } from '../shared/organization';

/** Fields of a business transaction beyond signers and documents (gaps.md §3). */
export const businessFields: INodeProperties[] = [
	moment('Activation Time', 'activation_time', 'When the transaction is sent to the signers'),
	additionalJson,
	{
		displayName: 'Authentication Requirement',
		name: 'authentication_requirement',
		type: 'options',
		options: [
			{ name: 'None', value: 'none' },
			{ name: 'SMS', value: 'sms' },
		],
		default: 'sms',
		description: 'How signers authenticate before they see the documents',
	},
	{
		...text(
			'CC Recipients',
			'cc_recipient_emails',
			'files@example.com',
			'E-mail addresses that get the finished documents',
		),
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Recipient' },
		default: [],
	},
	moment('Expiry', 'expiry', 'When the transaction expires if it has not been completed'),
	text(
		'External ID',
		'external_id',
		'case-118',
		'Your own reference. With it a transaction whose answer was lost is found again without doubt.',
	),
	text(
		'Message Signature',
		'message_signature',
		'The team of Harbor Legal',
		'Last line of the invitation',
	),
	text(
		'Message Subject',
		'message_subject',
		'Please sign your documents',
		'Subject of the invitation',
	),
	longText(
		'Message to Signer',
		'message_to_signer',
		'Text that the signers read in the invitation',
	),
	notaryLocator('notary_id', 'The notary of your account who meets the signers'),
	moment('Notary Meeting Time', 'notary_meeting_time', 'When the signers meet the notary'),
	organizationId(
		'The organization that the transaction belongs to, instead of the one in the credential',
	),
	payer,
	text(
		'Redirect Message',
		'redirect_message',
		'Back to your case',
		'What the signer reads before being led to the redirect URL',
	),
	text(
		'Redirect URL',
		'redirect_url',
		'https://www.example.com/thanks',
		'Where the signer is led when finished',
	),
	flag(
		'Require New Signer Verification',
		'require_new_signer_verification',
		'Whether signers must prove their identity anew, even when they have done so before',
	),
	flag(
		'Require Secondary Photo ID',
		'require_secondary_photo_id',
		'Whether signers have to show a second photo ID',
	),
	flag(
		'Split at Bookmarks',
		'pdf_bookmarked',
		'Whether each bookmark of the PDFs becomes a document of its own. The service takes about five minutes for it',
	),
	flag('Suppress Email', 'suppress_email', 'Whether the service sends no e-mail to the signers'),
	text(
		'Transaction Type',
		'transaction_type',
		'Power of attorney',
		'Free text that tells what kind of transaction it is',
	),
];

export function readBusinessFields(params: Params, values: IDataObject): IDataObject {
	const {
		redirect_url: url,
		redirect_message: message,
		...fields
	} = readCollection(params, values, businessFields);
	return {
		...fields,
		...((url !== undefined || message !== undefined) && {
			redirect: withoutEmpty({ url, message }),
		}),
	};
}
