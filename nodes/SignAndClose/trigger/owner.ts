import { retrieveOrganization } from '../resources/account/api';
import type { ServiceClient } from '../transport/client';
import { plainId } from '../values/ids';
import { asText } from '../values/json';
import { isSameAddress, withoutSecret } from './authenticity';
import { beginAnew, type SubscriptionMemory } from './memory';
import type { Wanted } from './subscription';

/*
 * Whose memory it is: that of this workflow in this n8n, and of this account. What was copied along, or
 * belongs to another account, is forgotten.
 */

/**
 * Forgets what was copied along from another workflow or another instance. Where the address is the
 * same, n8n has given it to this workflow, which takes over. A webhook of its own at another address
 * stays there: n8n has moved, or this is a clone, whose original needs it.
 */
export function disown(memory: SubscriptionMemory, { owner, address, warn }: Wanted): void {
	const { owner: before, callback, webhookId } = memory;
	if (callback !== undefined && !isSameAddress(callback, address)) {
		const isOurs =
			owner.workflowId === before?.workflowId && owner.instanceId === before.instanceId;
		if (!isOurs) beginAnew(memory);
		else if (webhookId !== undefined) {
			warn(
				`n8n has another URL now, so this workflow gets a new webhook. The webhook ${webhookId} stays at ${withoutSecret(callback)}. If nobody answers there any more, look with 'Webhook: Get Missed Events' for what it has missed, and delete it in the service`,
			);
			delete memory.webhookId;
		}
	}
	memory.owner = owner;
}

/**
 * Forgets what belongs to another organization. Another key of the same one changes nothing.
 * @returns false when everything was forgotten
 */
export async function checkAccount(
	service: ServiceClient,
	memory: SubscriptionMemory,
	warn: (text: string) => void,
): Promise<boolean> {
	const { account: before, webhookId, undelivered = [] } = memory;
	const { account: key, origin } = service.settings;
	if (before?.key === key) return true;
	const id = await retrieveOrganization(service, true).then(
		(organization) => asText(organization.id),
		() => undefined,
	);
	if (id === undefined) {
		// The next check asks again.
		if (before !== undefined)
			warn(
				"the service doesn't tell to which organization the API key belongs. If it's another one than before, unpublish the workflow, and publish a copy of it",
			);
		return true;
	}
	const organization = `${origin} ${plainId(id)}`;
	const isOurs = before === undefined || before.organization === organization;
	if (!isOurs) {
		warn(
			`the API key belongs to another organization than before, so this trigger begins anew. The webhook ${webhookId ?? 'of before'} and ${undelivered.length} events that hadn't arrived are the other one's`,
		);
		beginAnew(memory);
	}
	memory.account = { key, organization };
	return isOurs;
}
