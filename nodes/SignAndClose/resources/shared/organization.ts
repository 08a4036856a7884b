import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import type { ServiceSettings } from '../../transport/credential/credential';
import { text } from './builders';

/**
 * Builds the field for the child organization (docs/service/api.md#keys-and-organizations), which
 * overrides the credential's for one node.
 */
export const organizationId = (description: string): INodeProperties =>
	text('Organization ID', 'organization_id', 'or_1a2b3c4d', description);

/**
 * Reads the organization that an item works for: the node's, or else the credential's; undefined
 * means the organization of the key.
 * @param collection name of the collection that has the field
 */
export function readOrganization(
	params: Params,
	settings: ServiceSettings,
	collection = 'additionalFields',
): string | undefined {
	return params.textOf(params.object(collection), 'organization_id') ?? settings.organizationId;
}
