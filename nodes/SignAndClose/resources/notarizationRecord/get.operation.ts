import { defineOperation } from '../../run/operation';
import { platform, parsePlatform, simplify } from '../../form/commonFields';
import { recordLocator } from '../../form/locators';
import { recordJson, retrieveRecord } from './api';

/** Retrieves a notarization record (docs/service/notarization.md#notarization-record). */
export const getNotarizationRecord = defineOperation({
	resource: 'notarizationRecord',
	value: 'get',
	name: 'Get',
	action: 'Get notarization record',
	description: 'Retrieve a notarization record with its meeting, notary, signers and links',
	kind: 'read',
	properties: [platform, recordLocator, simplify],
	async execute({ service, params }) {
		const record = await retrieveRecord(
			service,
			params.getRequiredLocator('recordId'),
			parsePlatform(params),
		);
		return { json: recordJson(params, record) };
	},
});
