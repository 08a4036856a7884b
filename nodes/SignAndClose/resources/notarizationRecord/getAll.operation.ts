import { defineOperation } from '../../run/operation';
import { streamEntries, takeEntries } from '../../transport/answers/pages';
import { limitFields, parseLimit, simplify } from '../../form/commonFields';
import { recordJson } from './api';

/** Lists the notarization records (docs/service/notarization.md#list-notarization-records). */
export const getManyNotarizationRecords = defineOperation({
	resource: 'notarizationRecord',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many notarization records',
	description: 'List the records of completed notarizations',
	kind: 'read',
	properties: [...limitFields, simplify],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const records = await takeEntries(streamEntries(service, 'listRecords', {}, limit), limit);
		return records.map((record) => ({ json: recordJson(params, record) }));
	},
});
