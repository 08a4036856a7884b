import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { asText } from '../../values/json';
import { outputField, platform } from '../../form/commonFields';
import { defineChoice } from '../../form/fields';
import { documentLocator, transactionLocator } from '../../form/locators';
import { describeFile, findDocument } from './api';
import { downloadFinal, downloadUploaded, findFinalLink } from './downloads';
import { parseDocumentPlace } from './form';

const version = defineChoice(
	'Version',
	'version',
	[
		[
			'Final',
			'final',
			"The finished document. Stops with a message if the transaction isn't complete.",
		],
		['Final or Uploaded', 'current', "The uploaded file if the transaction isn't complete"],
	],
	'Version of the document to download',
);

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
		const place = parseDocumentPlace(params);
		const { transactionId, documentId, platform } = place;
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const document = findDocument(transaction, documentId);
		const link = await findFinalLink(service, platform, transaction, document);
		if (link === undefined && params.getChoice('version') !== 'current')
			throw explainMissingFinal(document, transaction);
		const file =
			link === undefined
				? await downloadUploaded(context, service, place, document)
				: await downloadFinal(context, service, platform, transactionId, document, link);
		return {
			json: {
				transaction_id: transactionId,
				document_id: documentId,
				document_name: describeFile(document).name,
				version: link === undefined ? 'uploaded' : 'final',
				...file.facts,
			},
			binary: { [params.getRequired('binaryPropertyName')]: file.binary },
			hint: link === undefined ? UPLOADED : undefined,
		};
	},
});

const WHEN_COMPLETED =
	"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or choose 'Final or Uploaded' in 'Version'";
const WHEN_RELEASED =
	"If the signer pays, the service releases documents after the payment: start this workflow with the 'Sign and Close Trigger' on 'Documents Released'. Otherwise, run the node again in a few minutes";

/** Says why there is no finished document (docs/service/documents.md#retrieve-a-document). */
function explainMissingFinal(document: IDataObject, transaction: IDataObject): ExplainedFailure {
	const { name } = describeFile(document);
	const status = asText(transaction.status);
	const state = asText(transaction.detailed_status) ?? status ?? 'in an unknown state';
	return /^complete/.test(status ?? state)
		? new ExplainedFailure(
				`The service gives no link to '${name}', although the transaction is completed (${state})`,
				WHEN_RELEASED,
			)
		: new ExplainedFailure(
				`'${name}' isn't finished (the transaction is ${state})`,
				WHEN_COMPLETED,
			);
}
