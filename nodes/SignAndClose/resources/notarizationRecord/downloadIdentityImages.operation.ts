import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { findFiles } from '../../transport/linkedFiles';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { retrieveRecord } from './api';
import { imageFiles } from './files';

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
	async execute({ context, service, params }) {
		const recordId = params.requiredLocator('recordId');
		const field = params.required('binaryPropertyName');
		const images = await findFiles(service, async () =>
			imageFiles(await retrieveRecord(service, recordId, parsePlatform(params))),
		);
		if (images.list.length === 0) {
			throw new ExplainedFailure(
				'This notarization record has no identity images',
				"Check 'Notarization Record'. Not every notarization includes images",
			);
		}
		return (await images.downloadAll(context)).map(({ file, binary, facts }) => ({
			json: { notarization_record_id: recordId, ...file.shown, ...facts },
			binary: { [field]: binary },
		}));
	},
});
