import { sleep, type IHookFunctions } from 'n8n-workflow';

import { toNodeError } from '../core/nodeError';
import type { ServiceClient } from '../service/client';
import { findFailure } from '../service/errors/failure';
import { keepUndelivered } from './events/eventLog';
import type { TriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/memory';
import { removeUnused } from './subscription/subscription';
import { triggerMemory } from './subscription/triggerMemory';
import { warn, warnings } from './warnings';

/* Removes the webhook of an unpublished workflow, some seconds later. */

/**
 * How long a webhook stands after its workflow was unpublished, and until a removal that has failed is
 * tried again, in milliseconds. When a published trigger is changed, n8n unpublishes it first and
 * publishes it again, within a second or some, and the node can't tell which of the two it is. Tests
 * shorten the pauses.
 */
export const REMOVAL = { pauseMs: 10_000, retryMs: 10_000 };

/** How often the removal of a webhook is tried again. */
const RETRIES = 3;

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
	for (let attempt = 0; ; attempt++) {
		await sleep(attempt === 0 ? REMOVAL.pauseMs : REMOVAL.retryMs * attempt);
		try {
			await triggerMemory.inTurn(context, async (memory) => {
				const keep = async (id: string) => await keepUndelivered(service, memory, settings, id);
				if (await removeUnused(service, own, keep)) return;
				warn(
					context,
					`this service doesn't offer deleting webhooks. ${own.webhookId} stays until you delete it in the service, and is used again when you publish the workflow`,
				);
			});
			return;
		} catch (thrown) {
			const isFinal = findFailure(thrown)?.flags.final === true;
			if (!isFinal && attempt < RETRIES) continue;
			warnStays(context, own.webhookId, thrown);
			return;
		}
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
