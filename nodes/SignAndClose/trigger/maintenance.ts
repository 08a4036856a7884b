import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { emitRecorded } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import { readTriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/subscription';
import { subscriptionStore } from './subscription/subscriptionStore';
import { logFailure, checkSubscription } from './webhookMethods';

/* The trigger's `trigger()`: what n8n's leader does while the workflow is published. */

/** How often to check the subscription and to pick up missed events. */
const CHECK_EXPRESSION = '0 */15 * * * *';
/** How often to read the event records in pull mode when no call has asked for it before. */
const PULL_EXPRESSION = '*/20 * * * * *';

/**
 * Starts the checks of a published workflow. The first one runs right away, the others by the
 * clock, never two at the same time. A call that arrives during one starts another one afterwards.
 */
export function startMaintenance(context: ITriggerFunctions): ITriggerResponse {
	const handled = new Set<string>();
	// The parameters are read here because n8n evaluates expressions only while it starts a trigger,
	// not in what the clock starts later.
	const settings = readTriggerParameters(context);
	let closed = false;
	let running = false;
	let again = false;
	let known: SubscriptionMemory | undefined;
	const take = async (): Promise<void> => {
		if (running) {
			again = true;
			return;
		}
		running = true;
		try {
			do {
				again = false;
				if (!closed)
					await logFailure(
						context,
						'read the event records of its webhook',
						async () => void (await emitRecorded(context, settings, handled)),
					);
			} while (again && !closed);
		} finally {
			running = false;
		}
	};
	const look = async (): Promise<void> => {
		if (closed) return;
		await checkSubscription(context, settings, () => closed);
		known ??= subscriptionStore.get(context);
		await take();
	};
	const stopListening = eventLogSignal.listen(context, () => void take());
	context.helpers.registerCron({ expression: CHECK_EXPRESSION }, () => void look());
	if (settings.pull)
		context.helpers.registerCron({ expression: PULL_EXPRESSION }, () => void take());
	void look();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			// Another main process may take over and change what is stored, so what this process knows
			// can't be relied on any more.
			if (known !== undefined && subscriptionStore.get(context) === known)
				subscriptionStore.forget(context);
			return await Promise.resolve();
		},
	};
}
