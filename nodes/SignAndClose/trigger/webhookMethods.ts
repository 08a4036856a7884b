import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../messages/explainedFailure';
import { toNodeError } from '../messages/nodeError';
import { noEvent } from '../resources/webhook/eventOptions';
import { createService, type ServiceClient } from '../transport/client';
import { asError } from '../transport/failure/failure';
import { whyUnreachable } from '../transport/links/linkTargets';
import { withoutSecret } from './authenticity/callbackSecret';
import { signatureHeaderOf } from './authenticity/signature';
import { checkConditions } from './conditions/conditions';
import { keepUndelivered, noteSource } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import {
	hasCompletions,
	noteAnswered,
	noteGap,
	notePublished,
	noteSeen,
	serviceTime,
} from './events/gaps';
import { findNotOffered } from './events/offeredEvents';
import { readTriggerParameters, type TriggerParameters } from './form/parameters';
import { EVENT_LABEL } from './form/properties';
import { removeLater, warnStays } from './removal';
import { beginAnew, type SubscriptionMemory } from './subscription/memory';
import { checkAccount } from './subscription/ownership';
import type { Wanted } from './subscription/registration';
import { adopt, repair, subscribe, unsubscribe } from './subscription/subscription';
import { isTest, triggerMemory } from './subscription/triggerMemory';
import { warnings } from './subscription/warnings';

/*
 * n8n's webhook methods, called by publishing, unpublishing and "Listen for test event", with their
 * failures as n8n's own errors; and the check of a published workflow.
 */

/**
 * Whether the service has a webhook of this node already. It is updated to what the node wants.
 * @throws NodeApiError, NodeOperationError
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	return await register(context, async (...given) => (await adopt(...given)) !== undefined);
}

/**
 * Registers a webhook for this node at the service.
 * @throws NodeApiError, NodeOperationError, e.g. when the service can't reach n8n
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	return await register(context, async (...given) => await subscribe(...given).then(() => true));
}

/** Finds or creates the webhook that a node wants, and notes that it's published. */
async function register(
	context: IHookFunctions,
	work: (service: ServiceClient, memory: SubscriptionMemory, wanted: Wanted) => Promise<boolean>,
): Promise<boolean> {
	return await inTurn(context, async (memory) => {
		const settings = readTriggerParameters(context);
		const service = await createService(context);
		if (!isTest(context)) await checkAccount(service, memory, warningsOf(context));
		// What was completed while completions weren't selected isn't missed.
		if (!hasCompletions(memory.events ?? [])) delete memory.seenUntil;
		// A published workflow goes on after a start of n8n, whatever the service offers by then.
		const isStart = memory.webhookId !== undefined && memory.unpublishedAt === undefined;
		if (!isStart) {
			checkConditions(settings.conditions);
			// What reads the event log needs no calls; a test has nothing else.
			if (!settings.pull || isTest(context)) checkReachable(context, service);
			memory.notOffered = await findNotOffered(service, settings);
		}
		const isRegistered = await work(service, memory, {
			...wantedOf(context, service, memory, settings),
			address: addressOf(context),
			renew: !isStart,
		});
		if (!isRegistered) return false;
		if (!isTest(context)) await notePublication(service, memory, settings);
		// n8n starts trigger() at the same time, and its first check may have come too early.
		eventLogSignal.send(context);
		return true;
	});
}

/** Notes that a workflow is published, with the source of its events. */
async function notePublication(
	service: ServiceClient,
	memory: SubscriptionMemory,
	{ pull }: Watched,
): Promise<void> {
	// Calls since the workflow was unpublished were answered as the new source wants it.
	noteSource(memory, pull, serviceTime(service, memory.unpublishedAt));
	if (memory.answered === undefined) await noteAnswered(service, memory);
	notePublished(memory, serviceTime(service));
}

/**
 * Ends this node's subscription. n8n calls this for a changed trigger too, just before it publishes
 * it again, so the webhook is removed some seconds later, unless it is used again by then. Events
 * that haven't arrived are kept for the next publishing; a webhook whose events can't be read stays.
 * @throws NodeApiError, NodeOperationError when the credential can't be used
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	return await inTurn(context, async (memory) => {
		const { webhookId } = memory;
		if (!isTest(context)) memory.unpublishedAt ??= Date.now();
		if (isTest(context) || webhookId === undefined) {
			await unsubscribe(await createService(context), memory, addressOf(context));
			if (isTest(context)) beginAnew(memory);
			return true;
		}
		const settings = readTriggerParameters(context);
		let service: ServiceClient | undefined;
		try {
			service = await createService(context);
			await keepUndelivered(service, memory, settings, webhookId);
			void removeLater(context, service, settings, { ...memory, webhookId });
		} catch (thrown) {
			warnStays(context, webhookId, thrown);
			// n8n is told where the credential can't be used, and tries again.
			if (service === undefined) throw asError(thrown);
		}
		return true;
	});
}

/** The parameters that a check needs. */
type Watched = Pick<TriggerParameters, 'events' | 'pull'>;

/**
 * Checks a published subscription once and repairs it. A repair is logged.
 * @param isClosed whether the workflow was unpublished while this waited for its turn
 * @returns the client that asked the service; undefined when there was nothing to ask or it failed
 */
export async function checkSubscription(
	context: ITriggerFunctions,
	settings: Watched,
	isClosed = () => false,
): Promise<ServiceClient | undefined> {
	let asked: ServiceClient | undefined;
	await logFailure(context, 'check its webhook', async () => {
		await triggerMemory.inTurn(context, async (memory) => {
			const { callback, unpublishedAt } = memory;
			// What is just published is up to its hooks, which give a webhook a new secret.
			if (callback === undefined || unpublishedAt !== undefined || isClosed()) return;
			const service = (asked = await createService(context));
			const warn = warningsOf(context);
			const wanted = {
				...wantedOf(context, service, memory, settings),
				address: withoutSecret(callback),
			};
			if (!(await checkAccount(service, memory, warn))) {
				await subscribe(service, memory, wanted);
				await notePublication(service, memory, settings);
				return;
			}
			const done = await repair(service, memory, wanted);
			if (done !== 'intact')
				warn(`the webhook was changed in the service and has been ${done} again`);
			if (done !== 'intact') noteGap(memory);
			noteSeen(memory, serviceTime(service));
		});
	});
	return asked;
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
		warnings.once(context, `couldn't ${what}. ${message}. ${description ?? ''}`);
	}
}

/** The URL that n8n listens at for this node, without secret. */
function addressOf(context: IHookFunctions): string {
	return withoutSecret(context.getNodeWebhookUrl('default'));
}

/** @throws ExplainedFailure when the service can't call n8n */
function checkReachable(context: IHookFunctions, { settings }: ServiceClient): void {
	const why = whyUnreachable(addressOf(context), settings.baseUrl);
	if (why === undefined) return;
	throw new ExplainedFailure(
		`The service can't reach this workflow: ${why}`,
		`Give n8n a URL that the service can reach (set n8n's WEBHOOK_URL environment variable, or use a tunnel), then publish again. Without such a URL, choose 'Event Log' in 'Event Source', which is among the options`,
		{ final: true },
	);
}

/**
 * What a node wants its webhook to be, wherever it stands.
 * @throws InputFailure when no event is selected, because the service would refuse the webhook
 *   without saying what to do
 */
function wantedOf(
	context: IHookFunctions | ITriggerFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: Watched,
): Omit<Wanted, 'address'> {
	const { signing } = service.settings;
	const { notOffered = [] } = memory;
	const events = settings.events.filter((event) => !notOffered.includes(event));
	if (events.length === 0) throw noEvent(EVENT_LABEL);
	return {
		events,
		owner: { instanceId: context.getInstanceId(), workflowId: String(context.getWorkflow().id) },
		signatureHeader: signatureHeaderOf(signing),
		signingKey: signing.webhookSigningSecret,
		warn: warningsOf(context),
		// A test has nothing to keep.
		...(!isTest(context) && {
			keep: async (id) => await keepUndelivered(service, memory, settings, id),
		}),
	};
}

const warningsOf = (context: IHookFunctions | ITriggerFunctions) => (text: string) =>
	warnings.once(context, text);

async function inTurn<T>(
	context: IHookFunctions,
	work: (memory: SubscriptionMemory) => Promise<T>,
): Promise<T> {
	try {
		return await triggerMemory.inTurn(context, work);
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown, undefined, []);
	}
}
