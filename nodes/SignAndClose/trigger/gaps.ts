import { sleep, type ITriggerFunctions } from 'n8n-workflow';

import { fetchRecords, type Delivery } from '../resources/webhook/deliveries';
import { isChosen } from '../resources/webhook/events';
import { completionKey, completionOf, COMPLETIONS } from '../resources/webhook/completion';
import { listEntries, listPages } from '../transport/answers/pages';
import type { ServiceClient } from '../transport/client';
import { asError, findFailure } from '../transport/failure/failure';
import { isOfPlatform } from '../transport/http/statuses';
import { plainId } from '../values/ids';
import { asText } from '../values/json';
import { toMilliseconds } from '../values/times';
import { Emitter, isAwaited } from './gate';
import { type ListedPlatform, type SubscriptionMemory, triggerMemory } from './memory';
import type { TriggerParameters } from './parameters';

/*
 * The safety net of webhooks: while there is none, e.g. because somebody has deleted it in the
 * service, the service tells nobody what happens. The transactions still show what was completed. Up to
 * when nothing can have been missed is noted for each platform; after a start of n8n, publishing, or a
 * repair of the webhook, what came since is looked for once.
 */

/** The platforms that list transactions. */
const PLATFORMS: readonly ListedPlatform[] = ['realEstate', 'business'];

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

/** Notes that the workflow is published, or that n8n has started it. */
export function notePublished(memory: SubscriptionMemory, now: number): void {
	const { unpublishedAt } = memory;
	const wasStopped = unpublishedAt !== undefined && Date.now() - unpublishedAt > MEANT_MS;
	if (wasStopped || memory.seenUntil === undefined) {
		Object.assign(memory, { beganAt: now - CLOCK_MS, seenUntil: now });
		delete memory.unseen;
	} else noteGap(memory);
	delete memory.unpublishedAt;
}

/**
 * The longest gap that is looked at, in milliseconds. n8n saves what a check has noted only when an
 * event is emitted, so a quiet trigger would look far back at each start of n8n.
 */
const LONGEST_GAP_MS = 48 * 3_600_000;
/**
 * A list may lag behind what it shows later, in milliseconds. What is seen twice because of this is
 * passed on once, because of its key.
 */
const MARGIN_MS = 120_000;
/**
 * How long a completion is left to its delivery, in milliseconds. The service records a delivery once
 * it's answered, which takes n8n a second or two when it's busy.
 */
const UNDER_WAY_MS = 5_000;

/**
 * Emits transactions that were completed since it was certain last that nothing was missed, and of
 * which no call came: the event log has no record of it, delivered or not. Only completions
 * count, because a transaction has only one: should the service deliver its event as well, it's passed
 * on once all the same. What can be seen of one platform is passed on, whatever the other one answers.
 * @param isClosed whether the workflow was unpublished meanwhile
 * @param underWayMs how long a delivery may be under way, in milliseconds
 * @throws ServiceFailure when a platform couldn't be asked; the next check looks again
 */
export async function emitMissedCompletions(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	service: ServiceClient,
	isClosed = () => false,
	underWayMs = UNDER_WAY_MS,
): Promise<void> {
	const { webhookId, unseen, seenUntil, beganAt = 0 } = triggerMemory.read(context);
	if (webhookId === undefined || unseen === undefined || !hasCompletions(settings.events)) return;
	const now = serviceTime(service);
	const since = Math.max(seenUntil ?? now, now - LONGEST_GAP_MS);
	const from = Math.max(since - MARGIN_MS, beganAt);
	const emitter = new Emitter(context, settings, service, 'recovery', isClosed);
	const failures: unknown[] = [];
	for (const platform of PLATFORMS) {
		try {
			const completed = await listCompleted(context, settings, service, platform, from);
			if (completed.some(({ delivery }) => timeOf(delivery) > now - underWayMs))
				await sleep(underWayMs);
			const oldest = Math.min(...completed.map(({ created }) => created));
			const recorded = completed.length > 0 && (await fetchRecorded(service, webhookId, oldest));
			const at = new Date(now).toISOString();
			for (const { delivery } of completed)
				if (recorded && !recorded.has(recordedAs(delivery))) await emitter.emit({ delivery, at });
		} catch (thrown) {
			failures.push(thrown);
		}
	}
	if (failures.length > 0) throw asError(failures[0]);
	if (emitter.left.size > 0 || isClosed()) return;
	triggerMemory.update(context, (memory) => {
		// Unless a check has found the webhook missing once more meanwhile.
		if (memory.unseen !== unseen) return;
		delete memory.unseen;
		memory.seenUntil = now;
	});
}

const timeOf = ({ occurred }: Delivery) => toMilliseconds(occurred) ?? Infinity;

const recordedAs = ({ event, transactionId = '' }: Delivery) =>
	`${event} ${plainId(transactionId)}`;

/** The events that the event log has a record of, with their transactions. */
async function fetchRecorded(
	service: ServiceClient,
	webhookId: string,
	since: number,
): Promise<ReadonlySet<string>> {
	const records = await fetchRecords(service, webhookId, {
		ofTrigger: true,
		since,
		isNeeded: () => false,
	});
	return new Set(records.map(({ delivery }) => recordedAs(delivery)));
}

/** A completion, and when its transaction was created, in milliseconds since 1970. */
interface Completed {
	delivery: Delivery;
	created: number;
}

/**
 * Lists the completions of a platform that are selected and that no run has claimed, the oldest first
 * (docs/service/transactions.md#filters-of-the-list). Only what identifies them is kept. One may have
 * been completed before it was changed: since its creation, the event log may have a record of it.
 * @param since milliseconds since 1970
 * @returns none where the platform isn't for this account, which it has never answered
 * @throws ServiceFailure when the platform can't be asked
 */
async function listCompleted(
	context: ITriggerFunctions,
	{ events }: TriggerParameters,
	service: ServiceClient,
	platform: ListedPlatform,
	since: number,
): Promise<Completed[]> {
	const completed: Completed[] = [];
	const query = { last_updated_date_start: new Date(since).toISOString() };
	const { answered = [] } = triggerMemory.read(context);
	try {
		const list = listEntries(service, 'listTransactions', { platform, query });
		for await (const { id, status, date_created: created, date_updated: updated } of list) {
			const event = completionOf(status);
			const transactionId = asText(id);
			if (event === undefined || transactionId === undefined) continue;
			const delivery = {
				event,
				transactionId,
				data: { transaction_id: transactionId, status },
				key: completionKey(event, transactionId),
				occurred: asText(updated),
			};
			if (isAwaited(context, events, delivery))
				completed.push({ delivery, created: Math.min(since, toMilliseconds(created) ?? since) });
		}
	} catch (thrown) {
		if (answered.includes(platform) || !isRefused(thrown)) throw asError(thrown);
		return [];
	}
	return completed.sort((one, other) => timeOf(one.delivery) - timeOf(other.delivery));
}

/** Whether a platform refuses an account that it isn't for. */
const isRefused = (thrown: unknown) => isOfPlatform(findFailure(thrown)?.flags.httpStatus);

/**
 * Notes, when a workflow is published, which platforms answer its account: a later refusal of one of
 * them is an outage, and what happened there is looked for again.
 */
export async function noteAnswered(
	service: ServiceClient,
	memory: SubscriptionMemory,
): Promise<void> {
	memory.answered = [];
	for (const platform of PLATFORMS) {
		const list = listPages(service, 'listTransactions', { platform, impatient: true }, 1);
		// What can't be asked at the moment may be ours.
		const isAnswered = await list.next().then(
			() => true,
			(thrown: unknown) => !isRefused(thrown),
		);
		if (isAnswered) memory.answered.push(platform);
	}
}
