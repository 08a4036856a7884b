import { COMPLETIONS } from '../resources/webhook/completion';
import { isChosen } from '../resources/webhook/events';
import type { ServiceClient } from '../transport/client';
import type { SubscriptionMemory } from './memory';

/*
 * Since when something may have been missed, and when events came from where. All of these times are of
 * the service's clock.
 */

/**
 * Older events are not picked up. The service tries to deliver for 48 hours
 * (docs/service/webhooks.md#retries), and n8n forgets after 14 days, unless configured otherwise,
 * which runs it has had.
 */
export const LONGEST_MS = 7 * 24 * 3_600_000;

/**
 * How long after unpublishing the time in between counts as a gap, as when a changed trigger is
 * published, in milliseconds. After a longer time, somebody has stopped the workflow on purpose.
 */
const MEANT_MS = 3_600_000;

/** How exactly the service's clock is known, in milliseconds: answers tell it in whole seconds. */
const CLOCK_MS = 2_000;

/** The time of the service's clock, or of this machine's as long as no answer has shown that. */
export const serviceTime = (service: ServiceClient, now = Date.now()) => now + service.mostAheadMs;

/** Whether completions are among some events. */
export const hasCompletions = (events: readonly string[]): boolean =>
	COMPLETIONS.some((event) => isChosen(event, events));

/** Notes that something may have been missed since it was certain last that nothing was. */
export function noteGap(memory: SubscriptionMemory): void {
	if (memory.seenUntil !== undefined)
		memory.unseen = Math.max(Date.now(), (memory.unseen ?? 0) + 1);
}

/** Notes that nothing was missed up to now, except where a gap has to be looked at. */
export function noteSeen(memory: SubscriptionMemory, now: number): void {
	if (memory.unseen === undefined) memory.seenUntil = now;
}

/**
 * Notes that the workflow is published, or that n8n has started it, and where its events come from from
 * now on.
 * @param pull whether they come from the event log instead of the calls
 */
export function notePublished(
	service: ServiceClient,
	memory: SubscriptionMemory,
	pull: boolean,
): void {
	const { unpublishedAt, seenUntil } = memory;
	// Calls since the workflow was unpublished were answered as the new source wants it.
	noteSource(memory, pull, serviceTime(service, unpublishedAt));
	const wasStopped = unpublishedAt !== undefined && Date.now() - unpublishedAt > MEANT_MS;
	if (wasStopped || seenUntil === undefined) {
		const now = serviceTime(service);
		Object.assign(memory, { beganAt: now - CLOCK_MS, seenUntil: now });
		delete memory.unseen;
	} else noteGap(memory);
	delete memory.unpublishedAt;
}

function noteSource(memory: SubscriptionMemory, pull: boolean, now: number): void {
	const pulled = (memory.pulled ?? []).filter(({ to = now }) => to > now - LONGEST_MS);
	const last = pulled.at(-1);
	const isPulling = last !== undefined && last.to === undefined;
	if (pull && !isPulling) pulled.push({ from: now });
	if (!pull && isPulling) last.to = now;
	memory.pulled = pulled;
}
