import { defineOperation } from '../../core/operation';
import { documentLocator } from '../../fields/document';
import { outputField, platform, readPlatform, transactionLocator } from '../../fields/transaction';
import { downloadLink } from '../../service/download';
import { InputFailure, ServiceFailure } from '../../service/failures';
import { retrieveTransaction } from '../../service/transactions';
import { asObjects, asText } from '../../service/wire';

/** interface.md §4, Retrieve Document: the bytes behind final_document_url, a link of 900 seconds, retrieved just before use. */
export const downloadDocument = defineOperation({
	resource: 'document',
	value: 'download',
	name: 'Download',
	action: 'Download document',
	description: 'Download the finished PDF of a completed transaction',
	kind: 'read',
	properties: [platform, transactionLocator, documentLocator, outputField],
	async execute({ context, service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const documentId = params.requiredLocator('documentId');
		let name = documentId;
		const getLink = async () => {
			const transaction = await retrieveTransaction(service, transactionId, readPlatform(params));
			const document = asObjects(transaction.documents).find(({ id }) => id === documentId);
			if (document === undefined) {
				throw new InputFailure(params.label('documentId'), `${documentId} is not in this transaction`, "Choose one from the list or check 'Transaction'");
			}
			name = asText(document.document_name) ?? documentId;
			const link = asText(document.final_document_url);
			if (link !== undefined) return link;
			const state = asText(transaction.detailed_status) ?? asText(transaction.status) ?? 'unknown';
			throw new ServiceFailure(`'${name}' is not finished yet (the transaction is ${state})`, {
				remedy: "Start this flow with the 'Sign and Close Trigger' on completed transactions, or run it again later",
			});
		};
		// The name is known once the first link is.
		const first = await getLink();
		const links = [first];
		const file = await downloadLink(context, service, async () => links.pop() ?? (await getLink()), { name, mimeType: 'application/pdf' });
		return {
			json: { transaction_id: transactionId, document_id: documentId, document_name: name, ...file.facts },
			binary: { [params.required('binaryPropertyName')]: file.binary },
		};
	},
});
