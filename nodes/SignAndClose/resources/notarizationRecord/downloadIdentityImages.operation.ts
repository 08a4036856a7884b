import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationResult } from '../../run/operation';
import { downloadLink } from '../../transport/download';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { identityImages, retrieveRecord } from './api';

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
		const fetchImages = async () =>
			identityImages(await retrieveRecord(service, recordId, parsePlatform(params)));
		const found = await fetchImages();
		if (found.length === 0) {
			throw new ExplainedFailure(
				'This notarization record has no identity images',
				"Check 'Notarization Record'. Not every notarization includes images",
			);
		}
		const results: OperationResult[] = [];
		for (const { signer, side, link } of found) {
			const renew = async () =>
				(await fetchImages()).find((image) => image.signer === signer && image.side === side)?.link;
			const file = await downloadLink(context, service, link, renew, {
				name: `${recordId} signer ${signer} ${side.replaceAll('_', ' ')}`,
				mimeType: 'image/png',
			});
			results.push({
				json: { notarization_record_id: recordId, signer, side, ...file.facts },
				binary: { [field]: file.binary },
			});
		}
		return results;
	},
});
