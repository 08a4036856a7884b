import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { inOneText, toNodeError } from '../core/nodeError';
import { SECRET_PARAMETER } from '../fields/webhook/callbackUrl';
import { findFailure, ServiceFailure } from '../service/errors/failure';
import { readDelivery } from '../service/resources/deliveries';
import { isChosen } from '../service/resources/events';
import { loadCredential } from '../service/transport/credential/credential';
import { asObject, asText } from '../service/values/json';
import { hideSecrets } from '../service/values/secrets';
import { isSameSecret } from './authenticity/callbackSecret';
import { confirmDelivery } from './authenticity/confirmation';
import { isSignedBy, signatureHeaderOf } from './authenticity/signature';
import { eventLogSignal } from './events/eventLogSignal';
import { isAwaited, pass } from './events/gate';
import { requestIdOf } from './output';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/subscription';
import { storedMemory, subscriptionStore } from './subscription/subscriptionStore';
import { warnings } from './warnings';

/* The trigger's `webhook()`: checks and answers the service's calls. */

/**
 * Handles one delivery (docs/service/webhooks.md#deliveries). 401 answers a call that doesn't prove
 * where it comes from, 400 a call that isn't an event. 503 asks the service to deliver the event
 * again, because it couldn't be asked about it, or because the credential couldn't be read or used.
 * Everything else is answered with 200.
 * @throws NodeApiError or NodeOperationError when a person has to mend the node's parameters. n8n
 *   answers 500 then, and stores a failed run
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context);
	} catch (thrown) {
		const failure = toNodeError(context.getNode(), thrown, undefined, hiddenTexts(context));
		// The credential can be mended while the service repeats the delivery. A failed run for each
		// of the repeats would help nobody.
		if (!(findFailure(thrown) instanceof ServiceFailure)) throw failure;
		warnings.once(context, inOneText(failure));
		return refuse(context, 503);
	}
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readTriggerParameters(context);
	const trust = await trustIn(context, settings);
	if (trust === 'none') return refuse(context, 401);
	const delivery = readDelivery(context.getBodyData());
	if (delivery === undefined) return refuse(context, 400);
	// What isn't awaited is answered with 200 too: a refusal would only make the service deliver it
	// again. A test listener gets every event, even one that the published workflow has had.
	const isTest = context.getMode() === 'manual';
	const awaited = isTest
		? isChosen(delivery.event, settings.events)
		: isAwaited(context, settings, delivery);
	if (!awaited) return {};
	if (settings.pull && !isTest) {
		eventLogSignal.send(context);
		return {};
	}
	const headers = context.getHeaderData() as IDataObject;
	const arrival = {
		by: 'delivery' as const,
		at: new Date().toISOString(),
		requestId: requestIdOf(headers, storedMemory(context).requestIdHeader),
	};
	let hidden = hiddenTexts(context);
	const passage = await pass(context, settings, delivery, arrival, async () => {
		const { confirmation, secrets } = await confirmDelivery(context, delivery, trust === 'signed');
		hidden = [...hidden, ...secrets];
		return confirmation;
	});
	if (passage.kind === 'later') return refuse(context, 503);
	// n8n stores the item before the run, which hides the credential's secrets, has begun.
	return passage.kind === 'passed'
		? { workflowData: [[{ json: hideSecrets(passage.item, hidden) }]] }
		: {};
}

/** What proves that a call comes from the service: the secret of its URL, or a signature as well. */
type Trust = 'none' | 'secret' | 'signed';

/**
 * Whether a call comes from the service: its URL holds the current secret, or for a grace time the
 * previous one, and a signature, where there is one, fits the raw body
 * (docs/service/webhooks.md#signatures-of-deliveries).
 */
async function trustIn(
	context: IWebhookFunctions,
	{ signatureRequired }: TriggerParameters,
): Promise<Trust> {
	const memory = storedMemory(context);
	const memories = knownMemories(context);
	const given = asObject(context.getQueryData())[SECRET_PARAMETER];
	if (!memories.flatMap(secretsOf).some((secret) => isSameSecret(given, secret))) return 'none';
	const headers = asObject(context.getHeaderData());
	const body = context.getRequestObject().rawBody ?? '';
	const own = memories.flatMap(keysOf);
	// A delivery signed with the key that we registered, the usual case, is accepted without reading
	// the credential, which takes n8n longer than all of this. Otherwise the credential is read,
	// because the name of the header may have been corrected there since.
	if (
		memory.signatureHeader !== undefined &&
		isSignedBy(headers[memory.signatureHeader], body, own)
	)
		return 'signed';
	const credential = await loadCredential(context);
	const signature = headers[signatureHeaderOf(credential)];
	if (signature === undefined) return signatureRequired ? 'none' : 'secret';
	const keys = [
		asText(credential.webhookSigningSecret),
		...own,
		asText(credential.apiKey)?.trim(),
	].filter((key) => key !== undefined);
	return isSignedBy(signature, body, keys) ? 'signed' : 'none';
}

/**
 * What is known of the subscription, from what n8n stores and from what this process knows. The two
 * can differ: n8n stores static data of the whole workflow at once, so another trigger in it may have
 * written back an older state.
 */
function knownMemories(context: IWebhookFunctions): SubscriptionMemory[] {
	return [...new Set([storedMemory(context), subscriptionStore.get(context)])];
}

/**
 * The keys that the service may have signed with, besides those of the credential: the current one,
 * and for a grace time earlier ones.
 */
function keysOf(memory: SubscriptionMemory): string[] {
	const { signingKey, formerKeys = [] } = memory;
	const former = formerKeys.filter(({ until }) => until > Date.now()).map(({ key }) => key);
	return [...(signingKey === undefined ? [] : [signingKey]), ...former];
}

/** What no item and no message may show. */
function hiddenTexts(context: IWebhookFunctions): string[] {
	const memories = knownMemories(context);
	return [...new Set([...memories.flatMap(secretsOf), ...memories.flatMap(keysOf)])];
}

/** The secrets that the URL of a call may hold. */
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
