import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer, CallingService } from './callingService.mts';
import type { Ledger } from './ledger.mts';
import { payloadMaker, type PlannedDelivery } from './plan.mts';

const SENDERS = 16;
/** How many deliveries are sent beyond the limit, so that some are always under way. */
const AHEAD = 32;
const LIMIT_POLL_MS = 20;
const RETRY_DELAY_MS = 400;

/**
 * Sends deliveries until n8n accepts or rejects them, as the service does, and notes what it answers.
 */
export class Sender {
	/** Planned deliveries that need no further attempt. */
	done = 0;
	/** About how many planned deliveries may be sent at present. */
	limit = 0;
	/** Whether events come from the event log, so that nothing is taken from a call. */
	isPulled = false;
	/** Events answered 503. */
	readonly refused = new Set<number>();
	forgedAccepted = 0;
	/** Deliveries that n8n answered with 200 before it knew any workflow. */
	answeredAtStart = 0;

	private readonly service: CallingService;
	private readonly ledger: Ledger;
	/** The transaction of an event. */
	private readonly transactionOf: (event: number) => string;

	constructor(service: CallingService, ledger: Ledger, transactionOf: (event: number) => string) {
		this.service = service;
		this.ledger = ledger;
		this.transactionOf = transactionOf;
	}

	/** Sends everything that is planned, some at a time. */
	async sendAll(plan: PlannedDelivery[]): Promise<void> {
		let next = 0;
		const worker = async () => {
			for (let index = next++; index < plan.length; index = next++) {
				while (index >= this.limit + AHEAD) await sleep(LIMIT_POLL_MS);
				await this.sendUntilAnswered(plan[index]);
				this.done += 1;
			}
		};
		await Promise.all(Array.from({ length: SENDERS }, worker));
	}

	/** Sends further events of an account until n8n accepts them. */
	async sendEvents(numbers: number[], account: PlannedDelivery['account']): Promise<void> {
		for (const event of numbers) await this.sendUntilAnswered({ ...further(event), account });
	}

	/** Sends a further event of an account once, whatever is answered. */
	async tryEvent(event: number, account: PlannedDelivery['account']): Promise<void> {
		await this.attempt({ ...further(event), account });
	}

	/** Calls the webhook once with what somebody has made up who knows its secret and its key. */
	async tryMadeUp(event: number, makePayload: PlannedDelivery['makePayload']): Promise<void> {
		await this.attempt({ ...further(event), forgery: 'made up', makePayload });
	}

	/**
	 * Sends a delivery until n8n accepts or rejects it. While n8n is down, starting or publishing, the
	 * delivery is sent again.
	 */
	private async sendUntilAnswered(delivery: PlannedDelivery): Promise<void> {
		while (!(await this.attempt(delivery))) await sleep(RETRY_DELAY_MS);
	}

	/** @returns whether no further attempt is needed */
	private async attempt(delivery: PlannedDelivery): Promise<boolean> {
		const { event, forgery } = delivery;
		const answer = await this.service.deliver(delivery, this.transactionOf(event));
		return forgery === undefined ? this.note(event, answer) : this.noteForged(forgery, answer);
	}

	private note(event: number, { status, atStart, at }: Answer): boolean {
		if (atStart) this.answeredAtStart += 1;
		if (status === 503) this.refused.add(event);
		if (status !== 200) return false;
		if (!this.ledger.answered.has(event)) this.ledger.answered.set(event, at);
		return true;
	}

	private noteForged(forgery: PlannedDelivery['forgery'], { status, atStart }: Answer): boolean {
		if (status === 200 && atStart) return false;
		// What is made up can't be told from an event that is ahead of the service's answer.
		const rejections = forgery !== 'made up' ? [401] : this.isPulled ? [503, 200] : [503];
		if (rejections.includes(status)) return true;
		if (status !== 200) return false;
		this.forgedAccepted += 1;
		return true;
	}
}

const further = (event: number): PlannedDelivery => ({
	event,
	repeat: false,
	reordered: false,
	refused: false,
	makePayload: payloadMaker(event),
});
