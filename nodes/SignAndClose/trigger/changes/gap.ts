import type { SubscriptionMemory } from '../subscription/memory';

/* Notes since when a published workflow may have had no webhook. */

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published, in milliseconds. After a longer time, somebody has stopped the workflow on purpose.
 */
const MEANT_MS = 3_600_000;

/** Whether a workflow was unpublished a moment ago, and not to stop it. */
export function isRecent(unpublishedAt: number | undefined): boolean {
	return unpublishedAt !== undefined && Date.now() - unpublishedAt < MEANT_MS;
}

/**
 * Notes that the webhook was checked. One that had to be repaired was missing or disabled since the
 * check before, so what happened in between is looked at afterwards.
 */
export function noteCheck(memory: SubscriptionMemory, wasRepaired: boolean): void {
	const { checkedAt } = memory;
	if (wasRepaired && checkedAt !== undefined) memory.gapSince ??= checkedAt;
	memory.checkedAt = Date.now();
}

/** Notes that the workflow is published, and what was a gap until then. */
export function notePublished(memory: SubscriptionMemory): void {
	const { unpublishedAt } = memory;
	if (isRecent(unpublishedAt)) memory.gapSince ??= unpublishedAt;
	else if (unpublishedAt !== undefined) delete memory.gapSince;
	delete memory.unpublishedAt;
}
