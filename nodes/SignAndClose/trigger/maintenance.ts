import { sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { emitRecorded } from './events/eventLog';
import { eventLogSignal } from './events/eventLogSignal';
import { emitMissedCompletions } from './gaps/completions';
import { readTriggerParameters } from './parameters';
import { checkExpression, pullExpression } from './schedule';
import type { SubscriptionMemory } from './subscription/memory';
import { storedMemory, subscriptionStore } from './subscription/subscriptionStore';
import { warnings } from './warnings';
import { logFailure, checkSubscription } from './webhookMethods';

/* The trigger's `trigger()`: what n8n's leader does while the workflow is published. */

/**
 * How long after a call the event records are read, in milliseconds. Before, the service doesn't
 * have our answer, so that the call isn't among them.
 */
const WAKE_PAUSE_MS = 1_500;

/**
 * Starts the checks of a published workflow. The first one runs right away, the others by the
 * clock, never two at the same time. A call that arrives starts a reading of the event records soon
 * afterwards.
 */
export function startMaintenance(context: ITriggerFunctions): ITriggerResponse {
	const handled = new Set<string>();
	// The parameters are read here because n8n evaluates expressions only while it starts a trigger,
	// not in what the clock starts later.
	const settings = readTriggerParameters(context);
	let closed = false;
	let running = false;
	let again = false;
	let waking = false;
	let called = false;
	let known: SubscriptionMemory | undefined;
	const isClosed = () => closed;
	const take = async (opened?: ServiceClient): Promise<void> => {
		if (running) {
			again = true;
			return;
		}
		running = true;
		let service = opened;
		try {
			do {
				again = false;
				if (!closed)
					await logFailure(context, 'read the event records of its webhook', async () => {
						const check = { isClosed, service };
						await emitRecorded(context, settings, handled, check);
					});
				service = undefined;
			} while (again && !closed);
		} finally {
			running = false;
		}
	};
	// While there was no webhook, its event log knows nothing either.
	const lookAtGap = async (service?: ServiceClient): Promise<void> => {
		const memory = subscriptionStore.get(context);
		const { gapSince, checkedAt } = memory;
		if (closed || gapSince === undefined || memory.webhookId === undefined) return;
		await logFailure(context, 'look for transactions that were completed meanwhile', async () => {
			const gap = { since: gapSince, service, isClosed };
			const { isDone } = await emitMissedCompletions(context, settings, gap);
			// A check that has found the webhook missing meanwhile has made the gap longer than what was seen.
			if (!isDone || closed || memory.checkedAt !== checkedAt) return;
			delete memory.gapSince;
			delete storedMemory(context).gapSince;
		});
	};
	const wake = async (): Promise<void> => {
		called = true;
		if (waking) return;
		waking = true;
		try {
			while (called && !closed) {
				called = false;
				await sleep(WAKE_PAUSE_MS);
				if (!closed) await take();
				await lookAtGap();
			}
		} finally {
			waking = false;
		}
	};
	const look = async (): Promise<void> => {
		if (closed) return;
		const service = await checkSubscription(context, settings, isClosed);
		known ??= subscriptionStore.get(context);
		await take(service);
		await lookAtGap(service);
	};
	const stopListening = eventLogSignal.listen(context, () => void wake());
	context.helpers.registerCron(
		{ expression: checkExpression(context) as never },
		() => void look(),
	);
	if (settings.pull)
		context.helpers.registerCron(
			{ expression: pullExpression(context) as never },
			() => void take(),
		);
	void look();
	return {
		closeFunction: async () => {
			closed = true;
			stopListening();
			warnings.forget(context);
			// Another main process may take over and change what is stored, so what this process knows
			// can't be relied on any more.
			if (known !== undefined && subscriptionStore.get(context) === known)
				subscriptionStore.forget(context);
			return await Promise.resolve();
		},
	};
}
