import type { IDataObject } from 'n8n-workflow';

import { readEntry } from '../../transport/answers/answers';
import type { ServiceClient } from '../../transport/client';
import { unexpectedAnswer } from '../../transport/failure/refusal';
import { asText } from '../../values/json';

/* The organization of an API key (docs/service/api.md#what-a-key-reaches). */

/**
 * Retrieves the organization that the key belongs to.
 * @throws ServiceFailure when the service doesn't say it, e.g. to a key that is for real estate only
 */
export async function retrieveOrganization(
	service: ServiceClient,
	impatient = false,
): Promise<IDataObject> {
	const organization = readEntry(await service.json('getOrganization', { impatient }));
	if (organization === undefined || asText(organization.id) === undefined)
		throw unexpectedAnswer(200);
	return organization;
}
