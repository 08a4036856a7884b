import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { designationProperties } from '../../fields/document/designations';
import {
	documentDetails,
	documentName,
	readDocumentDetails,
	requirement,
} from '../../fields/document/details';
import { readDesignations } from '../../fields/document/readDesignations';
import {
	fileSourceProperties,
	incomingFileName,
	PDF,
	readFile,
} from '../../fields/document/source';
import { collection } from '../../fields/shared/builders';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import { isMadeSince, retrieveTransaction } from '../../service/resources/transactions';
import { toBody } from '../../service/transport/streamedJson';
import { asObject, asObjects, asText, withoutEmpty } from '../../service/values/json';

const ROUNDED =
	"Positions of designations were rounded to whole points, because the service doesn't accept fractions";
const SPLITTING =
	'The service is splitting the file at its bookmarks, which takes about five minutes. The documents then appear in the transaction';

/**
 * Adds a document. No other call takes the designations of a new business document
 * (docs/service/documents.md#add-a-document).
 */
export const addDocument = defineOperation({
	resource: 'document',
	value: 'add',
	name: 'Add',
	action: 'Add document',
	description: "Add a PDF to a transaction, with designations for where it's signed",
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		...fileSourceProperties(PDF),
		documentName,
		requirement,
		...designationProperties,
		collection('Additional Fields', 'additionalFields', documentDetails),
	],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const { fields, hint } = readFields(call);
		const resource = await readFile(call, PDF);
		const answer = await service.json('addDocument', {
			path: { transactionId },
			platform: readPlatform(params),
			...toBody({ ...fields, resource }),
		});
		return toResult(transactionId, fields, answer, hint);
	},
	async lookUp(call) {
		const transactionId = call.params.requiredLocator('transactionId');
		const { fields } = readFields(call);
		const transaction = await retrieveTransaction(
			call.service,
			transactionId,
			readPlatform(call.params),
		);
		const added = asObjects(transaction.documents).filter(
			(document) =>
				document.document_name === fields.filename &&
				isMadeSince(call.service, document, call.startedAt) &&
				!call.madeBefore.has(String(document.id)),
		);
		return added.length === 1 && fields.filename !== undefined
			? toResult(transactionId, fields, added[0])
			: undefined;
	},
});

function readFields(call: OperationCall): { fields: IDataObject; hint?: string } {
	const { params } = call;
	const placed = readDesignations(params);
	return {
		fields: withoutEmpty({
			filename: params.text('documentName') ?? incomingFileName(call),
			requirement: params.required('requirement'),
			...readDocumentDetails(call, params.object('additionalFields')),
			signing_designations: placed?.designations,
		}),
		hint: placed?.rounded ? ROUNDED : undefined,
	};
}

/**
 * Returns one item for any form of the answer: a document, an array of documents, or a notice that
 * a split is in progress (docs/service/documents.md#bookmarked-pdfs).
 */
function toResult(
	transactionId: string,
	fields: IDataObject,
	answer: unknown,
	hint?: string,
): OperationResult {
	const document = asObject(Array.isArray(answer) ? asObjects(answer).at(-1) : answer);
	const documentId = asText(document.id);
	if (documentId === undefined) {
		return {
			json: {
				transaction_id: transactionId,
				document_name: fields.filename ?? null,
				upload_in_progress: true,
				...document,
			},
			hint: SPLITTING,
		};
	}
	return { json: { transaction_id: transactionId, document_id: documentId, ...document }, hint };
}
