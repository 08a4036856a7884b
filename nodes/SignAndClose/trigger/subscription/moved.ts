import type { ServiceClient } from '../../service/client';
import { asFailure, isNotFound } from '../../service/errors/failure';
import { readRecords, type RecordedDelivery } from '../../service/resources/deliveries';
import { asText } from '../../service/values/json';
import { isSameAddress, pointsTo, withoutSecret } from '../authenticity/callbackSecret';
import type { Owner, SubscriptionMemory } from './memory';
import type { Wanted } from './registration';
import { NOT_ASKED, read, remove } from './webhookCalls';

/*
 * A webhook that stands at another address than n8n's. Either n8n has moved, or what n8n stores was
 * copied: into another workflow, another instance, or a clone of the whole instance.
 */

/**
 * Forgets what was copied along from another workflow or another instance. Where the address is the
 * same, n8n has given it to this workflow, which takes over.
 */
export function disown(memory: SubscriptionMemory, { owner, address }: Wanted): void {
	const isCopy =
		owner !== undefined &&
		memory.owner !== undefined &&
		!isSameOwner(memory.owner, owner) &&
		!isSameAddress(memory.callback, address);
	if (isCopy) for (const key of Object.keys(memory)) delete memory[key];
}

function isSameOwner(one: Owner, other: Owner): boolean {
	return one.workflowId === other.workflowId && one.instanceId === other.instanceId;
}

/** How many of the newest records tell whether an address answers. */
const LOOKED_AT = 100;

/**
 * Whether a webhook may be moved to n8n's address: it was made by this workflow in this instance, and
 * nothing shows that somebody answers where it stands. A clone of an instance has the same ID, and
 * moving the webhook would take it away from the original.
 * @throws ServiceFailure
 */
export async function mayMove(
	service: ServiceClient,
	memory: SubscriptionMemory,
	{ owner, warn }: Wanted,
): Promise<boolean> {
	const { webhookId, callback } = memory;
	if (webhookId === undefined || callback === undefined || owner === undefined) return false;
	if (memory.owner === undefined || !isSameOwner(memory.owner, owner)) return false;
	const newest = await newestRecord(service, webhookId);
	if (newest?.arrived !== true) return true;
	warn?.(
		`the webhook ${webhookId} stands at ${withoutSecret(callback)}, where the last event was accepted. It stays there, and this workflow gets a webhook of its own. If n8n has moved, the first event that isn't accepted there ends it. If this is a clone of another n8n, both get all events`,
	);
	memory.former = { webhookId, callback, since: new Date().toISOString() };
	return false;
}

/**
 * Looks at the webhook that wasn't moved. Once nobody answers there, it is removed, and what it
 * didn't deliver is kept.
 * @throws ServiceFailure
 */
export async function checkFormer(
	service: ServiceClient,
	memory: SubscriptionMemory,
	{ keep }: Wanted,
): Promise<void> {
	const { former } = memory;
	if (former === undefined) return;
	const webhook = await read(service, former.webhookId);
	if (webhook !== undefined && pointsTo(webhook.url, former.callback)) {
		const newest = await newestRecord(service, former.webhookId, Date.parse(former.since));
		if (newest === undefined) return;
		if (!newest.arrived) {
			await keep?.(former.webhookId);
			await remove(service, former.webhookId);
		}
	}
	delete memory.former;
}

/** The newest event of a webhook; undefined when it has none, or the service shows none. */
async function newestRecord(
	service: ServiceClient,
	webhookId: string,
	since?: number,
): Promise<RecordedDelivery | undefined> {
	try {
		const { records } = await readRecords(service, webhookId, { since, most: LOOKED_AT });
		return records.reduce<RecordedDelivery | undefined>(
			(newest, record) =>
				newest === undefined || (asText(record.at) ?? '') > newest.at ? record : newest,
			undefined,
		);
	} catch (thrown) {
		if (isNotFound(thrown)) return undefined;
		throw asFailure(thrown, NOT_ASKED);
	}
}
