import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { quietly, tend } from './lifecycle';
import { emitRecorded } from './records';
import { readTriggerSettings } from './settings';
import { onWake } from './wake';

/** How often a published subscription is looked after, and missed deliveries are picked up. */
const CHECK_EXPRESSION = '0 */15 * * * *';
/** How often the event records are read in pull mode, when no call has woken the node before. */
const PULL_EXPRESSION = '*/20 * * * * *';

/**
 * What the leader does while the workflow is published: the first look comes right away, the others by the clock. One look after the other; a call that comes
 * meanwhile starts another one afterwards.
 */
export function lookAfter(context: ITriggerFunctions): ITriggerResponse {
	const handled = new Set<string>();
	const { pull } = readTriggerSettings(context);
	let closed = false;
	let running = false;
	let again = false;
	const take = async (): Promise<void> => {
		if (running) {
			again = true;
			return;
		}
		running = true;
		try {
			do {
				again = false;
				if (!closed) await quietly(context, 'read the event records of its webhook', async () => void (await emitRecorded(context, handled)));
			} while (again && !closed);
		} finally {
			running = false;
		}
	};
	const look = async (): Promise<void> => {
		if (closed) return;
		await tend(context);
		await take();
	};
	const endWake = onWake(context.getWorkflow().id, context.getNode().id, () => void take());
	context.helpers.registerCron({ expression: CHECK_EXPRESSION }, () => void look());
	if (pull) context.helpers.registerCron({ expression: PULL_EXPRESSION }, () => void take());
	void look();
	return {
		closeFunction: async () => {
			closed = true;
			endWake();
			return await Promise.resolve();
		},
	};
}
