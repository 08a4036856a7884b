import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { findFiles } from '../../transport/linkedFiles';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { recordLocator } from '../shared/locators';
import { retrieveRecord } from './api';
import { RECORDING_LATE, recordingFile } from './files';

/** Downloads the recording of the meeting (docs/service/notarization.md#meeting-video). */
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
		const recordings = await findFiles(service, async () => [
			recordingFile(await retrieveRecord(service, recordId, parsePlatform(params))),
		]);
		const [saved] = await recordings.downloadAll(context);
		if (saved === undefined) throw new ExplainedFailure(...RECORDING_LATE);
		return {
			json: { notarization_record_id: recordId, ...saved.facts },
			binary: { [params.required('binaryPropertyName')]: saved.binary },
		};
	},
});
