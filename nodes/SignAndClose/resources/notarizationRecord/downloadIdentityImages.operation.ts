import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { outputField, platform } from '../../form/commonFields';
import { recordLocator } from '../../form/locators';
import { downloadRecordFiles, listImageFiles } from './files';

/**
 * Downloads the identification images of each signer behind their temporary links
 * (docs/service/notarization.md#identity-images). One item for each image.
 */
export const downloadIdentityImages = defineOperation({
	resource: 'notarizationRecord',
	value: 'downloadIdentityImages',
	name: 'Download Identity Images',
	action: 'Download identity images of notarization record',
	description: "Download the images of the signers' photo IDs, one item for each image",
	kind: 'read',
	properties: [platform, recordLocator, outputField],
	async execute(call) {
		const { results } = await downloadRecordFiles(call, listImageFiles);
		if (results.length > 0) return results;
		throw new ExplainedFailure(
			'This notarization record has no identity images',
			"Check 'Notarization Record'. Not every notarization includes images",
		);
	},
});
