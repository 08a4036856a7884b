import type { INodeProperties } from 'n8n-workflow';

import { additionalJson, choice, flag, number, rows, text } from '../shared/builders';
import { rowTitle, withLook } from '../shared/rowLook';

/* The fields of a document (docs/service/documents.md#document-fields). */

/** What signers do with the document (docs/service/documents.md#requirements). */
export const requirement = choice(
	'Requirement',
	'requirement',
	[
		['eSign', 'esign', 'The signer signs it without a notary'],
		[
			'eSign, Supervised',
			'esign_supervised',
			'The signer signs it in the presence of a notary (wet-sign closings only)',
		],
		['Identity Confirmation', 'identity_confirmation', 'The signer only proves their identity'],
		['Non-Essential', 'non_essential', 'The signer sees it only in the meeting with the notary'],
		['Notarization', 'notarization', 'The signer signs it before a notary on video'],
		['Read Only', 'readonly', 'The signer reads it without signing'],
	],
	"What signers do with the document. Use an expression for a value that isn't in the list.",
	{
		default: 'notarization',
		hint: 'Notarization: the signer meets a notary on video. eSign: no notary.',
	},
);

/**
 * Builds the field for the name of a new document.
 * @param placeholder an example
 */
export const documentName = (name: string, placeholder: string) =>
	text(
		'Document Name',
		name,
		placeholder,
		'Name shown to signers. Leave empty to use the name of the incoming file.',
	);

const designationGroups = withLook(
	rows(
		'Designation Groups',
		'signing_designation_groups',
		'Group',
		[
			text('Name', 'name', 'either-or', 'Name that designations use to join the group'),
			number(
				'At Least',
				'min_required',
				[0, 1],
				'How many designations of the group must be completed',
			),
			number(
				'At Most',
				'max_required',
				[1, 1],
				'How many designations of the group may be completed',
			),
		],
		{ description: 'Designations of which only some are needed, e.g. one of three checkmarks' },
	),
	rowTitle('t(v.name)'),
);

/** The rarely used fields of a document. */
export const documentDetails: INodeProperties[] = [
	additionalJson,
	{
		...text(
			'Authorization Header',
			'authorization_header',
			'Authorization: Bearer ...',
			'Header that the service sends when it fetches the file from its URL, as name: value. Never shown in outputs or logs.',
		),
		typeOptions: { password: true },
	},
	number(
		'Bundle Position',
		'bundle_position',
		[0, 0],
		'Position of the document in the transaction, starting at 0',
	),
	designationGroups,
	flag(
		'Electronic Signature Required',
		'esign_required',
		'Whether the document must be signed electronically',
	),
	flag(
		'Identity Confirmation Required',
		'identity_confirmation_required',
		'Whether the identity of the signer must be confirmed',
	),
	flag('Notarization Required', 'notarization_required', 'Whether the document must be notarized'),
	flag('Signer Can Annotate', 'customer_can_annotate', 'Whether the signer can add text and marks'),
	flag(
		'Signing Requires Meeting',
		'signing_requires_meeting',
		'Whether the document is signed in the meeting with the notary',
	),
	flag(
		'Split at Bookmarks',
		'pdf_bookmarked',
		'Whether each bookmark of the PDF becomes a separate document. The service takes about five minutes for this.',
	),
	text(
		'Text Tag Syntax',
		'text_tag_syntax',
		'',
		'Syntax of the signing tags in the text of the PDF, as defined by the service',
	),
	text(
		'Tracking ID',
		'tracking_id',
		'1042',
		'Your own number for the document. The notarization record includes it. A document that the node added without one has a reference of the node here (n8n-...).',
	),
	flag('Vaulted', 'vaulted', 'Whether to keep the finished document in the vault of the service'),
	flag('Witness Required', 'witness_required', 'Whether a witness must be present'),
];
