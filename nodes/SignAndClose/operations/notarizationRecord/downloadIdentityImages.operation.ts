import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';

import { defineOperation } from '../../core/operation';
import { recordLocator } from '../../fields/notarizationRecord';
import { platform, readPlatform } from '../../fields/transaction';
import { downloadLink } from '../../service/download';
import { ServiceFailure } from '../../service/failures';
import { identityImages, retrieveRecord } from '../../service/records';

const prefix: INodeProperties = {
	displayName: 'Output Field Prefix',
	name: 'outputPrefix',
	type: 'string',
	default: 'image_',
	description: 'Each picture is put into a binary field of its own, whose name begins with this',
};

/** interface.md §2: primary_front, primary_back, secondary_front of each signer, temporary links to pictures. */
export const downloadIdentityImages = defineOperation({
	resource: 'notarizationRecord',
	value: 'downloadIdentityImages',
	name: 'Download Identity Images',
	action: 'Download identity images of notarization record',
	description: 'Download the pictures of the photo IDs that the signers showed',
	kind: 'read',
	properties: [platform, recordLocator, prefix],
	async execute({ context, service, params }) {
		const recordId = params.requiredLocator('recordId');
		const fetchImages = async () => identityImages(await retrieveRecord(service, recordId, readPlatform(params)));
		const found = await fetchImages();
		if (found.length === 0) {
			throw new ServiceFailure('This notarization record has no identity images', { remedy: "Check 'Notarization Record'; not every notarization keeps pictures" });
		}
		const binary: IBinaryKeyData = {};
		const files = [];
		for (const { name, link } of found) {
			const links = [link];
			const getLink = async () => links.pop() ?? (await fetchImages()).find((image) => image.name === name)?.link ?? link;
			const file = await downloadLink(context, service, getLink, {
				name: `${recordId} ${name}`,
				mimeType: 'image/png',
			});
			binary[`${params.text('outputPrefix') ?? ''}${name}`] = file.binary;
			files.push(file.facts);
		}
		return { json: { notarization_record_id: recordId, images: files.length, files }, binary };
	},
});
