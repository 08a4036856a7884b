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

/** The optional fields of a business transaction (docs/service/transactions.md#creation-fields). */
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
			'Email addresses that get the finished documents',
		),
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Recipient' },
		default: [],
	},
	moment('Expiry', 'expiry', 'When the transaction expires if it has not been completed'),
	text(
		'External ID',
		'external_id',
		'case-118',
		'Your own reference. The node also uses it to find the transaction if the connection drops while creating it.',
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
	longText('Message to Signer', 'message_to_signer', 'Text shown to the signers in the invitation'),
	notaryLocator('notary_id', 'The notary of your account who meets the signers'),
	moment('Notary Meeting Time', 'notary_meeting_time', 'When the signers meet the notary'),
	organizationId(
		'Organization that the transaction belongs to, instead of the one in the credential',
	),
	payer,
	text(
		'Redirect Message',
		'redirect_message',
		'Back to your case',
		'Text shown to the signer before the redirect',
	),
	text(
		'Redirect URL',
		'redirect_url',
		'https://www.example.com/thanks',
		'URL that the signer is redirected to when finished',
	),
	flag(
		'Require New Signer Verification',
		'require_new_signer_verification',
		'Whether signers must verify again, even if they did before',
	),
	flag(
		'Require Secondary Photo ID',
		'require_secondary_photo_id',
		'Whether signers must show a second photo ID',
	),
	flag(
		'Split at Bookmarks',
		'pdf_bookmarked',
		'Whether each bookmark of the PDFs becomes a separate document. The service takes about five minutes for this.',
	),
	flag('Suppress Email', 'suppress_email', 'Whether to skip the invitation email'),
	text(
		'Transaction Type',
		'transaction_type',
		'Power of attorney',
		'Your own name for the kind of transaction',
	),
];

/**
 * Reads these fields as fields of the request.
 * @throws InputFailure naming the field
 */
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
