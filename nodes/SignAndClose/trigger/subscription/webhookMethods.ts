import { type IHookFunctions, sleep } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../messages/failures';
import { toNodeError } from '../../messages/nodeError';
import { listEventTypes } from '../../resources/webhook/api';
import { isSelected } from '../../resources/webhook/eventSelection';
import { NEWER_EVENTS } from '../../resources/webhook/events';
import { createService, type ServiceClient } from '../../transport/client';
import { asError, findFailure, isNotFound, ServiceFailure } from '../../transport/failure/failure';
import { describeUnreachable } from '../../transport/links/linkHosts';
import { withoutSecret } from '../authenticity';
import { checkTriggerAccount, completePublication, buildSpec, createWarn } from './check';
import { checkConditions } from '../conditions';
import { keepUndelivered, type TriggerRecords } from '../missed/eventLog';
import { EVENT_LABEL } from '../form';
import {
	resetState,
	eventLogSignal,
	hasCompletions,
	isTest,
	type TriggerState,
	triggerMemory,
} from '../memory';
import { parseTriggerParameters, type TriggerParameters } from '../parameters';
import { removeUnused, subscribe, unsubscribe } from './subscription';
import { describeFailure, triggerLog } from '../log';

/*
 * n8n's webhook methods, called by publishing, unpublishing and "Listen for test event", with their
 * failures as n8n's own errors.
 */

/**
 * Registers a webhook for this node at the service, or brings the one that stands there to what the node
 * wants.
 * @throws NodeApiError, NodeOperationError, e.g. when the service can't reach n8n
 */
export async function createSubscription(this: IHookFunctions): Promise<boolean> {
	await runInTurn(this, async (memory) => {
		const settings = parseTriggerParameters(this);
		const service = await createService(this);
		if (!isTest(this)) await checkTriggerAccount(service, memory, createWarn(this));
		// What was completed while completions weren't selected isn't missed.
		if (!hasCompletions(memory.events ?? [])) delete memory.seenUntil;
		// A published workflow goes on after a start of n8n, whatever the service offers by then.
		const isRestart = memory.webhookId !== undefined && memory.unpublishedAt === undefined;
		if (!isRestart) {
			checkConditions(settings.conditions);
			// What reads the event log needs no calls; a test has nothing else.
			if (!settings.pull || isTest(this)) checkReachable(this, service);
			memory.notOffered = await findNotOffered(service, settings);
		}
		const published = { context: this, service, memory, settings };
		const spec = buildSpec(published, getAddress(this));
		await subscribe(service, memory, { ...spec, renew: !isRestart });
		if (!isTest(this)) await completePublication(published);
	});
	// n8n starts trigger() at the same time, and its first check may have come too early.
	eventLogSignal.send(this);
	return true;
}

/**
 * Ends this node's subscription. n8n calls this for a changed trigger too, just before it publishes
 * it again, so the webhook is removed some seconds later, unless it is used again by then. Events
 * that haven't arrived are kept for the next publishing; a webhook whose events can't be read stays.
 * @throws NodeApiError, NodeOperationError when the credential can't be used
 */
export async function removeSubscription(this: IHookFunctions): Promise<boolean> {
	await runInTurn(this, async (memory) => {
		const { webhookId } = memory;
		if (!isTest(this)) memory.unpublishedAt ??= Date.now();
		if (isTest(this) || webhookId === undefined) {
			await unsubscribe(await createService(this), memory, getAddress(this));
			if (isTest(this)) resetState(memory);
			return;
		}
		const settings = parseTriggerParameters(this);
		let service: ServiceClient | undefined;
		try {
			service = await createService(this);
			await keepUndelivered({ service, memory, settings }, webhookId);
			void removeLater(this, { service, settings, memory: { ...memory } }, webhookId);
		} catch (thrown) {
			warnNotRemoved(this, webhookId, thrown);
			// Where the credential can't be used, n8n gets the failure and tries again.
			if (service === undefined) throw asError(thrown);
		}
	});
	return true;
}

/** The URL that n8n listens at for this node, without secret. */
const getAddress = (context: IHookFunctions) => withoutSecret(context.getNodeWebhookUrl('default'));

/** @throws ExplainedFailure when the service can't call n8n */
function checkReachable(context: IHookFunctions, { settings }: ServiceClient): void {
	const reason = describeUnreachable(getAddress(context), settings.baseUrl);
	if (reason === undefined) return;
	throw new ExplainedFailure(
		`The service can't reach this workflow: ${reason}`,
		`Give n8n a URL that the service can reach (set n8n's WEBHOOK_URL environment variable, or use a tunnel), then publish again. Without such a URL, choose 'Event Log' in 'Event Source', which is among the options`,
		{ final: true },
	);
}

async function runInTurn(
	context: IHookFunctions,
	work: (memory: TriggerState) => Promise<void>,
): Promise<void> {
	try {
		await triggerMemory.runInTurn(context, work);
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
 * @param unpublished with what was known of the webhook when its workflow was unpublished
 */
async function removeLater(
	context: IHookFunctions,
	unpublished: TriggerRecords,
	webhookId: string,
): Promise<void> {
	await sleep(REMOVAL.pauseMs);
	const { service, settings, memory: before } = unpublished;
	try {
		await triggerMemory.runInTurn(context, async (memory) => {
			// Published again with a key of another organization, whose memory it is.
			const isOurs = memory.secret === before.secret;
			const keep = async (id: string) =>
				isOurs ? await keepUndelivered({ service, memory, settings }, id) : undefined;
			const isSettled = await removeUnused(service, before, keep);
			if (!isSettled && isOurs && memory.unpublishedAt !== undefined)
				triggerLog.logOnce(
					context,
					`this service doesn't offer deleting webhooks. ${webhookId} stays until you delete it in the service, and is used again when you publish the workflow`,
				);
		});
	} catch (thrown) {
		warnNotRemoved(context, webhookId, thrown);
	}
}

/** Says that a webhook couldn't be removed. */
function warnNotRemoved(context: IHookFunctions, webhookId: string, thrown: unknown): void {
	triggerLog.logOnce(
		context,
		`the webhook ${webhookId} stays in the service and is used again when you publish the workflow. ${describeFailure(context, thrown)}`,
	);
}

/**
 * Compares the selected events with those that the service offers, if it lists them. Without a list,
 * only newer events of groups count as not offered. A single unknown name makes it refuse a whole
 * webhook, and its message doesn't say which one (docs/service/webhooks.md#create-a-webhook).
 * @returns those of selected groups that it doesn't have
 * @throws InputFailure naming unknown events that were selected by themselves; ServiceFailure
 */
async function findNotOffered(
	service: ServiceClient,
	{ events, ofGroups }: Pick<TriggerParameters, 'events' | 'ofGroups'>,
): Promise<string[]> {
	const single = events.filter((event) => !event.endsWith('*'));
	if (single.length === 0) return [];
	const offered = await listEventTypes(service).catch((thrown: unknown) => {
		const failure = findFailure(thrown);
		const isNoList = failure instanceof ServiceFailure && failure.reason.code === 'unexpectedList';
		if (isNotFound(thrown) || isNoList) return undefined;
		throw asError(thrown);
	});
	const isUncertain = (event: string) => ofGroups.includes(event) && NEWER_EVENTS.includes(event);
	const names = offered?.map(({ event }) => event) ?? single.filter((event) => !isUncertain(event));
	const unknown = single.filter((event) => !isSelected(event, names));
	const refused = unknown.filter((event) => !ofGroups.includes(event));
	if (refused.length > 0)
		throw new InputFailure(
			EVENT_LABEL,
			`has ${refused.map((event) => `'${event}'`).join(', ')}, which the service doesn't offer`,
			"Remove it, or check its spelling with 'Webhook: Get Event Types'",
		);
	return unknown;
}
