import type { ITriggerFunctions } from 'n8n-workflow';

import type { SubscriptionMemory } from '../subscription/subscription';
import { subscriptionStore } from '../subscription/subscriptionStore';

/* Notes since when a published workflow may have had no webhook. */

/**
 * Notes that the webhook was checked. One that had to be repaired was missing or disabled since the
 * check before, so what happened in between is looked at afterwards.
 */
export function noteGap(context: ITriggerFunctions, wasRepaired: boolean): void {
	if (context.getNode().typeVersion < 2) return;
	const memory = subscriptionStore.get(context);
	const { checkedAt } = memory;
	if (wasRepaired && typeof checkedAt === 'number') memory.gapSince ??= checkedAt;
	memory.checkedAt = Date.now();
}

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published. After a longer time, somebody has stopped the workflow on purpose.
 */
export const MEANT_MS = 3_600_000;

/** Forgets a gap that was meant, before the workflow is published again. */
export function forgetOldGap(memory: SubscriptionMemory): void {
	const { gapSince } = memory;
	if (typeof gapSince === 'number' && Date.now() - gapSince > MEANT_MS) delete memory.gapSince;
}
