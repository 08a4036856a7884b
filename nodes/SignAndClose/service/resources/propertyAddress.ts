import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { asObject, asObjects } from '../values/json';

/* Checks whether a property can be closed online. */

/**
 * Checks an address and returns its recording jurisdictions. A service answers with one object or
 * with an array (docs/service/closings.md#verify-an-address).
 * @param query transaction_type, and street_address by its parts
 * @throws ServiceFailure
 */
export async function verifyAddress(
	service: ServiceClient,
	query: IDataObject,
): Promise<IDataObject[]> {
	const answer = await service.json('verifyAddress', { query });
	return Array.isArray(answer) ? asObjects(answer) : [asObject(answer)];
}
