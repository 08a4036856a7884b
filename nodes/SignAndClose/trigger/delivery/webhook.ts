import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { formatAsText, toNodeError } from '../../messages/nodeError';
import { TRIGGER_ANSWER, parseDelivery } from '../../resources/webhook/deliveries';
import { SECRET_PARAMETER } from '../../resources/webhook/output';
import { loadCredential, parseSettings } from '../../transport/service/credential';
import { findFailure, ServiceFailure } from '../../transport/failure/failure';
import { BAD_REQUEST, UNAUTHORIZED, UNAVAILABLE } from '../../transport/http/statuses';
import { asObject, asText } from '../../values/json';
import { hideSecrets } from '../../values/secrets';
import { isSameSecret, isSignedBy } from '../authenticity';
import { confirmDelivery } from './confirmation';
import { filterEvent } from './filter';
import {
	eventLogSignal,
	listHiddenTexts,
	listSigningKeys,
	listSecrets,
	type TriggerState,
	triggerMemory,
} from '../memory';
import { parseTriggerParameters, type TriggerParameters } from '../parameters';
import { triggerLog } from '../log';

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
		const hidden = listHiddenTexts(triggerMemory.readState(context));
		const failure = toNodeError(context.getNode(), thrown, undefined, hidden);
		// The credential can be mended while the service repeats the delivery. A failed run for each
		// of the repeats would help nobody.
		if (!(findFailure(thrown) instanceof ServiceFailure)) throw failure;
		triggerLog.logOnce(context, formatAsText(failure));
		return refuse(context, UNAVAILABLE);
	}
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = parseTriggerParameters(context);
	const memory = triggerMemory.readState(context);
	const proof = await checkProof(context, memory, settings);
	if (proof === 'none') return refuse(context, UNAUTHORIZED);
	const delivery = parseDelivery(context.getBodyData());
	if (delivery === undefined) return refuse(context, BAD_REQUEST);
	const isTest = context.getMode() === 'manual';
	// While it's being published, nobody knows yet whether account and source are those of before.
	if (memory.unpublishedAt !== undefined && !isTest) return refuse(context, UNAVAILABLE);
	if (settings.pull && !isTest) {
		eventLogSignal.send(context);
		return ACCEPTED;
	}
	const arrival = {
		by: 'delivery' as const,
		at: new Date().toISOString(),
		requestId: asText(asObject(context.getHeaderData())['x-request-id']),
	};
	let hidden = listHiddenTexts(memory);
	const outcome = await filterEvent(context, settings, delivery, arrival, async () => {
		const { confirmation, secrets } = await confirmDelivery(context, delivery, proof === 'signed');
		hidden = [...hidden, ...secrets];
		return confirmation;
	});
	if (outcome === 'later') return refuse(context, UNAVAILABLE);
	// What doesn't pass is answered with 200 too: a refusal would only make the service deliver it again.
	if (outcome === 'dropped') return ACCEPTED;
	// n8n stores the item before the run, which hides the credential's secrets, has begun.
	return { ...ACCEPTED, workflowData: [[{ json: hideSecrets(outcome, hidden) }]] };
}

/** The event log shows by this answer that the call has arrived here. */
const ACCEPTED: IWebhookResponseData = { webhookResponse: { message: TRIGGER_ANSWER } };

/** What proves that a call comes from the service: the secret of its URL, or a signature as well. */
type Proof = 'none' | 'secret' | 'signed';

/**
 * Whether a call comes from the service: its URL holds the current secret, or for a grace time the
 * previous one, and a signature, where there is one, fits the raw body
 * (docs/service/webhooks.md#signatures-of-deliveries).
 */
async function checkProof(
	context: IWebhookFunctions,
	memory: Readonly<TriggerState>,
	{ signatureRequired }: TriggerParameters,
): Promise<Proof> {
	const actualSecret = asObject(context.getQueryData())[SECRET_PARAMETER];
	if (!listSecrets(memory).some((secret) => isSameSecret(actualSecret, secret))) return 'none';
	const headers = asObject(context.getHeaderData());
	const body = context.getRequestObject().rawBody ?? '';
	const ownKeys = listSigningKeys(memory);
	// A delivery signed with the key that we registered, the usual case, is accepted without reading
	// the credential, which takes n8n longer than all of this. Otherwise the credential is read,
	// because the name of the header may have been corrected there since.
	const { signatureHeader } = memory;
	if (signatureHeader !== undefined && isSignedBy(headers[signatureHeader], body, ownKeys))
		return 'signed';
	const { signing, secrets } = parseSettings(await loadCredential(context));
	const signature = headers[signing.webhookSignatureHeader.toLowerCase()];
	if (signature === undefined) return signatureRequired ? 'none' : 'secret';
	return isSignedBy(signature, body, [...secrets, ...ownKeys]) ? 'signed' : 'none';
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}
