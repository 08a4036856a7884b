import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { toNodeError } from '../core/nodeError';
import { leftOutHint, noEventLeft } from '../fields/shared/eventOptions';
import { createService } from '../service/client';
import { CREDENTIAL_TYPE } from '../service/transport/credential/credential';
import { asText } from '../service/values/json';
import { withoutSecret } from './authenticity/callbackSecret';
import { signatureHeaderOf } from './authenticity/signature';
import { readUndelivered } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { triggerEvents } from './properties';
import { whyUnreachable } from './subscription/reachability';
import { adopt, repair, subscribe, unsubscribe, type Wanted } from './subscription/subscription';
import { storedMemory, subscriptionStore } from './subscription/subscriptionStore';

/*
 * n8n's webhook methods, called by publishing, unpublishing and "Listen for test event". Each of
 * them is one call of subscription.ts, with its failures as n8n's own errors.
 */

/**
 * Whether the service has a webhook of this node already. It is updated to what the node wants.
 * @throws NodeApiError, NodeOperationError
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	return await inTurnWithReason(context, async () => {
		const adopted = await adopt(
			await createService(context),
			subscriptionStore.register(context),
			await wantedOf(context),
		);
		if (adopted) signalFirstLook(context);
		return adopted;
	});
}

/**
 * Registers a webhook for this node at the service.
 * @throws NodeApiError, NodeOperationError, e.g. when the service can't reach n8n
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	return await inTurnWithReason(context, async () => {
		const service = await createService(context);
		const wanted = await wantedOf(context);
		const why = whyUnreachable(wanted.address, service.settings.baseUrl);
		if (why !== undefined) {
			throw new ExplainedFailure(
				`The service can't reach this workflow: ${why}`,
				"Give n8n a URL that the service can reach (set n8n's WEBHOOK_URL environment variable, or use a tunnel), then publish again",
				{ final: true },
			);
		}
		await subscribe(service, subscriptionStore.register(context), wanted);
		signalFirstLook(context);
		return true;
	});
}

/**
 * Deletes this node's webhook at the service. Events that haven't arrived are kept for the next
 * publishing.
 * @throws NodeApiError, NodeOperationError
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	return await inTurnWithReason(context, async () => {
		const memory = storedMemory(context);
		const { webhookId } = memory;
		const service = await createService(context);
		const undelivered =
			context.getMode() === 'manual'
				? []
				: await readUndelivered(service, memory, readTriggerParameters(context));
		const gone = await unsubscribe(service, memory, addressOf(context));
		subscriptionStore.forget(context);
		subscriptionStore.keepUndelivered(context, service.hide(undelivered));
		if (!gone)
			context.logger.warn(
				`Sign and Close Trigger: this service doesn't offer deleting webhooks. ${webhookId} stays until you delete it in the service, and is used again when you publish the workflow`,
			);
		return true;
	});
}

/**
 * Checks a published subscription once and repairs it. A repair is logged.
 * @param isClosed whether the workflow was unpublished while this waited for its turn
 */
export async function checkSubscription(
	context: ITriggerFunctions,
	{ events }: Pick<TriggerParameters, 'events'>,
	isClosed = () => false,
): Promise<void> {
	await logFailure(
		context,
		'check its webhook',
		async () =>
			await subscriptionStore.inTurn(context, async () => {
				const memory = subscriptionStore.get(context);
				if (memory.callback === undefined || isClosed()) return;
				const wanted = {
					address: withoutSecret(memory.callback),
					events,
					...(await signing(context)),
				};
				const done = await repair(await createService(context), memory, wanted);
				if (done !== 'intact')
					context.logger.warn(
						`Sign and Close Trigger: the webhook was changed in the service and has been ${done} again`,
					);
			}),
	);
}

/**
 * Does a part of the maintenance. A failure is only logged, because the next check tries again.
 * @param what continues the sentence "couldn't ..."
 */
export async function logFailure(
	context: ITriggerFunctions,
	what: string,
	work: () => Promise<void>,
): Promise<void> {
	try {
		await work();
	} catch (thrown) {
		// Nothing secret is in the explanation.
		const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
		context.logger.warn(
			`Sign and Close Trigger couldn't ${what}. ${message}. ${description ?? ''}`,
		);
	}
}

/**
 * Starts another check, because n8n starts trigger() at the same time as these methods, and its
 * first check may have come too early.
 */
function signalFirstLook(context: IHookFunctions): void {
	eventLogSignal.send(context);
}

function addressOf(context: IHookFunctions): string {
	return withoutSecret(context.getNodeWebhookUrl('default'));
}

/**
 * @throws InputFailure when no event is selected, because the service would refuse the webhook
 *   without saying what to do
 */
async function wantedOf(context: IHookFunctions): Promise<Wanted> {
	const { events, notOffered } = readTriggerParameters(context);
	if (events.length === 0) throw noEventLeft(triggerEvents.displayName, notOffered);
	const hint = leftOutHint(notOffered);
	if (hint !== undefined) context.logger.warn(`Sign and Close Trigger: ${hint}`);
	return {
		address: addressOf(context),
		events,
		...(await signing(context)),
	};
}

/** How the service signs deliveries, according to the credential. */
async function signing(
	context: IHookFunctions | ITriggerFunctions,
): Promise<Pick<Wanted, 'signatureHeader' | 'signingKey'>> {
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	return {
		signatureHeader: signatureHeaderOf(credential),
		signingKey: asText(credential.webhookSigningSecret),
	};
}

async function inTurnWithReason<T>(context: IHookFunctions, work: () => Promise<T>): Promise<T> {
	try {
		return await subscriptionStore.inTurn(context, work);
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown, undefined, []);
	}
}
