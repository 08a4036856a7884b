import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { retrieveOrganization } from '../../resources/account/api';
import { createEventFailure } from '../../resources/webhook/events';
import { createService, type ServiceClient } from '../../transport/client';
import { normalizeId } from '../../values/ids';
import { asText } from '../../values/json';
import { withoutSecret } from '../authenticity';
import { keepUndelivered, type TriggerRecords } from '../missed/eventLog';
import { EVENT_LABEL } from '../form';
import { recordPlatforms } from '../missed/completions';
import {
	resetState,
	isTest,
	recordGap,
	recordPublication,
	recordCheck,
	toServiceTime,
	type TriggerState,
	triggerMemory,
} from '../memory';
import type { TriggerParameters } from '../parameters';
import { subscribe } from './subscription';
import type { WebhookSpec } from './webhookWrites';
import { logFailure, triggerLog } from '../log';

/* What a node wants its webhook to be, and the check of a published one. */

/** A trigger at work, with the parameters that a check needs. */
interface Publication extends TriggerRecords {
	context: IHookFunctions | ITriggerFunctions;
	settings: Pick<TriggerParameters, 'events' | 'pull'>;
}

/**
 * Checks a published subscription once and repairs it. A repair is logged.
 * @param isClosed whether the workflow was unpublished while this waited for its turn
 */
export async function checkSubscription(
	context: ITriggerFunctions,
	settings: Publication['settings'],
	isClosed = () => false,
): Promise<void> {
	const check = async (memory: TriggerState) => {
		const { callback, unpublishedAt } = memory;
		// What is just published is up to its hooks, which give a webhook a new secret.
		if (callback === undefined || unpublishedAt !== undefined || isClosed()) return;
		const service = await createService(context);
		const published = { context, service, memory, settings };
		const spec = buildSpec(published, withoutSecret(callback));
		const isSameAccount = await checkTriggerAccount(service, memory, spec.warn);
		const repair = await subscribe(service, memory, spec);
		if (!isSameAccount) {
			await completePublication(published);
			return;
		}
		if (repair !== 'intact') {
			spec.warn(`the webhook was changed in the service and has been ${repair} again`);
			recordGap(memory);
		}
		recordCheck(memory, toServiceTime(service));
	};
	const checkInTurn = async () => await triggerMemory.runInTurn(context, check);
	await logFailure(context, 'check its webhook', checkInTurn);
}

/**
 * Forgets what belongs to another organization. Another key of the same one changes nothing.
 * @returns false when everything was forgotten
 */
export async function checkTriggerAccount(
	service: ServiceClient,
	memory: TriggerState,
	warn: (text: string) => void,
): Promise<boolean> {
	const { account: before, webhookId, undelivered = [] } = memory;
	const { account: key, origin } = service.settings;
	if (before?.key === key) return true;
	const id = await retrieveOrganization(service, true).then(
		(organization) => asText(organization.id),
		() => undefined,
	);
	if (id === undefined) {
		// The next check asks again.
		if (before !== undefined)
			warn(
				"the service doesn't tell to which organization the API key belongs. If it's another one than before, unpublish the workflow, and publish a copy of it",
			);
		return true;
	}
	const organization = `${origin} ${normalizeId(id)}`;
	const isSameAccount = before === undefined || before.organization === organization;
	if (!isSameAccount) {
		warn(
			`the API key belongs to another organization than before, so this trigger begins anew. The webhook ${webhookId ?? 'of before'} and ${undelivered.length} events that hadn't arrived are the other one's`,
		);
		resetState(memory);
	}
	memory.account = { key, organization };
	return isSameAccount;
}

/** Notes that a workflow is published, with the source of its events. */
export async function completePublication({ service, memory, settings }: Publication) {
	if (memory.answered === undefined) await recordPlatforms(service, memory);
	recordPublication(service, memory, settings.pull);
}

/**
 * What a node wants its webhook to be.
 * @param address where n8n listens
 * @throws InputFailure when no event is selected, because the service would refuse the webhook
 *   without saying what to do
 */
export function buildSpec(published: Publication, address: string): WebhookSpec {
	const { context, service, memory, settings } = published;
	const { signing } = service.settings;
	const { notOffered = [] } = memory;
	const events = settings.events.filter((event) => !notOffered.includes(event));
	if (events.length === 0) throw createEventFailure(EVENT_LABEL);
	return {
		address,
		events,
		owner: { instanceId: context.getInstanceId(), workflowId: String(context.getWorkflow().id) },
		signatureHeader: signing.webhookSignatureHeader.toLowerCase(),
		signingKey: signing.webhookSigningSecret,
		warn: createWarn(context),
		// A test has nothing to keep.
		...(!isTest(context) && {
			keep: async (webhookId) => await keepUndelivered(published, webhookId),
		}),
	};
}

export const createWarn = (context: Publication['context']) => (text: string) =>
	triggerLog.logOnce(context, text);
