import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { designationsJson, readDesignations } from '../../fields/designations';
import { fileSourceProperties, incomingFileName, PDF, readFileBody } from '../../fields/fileSource';
import { platform, readPlatform, transactionLocator } from '../../fields/transaction';
import { isMadeSince, retrieveTransaction } from '../../service/transactions';
import { asObject, asObjects, asText, withoutEmpty } from '../../service/wire';

const requirement: INodeProperties = {
	displayName: 'Requirement',
	name: 'requirement',
	type: 'options',
	options: [
		{ name: 'eSign', value: 'esign', description: 'The signer signs it without a notary' },
		{ name: 'Identity Confirmation', value: 'identity_confirmation', description: 'The signer proves the identity only' },
		{ name: 'Non-Essential', value: 'non_essential', description: 'The transaction can be completed without it' },
		{ name: 'Notarization', value: 'notarization', description: 'It is signed before a notary on video' },
		{ name: 'Read Only', value: 'readonly', description: 'The signer reads it and signs nothing' },
	],
	default: 'notarization',
	description: 'What has to happen with the document',
};

const flag = (displayName: string, name: string, description: string): INodeProperties => ({ displayName, name, type: 'boolean', default: false, description });

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Bundle Position',
			name: 'bundle_position',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: 'Place of the document in the transaction, from 0',
		},
		flag('Notarization Required', 'notarization_required', 'Whether the document must be notarized'),
		flag('Split at Bookmarks', 'pdf_bookmarked', 'Whether each bookmark of the PDF becomes a document of its own. The service takes about five minutes for it'),
		flag('Witness Required', 'witness_required', 'Whether a witness must be present'),
	],
};

/** interface.md §4, Add Document. The only place where designations can be given. */
export const addDocument = defineOperation({
	resource: 'document',
	value: 'add',
	name: 'Add',
	action: 'Add document',
	description: 'Add a PDF to a transaction, with the places where it is signed',
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		...fileSourceProperties(PDF),
		{
			displayName: 'Document Name',
			name: 'documentName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Deed of Trust',
			description: 'How the document is called. Without it, the name of the incoming file is used.',
		},
		requirement,
		designationsJson,
		additionalFields,
	],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const { fields, hint } = readFields(call);
		const file = await readFileBody(call, PDF, 'resource', fields);
		const answer = await service.json('addDocument', { path: { transactionId }, platform: readPlatform(params), ...file });
		return toResult(transactionId, fields, answer, hint);
	},
	async lookUp(call) {
		const transactionId = call.params.requiredLocator('transactionId');
		const { fields } = readFields(call);
		const transaction = await retrieveTransaction(call.service, transactionId, readPlatform(call.params));
		const added = asObjects(transaction.documents).filter(
			(document) =>
				document.document_name === fields.filename && isMadeSince(call.service, document, call.startedAt) && !call.madeBefore.has(String(document.id)),
		);
		return added.length === 1 && fields.filename !== undefined ? toResult(transactionId, fields, added[0]) : undefined;
	},
});

function readFields(call: OperationCall): { fields: IDataObject; hint?: string } {
	const { params } = call;
	const placed = readDesignations(params);
	const { pdf_bookmarked: split, ...more } = params.object('additionalFields');
	return {
		fields: withoutEmpty({
			filename: params.text('documentName') ?? incomingFileName(call),
			requirement: params.required('requirement'),
			...more,
			...(split === true && { pdf_bookmarked: true }),
			signing_designations: placed?.designations,
		}),
		hint: placed?.rounded ? 'Positions of designations were rounded to whole points: the service takes no fractions' : undefined,
	};
}

/** One item, whichever form the answer has: a document, an array of documents, or a notice that a split is in progress (gaps.md §4). */
function toResult(transactionId: string, fields: IDataObject, answer: unknown, hint?: string): OperationResult {
	const document = asObject(Array.isArray(answer) ? asObjects(answer).at(-1) : answer);
	const documentId = asText(document.id);
	if (documentId === undefined) {
		return {
			json: { transaction_id: transactionId, document_name: fields.filename ?? null, upload_in_progress: true, ...document },
			hint: 'The service is splitting the file at its bookmarks, which takes about five minutes. Afterwards the documents are on the transaction',
		};
	}
	return { json: { transaction_id: transactionId, document_id: documentId, ...document }, hint };
}
