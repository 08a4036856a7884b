import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { outputField, platform } from '../../form/commonFields';
import { recordLocator } from '../../form/locators';
import { downloadRecordFiles, RECORDING_LATE, getRecordingFile } from './files';

/** Downloads the recording of the meeting (docs/service/notarization.md#meeting-video). */
export const downloadVideo = defineOperation({
	resource: 'notarizationRecord',
	value: 'downloadVideo',
	name: 'Download Video',
	action: 'Download video of notarization record',
	description: 'Download the recording of the meeting with the notary',
	kind: 'read',
	properties: [platform, recordLocator, outputField],
	async execute(call) {
		const { results } = await downloadRecordFiles(call, (record) => [getRecordingFile(record)]);
		if (results.length > 0) return results;
		throw new ExplainedFailure(...RECORDING_LATE);
	},
});
