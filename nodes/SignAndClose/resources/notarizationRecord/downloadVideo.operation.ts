import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { downloadLink } from '../../transport/download';
import { asText } from '../../values/json';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { retrieveRecord } from './api';

/**
 * Downloads the recording of the meeting. Its link is usually on the service's own host, where it
 * needs the API key (docs/service/notarization.md#meeting-video).
 */
export const downloadVideo = defineOperation({
	resource: 'notarizationRecord',
	value: 'downloadVideo',
	name: 'Download Video',
	action: 'Download video of notarization record',
	description: 'Download the recording of the meeting with the notary',
	kind: 'read',
	properties: [platform, recordLocator, outputField],
	async execute({ context, service, params }) {
		const recordId = params.requiredLocator('recordId');
		const findLink = async () => {
			const link = asText(
				(await retrieveRecord(service, recordId, parsePlatform(params))).video_url,
			);
			if (link !== undefined) return link;
			throw new ExplainedFailure(
				"The recording isn't ready yet",
				"It can take a while after the meeting. The event 'Recording Ready' of the 'Sign and Close Trigger' tells when",
			);
		};
		const file = await downloadLink(context, service, await findLink(), findLink, {
			name: `Notarization ${recordId}`,
			mimeType: 'video/mp4',
		});
		return {
			json: { notarization_record_id: recordId, ...file.facts },
			binary: { [params.required('binaryPropertyName')]: file.binary },
		};
	},
});
