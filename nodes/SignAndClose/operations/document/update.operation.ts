import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { designationProperties } from '../../fields/document/designations';
import { documentDetails, readDocumentDetails, requirement } from '../../fields/document/details';
import { readDesignations } from '../../fields/document/readDesignations';
import { fileSourceProperties, PDF, readFile } from '../../fields/document/source';
import { collection, flag, text } from '../../fields/shared/builders';
import { documentLocator, transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import {
	notInTransaction,
	retrieveDocument,
	withDocumentIds,
} from '../../service/resources/documents';
import { retrieveTransaction, shows } from '../../service/resources/transactions';
import { toBody } from '../../service/transport/streamedJson';
import { asObject, asObjects, asText, withoutEmpty } from '../../service/values/json';

const updates = [...documentDetails, text('Document Name', 'name', 'Deed of Trust'), requirement];

/**
 * Updates a document. The documented interface takes every attribute of Add Document, a live
 * service takes fewer, so we send what was filled in and let the service judge
 * (docs/service/documents.md#update-a-document).
 */
export const updateDocument = defineOperation({
	resource: 'document',
	value: 'update',
	name: 'Update',
	action: 'Update document',
	description:
		'Change a document of a draft: name, requirement, flags, designations or the file itself',
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		documentLocator,
		collection('Update Fields', 'updateFields', updates),
		...designationProperties,
		flag('Replace File', 'replaceFile', 'Whether to replace the uploaded PDF with another one'),
		...fileSourceProperties(PDF, { replaceFile: [true] }),
	],
	async execute(call) {
		const { service, params } = call;
		const [transactionId, documentId] = [
			params.requiredLocator('transactionId'),
			params.requiredLocator('documentId'),
		];
		const changes = readChanges(call);
		const resource = params.boolean('replaceFile') ? { resource: await readFile(call, PDF) } : {};
		if (Object.keys({ ...changes, ...resource }).length === 0)
			throw new InputFailure(
				params.label('updateFields'),
				'is empty',
				'Add at least one field to change',
			);
		const { documents } = await retrieveTransaction(service, transactionId, readPlatform(params));
		if (!asObjects(documents).some(({ id }) => id === documentId))
			throw notInTransaction(documentId);
		const request = {
			path: { documentId },
			platform: readPlatform(params),
			...toBody({ ...changes, ...resource }),
		};
		if (changes.pdf_bookmarked === true) {
			// A split removes the document, and those of its bookmarks come minutes later, so there is
			// nothing to retrieve now.
			const answer = asObject(await service.json('updateDocument', request));
			if (asText(answer.id) === undefined)
				return {
					json: {
						transaction_id: transactionId,
						document_id: documentId,
						upload_in_progress: true,
						...answer,
					},
				};
			return toResult(transactionId, answer);
		}
		return toResult(
			transactionId,
			await service.written(
				'updateDocument',
				request,
				async () =>
					await retrieveDocument(service, transactionId, documentId, readPlatform(params)),
			),
		);
	},
	async lookUp(call) {
		const { service, params } = call;
		// The answer doesn't tell one file from another, so the write stays in doubt.
		if (params.boolean('replaceFile')) return undefined;
		const transactionId = params.requiredLocator('transactionId');
		const document = await retrieveDocument(
			service,
			transactionId,
			params.requiredLocator('documentId'),
			readPlatform(params),
		);
		const { name, ...changes } = readChanges(call);
		const wanted = { ...changes, ...(name !== undefined && { document_name: name }) };
		return shows(document, wanted) ? toResult(transactionId, document) : undefined;
	},
});

function readChanges(call: OperationCall): IDataObject {
	const values = call.params.object('updateFields');
	return withoutEmpty({
		name: call.params.textOf(values, 'name'),
		requirement: call.params.textOf(values, 'requirement'),
		...readDocumentDetails(call, values),
		signing_designations: readDesignations(call.params)?.designations,
	});
}

function toResult(transactionId: string, document: IDataObject): OperationResult {
	return { json: withDocumentIds(transactionId, document) };
}
