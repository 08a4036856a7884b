/**
 * Delivers events to webhooks: who gets one, when it is repeated, what is recorded of it
 * (docs/service/webhooks.md#deliveries, docs/service/webhooks.md#retries).
 */

import { deliveryData, hasSigningStatus } from './deliveryData.mts';
import { isSubscribed } from './events.mts';
import { postToWebhook } from './postToWebhook.mts';
import { canSee } from '../access.mts';
import { uuidOf } from '../../world/ids.mts';
import type { EventDetails, EventRecord, Notary, Transaction, World } from '../../world/world.mts';

/** How many deliveries the console can show. */
const MAX_RECENT = 200;

/** The latest state of one delivery, as the console shows it. */
export interface Delivery {
	id: string;
	webhookId: string;
	url: string;
	event: string;
	/** Empty for the event of a notary, which has no transaction. */
	transactionId: string;
	notaryId?: string;
	attempts: number;
	/** 0 as long as there is no response. */
	code: number;
	error: string;
	at: string;
	/** When the next attempt follows, or null when none does. */
	next: string | null;
	payload: string;
	/** As the receiver gets it. A repeat may have another one. */
	requestId: string;
}

export interface Deliveries {
	/** Delivers an event of a transaction to every webhook that is subscribed to it. */
	emit(event: string, transaction: Transaction, details?: EventDetails): void;
	/** Delivers an event of a notary of the account. */
	emitNotary(event: string, notary: Notary): void;
	/** Newest first. */
	recent: Delivery[];
	/**
	 * Sends a delivery once more, because "at least once" allows the service to.
	 * @returns false when there is no such delivery
	 */
	redeliver(id: string): Promise<boolean>;
}

interface DeliveryOptions {
	retryScheduleSeconds: number[];
	timeoutMs: number;
}

export function createDeliveries(
	world: World,
	{ retryScheduleSeconds, timeoutMs }: DeliveryOptions,
): Deliveries {
	const recent: Delivery[] = [];
	let requests = 0;
	const newRequestId = () => uuidOf(`request ${(requests += 1)}`);
	const attempt = async (delivery: Delivery): Promise<void> => {
		const webhook = world.webhooks.get(delivery.webhookId);
		if (webhook === undefined) return;
		if (delivery.attempts > 0 && world.settings.switches.retryRequestId === 'new')
			delivery.requestId = newRequestId();
		delivery.attempts += 1;
		delivery.next = null;
		const response = await postToWebhook(world, webhook, delivery, timeoutMs);
		delivery.code = response.code;
		delivery.error = response.error;
		delivery.at = world.clock.stamp();
		const record: EventRecord = {
			event: delivery.event,
			response,
			delivered: delivery.at,
			payload: recordedPayload(world, delivery),
		};
		webhook.events.unshift(record);
		const pause = retryScheduleSeconds[delivery.attempts - 1];
		// Any 200 is success.
		if (response.code === 200 || pause === undefined) return;
		delivery.next = new Date(world.clock.now() + pause * 1000).toISOString();
		world.clock.later(pause * 1000, async () => await attempt(delivery));
	};
	const deliver = (
		event: string,
		organization: string,
		about: Pick<Delivery, 'transactionId' | 'notaryId'>,
		data: object,
	): void => {
		const payload = JSON.stringify({ event, data });
		for (const webhook of world.webhooks.values()) {
			// A webhook gets the events that the key which created it can see
			// (docs/service/api.md#keys-and-organizations).
			if (
				!webhook.enabled ||
				!isSubscribed(webhook.subscriptions, event) ||
				!canSee(world, webhook, organization)
			)
				continue;
			const progress = { attempts: 0, code: 0, error: '', at: world.clock.stamp(), next: null };
			const delivery: Delivery = {
				id: world.newId('dl'),
				webhookId: webhook.id,
				url: webhook.url,
				event,
				...about,
				...progress,
				payload,
				requestId: newRequestId(),
			};
			recent.unshift(delivery);
			recent.length = Math.min(recent.length, MAX_RECENT);
			void world.clock.track(attempt(delivery));
		}
	};
	return {
		recent,
		emit(event, transaction, details = {}) {
			deliver(
				event,
				transaction.organization,
				{ transactionId: transaction.id },
				deliveryData(world, event, transaction, details),
			);
		},
		emitNotary(event, { id }) {
			// Every documented payload carries a transaction id, so a documented-only service has no
			// event without one.
			if (world.settings.profile === 'documented') return;
			deliver(
				event,
				world.parent,
				{ transactionId: '', notaryId: id },
				{ notary_id: id, date_occurred: world.clock.stamp() },
			);
		},
		async redeliver(id) {
			const delivery = recent.find((entry) => entry.id === id);
			if (delivery === undefined) return false;
			await world.clock.track(attempt(delivery));
			return true;
		},
	};
}

/**
 * The payload as Get Webhook Events shows it: a string of JSON, but on live services an object where
 * it has the signing status (docs/service/webhooks.md#event-records).
 */
function recordedPayload({ settings }: World, { event, payload }: Delivery): string | object {
	return settings.profile === 'full' && hasSigningStatus(event)
		? (JSON.parse(payload) as object)
		: payload;
}
