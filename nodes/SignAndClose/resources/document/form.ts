import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { parseEach, parseTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { withoutEmpty } from '../../values/json';
import { wholeNumber } from '../shared/checks';
import { parsePlatform } from '../shared/commonFields';
import {
	additionalJson,
	choice,
	flag,
	number,
	parseCollection,
	rows,
	text,
} from '../shared/fields';
import type { Place } from './api';

/* The fields of a document, and how they're parsed (docs/service/documents.md#document-fields). */

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
		['Identity Check', 'identity_confirmation', 'The signer only proves their identity'],
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

const designationGroups = rows(
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
		'Identity Check Required',
		'identity_confirmation_required',
		'Whether the signer must pass an identity check',
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
		"Whether each bookmark of the PDF becomes a separate document. The service takes about five minutes for this. 'Document: Apply Rules' then sets what holds for each of them.",
	),
	text(
		'Tracking ID',
		'tracking_id',
		'1042',
		'Your own number for the document. The notarization record includes it. A document that the node added without one has a reference of the node here (n8n-...).',
	),
	flag('Vaulted', 'vaulted', 'Whether the service keeps the finished document in its vault'),
	flag('Witness Required', 'witness_required', 'Whether a witness must be present'),
];

/**
 * Parses the rarely used fields of one document. The authorization header is removed from every text
 * of this run, because it is a secret.
 * @throws InputFailure naming the field
 */
export function parseDetails(call: Pick<OperationCall, 'params' | 'service'>, values: IDataObject) {
	const { params, service } = call;
	const fields = parseCollection(params, values, documentDetails, {
		signing_designation_groups: (value) => {
			const groups = parseEach(params.rows('signing_designation_groups', value), (row, index) =>
				parseGroup(params, row, index + 1),
			);
			return groups.length === 0 ? {} : { signing_designation_groups: groups };
		},
	});
	if (fields.notarization_required === true && fields.identity_confirmation_required === true)
		throw new InputFailure(
			params.label('notarization_required'),
			"is on together with 'Identity Check Required'",
			'Turn one of the two off: the service takes only one of them for a document',
		);
	if (typeof fields.authorization_header === 'string') {
		fields.authorization_header = fields.authorization_header.replace(/^([^:]+):\s*/, '$1:');
		const value = fields.authorization_header.replace(/^[^:]+:/, '');
		service.keepSecret(value);
		// After "Bearer" or "Basic", the secret alone may come back.
		service.keepSecret(value.replace(/^[\w-]+\s+/, ''));
	}
	return fields;
}

/** Parses a group of designations (docs/service/documents.md#designation-groups). */
function parseGroup(params: Params, row: IDataObject, number: number): IDataObject {
	const place = (field: string) => `, entry ${number}: '${field}'`;
	const label = params.label('signing_designation_groups');
	const name = params.textOf(row, 'name') ?? '';
	if (!/^[\w()-]{1,64}$/.test(name))
		throw new InputFailure(
			label,
			`${place('Name')} is ${name === '' ? 'empty' : `'${name}'`}`,
			'Use up to 64 letters, digits, hyphens, underscores and parentheses, without spaces',
		);
	const least = wholeNumber(row.min_required ?? 1, 0, label, place('At Least'));
	const most = wholeNumber(row.max_required ?? 1, least, label, place('At Most'));
	return { name, min_required: least, max_required: most };
}

/**
 * Parses which document of which transaction an item works on.
 * @throws InputFailure when one of them is empty
 */
export function parsePlace(params: Params): Place {
	return parseTogether({
		transactionId: () => params.requiredLocator('transactionId'),
		documentId: () => params.requiredLocator('documentId'),
		platform: () => parsePlatform(params),
	});
}

/** Parses the changes of a document, without its file and its designations. */
export function parseChanges(call: OperationCall): IDataObject {
	const { params } = call;
	const textOf = (name: string) => () => params.textOf(params.object('updateFields'), name);
	return parseFields(call, 'updateFields', {
		name: textOf('name'),
		requirement: textOf('requirement'),
	});
}

/** Parses the fields of an operation: those beside its collection, and the details in it. */
export function parseFields(
	call: OperationCall,
	collection: string,
	beside: Record<string, () => unknown>,
): IDataObject {
	const { details, ...fields } = parseTogether({
		...beside,
		details: () => parseDetails(call, call.params.object(collection)),
	});
	return withoutEmpty({ ...(fields as IDataObject), ...(details as IDataObject) });
}
