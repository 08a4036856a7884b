import { sleep, type IHookFunctions } from 'n8n-workflow';

import { toNodeError } from '../messages/nodeError';
import type { ServiceClient } from '../transport/client';
import { keepUndelivered } from './events/eventLog';
import type { TriggerParameters } from './form/parameters';
import type { SubscriptionMemory } from './subscription/memory';
import { removeUnused } from './subscription/subscription';
import { triggerMemory } from './subscription/triggerMemory';
import { warnings } from './subscription/warnings';

/* Removes the webhook of an unpublished workflow, some seconds later. */

/**
 * How long a webhook stands after its workflow was unpublished, in milliseconds. When a published
 * trigger is changed, n8n unpublishes it first and publishes it again, within a second or some, and the
 * node can't tell which of the two it is. Tests shorten the pause.
 */
export const REMOVAL = { pauseMs: 10_000 };

/**
 * Has a webhook removed after the pause, unless the service shows that it's in use again by then,
 * whichever process has published the workflow. If n8n ends before, the webhook stands, and is used by
 * the next publishing.
 * @param own what was known of the webhook when its workflow was unpublished
 */
export async function removeLater(
	context: IHookFunctions,
	service: ServiceClient,
	settings: Pick<TriggerParameters, 'events'>,
	own: SubscriptionMemory & { webhookId: string },
): Promise<void> {
	await sleep(REMOVAL.pauseMs);
	try {
		await triggerMemory.inTurn(context, async (memory) => {
			// Published again with a key of another organization, whose memory it is.
			const isOurs = memory.secret === own.secret;
			const keep = async (id: string) =>
				isOurs ? await keepUndelivered(service, memory, settings, id) : undefined;
			if (!(await removeUnused(service, own, keep)) && isOurs && memory.unpublishedAt !== undefined)
				warnings.once(
					context,
					`this service doesn't offer deleting webhooks. ${own.webhookId} stays until you delete it in the service, and is used again when you publish the workflow`,
				);
		});
	} catch (thrown) {
		warnStays(context, own.webhookId, thrown);
	}
}

/** Says that a webhook couldn't be removed. */
export function warnStays(context: IHookFunctions, webhookId: string, thrown: unknown): void {
	const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
	warnings.once(
		context,
		`the webhook ${webhookId} stays in the service and is used again when you publish the workflow. ${message}. ${description ?? ''}`,
	);
}
