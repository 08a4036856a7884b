import { sleep, type ITriggerFunctions } from 'n8n-workflow';

import { fetchRecords, type Delivery } from '../resources/webhook/deliveries';
import { isChosen } from '../resources/webhook/events';
import { completionKey, completionOf, COMPLETIONS } from '../resources/webhook/eventStates';
import { listEntries, listPages } from '../transport/answers/pages';
import type { ServiceClient } from '../transport/client';
import { asError, findFailure } from '../transport/failure/failure';
import { plainId } from '../values/ids';
import { asText } from '../values/json';
import { readInstant } from '../values/times';
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
export const serviceTime = (service: ServiceClient, now = Date.now()) =>
	service.latestServiceTime(now) ?? now;

/** Whether completions are among some events. */
export const hasCompletions = (events: readonly string[]): boolean =>
	COMPLETIONS.some((event) => isChosen(event, events));

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
	if (memory.seenUntil === undefined) memory.beganAt = now - CLOCK_MS;
	noteGap(memory);
	noteSeen(memory, now);
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
 * @throws ServiceFailure when a platform couldn't be asked; the next check looks there again
 */
export async function emitMissedCompletions(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	service: ServiceClient,
	isClosed = () => false,
	underWayMs = UNDER_WAY_MS,
): Promise<void> {
	const { webhookId, unseen, seenUntil, beganAt = 0 } = triggerMemory.read(context);
	const failures: unknown[] = [];
	for (const platform of PLATFORMS) {
		const notedAt = unseen?.[platform];
		if (webhookId === undefined || notedAt === undefined) continue;
		const now = serviceTime(service);
		const since = Math.max(seenUntil?.[platform] ?? now, now - LONGEST_GAP_MS);
		const from = Math.max(since - MARGIN_MS, beganAt);
		const emitter = new Emitter(context, settings, service, 'recovery', isClosed);
		try {
			const { completed, recordedSince } = await listCompleted(
				context,
				settings,
				service,
				platform,
				from,
			);
			const isUnderWay = ({ occurred }: Delivery) =>
				(readInstant(occurred) ?? Infinity) > now - underWayMs;
			for (const waits of [false, true]) {
				const round = completed.filter((each) => isUnderWay(each) === waits);
				if (round.length === 0) continue;
				if (waits) await sleep(underWayMs);
				const recorded = await fetchRecorded(service, webhookId, recordedSince);
				const at = new Date(now).toISOString();
				for (const delivery of round)
					if (!recorded.has(recordedAs(delivery))) await emitter.emit({ delivery, at });
			}
		} catch (thrown) {
			failures.push(thrown);
			continue;
		}
		if (emitter.left.size > 0 || isClosed()) continue;
		triggerMemory.update(context, (memory) => {
			// Unless a check has found the webhook missing once more meanwhile.
			if (memory.unseen?.[platform] !== notedAt) return;
			memory.unseen = { ...memory.unseen, [platform]: undefined };
			memory.seenUntil = { ...memory.seenUntil, [platform]: now };
		});
	}
	if (failures.length > 0) throw asError(failures[0]);
}

const recordedAs = ({ event, transactionId = '' }: Delivery) =>
	`${event} ${plainId(transactionId)}`;

/** The events that the event log has a record of, with their transactions. */
async function fetchRecorded(
	service: ServiceClient,
	webhookId: string,
	since: number,
): Promise<ReadonlySet<string>> {
	const { records } = await fetchRecords(service, webhookId, { since, isNeeded: () => false });
	return new Set(records.map(({ delivery }) => recordedAs(delivery)));
}

/**
 * Lists the completions of a platform that are selected and that no run has claimed, the oldest first
 * (docs/service/transactions.md#filters-of-the-list). Only what identifies them is kept.
 * @param since milliseconds since 1970
 * @returns none where the platform isn't for this account, which it has never answered; and since when
 *   the event log may have a record of one, which may have been completed before it was changed
 * @throws ServiceFailure when the platform can't be asked
 */
async function listCompleted(
	context: ITriggerFunctions,
	{ events }: TriggerParameters,
	service: ServiceClient,
	platform: ListedPlatform,
	since: number,
): Promise<{ completed: Delivery[]; recordedSince: number }> {
	const completed: Delivery[] = [];
	let recordedSince = since;
	const query = { last_updated_date_start: new Date(since).toISOString() };
	const { answered = [] } = triggerMemory.read(context);
	try {
		if (!hasCompletions(events)) return { completed, recordedSince };
		const list = listEntries(service, 'listTransactions', { platform, query });
		for await (const { id, status, date_created: created, date_updated: updated } of list) {
			const event = completionOf(status);
			const transactionId = asText(id);
			if (event === undefined || transactionId === undefined) continue;
			const key = completionKey(event, transactionId);
			const occurred = asText(updated);
			const data = { transaction_id: transactionId, status };
			const delivery = {
				event,
				transactionId,
				data,
				key,
				...(occurred !== undefined && { occurred }),
			};
			if (!isAwaited(context, events, delivery)) continue;
			completed.push(delivery);
			recordedSince = Math.min(recordedSince, readInstant(created) ?? since);
		}
	} catch (thrown) {
		if (!isRefused(thrown) || answered.includes(platform)) throw asError(thrown);
	}
	const time = ({ occurred }: Delivery) => readInstant(occurred) ?? Infinity;
	completed.sort((one, other) => time(one) - time(other));
	return { completed, recordedSince };
}

/** Statuses with which a platform refuses an account that it isn't for. */
const NOT_FOR_THIS_ACCOUNT = new Set<number | undefined>([401, 403, 404]);

const isRefused = (thrown: unknown) =>
	NOT_FOR_THIS_ACCOUNT.has(findFailure(thrown)?.flags.httpStatus);

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
		try {
			await listPages(service, 'listTransactions', { platform, impatient: true }, 1).next();
		} catch (thrown) {
			// What can't be asked at the moment may be ours.
			if (isRefused(thrown)) continue;
		}
		memory.answered.push(platform);
	}
}
