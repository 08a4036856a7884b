import { sleep, type IHookFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { toNodeError } from '../core/nodeError';
import type { ServiceClient } from '../service/client';
import { findFailure } from '../service/errors/failure';
import { withoutSecret } from './authenticity/callbackSecret';
import { readUndelivered } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import { readTriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/memory';
import { pendingRemovals } from './subscription/pendingRemovals';
import { removeOwn } from './subscription/subscription';
import { subscriptionKey, subscriptionStore } from './subscription/subscriptionStore';
import { warn, warnings } from './warnings';

/* Removes the webhook of an unpublished workflow, some seconds later. */

/** How often the removal of a webhook is tried again. */
const REMOVAL_RETRIES = 3;

/** The URL that n8n listens at for this node, without secret. */
export function addressOf(context: IHookFunctions): string {
	return withoutSecret(context.getNodeWebhookUrl('default'));
}

/**
 * Keeps what hasn't arrived, and has the webhook removed when nobody uses it again. What can't be
 * read isn't removed: it would be lost with the webhook.
 */
export async function scheduleRemoval(
	context: IHookFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
): Promise<void> {
	const settings = readTriggerParameters(context);
	const own = { ...memory, webhookId: memory.webhookId! };
	const address = addressOf(context);
	subscriptionStore.forget(context);
	// n8n stores what is kept now, and not what is found later.
	let isRead = true;
	try {
		const undelivered = await readUndelivered(service, memory, settings, { impatient: true });
		subscriptionStore.keepUndelivered(context, service.hide(undelivered));
	} catch {
		isRead = false;
	}
	pendingRemovals.schedule(subscriptionKey(context), memory, async (isReplaced, isAdopted) => {
		for (let attempt = 0; !isAdopted(); attempt++) {
			try {
				await subscriptionStore.inTurn(context, async () => {
					if (isAdopted()) return;
					const undelivered = await readUndelivered(service, own, settings);
					if (!isRead && undelivered.length > 0 && !isReplaced())
						throw new ExplainedFailure(
							`${undelivered.length} events haven't arrived`,
							'Publish the workflow again to get them',
							{ final: true },
						);
					subscriptionStore.keepUndelivered(context, service.hide(undelivered));
					if (await removeOwn(service, own, address)) return;
					warn(
						context,
						`this service doesn't offer deleting webhooks. ${own.webhookId} stays until you delete it in the service, and is used again when you publish the workflow`,
					);
				});
				if (isReplaced()) eventLogSignal.send(context);
				return;
			} catch (thrown) {
				const isFinal = findFailure(thrown)?.flags.final === true;
				if (isFinal || attempt >= REMOVAL_RETRIES) {
					warnStays(context, own.webhookId, thrown);
					return;
				}
				await sleep(pendingRemovals.retryMs * (attempt + 1));
			}
		}
	});
}

/** Says that a webhook couldn't be removed. */
export function warnStays(context: IHookFunctions, webhookId: string, thrown: unknown): void {
	const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
	warnings.once(
		context,
		`the webhook ${webhookId} stays in the service and is used again when you publish the workflow. ${message}. ${description ?? ''}`,
	);
}
