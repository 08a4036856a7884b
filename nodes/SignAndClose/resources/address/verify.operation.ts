import { defineOperation, type OperationResult } from '../../run/operation';
import { transactionType } from '../../form/commonFields';
import { addressOptions, addressProperties, parseAddressQuery } from './form';
import { canCloseOnline, fetchJurisdictions as verify } from './api';

/**
 * Checks whether a property can be closed online. One item for each recording jurisdiction, whether
 * the service answers with one object or with an array
 * (docs/service/closings.md#verify-an-address).
 */
export const verifyAddress = defineOperation({
	resource: 'address',
	value: 'verify',
	name: 'Verify',
	action: 'Verify address',
	description:
		'Check whether a property can be closed online and get its recording jurisdictions, title agencies and title underwriters',
	kind: 'read',
	passesFiles: true,
	properties: [transactionType, ...addressProperties, addressOptions],
	async execute({ service, params }) {
		const jurisdictions = await verify(service, parseAddressQuery(params, service.settings));
		if (jurisdictions.length === 0)
			return { json: { supported: false, eligible_title_agencies: [] }, hint: NOT_SUPPORTED };
		return jurisdictions.map((jurisdiction): OperationResult => ({
			json: {
				...(jurisdiction.id !== undefined && { recording_jurisdiction_id: jurisdiction.id }),
				...jurisdiction,
			},
			hint: canCloseOnline(jurisdiction) === false ? NOT_SUPPORTED : undefined,
		}));
	},
});

const NOT_SUPPORTED =
	"This property can't be closed online: create the closing with another transaction type, or close it in person";
