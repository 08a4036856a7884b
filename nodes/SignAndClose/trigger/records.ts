import type { ITriggerFunctions } from 'n8n-workflow';

import { createService } from '../service/client';
import { readRecords } from '../service/deliveries';
import { isChosen } from '../service/events';
import { confirm } from './confirm';
import { chosenEvents } from './lifecycle';
import { recall } from './memories';
import { toItem } from './output';
import { isWanted } from './receive';
import { readTriggerSettings } from './settings';
import type { SubscriptionMemory } from './subscription';

/** Events out of the records that the service keeps of its deliveries (interface.md §6, Get Webhook Events). */

/** Deliveries are unordered (gaps.md §2): the records just before the newest one known are looked at again. */
const OVERLAP_MS = 3_600_000;

/**
 * Emits what the calls have missed, or in pull mode everything; each event once, by the key under which n8n stores its run.
 * @param handled keys this process has emitted already; what can't be confirmed at the moment is left for the next tick
 */
export async function emitRecorded(context: ITriggerFunctions, handled: Set<string>): Promise<number> {
	const settings = readTriggerSettings(context);
	const memory = context.getWorkflowStaticData('node') as SubscriptionMemory;
	const { recordsUntil } = memory;
	const { webhookId } = recall(context);
	if (webhookId === undefined) return 0;
	const from = settings.pull && recordsUntil !== undefined ? Date.parse(recordsUntil) - OVERLAP_MS : Number.NEGATIVE_INFINITY;
	const service = await createService(context);
	const chosen = chosenEvents(context);
	let emitted = 0;
	let left = false;
	for (const recorded of await readRecords(service, webhookId)) {
		const { delivery, arrived } = recorded;
		if (Date.parse(recorded.at) < from) continue;
		if (handled.has(delivery.key) || !isChosen(delivery.event, chosen) || (arrived && !settings.pull)) continue;
		const confirmation = settings.confirm ? await confirm(service, delivery) : undefined;
		if (confirmation?.kind === 'later') {
			left = true;
			continue;
		}
		handled.add(delivery.key);
		if (confirmation !== undefined && !isWanted(confirmation, settings)) continue;
		// n8n stores what the node remembers with each emit: a restart goes on from there.
		if (settings.pull && !left) memory.recordsUntil = recorded.at;
		const item = toItem(delivery, { by: settings.pull ? 'pull' : 'recovery', at: recorded.at }, confirmation, settings.simplify);
		context.emit([[{ json: item }]], undefined, undefined, `signAndClose:${context.getWorkflow().id}:${context.getNode().id}:${delivery.key}`);
		emitted += 1;
	}
	return emitted;
}
