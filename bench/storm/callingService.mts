import type { Sandbox } from '../../sandbox/index.mts';
import type { Webhook } from '../../sandbox/world/world.mts';
import { signatureOf } from '../trigger/deliveries.mts';
import type { PlannedDelivery } from './plan.mts';

/** The service's side of a storm: it calls the webhook, and records what became of each call. */

/** What n8n answers, with 200, before it knows any workflow. */
const AT_START = 'n8n is starting up';
const CALL_TIMEOUT_MS = 30_000;

/** What a call was answered. */
export interface Answer {
	/** 0 when there was no answer. */
	status: number;
	/** Whether n8n answered before it knew any workflow. The service takes it for success. */
	atStart: boolean;
}

/** Calls the webhook of the storm's workflow and keeps its event records. */
export class CallingService {
	private newestFirst = true;
	private readonly sandbox: Sandbox;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	/** The webhook that is registered at the moment. */
	get webhook(): Webhook | undefined {
		return [...this.sandbox.world.webhooks.values()].at(-1);
	}

	/** From now on, the event records are listed the other way round. */
	turnRecords(): void {
		this.newestFirst = !this.newestFirst;
		for (const { events } of this.sandbox.world.webhooks.values()) events.reverse();
	}

	/** Calls the webhook once. What the service itself has sent is recorded. */
	async deliver(
		{ event, forgery, makePayload }: PlannedDelivery,
		transactionId: string,
	): Promise<Answer> {
		const { webhook } = this;
		if (webhook === undefined) return { status: 0, atStart: false };
		const payload = makePayload(transactionId);
		const body = JSON.stringify(payload);
		const target = new URL(webhook.url);
		if (forgery === 'no secret') target.search = '';
		if (forgery === 'wrong secret') target.searchParams.set('key', 'x'.repeat(43));
		const key = forgery === 'wrong signature' ? 'another key' : String(webhook.signingKey);
		const signed = forgery === 'changed body' ? `${body} ` : body;
		const { status, text } = await post(target, body, {
			...signatureOf(signed, key),
			'x-request-id': `storm-${event}`,
		});
		if (forgery === undefined) {
			const record = {
				event: payload.event,
				response: { code: status, body: text, error: status === 0 ? 'no answer' : '' },
				delivered: this.sandbox.clock.stamp(),
				payload: body,
			};
			if (this.newestFirst) webhook.events.unshift(record);
			else webhook.events.push(record);
		}
		return { status, atStart: text.startsWith(AT_START) };
	}

	/**
	 * Calls the webhook's URL without its secret until `isOver`, which n8n answers with 401 while the
	 * workflow is published.
	 * @returns for how long in a row n8n had no such URL, in milliseconds
	 */
	async longestGap(isOver: () => boolean): Promise<number> {
		const { webhook } = this;
		if (webhook === undefined) return 0;
		const { origin, pathname } = new URL(webhook.url);
		let longest = 0;
		let since: number | undefined;
		while (!isOver()) {
			const begin = performance.now();
			const { status } = await post(new URL(origin + pathname), '{}', {});
			if (status === 404) since ??= begin;
			else since = undefined;
			if (since !== undefined) longest = Math.max(longest, performance.now() - since);
		}
		return Math.round(longest);
	}
}

async function post(
	url: URL,
	body: string,
	headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body,
			signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
		});
		return { status: response.status, text: await response.text() };
	} catch {
		return { status: 0, text: '' };
	}
}
