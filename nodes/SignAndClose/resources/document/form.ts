import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach, parseTogether } from '../../messages/inputFaults';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { withoutEmpty } from '../../values/json';
import { parseWholeNumber } from '../../form/checks';
import { parsePlatform } from '../../form/commonFields';
import {
	additionalJson,
	defineChoice,
	defineFlag,
	defineNumber,
	defineRows,
	defineText,
} from '../../form/fields';
import { parseCollection } from '../../form/input';
import type { DocumentPlace } from './api';

/* The fields of a document, and how they're parsed (docs/service/documents.md#document-fields). */

/** What signers do with the document (docs/service/documents.md#requirements). */
export const requirement = defineChoice(
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
export const defineDocumentName = (name: string, placeholder: string) =>
	defineText(
		'Document Name',
		name,
		placeholder,
		'Name shown to signers. Leave empty to use the name of the incoming file.',
	);

const designationGroups = defineRows(
	'Designation Groups',
	'signing_designation_groups',
	'Group',
	[
		defineText('Name', 'name', 'either-or', 'Name that designations use to join the group'),
		defineNumber(
			'At Least',
			'min_required',
			[0, 1],
			'How many designations of the group must be completed',
		),
		defineNumber(
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
		...defineText(
			'Authorization Header',
			'authorization_header',
			'Authorization: Bearer ...',
			'Header that the service sends when it fetches the file from its URL, as name: value. Never shown in outputs or logs.',
		),
		typeOptions: { password: true },
	},
	defineNumber(
		'Bundle Position',
		'bundle_position',
		[0, 0],
		'Position of the document in the transaction, starting at 0',
	),
	designationGroups,
	defineFlag(
		'Electronic Signature Required',
		'esign_required',
		'Whether the document must be signed electronically',
	),
	defineFlag(
		'Identity Check Required',
		'identity_confirmation_required',
		'Whether the signer must pass an identity check',
	),
	defineFlag(
		'Notarization Required',
		'notarization_required',
		'Whether the document must be notarized',
	),
	defineFlag(
		'Signer Can Annotate',
		'customer_can_annotate',
		'Whether the signer can add text and marks',
	),
	defineFlag(
		'Signing Requires Meeting',
		'signing_requires_meeting',
		'Whether the document is signed in the meeting with the notary',
	),
	defineFlag(
		'Split at Bookmarks',
		'pdf_bookmarked',
		"Whether each bookmark of the PDF becomes a separate document. The service takes about five minutes for this. 'Document: Apply Rules' then sets what holds for each of them.",
	),
	defineText(
		'Tracking ID',
		'tracking_id',
		'1042',
		'Your own number for the document. The notarization record includes it. A document that the node added without one has a reference of the node here (n8n-...).',
	),
	defineFlag('Vaulted', 'vaulted', 'Whether the service keeps the finished document in its vault'),
	defineFlag('Witness Required', 'witness_required', 'Whether a witness must be present'),
];

/**
 * Parses the rarely used fields of one document. The authorization header is removed from every text
 * of this run, because it is a secret.
 * @throws InputFailure naming the field
 */
export function parseDocumentDetails(
	call: Pick<OperationCall, 'params' | 'service'>,
	values: IDataObject,
) {
	const { params, service } = call;
	const fields = parseCollection(params, values, documentDetails, {
		signing_designation_groups: (value) => {
			const groups = parseEach(params.getRows('signing_designation_groups', value), (row, index) =>
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
	const formatPlace = (field: string) => `, entry ${number}: '${field}'`;
	const label = params.label('signing_designation_groups');
	const name = params.getTextIn(row, 'name') ?? '';
	if (!/^[\w()-]{1,64}$/.test(name))
		throw new InputFailure(
			label,
			`${formatPlace('Name')} is ${name === '' ? 'empty' : `'${name}'`}`,
			'Use up to 64 letters, digits, hyphens, underscores and parentheses, without spaces',
		);
	const minimum = parseWholeNumber(row.min_required ?? 1, 0, label, formatPlace('At Least'));
	const maximum = parseWholeNumber(row.max_required ?? 1, minimum, label, formatPlace('At Most'));
	return { name, min_required: minimum, max_required: maximum };
}

/**
 * Parses which document of which transaction an item works on.
 * @throws InputFailure when one of them is empty
 */
export function parseDocumentPlace(params: Params): DocumentPlace {
	return parseTogether({
		transactionId: () => params.getRequiredLocator('transactionId'),
		documentId: () => params.getRequiredLocator('documentId'),
		platform: () => parsePlatform(params),
	});
}

/** Parses the changes of a document, without its file and its designations. */
export function parseDocumentChanges(call: OperationCall): IDataObject {
	const { params } = call;
	const readText = (name: string) => () => params.getTextIn(params.getObject('updateFields'), name);
	return parseFields(call, 'updateFields', {
		name: readText('name'),
		requirement: readText('requirement'),
	});
}

/** Parses the fields of an operation: those beside its collection, and the details in it. */
export function parseFields(
	call: OperationCall,
	collection: string,
	readers: Record<string, () => unknown>,
): IDataObject {
	const { details, ...fields } = parseTogether({
		...readers,
		details: () => parseDocumentDetails(call, call.params.getObject(collection)),
	});
	return withoutEmpty({ ...(fields as IDataObject), ...(details as IDataObject) });
}
