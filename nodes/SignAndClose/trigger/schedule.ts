import {
	sleep,
	toCronExpression,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';

import { createService } from '../transport/client';
import { checkSubscription } from './subscription/check';
import { emitRecordedEvents } from './missed/eventLog';
import { emitMissedCompletions } from './missed/completions';
import type { EventSearch } from './delivery/filter';
import { eventLogSignal } from './memory';
import { parseTriggerParameters } from './parameters';
import { logFailure, triggerLog } from './log';

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
export function startChecks(context: ITriggerFunctions): ITriggerResponse {
	// The parameters are read here because n8n evaluates expressions only while it starts a trigger,
	// not in what the clock starts later.
	const settings = parseTriggerParameters(context);
	const handled = new Set<string>();
	let closed = false;
	const isClosed = () => closed;
	const readEvents = runOneAtATime(async () => {
		if (closed) return;
		let search: EventSearch | undefined;
		await logFailure(context, 'read the event records of its webhook', async () => {
			search = { context, settings, service: await createService(context), handled, isClosed };
			await emitRecordedEvents(search);
		});
		await logFailure(context, 'look for transactions that were completed meanwhile', async () => {
			if (!closed && search !== undefined) await emitMissedCompletions(search);
		});
	});
	const check = async () => {
		if (closed) return;
		await checkSubscription(context, settings, isClosed);
		await readEvents();
	};
	const wake = runOneAtATime(async () => {
		await sleep(WAKE_PAUSE_MS);
		await readEvents();
	});
	const { registerCron } = context.helpers;
	const everyQuarter = toCronExpression({ mode: 'everyX', unit: 'minutes', value: 15 });
	registerCron({ expression: everyQuarter }, () => void check());
	// Calls may arrive in another process, or in none.
	const everyMinute = toCronExpression({ mode: 'everyMinute' });
	if (settings.pull) registerCron({ expression: everyMinute }, () => void readEvents());
	const stopListening = eventLogSignal.listen(context, () => void wake());
	void check();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			triggerLog.forget(context);
		},
	};
}

/**
 * Lets a job run never twice at the same time. Who asks for it meanwhile gets one more run afterwards.
 * @param job never throws
 */
function runOneAtATime(job: () => Promise<void>): () => Promise<void> {
	let isRunning = false;
	let mustRepeat = false;
	return async () => {
		mustRepeat = true;
		if (isRunning) return;
		isRunning = true;
		while (mustRepeat) {
			mustRepeat = false;
			await job();
		}
		isRunning = false;
	};
}
