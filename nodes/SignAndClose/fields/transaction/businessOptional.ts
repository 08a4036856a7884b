import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
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
import { checkEmail, checkMessages } from '../shared/checks';
import { notaryLocator } from '../shared/locators';
import { organizationId } from '../shared/organization';
import { newSignerVerification, suppressEmail } from './sendOptions';

/** The optional fields of a business transaction (docs/service/transactions.md#creation-fields). */
export const businessFields: INodeProperties[] = [
	moment(
		'Activation Time',
		'activation_time',
		'When signers can start to sign and meet the notary. Until then, they can only read the documents',
	),
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
		description:
			'How signers authenticate before they see the documents. With SMS, every signer needs a phone.',
	},
	{
		...text(
			'CC Recipients',
			'cc_recipient_emails',
			'files@example.com',
			'Email addresses that are notified when the transaction is sent and when it is completed',
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
	longText(
		'Message to Signer',
		'message_to_signer',
		'Text shown to the signers in the invitation. The service removes links, images and HTML.',
	),
	notaryLocator(
		'notary_id',
		'The preferred notary of your account. Another one can meet the signers, too.',
	),
	moment(
		'Notary Meeting Time',
		'notary_meeting_time',
		'When the signers are to meet the notary. The service shows the time, but accepts any other',
	),
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
		'URL that the signer is redirected to after the meeting with the notary',
	),
	newSignerVerification,
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
	suppressEmail,
	text(
		'Transaction Type',
		'transaction_type',
		'Power of attorney',
		'Your own name for the kind of transaction',
	),
];

/**
 * Reads these fields as fields of the request.
 * @param signers the signers that are sent with them
 * @throws InputFailure naming the field
 */
export function readBusinessFields(
	params: Params,
	values: IDataObject,
	signers: IDataObject[],
): IDataObject {
	const {
		redirect_url: url,
		redirect_message: message,
		...fields
	} = readCollection(params, values, businessFields);
	checkMessages(params, fields);
	if (fields.authentication_requirement === 'sms') checkPhones(signers, params.label('signers'));
	for (const recipient of Array.isArray(fields.cc_recipient_emails)
		? fields.cc_recipient_emails
		: [])
		checkEmail(String(recipient), params.label('cc_recipient_emails'));
	return {
		...fields,
		...((url !== undefined || message !== undefined) && {
			redirect: withoutEmpty({ url, message }),
		}),
	};
}

/** Authentication by SMS needs the phone of every signer (docs/service/transactions.md#rules-between-fields). */
function checkPhones(signers: IDataObject[], label: string): void {
	const without = signers.findIndex(
		({ phone_number: number, phone }) => number === undefined && phone === undefined,
	);
	if (without >= 0)
		throw new InputFailure(
			`${label}, row ${without + 1}: Phone`,
			'is empty',
			"Enter the signer's phone number, or set 'Authentication Requirement' to None",
		);
}
