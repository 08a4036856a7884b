import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationResult } from '../../run/operation';
import { findFiles } from '../../transport/linkedFiles';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { retrieveRecord } from './api';
import { notarizedFiles } from './files';

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
		const documents = await findFiles(service, async () =>
			notarizedFiles(await retrieveRecord(service, recordId, parsePlatform(params))),
		);
		const saved = await documents.downloadAll(context);
		const results = saved.map(({ file, binary, facts }): OperationResult => ({
			json: { notarization_record_id: recordId, ...file.shown, ...facts },
			binary: { [field]: binary },
		}));
		if (results.length === 0)
			throw new ExplainedFailure(
				'This notarization record has no documents to download',
				"If the signer pays, the service releases documents after the payment. The event 'Documents Released' of the 'Sign and Close Trigger' tells when",
			);
		const missing = documents.list.length - results.length;
		if (missing > 0)
			results[0].hint = `Notarized documents without a link yet: ${missing} of ${documents.list.length}`;
		return results;
	},
});
