import { sleep } from 'n8n-workflow';

import { fetchRecords, type Delivery } from '../../resources/webhook/deliveries';
import { buildCompletionKey, findCompletion } from '../../resources/webhook/completion';
import { streamEntries, streamListPages } from '../../transport/answers/pages';
import type { ServiceClient } from '../../transport/client';
import { asError, findFailure } from '../../transport/failure/failure';
import { isOfPlatform } from '../../transport/http/statuses';
import { normalizeId } from '../../values/ids';
import { asText } from '../../values/json';
import { toMilliseconds } from '../../values/times';
import { Emitter, isSelectedAndNew, type EventSearch } from '../delivery/filter';
import {
	hasCompletions,
	type ListedPlatform,
	toServiceTime,
	type TriggerState,
	triggerMemory,
} from '../memory';

/*
 * The safety net of webhooks: while there is none, e.g. because somebody has deleted it in the
 * service, the service tells nobody what happens. The transactions still show what was completed. Up to
 * when nothing can have been missed is noted; after a start of n8n, publishing, or a repair of the
 * webhook, what came since is looked for once.
 */

/** The platforms that list transactions. */
const PLATFORMS: readonly ListedPlatform[] = ['realEstate', 'business'];

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
const DELIVERY_MS = 5_000;

/**
 * Emits transactions that were completed since it was certain last that nothing was missed, and of
 * which no call came: the event log has no record of it, delivered or not. Only completions
 * count, because a transaction has only one: should the service deliver its event as well, it's passed
 * on once all the same. What can be seen of one platform is passed on, whatever the other one answers.
 * @param deliveryMs how long a delivery may be under way, in milliseconds
 * @throws ServiceFailure when a platform couldn't be asked; the next check looks again
 */
export async function emitMissedCompletions(search: EventSearch, deliveryMs = DELIVERY_MS) {
	const { context, settings, service, isClosed } = search;
	const { webhookId, unseen, seenUntil, beganAt = 0 } = triggerMemory.readState(context);
	if (webhookId === undefined || unseen === undefined || !hasCompletions(settings.events)) return;
	const now = toServiceTime(service);
	const since = Math.max(seenUntil ?? now, now - LONGEST_GAP_MS);
	const from = Math.max(since - MARGIN_MS, beganAt);
	const emitter = new Emitter({ ...search, handled: new Set() }, 'recovery');
	const failures: unknown[] = [];
	for (const platform of PLATFORMS) {
		try {
			const completed = await listCompleted(search, platform, from);
			if (completed.length === 0) continue;
			if (completed.some(({ delivery }) => parseTime(delivery) > now - deliveryMs))
				await sleep(deliveryMs);
			const records = await fetchRecords(service, webhookId, {
				ofTrigger: true,
				since: Math.min(...completed.map(({ createdAt }) => createdAt)),
				isNeeded: () => false,
			});
			const recorded = new Set(records.map(({ delivery }) => buildRecordKey(delivery)));
			const at = new Date(now).toISOString();
			for (const { delivery } of completed)
				if (!recorded.has(buildRecordKey(delivery))) await emitter.emit({ delivery, at });
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

const parseTime = ({ occurred }: Delivery) => toMilliseconds(occurred) ?? Infinity;

const buildRecordKey = ({ event, transactionId = '' }: Delivery) =>
	`${event} ${normalizeId(transactionId)}`;

/**
 * Lists the completions of a platform that are selected and that no run has claimed, the oldest first
 * (docs/service/transactions.md#filters-of-the-list), and when their transactions were created, in
 * milliseconds since 1970. Only what identifies them is kept. One may have been completed before it was
 * changed: since its creation, the event log may have a record of it.
 * @param since milliseconds since 1970
 * @returns none where the platform isn't for this account, which it has never answered
 * @throws ServiceFailure when the platform can't be asked
 */
async function listCompleted(search: EventSearch, platform: ListedPlatform, since: number) {
	const { context, settings, service } = search;
	const completed: Array<{ delivery: Delivery; createdAt: number }> = [];
	const query = { last_updated_date_start: new Date(since).toISOString() };
	const { answered: answeredPlatforms = [] } = triggerMemory.readState(context);
	try {
		const list = streamEntries(service, 'listTransactions', { platform, query });
		for await (const { id, status, date_created: createdAt, date_updated: updated } of list) {
			const event = findCompletion(status);
			const transactionId = asText(id);
			if (event === undefined || transactionId === undefined) continue;
			const delivery = {
				event,
				transactionId,
				data: { transaction_id: transactionId, status },
				key: buildCompletionKey(event, transactionId),
				occurred: asText(updated),
			};
			if (isSelectedAndNew(context, settings.events, delivery))
				completed.push({
					delivery,
					createdAt: Math.min(since, toMilliseconds(createdAt) ?? since),
				});
		}
	} catch (thrown) {
		if (answeredPlatforms.includes(platform) || !isRefused(thrown)) throw asError(thrown);
		return [];
	}
	return completed.sort((a, b) => parseTime(a.delivery) - parseTime(b.delivery));
}

/** Whether a platform refuses an account that it isn't for. */
const isRefused = (thrown: unknown) => isOfPlatform(findFailure(thrown)?.flags.httpStatus);

/**
 * Notes, when a workflow is published, which platforms answer its account: a later refusal of one of
 * them is an outage, and what happened there is looked for again.
 */
export async function recordPlatforms(service: ServiceClient, memory: TriggerState) {
	memory.answered = [];
	for (const platform of PLATFORMS) {
		const list = streamListPages(service, 'listTransactions', { platform, urgent: true }, 1);
		// What can't be asked at the moment may be ours.
		const isAnswered = await list.next().then(
			() => true,
			(thrown: unknown) => !isRefused(thrown),
		);
		if (isAnswered) memory.answered.push(platform);
	}
}
