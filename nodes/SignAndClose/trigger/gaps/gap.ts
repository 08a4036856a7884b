import type { ServiceClient } from '../../service/client';
import type { ListedPlatform, SubscriptionMemory } from '../subscription/memory';

/*
 * Notes up to when nothing can have been missed. After a start of n8n, publishing, or a repair of the
 * webhook, what came since is looked for once (completions.ts).
 */

/** The platforms that list transactions. */
export const PLATFORMS: readonly ListedPlatform[] = ['realEstate', 'business'];

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published, in milliseconds. After a longer time, somebody has stopped the workflow on purpose.
 */
const MEANT_MS = 3_600_000;

/** The time of the service's clock, or of this machine's as long as no answer has shown that. */
export const serviceTime = (service: ServiceClient, now = Date.now()) =>
	service.latestServiceTime(now) ?? now;

/** Notes that something may have been missed since it was certain last that nothing was. */
export function noteGap(memory: SubscriptionMemory): void {
	for (const platform of PLATFORMS)
		if (memory.seenUntil?.[platform] !== undefined) {
			const before = memory.unseen?.[platform] ?? 0;
			memory.unseen = { ...memory.unseen, [platform]: Math.max(Date.now(), before + 1) };
		}
}

/** Notes that nothing was missed up to now, except where a gap has to be looked at. */
export function noteSeen(memory: SubscriptionMemory, now: number): void {
	for (const platform of PLATFORMS)
		if (memory.unseen?.[platform] === undefined)
			memory.seenUntil = { ...memory.seenUntil, [platform]: now };
}

/** Notes that the workflow is published, or that n8n has started it. */
export function notePublished(memory: SubscriptionMemory, now: number): void {
	const { unpublishedAt } = memory;
	if (unpublishedAt !== undefined && Date.now() - unpublishedAt > MEANT_MS) {
		delete memory.seenUntil;
		delete memory.unseen;
	}
	noteGap(memory);
	noteSeen(memory, now);
	delete memory.unpublishedAt;
}
