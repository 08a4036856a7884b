import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { noEvent } from '../resources/webhook/events';
import { createService } from '../transport/client';
import { withoutSecret } from './authenticity';
import { noteGap, notePublished, noteSeen, serviceTime } from './clock';
import { keepUndelivered, type Unpublished } from './eventLog';
import { EVENT_LABEL } from './form';
import { noteAnswered } from './gaps';
import { isTest, type SubscriptionMemory, triggerMemory } from './memory';
import { checkAccount } from './owner';
import type { TriggerParameters } from './parameters';
import { subscribe, type Wanted } from './subscription';
import { logFailure, warnings } from './warnings';

/* What a node wants its webhook to be, and the check of a published one. */

/** A trigger at work, with the parameters that a check needs. */
export interface Published extends Unpublished {
	context: IHookFunctions | ITriggerFunctions;
	settings: Pick<TriggerParameters, 'events' | 'pull'>;
}

/**
 * Checks a published subscription once and repairs it. A repair is logged.
 * @param isClosed whether the workflow was unpublished while this waited for its turn
 */
export async function checkSubscription(
	context: ITriggerFunctions,
	settings: Published['settings'],
	isClosed = () => false,
): Promise<void> {
	const check = async (memory: SubscriptionMemory) => {
		const { callback, unpublishedAt } = memory;
		// What is just published is up to its hooks, which give a webhook a new secret.
		if (callback === undefined || unpublishedAt !== undefined || isClosed()) return;
		const service = await createService(context);
		const published = { context, service, memory, settings };
		const wanted = wantedOf(published, withoutSecret(callback));
		const isOurs = await checkAccount(service, memory, wanted.warn);
		const done = await subscribe(service, memory, wanted);
		if (!isOurs) {
			await notePublication(published);
			return;
		}
		if (done !== 'intact') {
			wanted.warn(`the webhook was changed in the service and has been ${done} again`);
			noteGap(memory);
		}
		noteSeen(memory, serviceTime(service));
	};
	const checkInTurn = async () => await triggerMemory.inTurn(context, check);
	await logFailure(context, 'check its webhook', checkInTurn);
}

/** Notes that a workflow is published, with the source of its events. */
export async function notePublication({ service, memory, settings }: Published): Promise<void> {
	if (memory.answered === undefined) await noteAnswered(service, memory);
	notePublished(service, memory, settings.pull);
}

/**
 * What a node wants its webhook to be.
 * @param address where n8n listens
 * @throws InputFailure when no event is selected, because the service would refuse the webhook
 *   without saying what to do
 */
export function wantedOf(published: Published, address: string): Wanted {
	const { context, service, memory, settings } = published;
	const { signing } = service.settings;
	const { notOffered = [] } = memory;
	const events = settings.events.filter((event) => !notOffered.includes(event));
	if (events.length === 0) throw noEvent(EVENT_LABEL);
	return {
		address,
		events,
		owner: { instanceId: context.getInstanceId(), workflowId: String(context.getWorkflow().id) },
		signatureHeader: signing.webhookSignatureHeader.toLowerCase(),
		signingKey: signing.webhookSigningSecret,
		warn: warningsOf(context),
		// A test has nothing to keep.
		...(!isTest(context) && {
			keep: async (webhookId) => await keepUndelivered(published, webhookId),
		}),
	};
}

export const warningsOf = (context: Published['context']) => (text: string) =>
	warnings.once(context, text);
