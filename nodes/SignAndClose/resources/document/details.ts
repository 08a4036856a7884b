import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { readEach, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { additionalJson, flag, readCollection, rows, text } from '../shared/builders';
import { wholeNumber } from '../shared/checks';
import { rowTitle, withLook } from '../shared/rowLook';

/* The fields of a document (docs/service/documents.md#document-fields). */

/** What signers do with the document (docs/service/documents.md#requirements). */
export const requirement: INodeProperties = {
	displayName: 'Requirement',
	name: 'requirement',
	type: 'options',
	options: [
		{ name: 'eSign', value: 'esign', description: 'The signer signs it without a notary' },
		{
			name: 'eSign, Supervised',
			value: 'esign_supervised',
			description: 'The signer signs it in the presence of a notary (wet-sign closings only)',
		},
		{
			name: 'Identity Confirmation',
			value: 'identity_confirmation',
			description: 'The signer only proves their identity',
		},
		{
			name: 'Non-Essential',
			value: 'non_essential',
			description: 'The signer sees it only in the meeting with the notary',
		},
		{
			name: 'Notarization',
			value: 'notarization',
			description: 'The signer signs it before a notary on video',
		},
		{ name: 'Read Only', value: 'readonly', description: 'The signer reads it without signing' },
	],
	default: 'notarization',
	hint: 'Notarization: the signer meets a notary on video. eSign: no notary.',
	description:
		"What signers do with the document. Use an expression for a value that isn't in the list.",
};

/** The document's name; the incoming file's name by default. */
export const documentName: INodeProperties = {
	...text(
		'Document Name',
		'documentName',
		'Deed of Trust',
		'Name shown to signers. Leave empty to use the name of the incoming file.',
	),
};

const groups = withLook(
	rows(
		'Designation Groups',
		'signing_designation_groups',
		'Group',
		[
			text('Name', 'name', 'either-or', 'Name that designations use to join the group'),
			{
				displayName: 'At Least',
				name: 'min_required',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1,
				description: 'How many designations of the group must be completed',
			},
			{
				displayName: 'At Most',
				name: 'max_required',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				description: 'How many designations of the group may be completed',
			},
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
	{
		displayName: 'Bundle Position',
		name: 'bundle_position',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Position of the document in the transaction, starting at 0',
	},
	groups,
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

/**
 * Reads the rarely used fields of one document. The authorization header is removed from every text
 * of this run, because it is a secret.
 * @throws InputFailure naming the field
 */
export function readDocumentDetails(
	{ params, service }: Pick<OperationCall, 'params' | 'service'>,
	values: IDataObject,
): IDataObject {
	const fields = readCollection(params, values, documentDetails, {
		signing_designation_groups: (value) => {
			const groups = readEach(params.rows('signing_designation_groups', value), (row, index) =>
				readGroup(params, row, index + 1),
			);
			return groups.length === 0 ? {} : { signing_designation_groups: groups };
		},
	});
	readTogether({
		position() {
			if (fields.bundle_position !== undefined)
				wholeNumber(fields.bundle_position, 0, params.label('bundle_position'));
		},
		requirements() {
			if (fields.notarization_required === true && fields.identity_confirmation_required === true)
				throw new InputFailure(
					params.label('notarization_required'),
					"is on together with 'Identity Confirmation Required'",
					'Turn one of the two off: the service takes only one of them for a document',
				);
		},
	});
	if (typeof fields.authorization_header === 'string') {
		fields.authorization_header = fields.authorization_header.replace(/^([^:]+):\s*/, '$1:');
		const value = fields.authorization_header.replace(/^[^:]+:/, '');
		service.keepSecret(value);
		// After "Bearer" or "Basic", the secret alone may come back.
		service.keepSecret(value.replace(/^[\w-]+\s+/, ''));
	}
	return fields;
}

/** Reads a group of designations (docs/service/documents.md#designation-groups). */
function readGroup(params: Params, row: IDataObject, number: number): IDataObject {
	const place = (field: string) => `, row ${number}: '${field}'`;
	const label = params.label('signing_designation_groups');
	const name = params.textOf(row, 'name');
	if (name === undefined)
		throw new InputFailure(
			label,
			`${place('Name')} is empty`,
			'Enter the name that designations use to join the group',
		);
	if (!/^[\w()-]{1,64}$/.test(name))
		throw new InputFailure(
			label,
			`${place('Name')} is '${name}'`,
			'Use up to 64 letters, digits, hyphens, underscores and parentheses, without spaces',
		);
	const least = wholeNumber(row.min_required ?? 1, 0, label, place('At Least'));
	const most = wholeNumber(row.max_required ?? 1, least, label, place('At Most'));
	return { name, min_required: least, max_required: most };
}
