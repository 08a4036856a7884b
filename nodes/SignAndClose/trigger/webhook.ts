import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toNodeError } from '../core/nodeError';
import { SECRET_PARAMETER } from '../fields/webhook/callbackUrl';
import { findFailure, ServiceFailure } from '../service/errors/failure';
import { readDelivery, type Delivery } from '../service/resources/deliveries';
import { isChosen } from '../service/resources/events';
import { loadCredential } from '../service/transport/credential/credential';
import { asObject, asText } from '../service/values/json';
import { hideSecrets } from '../service/values/secrets';
import { isSameSecret } from './authenticity/callbackSecret';
import { confirmDelivery, type Confirmation } from './authenticity/confirmation';
import { isSignedBy, signatureHeaderOf } from './authenticity/signature';
import { claimedKeys } from './events/deduplication';
import { passes } from './events/filters';
import { eventLogSignal } from './events/eventLogSignal';
import { requestIdOf, shownHeaders, toItem } from './output';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/subscription';
import { storedMemory, subscriptionStore } from './subscription/subscriptionStore';

/* The trigger's `webhook()`: checks and answers the service's calls. */

/**
 * Handles one delivery (docs/service/webhooks.md#deliveries). 401 answers a call that doesn't prove
 * where it comes from, 400 a call that isn't an event. 503 asks the service to deliver the event
 * again, because it couldn't be asked about it, or because n8n was too busy to read the credential.
 * Everything else is answered with 200.
 * @throws NodeApiError or NodeOperationError when a person has to mend something. n8n answers 500
 *   then, and stores a failed run
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context);
	} catch (thrown) {
		const failure = toNodeError(context.getNode(), thrown, undefined, allSecretsOf(context));
		if (!mayPass(thrown)) throw failure;
		context.logger.warn(`Sign and Close Trigger: ${failure.message}`);
		return refuse(context, 503);
	}
}

/** Whether nothing is wrong but that n8n, e.g. its database, had no time. */
function mayPass(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	return (
		failure instanceof ServiceFailure &&
		failure.reason.code === 'notSent' &&
		failure.flags.final !== true
	);
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readTriggerParameters(context);
	const secrets = allSecretsOf(context);
	if (!(await isTrusted(context, settings, secrets))) return refuse(context, 401);
	const delivery = readDelivery(context.getBodyData());
	if (delivery === undefined) return refuse(context, 400);
	// Events that nobody selected are answered with 200 too: a refusal would only make the service
	// deliver them again.
	if (!isChosen(delivery.event, settings.events)) return {};
	// A test listener gets every event, even one that the published workflow has had.
	const isTest = context.getMode() === 'manual';
	if (!isTest && claimedKeys.has(context, delivery.key)) return {};
	if (settings.pull && !isTest) {
		eventLogSignal.send(context);
		return {};
	}
	return await pass(context, settings, delivery, secrets);
}

async function pass(
	context: IWebhookFunctions,
	settings: TriggerParameters,
	delivery: Delivery,
	secrets: string[],
): Promise<IWebhookResponseData> {
	let confirmation: Confirmation | undefined;
	let hidden = secrets;
	if (settings.confirm) {
		const asked = await confirmDelivery(context, delivery);
		confirmation = asked.confirmation;
		hidden = [...secrets, ...asked.secrets];
		if (confirmation.kind === 'later') return refuse(context, 503);
		if (!isWanted(confirmation, settings)) return {};
	}
	const headers = context.getHeaderData() as IDataObject;
	const arrival = {
		by: 'delivery' as const,
		at: new Date().toISOString(),
		requestId: requestIdOf(headers, storedMemory(context).requestIdHeader),
		headers: shownHeaders(headers),
	};
	const item = toItem(delivery, arrival, confirmation, settings.form);
	// A proxy may have put the whole URL into a header, and n8n stores the item before the run, which
	// hides the credential's secrets, has begun.
	return { workflowData: [[{ json: hideSecrets(item, hidden) }]] };
}

/**
 * Whether the filters let an event pass. An event whose transaction couldn't be retrieved passes,
 * so that no event is lost because it couldn't be confirmed.
 */
export function isWanted(confirmation: Confirmation, { filters }: TriggerParameters): boolean {
	return (
		confirmation.kind !== 'confirmed' ||
		confirmation.transaction === undefined ||
		passes(confirmation.transaction, filters)
	);
}

/**
 * Whether a call comes from the service: its URL holds the current secret, or for a grace time the
 * previous one, and a signature, where there is one, fits the raw body
 * (docs/service/webhooks.md#signatures-of-deliveries).
 */
async function isTrusted(
	context: IWebhookFunctions,
	{ signatureRequired }: TriggerParameters,
	secrets: string[],
): Promise<boolean> {
	const memory = storedMemory(context);
	const given = asObject(context.getQueryData())[SECRET_PARAMETER];
	if (!secrets.some((secret) => isSameSecret(given, secret))) return false;
	const headers = asObject(context.getHeaderData());
	const body = context.getRequestObject().rawBody ?? '';
	// A delivery signed with the secret that we registered, the usual case, is accepted without
	// reading the credential, which takes n8n longer than all of this. Otherwise the credential is
	// read, because the name of the header may have been corrected there since.
	if (
		memory.signatureHeader !== undefined &&
		isSignedBy(headers[memory.signatureHeader], body, secrets)
	)
		return true;
	const credential = await loadCredential(context);
	const signature = headers[signatureHeaderOf(credential)];
	if (signature === undefined) return !signatureRequired;
	const keys = [
		asText(credential.webhookSigningSecret),
		...secrets,
		asText(credential.apiKey)?.trim(),
	].filter((key) => key !== undefined);
	return isSignedBy(signature, body, keys);
}

/**
 * The secrets that the URL of a call may hold, from what n8n stores and from what this process
 * knows. The two can differ: n8n stores static data of the whole workflow at once, so another
 * trigger in it may have written back an older state.
 */
function allSecretsOf(context: IWebhookFunctions): string[] {
	return [...new Set([storedMemory(context), subscriptionStore.get(context)].flatMap(secretsOf))];
}

function secretsOf({ secret, previous }: SubscriptionMemory): string[] {
	return [
		secret,
		previous !== undefined && previous.until > Date.now() ? previous.secret : undefined,
	].filter((each) => each !== undefined);
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}
