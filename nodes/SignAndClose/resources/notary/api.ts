import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fetchList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { withoutEmpty } from '../../values/json';
import { platform } from '../../form/commonFields';

/** Builds the choice of a platform. Business was asked before there was a choice. */
export const defineNotaryPlatform = (description: string): INodeProperties => ({
	...platform,
	default: 'business',
	description,
});

/** Which notaries to list. */
interface NotaryQuery {
	platform: Platform;
	/** Child organization whose notaries to list; business alone can be asked for it. */
	organizationId?: string;
	/** State of the commission, as two capital letters. */
	state?: string;
}

/**
 * Lists the notaries of an account. The service answers with an array without pages
 * (docs/service/notarization.md#list-notaries).
 * @throws ServiceFailure
 */
export async function listNotaries(
	service: ServiceClient,
	{ platform, organizationId, state }: NotaryQuery,
): Promise<IDataObject[]> {
	const query = withoutEmpty({
		organization_id: platform === 'business' ? organizationId : undefined,
		us_state_abbr: state,
	});
	const { entries: notaries } = await fetchList(service, 'listNotaries', { platform, query });
	// Real estate takes no query, so the state is compared here too.
	return state === undefined
		? notaries
		: notaries.filter(
				({ us_state_abbr: commissionState }) =>
					commissionState === undefined || String(commissionState).toUpperCase() === state,
			);
}
