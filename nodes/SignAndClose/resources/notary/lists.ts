import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../values/json';
import { currentPlatform, readOrKept, nameFrom, offered, withReason } from '../shared/lists';
import { personName } from '../shared/output';
import { listNotaries } from './api';

/**
 * Lists the notaries of the platform.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchNotaries(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const service = await connect();
		const isBusiness = this.getCurrentNodeParameter('operation') === 'create';
		const platform = isBusiness ? 'business' : currentPlatform(this);
		const { organizationId } = service.settings;
		const notaries = await readOrKept(
			service,
			['notaries', platform],
			async () => await listNotaries(service, { platform, organizationId }),
		);
		const choices = notaries.map((notary) => ({
			name: nameFrom([
				asText(notary.name) ?? personName(notary) ?? String(notary.id),
				asText(notary.us_state_abbr),
			]),
			value: asText(notary.id),
		}));
		return { results: offered(choices, filter) };
	});
}
