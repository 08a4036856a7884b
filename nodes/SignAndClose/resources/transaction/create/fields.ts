import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseEach, parseTogether } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import { parseTexts } from '../../../run/parameters/texts';
import { withoutEmpty } from '../../../values/json';
import { parseEmail, checkLength, checkMessages } from '../../../form/checks';
import { defineOrganizationId, newSignerVerification } from '../../../form/commonFields';
import {
	additionalJson,
	defineFlag,
	defineLongText,
	defineDateTime,
	defineText,
} from '../../../form/fields';
import { parseCollection } from '../../../form/input';
import { defineNotaryLocator } from '../../../form/locators';
import { parseSignerRows } from '../../signer/input';
import { withExternalIds } from '../../signer/people';
import type { RowKind } from '../sheet/rowFields';

/* What forms of both platforms have (docs/service/transactions.md#creation-fields). */

const defineMultiple = (field: INodeProperties, button: string): INodeProperties => ({
	...field,
	typeOptions: { multipleValues: true, multipleValueButtonText: button },
	default: [],
});

const SHARED_FIELDS: INodeProperties[] = [
	defineDateTime(
		'Activation Time',
		'activation_time',
		'When signers can start to sign and meet the notary. Until then, they can only read the documents',
	),
	defineMultiple(
		defineText(
			'CC Recipients',
			'cc_recipient_emails',
			'files@example.com',
			'Email addresses that are notified when the transaction is sent and when it is completed',
		),
		'Add Recipient',
	),
	defineText(
		'Message Signature',
		'message_signature',
		'The team of Harbor Legal',
		'Last line of the invitation',
	),
	defineText(
		'Message Subject',
		'message_subject',
		'Please sign your documents',
		'Subject of the invitation',
	),
	defineNotaryLocator('notary_id', 'Preferred notary. Not guaranteed.'),
	defineMultiple(
		defineText(
			'Notary Instructions',
			'notary_instructions',
			'The signer needs an interpreter',
			"Notes for the service's own notaries. Not every account may give them.",
		),
		'Add Instruction',
	),
	defineDateTime(
		'Notary Meeting Time',
		'notary_meeting_time',
		'When the signers are to meet the notary. Shown to signers but not enforced',
	),
	defineText(
		'Redirect Message',
		'redirect_message',
		'Back to your case',
		'Text shown to the signer before the redirect',
	),
	defineText(
		'Redirect URL',
		'redirect_url',
		'https://www.example.com/thanks',
		'URL that the signer is redirected to after the meeting with the notary',
	),
	newSignerVerification,
	additionalJson,
];

/**
 * The optional fields that transactions of both platforms have.
 * @param expiry the name of the field for the expiration
 */
export function defineSharedFields(kind: RowKind, expiry: string): INodeProperties[] {
	const [theSigners, signers] =
		kind === 'closing' ? ['the signer', 'the signer'] : ['the signers', 'signers'];
	return [
		...SHARED_FIELDS,
		defineDateTime(
			'Expiration',
			expiry,
			`When the ${kind} expires if it has not been completed. A day without a time is included`,
		),
		defineText(
			'External ID',
			'external_id',
			'case-118',
			`Your own reference. A ${kind} that the node created without one has a reference of the node here (n8n-...).`,
		),
		defineLongText(
			'Message to Signer',
			'message_to_signer',
			`Text shown to ${theSigners} in the invitation. The service removes links, images and HTML.`,
		),
		defineOrganizationId(
			`Organization that the ${kind} belongs to, instead of the one in the credential`,
		),
		defineFlag(
			'Require Secondary Photo ID',
			'require_secondary_photo_id',
			`Whether ${signers} must show a second photo ID`,
		),
	];
}

/**
 * Parses the signers of a new transaction from the form, and their roles. Each has an external ID.
 * @throws InputFailure when there are none, or naming the field
 */
export function parseNewSigners(params: Params, assuranceField: string) {
	const { signers, roles } = parseSignerRows(params, 'signers', assuranceField);
	if (signers.length === 0)
		throw new InputFailure(
			params.label('signers'),
			'is empty',
			'Add at least one signer with an email address',
		);
	return { signers: withExternalIds(signers), roles };
}

/** The field that says when a transaction ends, on either platform. */
const EXPIRY_FIELDS = ['expiry', 'expiration_time'];

/**
 * Parses the fields of a collection that has these among others, as fields of the request.
 * @param readers for fields whose shape differs from the request's
 * @throws InputFailure naming the field
 */
export function parseTransactionFields(
	params: Params,
	values: IDataObject,
	options: INodeProperties[],
	readers: Parameters<typeof parseCollection>[3] = {},
): IDataObject {
	const {
		redirect_url: url,
		redirect_message: message,
		...fields
	} = parseCollection(params, values, options, {
		...readers,
		notary_instructions: (value) => parseInstructions(params, value),
	});
	const recipients = Array.isArray(fields.cc_recipient_emails) ? fields.cc_recipient_emails : [];
	const parsed = parseTogether({
		messages: () => checkMessages(params, fields),
		times: () => checkTimes(params, fields),
		recipients: () =>
			parseEach(recipients as unknown[], (recipient) =>
				parseEmail(String(recipient), params.label('cc_recipient_emails')),
			),
	});
	return {
		...fields,
		...(recipients.length > 0 && { cc_recipient_emails: parsed.recipients }),
		...((url !== undefined || message !== undefined) && {
			redirect: withoutEmpty({ url, message }),
		}),
	};
}

function parseInstructions(params: Params, value: unknown): IDataObject {
	const label = params.label('notary_instructions');
	const notes = parseTexts(label, value);
	parseEach(notes, (note) => checkLength('instruction', note, label));
	return notes.length === 0
		? {}
		: { notary_instructions: notes.map((note) => ({ notary_note: note })) };
}

/**
 * A transaction that ends before it begins could never be signed. The service moves the times of a
 * closing to the borders of their days (docs/service/transactions.md#times), so days are compared.
 */
function checkTimes(params: Params, fields: IDataObject): void {
	const end = EXPIRY_FIELDS.find((name) => typeof fields[name] === 'string');
	if (end === undefined || typeof fields.activation_time !== 'string') return;
	const countDays = (time: unknown) => Math.floor(Date.parse(String(time)) / 86_400_000);
	if (countDays(fields[end]) < countDays(fields.activation_time))
		throw new InputFailure(
			params.label(end),
			`is before '${params.label('activation_time')}', so nobody could sign`,
			'Correct one of the two times',
		);
}
