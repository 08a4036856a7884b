import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { logFailure, checkSubscription } from './webhookMethods';
import { subscriptionStore } from './subscription/subscriptionStore';
import { emitRecorded } from './events/eventRecords';
import { readTriggerParameters } from './parameters';
import type { SubscriptionMemory } from './subscription/subscription';
import { pullSignal } from './events/pullSignal';

/** How often a published subscription is looked after, and missed deliveries are picked up. */
const CHECK_EXPRESSION = '0 */15 * * * *';
/** How often the event records are read in pull mode, when no call has woken the node before. */
const PULL_EXPRESSION = '*/20 * * * * *';

/**
 * What the leader does while the workflow is published: the first look comes right away, the others
 * by the clock. One look after the other; a call that comes meanwhile starts another one
 * afterwards.
 */
export function startMaintenance(context: ITriggerFunctions): ITriggerResponse {
	const handled = new Set<string>();
	// Now or never: n8n evaluates expressions while it starts a trigger, and refuses to in what the
	// clock starts.
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
	const stopListening = pullSignal.listen(context, () => void take());
	context.helpers.registerCron({ expression: CHECK_EXPRESSION }, () => void look());
	if (settings.pull)
		context.helpers.registerCron({ expression: PULL_EXPRESSION }, () => void take());
	void look();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			// Another main process may take over and change what is stored; what is remembered here is no
			// longer to be trusted then.
			if (known !== undefined && subscriptionStore.get(context) === known)
				subscriptionStore.forget(context);
			return await Promise.resolve();
		},
	};
}
