import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationResult } from '../../run/operation';
import { downloadLink } from '../../transport/download';
import { asObjects, asText } from '../../values/json';
import { finalLink } from '../document/api';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { fieldsOf } from '../shared/output';
import { retrieveRecord } from './api';

/**
 * Downloads the documents that were notarized, behind their temporary links
 * (docs/service/notarization.md#notarized-documents). One item for each document.
 */
export const downloadNotarizedDocuments = defineOperation({
	resource: 'notarizationRecord',
	value: 'downloadDocuments',
	name: 'Download Documents',
	action: 'Download documents of notarization record',
	description: 'Download the PDFs that were notarized, one item for each document',
	kind: 'read',
	properties: [platform, recordLocator, outputField],
	async execute({ context, service, params }) {
		const recordId = params.requiredLocator('recordId');
		const field = params.required('binaryPropertyName');
		const fetchDocuments = async () =>
			asObjects(
				(await retrieveRecord(service, recordId, parsePlatform(params))).notarized_documents,
			);
		const documents = await fetchDocuments();
		const results: OperationResult[] = [];
		for (const [index, document] of documents.entries()) {
			const link = linkOf(document);
			if (link === undefined) continue;
			const renew = async () => {
				const now = (await fetchDocuments())[index] ?? {};
				const isSame = now.id === document.id && now.tracking_id === document.tracking_id;
				return isSame ? linkOf(now) : undefined;
			};
			const file = await downloadLink(context, service, link, renew, {
				name: asText(document.document_name) ?? `${recordId} document ${index + 1}`,
				mimeType: 'application/pdf',
			});
			results.push({
				json: {
					notarization_record_id: recordId,
					document_id: document.id ?? null,
					...fieldsOf(document, ['document_name', 'tracking_id']),
					// Both spellings are in use.
					notarial_acts: document.notarial_acts ?? document.notorial_acts ?? null,
					...file.facts,
				},
				binary: { [field]: file.binary },
			});
		}
		const missing = documents.length - results.length;
		if (results.length === 0)
			throw new ExplainedFailure(
				'This notarization record has no documents to download',
				"If the signer pays, the service releases documents after the payment. The event 'Documents Released' of the 'Sign and Close Trigger' tells when",
			);
		if (missing > 0)
			results[0].hint = `Notarized documents without a link yet: ${missing} of ${documents.length}`;
		return results;
	},
});

/** The link to a notarized document, which real estate shows as a whole document. */
const linkOf = (document: IDataObject) => asText(document.document_url) ?? finalLink(document);
