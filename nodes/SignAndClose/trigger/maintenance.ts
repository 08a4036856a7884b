import { createHash } from 'crypto';
import {
	sleep,
	type ITriggerFunctions,
	type ITriggerResponse,
	type INode,
	type IWorkflowMetadata,
} from 'n8n-workflow';

import { createService, type ServiceClient } from '../transport/client';
import { emitRecorded, eventLogSignal } from './eventLog';
import { emitMissedCompletions } from './gaps';
import { triggerMemory } from './memory';
import { parseTriggerParameters } from './parameters';
import { warnings } from './warnings';
import { checkSubscription, logFailure } from './webhookMethods';

/* The trigger's `trigger()`: what n8n's leader does while the workflow is published. */

/**
 * How long after a call the event records are read, in milliseconds. Before, the service doesn't
 * have our answer, so that the call isn't among them.
 */
const WAKE_PAUSE_MS = 1_500;

/**
 * Starts the checks of a published workflow. The first one runs right away, the others by the clock. A
 * call that arrives starts a reading of the event records soon afterwards.
 */
export function startMaintenance(context: ITriggerFunctions): ITriggerResponse {
	// The parameters are read here because n8n evaluates expressions only while it starts a trigger,
	// not in what the clock starts later.
	const settings = parseTriggerParameters(context);
	const handled = handledBy(context);
	let closed = false;
	const isClosed = () => closed;
	let checked: ServiceClient | undefined;
	const read = oneAtATime(async () => {
		let service = checked;
		checked = undefined;
		if (closed) return;
		await logFailure(context, 'read the event records of its webhook', async () => {
			if (triggerMemory.read(context).webhookId === undefined) return;
			service ??= await createService(context);
			await emitRecorded(context, settings, service, handled, isClosed);
		});
		await logFailure(context, 'look for transactions that were completed meanwhile', async () => {
			if (!closed && service !== undefined)
				await emitMissedCompletions(context, settings, service, isClosed);
		});
	});
	const check = async (): Promise<void> => {
		if (closed) return;
		checked = await checkSubscription(context, settings, isClosed);
		await read();
	};
	const wake = oneAtATime(async () => {
		await sleep(WAKE_PAUSE_MS);
		await read();
	});
	const stopListening = eventLogSignal.listen(context, () => void wake());
	const { helpers } = context;
	helpers.registerCron({ expression: checkExpression(context) as never }, () => void check());
	if (settings.pull)
		helpers.registerCron({ expression: pullExpression(context) as never }, () => void read());
	void check();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			warnings.forget(context);
			return await Promise.resolve();
		},
	};
}

/**
 * Keys of the events that this process has emitted or left out, by node: what was left out isn't
 * compared once more after the workflow is published again. State of this process; docs/architecture.md
 * lists all of it.
 */
const handledKeys = new Map<string, Set<string>>();

function handledBy(context: ITriggerFunctions): Set<string> {
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	const handled = handledKeys.get(node) ?? new Set();
	handledKeys.set(node, handled);
	return handled;
}

/**
 * Lets a job run never twice at the same time. Who asks for it meanwhile gets one more run afterwards.
 * @param job never throws
 */
function oneAtATime(job: () => Promise<void>): () => Promise<void> {
	let isRunning = false;
	let again = false;
	return async () => {
		again = true;
		if (isRunning) return;
		isRunning = true;
		while (again) {
			again = false;
			await job();
		}
		isRunning = false;
	};
}

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
