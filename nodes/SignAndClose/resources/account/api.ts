import type { IDataObject } from 'n8n-workflow';

import { toEntry } from '../../transport/answers/shapes';
import type { ServiceClient } from '../../transport/client';
import { withId } from '../../form/output';

/* The organization of an API key (docs/service/api.md#what-a-key-reaches). */

/**
 * Retrieves the organization that the key belongs to.
 * @throws ServiceFailure when the service doesn't say it, e.g. to a key that is for real estate only
 */
export async function retrieveOrganization(
	service: ServiceClient,
	isUrgent = false,
): Promise<IDataObject> {
	return withId(toEntry(await service.json('getOrganization', { urgent: isUrgent })));
}
