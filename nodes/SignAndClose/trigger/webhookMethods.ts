import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { toNodeError } from '../core/nodeError';
import { noEvent } from '../fields/shared/eventOptions';
import { createService, type ServiceClient } from '../service/client';
import { asError } from '../service/errors/failure';
import { withoutSecret } from './authenticity/callbackSecret';
import { signatureHeaderOf } from './authenticity/signature';
import { checkConditions } from './conditions/conditions';
import { readUndelivered } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import { selectOffered, withoutMissing } from './events/offeredEvents';
import { notePlatforms } from './gaps/completions';
import { noteCheck, noteMissing, notePublished } from './gaps/gap';
import { EVENT_LABEL } from './properties';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { addressOf, scheduleRemoval, warnStays } from './removal';
import { whyUnreachable } from './subscription/reachability';
import type { SubscriptionMemory } from './subscription/memory';
import { pendingRemovals } from './subscription/pendingRemovals';
import { adopt, repair, subscribe, unsubscribe, type Wanted } from './subscription/subscription';
import {
	isTest,
	storedMemory,
	subscriptionKey,
	subscriptionStore,
} from './subscription/subscriptionStore';
import { warnings } from './warnings';

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
		const settings = readTriggerParameters(context);
		const service = await createService(context);
		const memory = subscriptionStore.register(context);
		// A published workflow goes on after a restart of n8n, whatever has changed since.
		const isRestart = memory.webhookId !== undefined && memory.unpublishedAt === undefined;
		const events = isRestart
			? withoutMissing(memory, settings.events)
			: await checkChoices(context, service, memory, settings);
		const wanted = wantedOf(context, service, memory, { ...settings, events });
		const repaired = await adopt(service, memory, wanted);
		// While n8n was down, somebody has deleted, disabled or changed the webhook.
		if (isRestart && repaired !== 'intact') noteMissing(memory);
		if (repaired === undefined) return false;
		await settle(context, service, memory);
		return true;
	});
}

/**
 * Registers a webhook for this node at the service.
 * @throws NodeApiError, NodeOperationError, e.g. when the service can't reach n8n
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	return await inTurnWithReason(context, async () => {
		const settings = readTriggerParameters(context);
		const service = await createService(context);
		const memory = subscriptionStore.register(context);
		const events = await checkChoices(context, service, memory, settings);
		const wanted = wantedOf(context, service, memory, { ...settings, events });
		await subscribe(service, memory, wanted);
		await settle(context, service, memory);
		return true;
	});
}

/**
 * Ends this node's subscription. n8n calls this for a changed trigger too, just before it publishes
 * it again, so the webhook is removed some seconds later, unless it is used again by then. Events
 * that haven't arrived are kept for the next publishing.
 * @throws NodeApiError, NodeOperationError when the credential can't be used
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	return await inTurnWithReason(context, async () => {
		const memory = storedMemory(context);
		const address = addressOf(context);
		const { webhookId } = memory;
		if (!isTest(context)) memory.unpublishedAt = Date.now();
		if (isTest(context) || webhookId === undefined) {
			subscriptionStore.forget(context);
			await unsubscribe(await createService(context), memory, address);
			return true;
		}
		try {
			await scheduleRemoval(context, await createService(context), memory);
		} catch (thrown) {
			warnStays(context, webhookId, thrown);
			throw asError(thrown);
		}
		return true;
	});
}

/** The parameters that a look at the webhook needs. */
type Looked = Pick<TriggerParameters, 'events'> & Partial<Pick<TriggerParameters, 'pull'>>;

/**
 * Checks a published subscription once and repairs it. A repair is logged.
 * @param isClosed whether the workflow was unpublished while this waited for its turn
 * @returns the client that asked the service; undefined when there was nothing to ask or it failed
 */
export async function checkSubscription(
	context: ITriggerFunctions,
	settings: Looked,
	isClosed = () => false,
): Promise<ServiceClient | undefined> {
	let asked: ServiceClient | undefined;
	await logFailure(
		context,
		'check its webhook',
		async () =>
			await subscriptionStore.inTurn(context, async () => {
				const memory = subscriptionStore.get(context);
				if (memory.callback === undefined || isClosed()) return;
				// What is just published is up to its hooks, which give a new webhook a new secret.
				if (memory.unpublishedAt !== undefined) return;
				const service = await createService(context);
				asked = service;
				const wanted: Wanted = {
					address: withoutSecret(memory.callback),
					events: withoutMissing(memory, settings.events),
					...signing(service),
					...keeping(context, service, memory, settings),
				};
				const done = await repair(service, memory, wanted);
				noteCheck(memory, done !== 'intact');
				if (done !== 'intact')
					warnings.once(
						context,
						`the webhook was changed in the service and has been ${done} again`,
					);
			}),
	);
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

/**
 * @throws InputFailure when no event is selected, because the service would refuse the webhook
 *   without saying what to do
 */
function wantedOf(
	context: IHookFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: TriggerParameters,
): Wanted {
	const { events } = settings;
	if (events.length === 0) throw noEvent(EVENT_LABEL);
	return {
		address: addressOf(context),
		events,
		owner: { instanceId: context.getInstanceId(), workflowId: String(context.getWorkflow().id) },
		...signing(service),
		...(!isTest(context) && keeping(context, service, memory, settings)),
	};
}

/** Keeps what a webhook hasn't delivered before it is removed, and tells what is left alone. */
function keeping(
	context: IHookFunctions | ITriggerFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
	{ events, pull = false }: Looked,
): Pick<Wanted, 'keep' | 'warn'> {
	return {
		keep: async (webhookId) => {
			const undelivered = await readUndelivered(service, memory, { events, pull }, { webhookId });
			if (undelivered.length > 0) memory.undelivered = service.hide(undelivered);
		},
		warn: (text) => warnings.once(context, text),
	};
}

/**
 * Checks what a workflow can't work with, when it is published.
 * @returns the events to subscribe to
 * @throws InputFailure naming the parameter, ExplainedFailure when the service can't call n8n
 */
async function checkChoices(
	context: IHookFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: TriggerParameters,
): Promise<string[]> {
	checkConditions(settings.conditions);
	checkReachable(context, service, settings);
	return await selectOffered(service, memory, settings);
}

/**
 * What reads the event log needs no calls, which only spare it the wait for the clock. A test has
 * nothing but calls.
 * @throws ExplainedFailure when the service can't call n8n
 */
function checkReachable(
	context: IHookFunctions,
	service: ServiceClient,
	{ pull }: TriggerParameters,
): void {
	const needsCalls = !pull || isTest(context);
	const why = needsCalls ? whyUnreachable(addressOf(context), service.settings.baseUrl) : undefined;
	if (why === undefined) return;
	throw new ExplainedFailure(
		`The service can't reach this workflow: ${why}`,
		`Give n8n a URL that the service can reach (set n8n's WEBHOOK_URL environment variable, or use a tunnel), then publish again. Without such a URL, choose 'Event Log' in 'Event Source', which is among the options`,
		{ final: true },
	);
}

/** How the service signs deliveries, according to the credential. */
function signing({ settings }: ServiceClient): Pick<Wanted, 'signatureHeader' | 'signingKey'> {
	return {
		signatureHeader: signatureHeaderOf(settings.signing),
		signingKey: settings.signing.webhookSigningSecret,
	};
}

/** Notes that the node uses its webhook further on. */
async function settle(
	context: IHookFunctions,
	service: ServiceClient,
	memory: SubscriptionMemory,
): Promise<void> {
	// A platform that refuses while n8n only starts has an outage perhaps.
	const isRestart = memory.notOurs !== undefined && memory.unpublishedAt === undefined;
	if (!isTest(context) && !isRestart) await notePlatforms(service, memory);
	notePublished(memory);
	pendingRemovals.settle(subscriptionKey(context), memory.webhookId);
	signalFirstLook(context);
}

async function inTurnWithReason<T>(context: IHookFunctions, work: () => Promise<T>): Promise<T> {
	try {
		return await subscriptionStore.inTurn(context, work);
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown, undefined, []);
	}
}
