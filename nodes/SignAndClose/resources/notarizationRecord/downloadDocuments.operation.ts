import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { outputField, platform } from '../../form/commonFields';
import { recordLocator } from '../../form/locators';
import { downloadRecordFiles, listNotarizedFiles } from './files';

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
	async execute(call) {
		const { results, count } = await downloadRecordFiles(call, listNotarizedFiles);
		if (results.length === 0)
			throw new ExplainedFailure(
				'This notarization record has no documents to download',
				"If the signer pays, the service releases documents after the payment. The event 'Documents Released' of the 'Sign and Close Trigger' tells when",
			);
		const missing = count - results.length;
		if (missing > 0)
			results[0].hint = `Notarized documents without a link yet: ${missing} of ${count}`;
		return results;
	},
});
