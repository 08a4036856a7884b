import type { IDataObject } from 'n8n-workflow';

import { readEntry } from '../../transport/answers/answers';
import { fetchList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import { unexpectedAnswer } from '../../transport/failure/refusal';
import type { Platform } from '../../transport/service/endpoints';
import { asText, withoutEmpty } from '../../values/json';

/* Lists and retrieves notaries (docs/service/notarization.md#list-notaries). */

/** Which notaries to list. */
interface NotaryQuery {
	platform: Platform;
	/** Child organization whose notaries to list; business alone can be asked for it. */
	organizationId?: string;
	/** State of the commission, as two capital letters. */
	state?: string;
}

/**
 * Lists the notaries of an account. The service answers with an array without pages.
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
				({ us_state_abbr: own }) => own === undefined || String(own).toUpperCase() === state,
			);
}

/**
 * Retrieves a notary (docs/service/notarization.md#get-a-notary).
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveNotary(
	service: ServiceClient,
	notaryId: string,
	platform: Platform,
): Promise<IDataObject> {
	const notary = readEntry(await service.json('getNotary', { path: { notaryId }, platform }));
	if (notary === undefined || asText(notary.id) === undefined) throw unexpectedAnswer(200);
	return notary;
}

/**
 * Lists the notaries who can meet the signers of a transaction
 * (docs/service/notarization.md#notaries-of-a-transaction).
 * @throws ServiceFailure
 */
export async function listEligibleNotaries(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
): Promise<IDataObject[]> {
	return (await fetchList(service, 'listEligibleNotaries', { path: { transactionId }, platform }))
		.entries;
}
