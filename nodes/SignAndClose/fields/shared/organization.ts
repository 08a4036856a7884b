import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import type { ServiceSettings } from '../../service/transport/credential';
import { text } from './builders';

/** Overrides the credential's organization for one node (gaps.md §2, organization_id). */
export const organizationId = (description: string): INodeProperties =>
	text('Organization ID', 'organization_id', 'or_1a2b3c4d', description);

/**
 * The organization an item works for: the node's own, else the credential's, else that of the key.
 */
export function readOrganization(
	params: Params,
	settings: ServiceSettings,
	collection = 'additionalFields',
): string | undefined {
	return params.textOf(params.object(collection), 'organization_id') ?? settings.organizationId;
}
