import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../core/explainedFailure';
import type { ServiceClient } from '../../service/client';
import { asFailure, isNotFound } from '../../service/errors/failure';
import { listWebhooks, retrieveWebhook } from '../../service/resources/webhooks';
import { isSameAddress } from '../authenticity/callbackSecret';

/* Finds, reads and removes webhooks at the service for a subscription. */

/** The failure of a subscription whose webhooks couldn't be looked at. */
export const NOT_ASKED = new ExplainedFailure(
	"The service couldn't be asked about its webhooks",
	'Publish the workflow again',
);

/** Whose leftovers are swept. */
interface Swept {
	/** The URL without secret. */
	address: string;
	/** Keeps the events that a webhook hasn't delivered, before it is removed with its records. */
	keep?: (webhookId: string) => Promise<void>;
}

/**
 * Removes webhooks at our URL, left behind by earlier runs or lost answers, except our own.
 * @param own ID of the webhook that stays
 * @param all the webhooks of the service, where they are known already
 * @throws ServiceFailure
 */
export async function sweep(
	service: ServiceClient,
	{ address, keep }: Swept,
	own?: string,
	all?: IDataObject[],
): Promise<void> {
	for (const { id, url } of all ?? (await listWebhooks(service))) {
		if (id === undefined || id === own || !isSameAddress(url, address)) continue;
		await keep?.(String(id));
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
 * Retrieves a webhook.
 * @returns undefined when the service doesn't have it any more
 * @throws ServiceFailure
 */
export async function read(
	service: ServiceClient,
	webhookId: string,
): Promise<IDataObject | undefined> {
	try {
		return await retrieveWebhook(service, webhookId);
	} catch (thrown) {
		if (!isNotFound(thrown)) throw asFailure(thrown, NOT_ASKED);
		// A documented-only service has no such call, but its list tells that the webhook exists.
		return (await listWebhooks(service)).find(
			({ id, url }) => id === webhookId && url === undefined,
		);
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
