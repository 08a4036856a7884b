import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../core/explainedFailure';
import type { ServiceClient } from '../../service/client';
import { asFailure, isNotFound } from '../../service/errors/failure';
import { isSameAddress } from '../authenticity/callbackSecret';
import type { Wanted } from './registration';

/* Finds and removes webhooks at the service for a subscription. */

/** The failure of a subscription whose webhooks couldn't be looked at. */
export const NOT_ASKED = new ExplainedFailure(
	"The service couldn't be asked about its webhooks",
	'Publish the workflow again',
);

/**
 * Removes webhooks at our URL, left behind by earlier runs or lost answers, except our own. One whose
 * events can't be kept stays for the next check.
 * @param all the webhooks of the service
 * @param own ID of the webhook that stays
 * @throws ServiceFailure
 */
export async function sweep(
	service: ServiceClient,
	{ address, keep }: Pick<Wanted, 'address' | 'keep'>,
	all: IDataObject[],
	own?: string,
): Promise<void> {
	for (const { id, url } of all) {
		if (id === undefined || id === own || !isSameAddress(url, address)) continue;
		try {
			await keep?.(String(id));
		} catch {
			continue;
		}
		await remove(service, String(id));
	}
}

/**
 * Deletes a webhook; one that is gone counts as deleted.
 * @throws ServiceFailure
 */
export async function remove(service: ServiceClient, webhookId: string): Promise<void> {
	try {
		await service.json('deleteWebhook', { path: { webhookId } });
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
	}
}

/**
 * Finds the webhook that is new in a list, where only one can be meant.
 * @param before IDs of the webhooks that were there before
 * @param callback URL of the new one, where the list shows URLs
 */
export function onlyNew(
	after: IDataObject[],
	before: ReadonlySet<unknown>,
	callback: string,
): string | undefined {
	const fresh = after.filter(
		({ id, url }) => !before.has(id) && (url === undefined || url === callback),
	);
	return fresh.length === 1 ? String(fresh[0].id) : undefined;
}
