import {
	type IDataObject,
	type IWebhookFunctions,
	sleep,
	type ICredentialDataDecryptedObject,
} from 'n8n-workflow';

import { explain } from '../../messages/explanations';
import type { Delivery } from '../../resources/webhook/deliveries';
import { isOutdated, checkEvent } from '../../resources/webhook/completion';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { createService, type ServiceClient } from '../../transport/client';
import { CREDENTIAL_TYPE, loadCredential } from '../../transport/service/credential';
import { findFailure, type Failure } from '../../transport/failure/failure';
import { toPlainText } from '../../values/plainText';
import { isOfKey, isOfRequest, getStatusMeaning } from '../../transport/http/statuses';
import { LIMITS } from '../../transport/service/limits';
import { NewestMap } from '../../values/newestMap';
import { buildNodeId } from '../log';

/* Asks the service about events, because a call from outside may come from anybody. */

/** What the service says about an event when it is asked with our own key. */
export interface Confirmation {
	/**
	 * `unconfirmed`: the service doesn't confirm it, now or later. The event is passed on and marked,
	 * unless there are conditions that it doesn't meet. `later`: the service can't be asked at the moment,
	 * or its answer may lag behind the event. The delivery is refused, so that it comes again.
	 */
	kind: 'confirmed' | 'unconfirmed' | 'later';
	/** Why it isn't confirmed. */
	reason?: string;
	/** As the service shows it, whether that fits the event or not. */
	transaction?: IDataObject;
	/** Whether the transaction has left the state of the event. */
	outdated?: boolean;
	/** The service has refused the key, which a person has to mend. */
	refused?: boolean;
}

/** How an event came that the service is asked about. */
interface ConfirmationRequest {
	/** A delivery waits for its answer. */
	isUrgent?: boolean;
	/**
	 * The event certainly comes from the service: its delivery was signed, or it's from the event
	 * records.
	 */
	authentic?: boolean;
	/** ISO 8601, when the service tried to deliver it, where that is known. */
	at?: string;
}

/**
 * How long the service's answer may lag behind an event. In that time, an event that the answer
 * doesn't show yet is asked about again.
 */
const LAG_MS = 10 * 60_000;

/** How many events this process keeps for all triggers together. */
const MOST_EVENTS = 5_000;

/**
 * When this process first asked about events that the service didn't show. The date of an event
 * alone wouldn't do: a documented-only service sends none, and the clocks may differ. State of this
 * process; docs/architecture.md lists all of it.
 */
const firstSeen = new NewestMap<number>(MOST_EVENTS);

/**
 * Whether the answer about an event may still lag behind it.
 * @param since ISO 8601, when the service tried to deliver it, where that is known
 */
function mayLag({ key, occurred }: Delivery, since?: string): boolean {
	const now = Date.now();
	const first = firstSeen.get(key) ?? now;
	firstSeen.set(key, first);
	const times = [first, Date.parse(occurred ?? ''), Date.parse(since ?? '')];
	return now - Math.min(...times.filter((time) => !Number.isNaN(time))) < LAG_MS;
}

/**
 * Confirms an event by retrieving its transaction, because a delivery itself holds little more than
 * IDs (docs/service/webhooks.md#deliveries).
 *
 * What the service certainly sent is confirmed by the transaction being there, except for an end that
 * it hasn't come to. Anything else is confirmed only if the transaction is in the state that the event
 * names. The answer may lag behind the event, so one that doesn't fit it yet is asked for again for some
 * minutes. For a deleted transaction, "not found" is the confirmation, if nobody but the service can
 * have sent the event: it answers the same for a transaction that it never had.
 */
export async function confirmEvent(
	service: ServiceClient,
	delivery: Delivery,
	request: ConfirmationRequest = {},
): Promise<Confirmation> {
	const { event, transactionId } = delivery;
	if (transactionId === undefined)
		return { kind: 'unconfirmed', reason: 'The event has no transaction' };
	let transaction: IDataObject;
	try {
		transaction = await retrieveTransaction(service, transactionId, undefined, request.isUrgent);
	} catch (thrown) {
		return describeUnconfirmed(service, delivery, request, findFailure(thrown));
	}
	const { is, reason = '' } = checkEvent(event, transaction, request.authentic === true);
	if (is !== 'shown') {
		const message = toPlainText(service.redact(reason));
		return is === 'may' && mayLag(delivery, request.at)
			? { kind: 'later', reason: message }
			: { kind: 'unconfirmed', reason: message, transaction };
	}
	return { kind: 'confirmed', transaction, outdated: isOutdated(event, transaction) };
}

const UNSIGNED_DELETION = "The unsigned event refers to a transaction that the service can't find";

function describeUnconfirmed(
	service: ServiceClient,
	delivery: Delivery,
	{ authentic = false, at }: ConfirmationRequest,
	failure: Failure | undefined,
): Confirmation {
	const { httpStatus: status, final = false } = failure?.flags ?? {};
	const isNotFound = getStatusMeaning(status) === 'notFound';
	if (isNotFound && delivery.event === 'transaction.deleted')
		return authentic ? { kind: 'confirmed' } : { kind: 'unconfirmed', reason: UNSIGNED_DELETION };
	const message =
		failure === undefined ? "The service couldn't be asked" : explain(failure).message;
	const reason = toPlainText(service.redact(message));
	if (isNotFound) return { kind: mayLag(delivery, at) ? 'later' : 'unconfirmed', reason };
	// A request that we refuse ourselves, e.g. one to another host than the credential's, never
	// succeeds. A refused key says nothing about the event: once somebody has corrected the key, the
	// event is confirmed.
	if (status === undefined ? final : isOfRequest(status)) return { kind: 'unconfirmed', reason };
	return { kind: 'later', reason, refused: isOfKey(status) };
}

/**
 * Confirms a delivery that waits for its answer.
 * @param authentic whether it was signed
 * @returns also the secrets of the credential, which n8n must not store with the event
 * @throws ServiceFailure when the credential can't be read
 */
export async function confirmDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
	authentic = false,
): Promise<{ confirmation: Confirmation; secrets: string[] }> {
	const load = async () => await credentialCache.read(context);
	const service = await createService(context, LIMITS, load);
	const confirmation = await confirmEvent(service, delivery, { isUrgent: true, authentic });
	return { confirmation, secrets: service.settings.outputSecrets };
}

/* One opening of the credential for deliveries that come at about the same time. */

/** The openings of this process; docs/architecture.md lists all of its state. */
const openCredentials = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/**
 * Reads the credential for deliveries. n8n sets up a sandbox for its expressions each time, which takes
 * longer than the question to the service. So deliveries of the same trigger that come while it is
 * being read, or within a second after that began, share it.
 */
export const credentialCache = {
	/**
	 * How long what was read serves other deliveries, in milliseconds: long enough for many that come at
	 * once, and shorter than a person takes to save a credential and look at what it changes. Tests
	 * lengthen it.
	 */
	keptMs: 1_000,
	/** @throws ServiceFailure `notSent` when n8n can't read it. The next delivery tries again */
	read: async (context: IWebhookFunctions): Promise<ICredentialDataDecryptedObject> => {
		const { credentials } = context.getNode();
		const reader = [buildNodeId(context), context.getMode(), credentials?.[CREDENTIAL_TYPE]];
		const key = JSON.stringify(reader);
		const opening = openCredentials.get(key) ?? loadCredential(context);
		if (!openCredentials.has(key)) {
			openCredentials.set(key, opening);
			const forget = () => {
				if (openCredentials.get(key) === opening) openCredentials.delete(key);
			};
			// A failure serves those who wait for it, and nobody else.
			opening.then(async () => await sleep(credentialCache.keptMs)).then(forget, forget);
		}
		return await opening;
	},
	/** Forgets everything that was read. */
	forget: (): void => openCredentials.clear(),
};
