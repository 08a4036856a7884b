import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/transport/credential';
import { asObject, asText } from '../service/values/json';
import { confirmDelivery, type Confirmation } from './authenticity/confirmation';
import { readDelivery, type Delivery } from '../service/resources/deliveries';
import { isChosen } from '../service/resources/events';
import { passes } from './events/filters';
import { storedMemory, subscriptionStore } from './subscription/subscriptionStore';
import { claimedKeys } from './events/deduplication';
import { shownHeaders, toItem } from './output';
import { isSameSecret, SECRET_PARAMETER } from './authenticity/callbackSecret';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { isSignedBy, signatureHeaderOf } from './authenticity/signature';
import type { SubscriptionMemory } from './subscription/subscription';
import { pullSignal } from './events/pullSignal';

/**
 * Receives one delivery (interface.md §6). A call that does not prove where it comes from is
 * answered 401 and learns nothing else. What the service could not be asked about is answered 503,
 * so that it is delivered again; everything else is answered 200.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readTriggerParameters(context);
	if (!(await isTrusted(context, settings))) return refuse(context, 401);
	const delivery = readDelivery(context.getBodyData());
	if (delivery === undefined) return refuse(context, 400);
	// Answered with 200 all the same: a refusal would only make the service send it again.
	if (!isChosen(delivery.event, settings.events)) return {};
	// Who listens for a test event gets it, whatever the published workflow has taken.
	const isTest = context.getMode() === 'manual';
	if (!isTest && claimedKeys.has(context, delivery.key)) return {};
	if (settings.pull && !isTest) {
		pullSignal.send(context);
		return {};
	}
	return await pass(context, settings, delivery);
}

async function pass(
	context: IWebhookFunctions,
	settings: TriggerParameters,
	delivery: Delivery,
): Promise<IWebhookResponseData> {
	let confirmation: Confirmation | undefined;
	if (settings.confirm) {
		confirmation = await confirmDelivery(context, delivery);
		if (confirmation.kind === 'later') return refuse(context, 503);
		if (!isWanted(confirmation, settings)) return {};
	}
	const arrival = {
		by: 'delivery' as const,
		at: new Date().toISOString(),
		headers: shownHeaders(context.getHeaderData() as IDataObject),
	};
	return { workflowData: [[{ json: toItem(delivery, arrival, confirmation, settings.simplify) }]] };
}

/** What can't be seen can't be filtered out: nothing is lost for want of a confirmation. */
export function isWanted(confirmation: Confirmation, { filters }: TriggerParameters): boolean {
	return (
		confirmation.kind !== 'confirmed' ||
		confirmation.transaction === undefined ||
		passes(confirmation.transaction, filters)
	);
}

/**
 * The secret in the address, this one or for a grace time the one before, and the signature over
 * the raw body where there is one (gaps.md §2).
 */
async function isTrusted(
	context: IWebhookFunctions,
	{ signatureRequired }: TriggerParameters,
): Promise<boolean> {
	const memory = storedMemory(context);
	const secrets = [...new Set([memory, subscriptionStore.get(context)].flatMap(secretsOf))];
	const given = asObject(context.getQueryData())[SECRET_PARAMETER];
	if (!secrets.some((secret) => isSameSecret(given, secret))) return false;
	const headers = asObject(context.getHeaderData());
	const body = context.getRequestObject().rawBody ?? '';
	// The usual case, signed with the secret that was handed over, needs no look into the credential,
	// which costs n8n more than all of this. Anything else does: the header's name may have been
	// corrected there since.
	if (
		memory.signatureHeader !== undefined &&
		isSignedBy(headers[memory.signatureHeader], body, secrets)
	)
		return true;
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
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
 * What the address may hold. Besides what n8n stores, what this process knows counts: another
 * trigger of the workflow may have written back an older state of what is stored, which n8n keeps
 * for the whole workflow at once.
 */
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
