import type { SubscriptionMemory } from '../subscription/memory';

/* Notes since when a published workflow may have had no webhook. */

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published, in milliseconds. After a longer time, somebody has stopped the workflow on purpose.
 */
const MEANT_MS = 3_600_000;
/**
 * The longest gap that is looked at, in milliseconds. n8n doesn't save that an older one was looked at
 * already, unless something is emitted afterwards.
 */
export const LONGEST_GAP_MS = 48 * 3_600_000;
/**
 * A list may lag behind what it shows later, in milliseconds. What is seen twice because of this is
 * passed on once, because of its key.
 */
export const MARGIN_MS = 120_000;

/**
 * Notes that the webhook was checked. One that had to be repaired was missing or disabled since the
 * check before, so what happened in between is looked at afterwards.
 */
export function noteCheck(memory: SubscriptionMemory, wasRepaired: boolean): void {
	if (wasRepaired) noteMissing(memory);
	memory.checkedAt = Date.now();
}

/**
 * Notes that the webhook was missing, disabled or changed. The last check that n8n has stored may have
 * been some time before that, e.g. when the workflow was published. What was passed on since then is
 * known by its key.
 */
export function noteMissing(memory: SubscriptionMemory): void {
	openGap(memory, memory.checkedAt);
}

/** Notes when a gap began, unless one is noted that can still be looked at. */
function openGap(memory: SubscriptionMemory, since: number | undefined): void {
	// An hour less, in which a look that fails is repeated.
	const earliest = Date.now() - LONGEST_GAP_MS + 3_600_000;
	if (memory.gapSince !== undefined && memory.gapSince < earliest) delete memory.gapSince;
	if (since !== undefined) memory.gapSince ??= Math.max(since, earliest);
}

/** Notes that the workflow is published, and what was a gap until then. */
export function notePublished(memory: SubscriptionMemory): void {
	const { unpublishedAt } = memory;
	if (unpublishedAt !== undefined) {
		if (Date.now() - unpublishedAt < MEANT_MS) openGap(memory, unpublishedAt);
		else delete memory.gapSince;
	}
	delete memory.unpublishedAt;
	memory.checkedAt = Date.now();
}
