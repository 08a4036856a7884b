import { defineOperation } from '../../run/operation';
import { addressCountry, addressProperties, parseAddressQuery } from '../address/address';
import { listRecordingJurisdictions } from '../address/api';
import { organizationId, many, parseLimit } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { transactionType } from '../shared/transactionType';

/** Lists the recording jurisdictions (docs/service/closings.md#recording-locations). */
export const getManyRecordingJurisdictions = defineOperation({
	resource: 'recordingJurisdiction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many recording jurisdictions',
	description:
		'List the recording jurisdictions of an address, with their title agencies and underwriters',
	kind: 'read',
	properties: [
		transactionType,
		...addressProperties,
		...many,
		collection('Additional Fields', 'additionalFields', [
			addressCountry,
			organizationId('Organization to check for, instead of the one in the credential'),
		]),
	],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const jurisdictions = await listRecordingJurisdictions(
			service,
			parseAddressQuery(params, service.settings),
		);
		return jurisdictions.slice(0, limit).map((jurisdiction) => ({
			json: { recording_jurisdiction_id: jurisdiction.id, ...jurisdiction },
		}));
	},
});
