import {
	sleep,
	toCronExpression,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';

import { createService } from '../transport/client';
import { checkSubscription } from './check';
import { emitRecorded } from './eventLog';
import { emitMissedCompletions } from './gaps';
import type { Look } from './gate';
import { eventLogSignal } from './memory';
import { parseTriggerParameters } from './parameters';
import { logFailure, warnings } from './warnings';

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
	const handled = new Set<string>();
	let closed = false;
	const isClosed = () => closed;
	const read = oneAtATime(async () => {
		if (closed) return;
		let look: Look | undefined;
		await logFailure(context, 'read the event records of its webhook', async () => {
			look = { context, settings, service: await createService(context), handled, isClosed };
			await emitRecorded(look);
		});
		await logFailure(context, 'look for transactions that were completed meanwhile', async () => {
			if (!closed && look !== undefined) await emitMissedCompletions(look);
		});
	});
	const check = async () => {
		if (closed) return;
		await checkSubscription(context, settings, isClosed);
		await read();
	};
	const wake = oneAtATime(async () => {
		await sleep(WAKE_PAUSE_MS);
		await read();
	});
	const { registerCron } = context.helpers;
	const everyQuarter = toCronExpression({ mode: 'everyX', unit: 'minutes', value: 15 });
	registerCron({ expression: everyQuarter }, () => void check());
	// Calls may arrive in another process, or in none.
	const everyMinute = toCronExpression({ mode: 'everyMinute' });
	if (settings.pull) registerCron({ expression: everyMinute }, () => void read());
	const stopListening = eventLogSignal.listen(context, () => void wake());
	void check();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			warnings.forget(context);
		},
	};
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
