import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { addressOptions, addressProperties, parseAddressQuery } from '../address/form';
import { listResults, limitFields, transactionType } from '../../form/commonFields';

/** Lists the recording jurisdictions (docs/service/closings.md#recording-locations). */
export const getManyRecordingJurisdictions = defineOperation({
	resource: 'recordingJurisdiction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many recording jurisdictions',
	description:
		'List the recording jurisdictions of an address, with their title agencies and title underwriters',
	kind: 'read',
	properties: [transactionType, ...addressProperties, ...limitFields, addressOptions],
	execute: listResults('recording_jurisdiction_id', async ({ service, params }) => {
		const query = parseAddressQuery(params, service.settings);
		return (await fetchList(service, 'listRecordingLocations', { query })).entries;
	}),
});
