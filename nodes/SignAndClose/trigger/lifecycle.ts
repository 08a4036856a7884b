import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../core/nodeError';
import { createService } from '../service/client';
import { CREDENTIAL_TYPE } from '../service/settings';
import { toSubscriptions } from './events';
import { withoutSecret } from './secret';
import { isSubscribed, repair, subscribe, unsubscribe, type SubscriptionMemory, type Wanted } from './subscription';

/** What publishing, unpublishing and "listen for test event" do. Each is one call into subscription.ts with n8n's own error on top. */

export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await explained(context, async () => await isSubscribed(await createService(context), memoryOf(context), await wantedOf(context)));
}

export async function register(context: IHookFunctions): Promise<boolean> {
	return await explained(context, async () => {
		await subscribe(await createService(context), memoryOf(context), await wantedOf(context));
		return true;
	});
}

export async function unregister(context: IHookFunctions): Promise<boolean> {
	return await explained(context, async () => {
		await unsubscribe(await createService(context), memoryOf(context), addressOf(context));
		return true;
	});
}

/** Looks after a published subscription once; a log line tells when something had to be mended. */
export async function tend(context: ITriggerFunctions): Promise<void> {
	const memory = context.getWorkflowStaticData('node') as SubscriptionMemory;
	try {
		const done = await repair(await createService(context), memory, {
			address: withoutSecret(memory.callback),
			events: chosenEvents(context),
			signingKey: await signingKey(context),
		});
		if (done !== 'intact') context.logger.warn(`Sign and Close Trigger: the webhook at the service had been changed and was ${done} again`);
	} catch (thrown) {
		// The next tick asks again; the reason is told without anything secret in it.
		const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
		context.logger.warn(`Sign and Close Trigger could not check its webhook. ${message}. ${description ?? ''}`);
	}
}

function memoryOf(context: IHookFunctions): SubscriptionMemory {
	return context.getWorkflowStaticData('node') as SubscriptionMemory;
}

function addressOf(context: IHookFunctions): string {
	return withoutSecret(context.getNodeWebhookUrl('default'));
}

async function wantedOf(context: IHookFunctions): Promise<Wanted> {
	return { address: addressOf(context), events: chosenEvents(context), signingKey: await signingKey(context) };
}

function chosenEvents(context: IHookFunctions | ITriggerFunctions): string[] {
	const chosen = context.getNodeParameter('events', []);
	return toSubscriptions(Array.isArray(chosen) ? chosen.map(String) : []);
}

async function signingKey(context: IHookFunctions | ITriggerFunctions): Promise<string | undefined> {
	const { webhookSigningSecret } = await context.getCredentials(CREDENTIAL_TYPE);
	return typeof webhookSigningSecret === 'string' && webhookSigningSecret !== '' ? webhookSigningSecret : undefined;
}

async function explained<T>(context: IHookFunctions, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown, undefined, []);
	}
}
