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
	const { second, number } = placeOf(context);
	const first = Math.floor(number / SECONDS) % CHECKS_EVERY_MINUTES;
	const minutes = Array.from(
		{ length: MINUTES / CHECKS_EVERY_MINUTES },
		(_, index) => first + index * CHECKS_EVERY_MINUTES,
	);
	return `${second} ${minutes.join()} * * * *`;
}

/**
 * Returns the cron expression at which a node reads the event records in pull mode: every minute. A
 * call that arrives in this process has them read at once, so the clock is for calls that arrive in
 * another one, or in none.
 */
export function pullExpression(context: Context): string {
	return `${placeOf(context).second} * * * * *`;
}

function placeOf(context: Context): { second: number; number: number } {
	const name = `${context.getInstanceId()}:${context.getWorkflow().id}:${context.getNode().id}`;
	const number = createHash('sha256').update(name).digest().readUInt32BE(0);
	return { second: number % SECONDS, number };
}
