import { createHash } from 'crypto';
import type { INode, IWorkflowMetadata } from 'n8n-workflow';

/* When a published trigger looks at the service. */

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
	const { second, minute } = placeOf(context);
	const minutes = [0, 15, 30, 45].map((quarter) => quarter + minute);
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

function placeOf(context: Context): { second: number; minute: number } {
	const name = `${context.getInstanceId()}:${context.getWorkflow().id}:${context.getNode().id}`;
	const [one, other] = createHash('sha256').update(name).digest();
	return { second: one % 60, minute: other % 15 };
}
