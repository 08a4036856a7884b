import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ExplainedFailure } from '../../core/explainedFailure';
import { defineOperation, type OperationCall } from '../../core/operation';
import { documentLocator, transactionLocator } from '../../fields/shared/locators';
import { outputField, platform, readPlatform } from '../../fields/shared/platform';
import { saveStream, type Downloaded } from '../../service/download';
import { downloadFinal, notInTransaction } from '../../service/resources/documents';
import { retrieveTransaction } from '../../service/resources/transactions';
import { decodeData } from '../../service/transport/base64Stream';
import { asObjects, asText } from '../../service/values/json';

const version: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'options',
	options: [
		{
			name: 'Final',
			value: 'final',
			description: "The finished document. Stops with a message if the transaction isn't complete.",
		},
		{
			name: 'Final, Else Uploaded',
			value: 'current',
			description: "The uploaded file if the transaction isn't complete",
		},
	],
	default: 'final',
	description: 'Version of the document to download',
};

const UPLOADED = "This is the uploaded file: the document isn't finished yet";

/**
 * Downloads a document: the finished PDF behind its link
 * (docs/service/documents.md#retrieve-a-document), or, where that was chosen, the uploaded content
 * before completion (docs/service/documents.md#get-a-document).
 */
export const downloadDocument = defineOperation({
	resource: 'document',
	value: 'download',
	name: 'Download',
	action: 'Download document',
	description: 'Download the PDF of a document, finished or as uploaded',
	kind: 'read',
	properties: [platform, transactionLocator, documentLocator, version, outputField],
	async execute(call) {
		const { params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const documentId = params.requiredLocator('documentId');
		const { transaction, document } = await find(call, transactionId, documentId);
		const name = asText(document.document_name) ?? documentId;
		const final = asText(document.final_document_url);
		if (final === undefined && params.choice('version') !== 'current')
			throw notFinished(name, transaction);
		const file =
			final === undefined
				? await fetchUploaded(call, transactionId, documentId, name)
				: await downloadFinal(
						call.context,
						call.service,
						readPlatform(params),
						transactionId,
						document,
					);
		return {
			json: {
				transaction_id: transactionId,
				document_id: documentId,
				document_name: name,
				version: final === undefined ? 'uploaded' : 'final',
				...file.facts,
			},
			binary: { [params.required('binaryPropertyName')]: file.binary },
			hint: final === undefined ? UPLOADED : undefined,
		};
	},
});

async function find(
	{ service, params }: OperationCall,
	transactionId: string,
	documentId: string,
): Promise<{ transaction: IDataObject; document: IDataObject }> {
	const transaction = await retrieveTransaction(service, transactionId, readPlatform(params));
	const document = asObjects(transaction.documents).find(({ id }) => id === documentId);
	if (document === undefined) throw notInTransaction(documentId);
	return { transaction, document };
}

async function fetchUploaded(
	{ context, service, params }: OperationCall,
	transactionId: string,
	documentId: string,
	name: string,
): Promise<Downloaded> {
	const { stream } = await service.stream('getDocument', {
		path: { transactionId, documentId },
		platform: readPlatform(params),
		query: { encoding: 'base64' },
	});
	return await saveStream(
		context,
		service,
		decodeData(stream, service.limits.stallMs),
		{},
		{ name, mimeType: 'application/pdf' },
	);
}

function notFinished(name: string, transaction: IDataObject): ExplainedFailure {
	const state = asText(transaction.detailed_status) ?? asText(transaction.status) ?? 'unknown';
	return new ExplainedFailure(
		`'${name}' isn't finished yet (the transaction is ${state})`,
		"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or choose 'Final, Else Uploaded' in 'Version'",
	);
}
