import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { addressOptions, addressProperties, parseAddressQuery } from '../address/address';
import { many, parseLimit } from '../shared/commonFields';
import { transactionType } from '../shared/transactionType';

/** Lists the recording jurisdictions (docs/service/closings.md#recording-locations). */
export const getManyRecordingJurisdictions = defineOperation({
	resource: 'recordingJurisdiction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many recording jurisdictions',
	description:
		'List the recording jurisdictions of an address, with their title agencies and title underwriters',
	kind: 'read',
	properties: [transactionType, ...addressProperties, ...many, addressOptions],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const query = parseAddressQuery(params, service.settings);
		const { entries } = await fetchList(service, 'listRecordingLocations', { query });
		return entries.slice(0, limit).map((jurisdiction) => ({
			json: { recording_jurisdiction_id: jurisdiction.id, ...jurisdiction },
		}));
	},
});
