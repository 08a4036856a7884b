import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { asObject, asObjects } from '../values/json';

/**
 * The jurisdictions of an address (interface.md §4, Verify Property Address): one object on a
 * documented-only service, else an array (gaps.md §1).
 */
export async function verifyAddress(
	service: ServiceClient,
	query: IDataObject,
): Promise<IDataObject[]> {
	const answer = await service.json('verifyAddress', { query });
	return Array.isArray(answer) ? asObjects(answer) : [asObject(answer)];
}
