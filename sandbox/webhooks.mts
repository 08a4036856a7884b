import { createHmac } from 'node:crypto';

import { Refusal } from './refusal.mts';
import { maySee, type EventRecord, type Transaction, type Webhook, type World } from './world.mts';

/** Deliveries (interface.md §6; gaps.md §2, §8): signed, repeated on a schedule, recorded. */

const DELIVERY_TIMEOUT_MS = 30_000;
/** Up to 16 attempts over 48 hours, with growing pauses. */
export const RETRY_SECONDS = [10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 18_000, 21_600, 28_800, 43_200];

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
	notary: 'created needs_review compliant non_compliant signer_ready'.split(' ').map((name) => `notary.${name}`),
};

const KNOWN = new Set([...EVENTS.transaction, ...EVENTS.notary, '*', 'transaction.*', 'notary.*']);

/** @throws Refusal 422 for an event that does not exist */
export function checkSubscriptions(names: string[]): void {
	const unknown = names.find((name) => !KNOWN.has(name));
	if (unknown !== undefined) throw new Refusal(422, `Invalid subscription passed: ${unknown}`);
}

export interface Delivery {
	webhookId: string;
	url: string;
	event: string;
	transactionId: string;
	attempts: number;
	code: number;
	at: string;
}

export interface Deliverer {
	emit(event: string, transaction: Transaction, more?: object): void;
	/** The latest state of each delivery, newest first. */
	recent: Delivery[];
}

export function createDeliverer(world: World, retrySeconds: number[], changed: () => void): Deliverer {
	const recent: Delivery[] = [];
	const attempt = async (webhook: Webhook, delivery: Delivery, payload: string): Promise<void> => {
		if (!world.webhooks.has(webhook.id)) return;
		delivery.attempts += 1;
		const response = await post(webhook, payload);
		delivery.code = response.code;
		delivery.at = world.clock.stamp();
		const record: EventRecord = { event: delivery.event, response, delivered: delivery.at, payload, attempt: delivery.attempts };
		webhook.events.unshift(record);
		changed();
		const pause = retrySeconds[delivery.attempts - 1];
		if (response.code !== 200 && pause !== undefined) world.clock.later(pause * 1000, () => void attempt(webhook, delivery, payload));
	};
	return {
		recent,
		emit(event, transaction, more = {}) {
			changed();
			const payload = JSON.stringify({ event, data: { transaction_id: transaction.id, ...(world.profile === 'full' && { date_occurred: world.clock.stamp(), ...more }) } });
			for (const webhook of world.webhooks.values()) {
				if (!webhook.enabled || !isSubscribed(webhook, event) || !maySee(world, { value: '', role: 'full', organization: webhook.organization }, transaction.organization)) continue;
				const delivery: Delivery = { webhookId: webhook.id, url: webhook.url, event, transactionId: transaction.id, attempts: 0, code: 0, at: world.clock.stamp() };
				recent.unshift(delivery);
				recent.length = Math.min(recent.length, 200);
				void attempt(webhook, delivery, payload);
			}
		},
	};
}

function isSubscribed({ subscriptions }: Webhook, event: string): boolean {
	return subscriptions.some((name) => name === '*' || name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1))));
}

/** Lower-case hex HMAC-SHA256 over the raw body, without prefix (gaps.md §2). */
export function signature(payload: string, key: string): string {
	return createHmac('sha256', key).update(payload).digest('hex');
}

async function post(webhook: Webhook, payload: string): Promise<EventRecord['response']> {
	const headers: Record<string, string> = { 'Content-Type': 'application/json', 'X-Signature': signature(payload, webhook.signingKey ?? webhook.apiKey) };
	for (const line of webhook.headers) headers[line.slice(0, line.indexOf(':')).trim()] = line.slice(line.indexOf(':') + 1).trim();
	try {
		const answer = await fetch(webhook.url, { method: 'POST', headers, body: payload, redirect: 'manual', signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS) });
		return { code: answer.status, body: (await answer.text()).slice(0, 2000), error: answer.status === 200 ? '' : `The endpoint answered ${answer.status}` };
	} catch (thrown) {
		return { code: 0, body: '', error: thrown instanceof Error ? thrown.message : 'no answer' };
	}
}
