import { type IHookFunctions, type ITriggerFunctions, sleep } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../messages/explainedFailure';
import { toNodeError } from '../messages/nodeError';
import { listEventTypes } from '../resources/webhook/api';
import { isChosen, noEvent } from '../resources/webhook/events';
import { createService, type ServiceClient } from '../transport/client';
import { asError, findFailure, isNotFound, ServiceFailure } from '../transport/failure/failure';
import { whyUnreachable } from '../transport/links/linkTargets';
import { withoutSecret, signatureHeaderOf } from './authenticity';
import { checkConditions } from './conditions';
import { keepUndelivered, noteSource, eventLogSignal } from './eventLog';
import { EVENT_LABEL } from './form';
import {
	hasCompletions,
	noteAnswered,
	noteGap,
	notePublished,
	noteSeen,
	serviceTime,
} from './gaps';
import { beginAnew, type SubscriptionMemory, isTest, triggerMemory } from './memory';
import { parseTriggerParameters, type TriggerParameters } from './parameters';
import type { Wanted } from './registration';
import { checkAccount, adopt, repair, subscribe, unsubscribe, removeUnused } from './subscription';
import { warnings } from './warnings';

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
		const settings = parseTriggerParameters(context);
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
		const settings = parseTriggerParameters(context);
		let service: ServiceClient | undefined;
		try {
			service = await createService(context);
			await keepUndelivered(service, memory, settings, webhookId);
			void removeLater(context, service, settings, { ...memory, webhookId });
		} catch (thrown) {
			warnStays(context, webhookId, thrown);
			// Where the credential can't be used, n8n gets the failure and tries again.
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
async function removeLater(
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
function warnStays(context: IHookFunctions, webhookId: string, thrown: unknown): void {
	const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
	warnings.once(
		context,
		`the webhook ${webhookId} stays in the service and is used again when you publish the workflow. ${message}. ${description ?? ''}`,
	);
}

/*
 * Compares the selected events with those that the service offers. A single unknown name makes it
 * refuse a whole webhook, and its message doesn't say which one
 * (docs/service/webhooks.md#create-a-webhook).
 */

/**
 * Finds the events of selected groups that the service doesn't have. One that was selected by itself is
 * refused.
 * @throws InputFailure naming the unknown events, ServiceFailure
 */
async function findNotOffered(
	service: ServiceClient,
	{ events, ofGroups }: Pick<TriggerParameters, 'events' | 'ofGroups'>,
): Promise<string[]> {
	const unknown = await unknownEvents(service, events);
	const refused = unknown.filter((event) => !ofGroups.includes(event));
	if (refused.length > 0)
		throw new InputFailure(
			EVENT_LABEL,
			`has ${refused.map((event) => `'${event}'`).join(', ')}, which the service doesn't offer`,
			"Remove it, or check its spelling with 'Webhook: Get Event Types'",
		);
	return unknown;
}

/** Returns the events that the service's list doesn't have; none where there is no such list. */
async function unknownEvents(service: ServiceClient, events: readonly string[]): Promise<string[]> {
	const single = events.filter((event) => !event.endsWith('*'));
	if (single.length === 0) return [];
	try {
		const offered = (await listEventTypes(service)).map(({ event }) => event);
		return single.filter((event) => !isChosen(event, offered));
	} catch (thrown) {
		if (isNotFound(thrown) || isNoList(thrown)) return [];
		throw asError(thrown);
	}
}

function isNoList(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	return failure instanceof ServiceFailure && failure.reason.code === 'unexpectedList';
}
