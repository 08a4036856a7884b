import { createHmac } from 'node:crypto';

import { PATIENCE_MS, waitUntil } from '../../host/run/patience.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import type { Webhook } from '../../sandbox/world/world.mts';
import { ACCOUNTS, type AccountName } from './accounts.mts';
import { payloadMaker, type PlannedDelivery } from './plan.mts';

/** The service's side of a storm: it calls the webhook, and records what became of each call. */

/** What n8n answers, with 200, before it knows any workflow. */
const AT_START = 'n8n is starting up';
/** How long the service waits for an answer: half a minute, on a machine as fast as the makers'. */
const CALL_TIMEOUT_MS = PATIENCE_MS / 10;

/** What a call was answered. */
export interface Answer {
	/** 0 when there was no answer. */
	status: number;
	/** Whether n8n answered before it knew any workflow. The service takes it for success. */
	atStart: boolean;
	/** When the call began, in milliseconds since 1970. */
	at: number;
}

/** Events that the service has sent and that nobody has accepted. */
interface Undelivered {
	numbers: number[];
	transactionId: string;
	/** What the calls were answered, in turns. */
	codes: number[];
}

/** Calls the webhook of the storm's workflow and keeps its event records. */
export class CallingService {
	private newestFirst = true;
	private address: string | undefined;
	private readonly sandbox: Sandbox;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	/** The webhook that an account has at the moment. */
	webhookOf(account: AccountName): Webhook | undefined {
		return [...this.sandbox.world.webhooks.values()].findLast(
			({ organization }) => organization === ACCOUNTS[account].organization,
		);
	}

	/** From now on, the event records are listed the other way round. */
	turnRecords(): void {
		this.newestFirst = !this.newestFirst;
		for (const { events } of this.sandbox.world.webhooks.values()) events.reverse();
	}

	/**
	 * Calls the webhook of the event's account once. What the service itself has sent is recorded. A
	 * disabled webhook isn't called, and there's no record of that, but forged calls come all the same.
	 */
	async deliver(
		{ event, forgery, account = 'first', makePayload }: PlannedDelivery,
		transactionId: string,
	): Promise<Answer> {
		const at = Date.now();
		const webhook = this.webhookOf(account);
		if (webhook === undefined || (!webhook.enabled && forgery === undefined))
			return { status: 0, atStart: false, at };
		const payload = makePayload(transactionId);
		const body = JSON.stringify(payload);
		const target = new URL(webhook.url);
		if (forgery === 'no secret') target.search = '';
		if (forgery === 'wrong secret') target.searchParams.set('key', 'x'.repeat(43));
		const key = forgery === 'wrong signature' ? 'another key' : String(webhook.signingKey);
		const signed = forgery === 'changed body' ? `${body} ` : body;
		const { status, text } = await post(target, body, {
			'x-signature': createHmac('sha256', key).update(signed).digest('hex'),
			'x-request-id': `storm-${event}`,
		});
		if (forgery === undefined) this.record(webhook, payload, status, text);
		return { status, atStart: text.startsWith(AT_START), at };
	}

	/** Records events that the service tried to deliver in vain. */
	recordUndelivered({ numbers, transactionId, codes }: Undelivered): void {
		const webhook = this.webhookOf('first');
		if (webhook === undefined) throw new Error('There is no webhook');
		for (const [index, number] of numbers.entries())
			this.record(
				webhook,
				payloadMaker(number)(transactionId),
				codes[index % codes.length],
				'Not delivered',
			);
	}

	private record(
		webhook: Webhook,
		payload: { event: string; data: object },
		status: number,
		text: string,
	): void {
		const record = {
			event: payload.event,
			response: { code: status, body: text, error: status === 0 ? 'no answer' : '' },
			delivered: this.sandbox.clock.stamp(),
			payload: JSON.stringify(payload),
		};
		if (this.newestFirst) webhook.events.unshift(record);
		else webhook.events.push(record);
	}

	/** Waits until n8n knows the workflow's URL. */
	async waitForUrl(): Promise<void> {
		await waitUntil(
			async () => (await this.callWithoutSecret()) === 401,
			() => "n8n doesn't know the workflow's URL",
		);
	}

	/**
	 * Calls the webhook's URL without its secret until `isOver`, which n8n answers with 401 while the
	 * workflow is published.
	 * @returns for how long in a row n8n had no such URL, in milliseconds
	 */
	async longestGap(isOver: () => boolean): Promise<number> {
		let longest = 0;
		let since: number | undefined;
		while (!isOver()) {
			const begin = performance.now();
			if ((await this.callWithoutSecret()) === 404) since ??= begin;
			else since = undefined;
			if (since !== undefined) longest = Math.max(longest, performance.now() - since);
		}
		return Math.round(longest);
	}

	/** @returns the status of the answer. The URL is the same for all accounts and never changes */
	private async callWithoutSecret(): Promise<number> {
		this.address ??= [...this.sandbox.world.webhooks.values()].at(-1)?.url;
		if (this.address === undefined) throw new Error('There is no webhook');
		const { origin, pathname } = new URL(this.address);
		return (await post(new URL(origin + pathname), '{}', {})).status;
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
