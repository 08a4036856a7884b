import { createHmac } from 'node:crypto';

import { SIGNATURE_HEADER } from '../state/config.mts';
import { refuse, TEXTS } from './refusal.mts';
import {
	maySee,
	type EventRecord,
	type Notary,
	type Transaction,
	type Webhook,
	type World,
} from '../state/world.mts';

/** Deliveries (interface.md §6; gaps.md §2, §8): signed, repeated on a schedule, recorded. */

/** gaps.md §8. */
export const EVENTS: Record<'transaction' | 'notary', string[]> = {
	transaction: (
		'created updated deleted expired recalled canceled reviewed sent received sent_to_signer sent_to_closing_ops sent_to_title_agency ' +
		'document.upload document.processed meeting.requested meeting.created meeting.failed meeting.video.processed notary.assigned ' +
		'signer.kba_passed signer.kba_failed signer.high_risk_detected signer.medium_risk_detected underwriter.not_available ' +
		'partially_completed completed completed_with_rejections released held_for_review declined import.processed import.failed'
	)
		.split(' ')
		.map((name) => `transaction.${name}`),
	notary: 'created needs_review compliant non_compliant signer_ready'
		.split(' ')
		.map((name) => `notary.${name}`),
};

const KNOWN = new Set([...EVENTS.transaction, ...EVENTS.notary, '*', 'transaction.*', 'notary.*']);
const MAX_LISTED = 200;
const MAX_RECORDED_BODY = 2000;

/** @throws Refusal 422 for an event that does not exist (gaps.md §9) */
export function checkSubscriptions(names: string[]): void {
	if (names.some((name) => !KNOWN.has(name))) refuse(TEXTS.badSubscription);
}

export function isSubscribed(subscriptions: string[], event: string): boolean {
	return subscriptions.some(
		(name) =>
			name === '*' ||
			name === event ||
			(name.endsWith('.*') && event.startsWith(name.slice(0, -1))),
	);
}

/** Lower-case hex HMAC-SHA256 over the raw body, without prefix (gaps.md §2). */
export function signature(payload: string, key: string): string {
	return createHmac('sha256', key).update(payload).digest('hex');
}

/** The latest state of one delivery, as the console shows it. */
export interface Delivery {
	id: string;
	webhookId: string;
	url: string;
	event: string;
	/** Empty for a notary's event, which has no transaction. */
	transactionId: string;
	notaryId?: string;
	attempts: number;
	/** 0 while there has been no answer. */
	code: number;
	error: string;
	at: string;
	/** When it is tried again; null when it is not. */
	next: string | null;
	payload: string;
}

export interface Deliverer {
	emit(event: string, transaction: Transaction, more?: object): void;
	emitNotary(event: string, notary: Notary): void;
	/** Newest first. */
	recent: Delivery[];
	/**
	 * Sends a delivery once more, because "at least once" allows the service to (gaps.md §2).
	 * @returns false when there is no such delivery
	 */
	redeliver(id: string): Promise<boolean>;
}

export interface DelivererOptions {
	retryScheduleSeconds: number[];
	timeoutMs: number;
}

export function createDeliverer(
	world: World,
	{ retryScheduleSeconds, timeoutMs }: DelivererOptions,
): Deliverer {
	const recent: Delivery[] = [];
	const attempt = async (delivery: Delivery): Promise<void> => {
		const webhook = world.webhooks.get(delivery.webhookId);
		if (webhook === undefined) return;
		delivery.attempts += 1;
		delivery.next = null;
		const response = await post(world, webhook, delivery.payload, timeoutMs);
		delivery.code = response.code;
		delivery.error = response.error;
		delivery.at = world.clock.stamp();
		const record: EventRecord = {
			event: delivery.event,
			response,
			delivered: delivery.at,
			payload: recorded(world, delivery),
		};
		webhook.events.unshift(record);
		const pause = retryScheduleSeconds[delivery.attempts - 1];
		// Any 200 is success (gaps.md §2).
		if (response.code === 200 || pause === undefined) return;
		delivery.next = new Date(world.clock.now() + pause * 1000).toISOString();
		world.clock.later(pause * 1000, async () => await attempt(delivery));
	};
	const announce = (
		event: string,
		organization: string,
		about: Pick<Delivery, 'transactionId' | 'notaryId'>,
		data: object,
	): void => {
		const payload = JSON.stringify({ event, data });
		for (const webhook of world.webhooks.values()) {
			// The key that made it decides whose transactions it hears of (interface.md §5.3).
			if (
				!webhook.enabled ||
				!isSubscribed(webhook.subscriptions, event) ||
				!maySee(world, webhook, organization)
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
			};
			recent.unshift(delivery);
			recent.length = Math.min(recent.length, MAX_LISTED);
			void world.clock.track(attempt(delivery));
		}
	};
	return {
		recent,
		emit(event, transaction, more = {}) {
			const extra =
				world.settings.profile === 'full' ? { date_occurred: world.clock.stamp(), ...more } : {};
			announce(
				event,
				transaction.organization,
				{ transactionId: transaction.id },
				{ transaction_id: transaction.id, ...extra },
			);
		},
		emitNotary(event, { id }) {
			// interface.md §6: every payload carries a transaction id. A documented-only service has no
			// event without one.
			if (world.settings.profile === 'documented') return;
			announce(
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
 * A string of JSON (interface.md §2); for document events an object, as some payloads of live
 * services are (gaps.md §8).
 */
function recorded({ settings }: World, { event, payload }: Delivery): string | object {
	return settings.profile === 'full' && event.startsWith('transaction.document.')
		? (JSON.parse(payload) as object)
		: payload;
}

async function post(
	{ settings }: World,
	webhook: Webhook,
	payload: string,
	timeoutMs: number,
): Promise<EventRecord['response']> {
	const headers: Record<string, string> = { 'Content-Type': 'application/json' };
	// interface.md §5.5: how a receiver verifies is not shown, so a documented-only service does not
	// sign.
	if (settings.profile === 'full')
		headers[SIGNATURE_HEADER] = signature(payload, webhook.signingKey ?? webhook.apiKey);
	for (const line of [webhook.header, ...webhook.headers]) {
		if (line !== undefined)
			headers[line.slice(0, line.indexOf(':')).trim()] = line.slice(line.indexOf(':') + 1).trim();
	}
	try {
		const answer = await fetch(webhook.url, {
			method: 'POST',
			headers,
			body: payload,
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		});
		const body = (await answer.text()).slice(0, MAX_RECORDED_BODY);
		const error = answer.status === 200 ? '' : `The endpoint answered ${answer.status}`;
		return {
			code: answer.status,
			body,
			error,
			...(settings.profile === 'full' && { headers: Object.fromEntries(answer.headers) }),
		};
	} catch (thrown) {
		const cause =
			thrown instanceof Error
				? ((thrown.cause as Error | undefined)?.message ?? thrown.message)
				: 'no answer';
		return { code: 0, body: '', error: cause || 'no answer' };
	}
}
