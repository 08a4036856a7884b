import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationCall } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { phaseOf } from '../../transport/answers/transactionState';
import { saveStream, type Downloaded } from '../../transport/download';
import { asText } from '../../values/json';
import { documentLocator, transactionLocator } from '../shared/locators';
import { outputField, platform } from '../shared/platform';
import {
	downloadFinal,
	fileOf,
	findDocument,
	findFinalLink,
	openUploaded,
	type Place,
} from './api';
import { parsePlace } from './input';

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
	description: 'Download the PDF of a document, finished or as uploaded. For an eNote, its XML.',
	kind: 'read',
	properties: [platform, transactionLocator, documentLocator, version, outputField],
	async execute(call) {
		const { context, service, params } = call;
		const place = parsePlace(params);
		const { transactionId, documentId, platform } = place;
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const document = findDocument(transaction, documentId);
		const link = await findFinalLink(service, platform, transaction, document);
		if (link === undefined && params.choice('version') !== 'current')
			throw noFinal(document, transaction);
		const file =
			link === undefined
				? await fetchUploaded(call, place, document)
				: await downloadFinal(context, service, platform, { transactionId, document, link });
		return {
			json: {
				transaction_id: transactionId,
				document_id: documentId,
				document_name: fileOf(document).name,
				version: link === undefined ? 'uploaded' : 'final',
				...file.facts,
			},
			binary: { [params.required('binaryPropertyName')]: file.binary },
			hint: link === undefined ? UPLOADED : undefined,
		};
	},
});

async function fetchUploaded(
	{ context, service }: OperationCall,
	place: Place,
	document: IDataObject,
): Promise<Downloaded> {
	const file = await openUploaded(service, place);
	return await saveStream(context, file, {}, service.hide(fileOf(document)));
}

/** States of a transaction that is completed, but waits for the payment of its signer. */
const UNPAID = new Set(['awaiting_payment', 'payment_required']);
const WHEN_COMPLETED =
	"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or choose 'Final, Else Uploaded' in 'Version'";
const WHEN_RELEASED =
	"If the signer pays, the service releases documents after the payment: start this workflow with the 'Sign and Close Trigger' on 'Documents Released'. Otherwise, run the node again in a few minutes";

/** Says why there is no finished document (docs/service/documents.md#retrieve-a-document). */
function noFinal(document: IDataObject, transaction: IDataObject): ExplainedFailure {
	const { name } = fileOf(document);
	const detailed = asText(transaction.detailed_status);
	const state = detailed ?? asText(transaction.status) ?? 'in an unknown state';
	if (detailed !== undefined && UNPAID.has(detailed))
		return new ExplainedFailure(
			`The service doesn't release '${name}' yet: it waits for the payment (the transaction is ${state})`,
			WHEN_RELEASED,
		);
	if (/^complete/.test(asText(transaction.status) ?? state))
		return new ExplainedFailure(
			`The service gives no link to '${name}', although the transaction is completed`,
			WHEN_RELEASED,
		);
	const yet = phaseOf(transaction) === 'finished' ? '' : ' yet';
	return new ExplainedFailure(
		`'${name}' isn't finished${yet} (the transaction is ${state})`,
		WHEN_COMPLETED,
	);
}
