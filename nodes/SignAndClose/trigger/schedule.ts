import { createHash } from 'crypto';

import type { INode, IWorkflowMetadata } from 'n8n-workflow';

/* When a published trigger looks at the service. */

const CHECKS_EVERY_MINUTES = 15;
const MINUTES = 60;
const SECONDS = 60;

interface Context {
	getInstanceId(): string;
	getNode(): INode;
	getWorkflow(): IWorkflowMetadata;
}

/**
 * Returns the cron expression of a node's checks: every 15 minutes, at a minute and a second that
 * differ from node to node. Otherwise, all workflows of all installations would call the service in
 * the same second.
 */
export function checkExpression(context: Context): string {
	const name = `${context.getInstanceId()}:${context.getWorkflow().id}:${context.getNode().id}`;
	const number = createHash('sha256').update(name).digest().readUInt32BE(0);
	const second = number % SECONDS;
	const first = Math.floor(number / SECONDS) % CHECKS_EVERY_MINUTES;
	const minutes = Array.from(
		{ length: MINUTES / CHECKS_EVERY_MINUTES },
		(_, index) => first + index * CHECKS_EVERY_MINUTES,
	);
	return `${second} ${minutes.join()} * * * *`;
}

/** How often to read the event records in pull mode while events come, in milliseconds. */
const BUSY_MS = 20_000;
/** How often while none come. With the checks, that makes fewer than 60 requests an hour. */
const IDLE_MS = 120_000;
/** How long after the last event it counts as busy. */
const BUSY_FOR_MS = 5 * 60_000;
/** The clock ticks every 20 seconds, and never quite on time. */
const TOLERANCE_MS = 2_000;

/**
 * Decides which ticks of the clock read the event records. A call that arrives in this process has
 * them read at once, so the clock is for calls that arrive in another one.
 */
export class PullPace {
	private lastRead = -Infinity;

	private lastEvent = Date.now();

	/** Whether it's time to read. */
	isDue(now = Date.now()): boolean {
		const pause = now - this.lastEvent < BUSY_FOR_MS ? BUSY_MS : IDLE_MS;
		return now - this.lastRead >= pause - TOLERANCE_MS;
	}

	/** Notes that the records were read. */
	noteRead(emitted: number, now = Date.now()): void {
		this.lastRead = now;
		if (emitted > 0) this.lastEvent = now;
	}
}
