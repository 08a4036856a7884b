import { sleep, type ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../service/client';
import { asError, findFailure } from '../../service/errors/failure';
import { listEntries, listPages } from '../../service/pagination';
import { readRecords, type Delivery } from '../../service/resources/deliveries';
import { isChosen } from '../../service/resources/events';
import { listWebhooks } from '../../service/resources/webhooks';
import { plainId } from '../../service/values/ids';
import { asText } from '../../service/values/json';
import { readInstant } from '../../service/values/times';
import { confirm } from '../authenticity/confirmation';
import { COMPLETIONS, completionKey, completionOf } from '../events/completion';
import { isAwaited, pass } from '../events/gate';
import { RunsAtOnce } from '../events/runsAtOnce';
import type { TriggerParameters } from '../parameters';
import type { ListedPlatform, SubscriptionMemory } from '../subscription/memory';
import { subscriptionStore } from '../subscription/subscriptionStore';
import { warn } from '../warnings';
import { LONGEST_GAP_MS, MARGIN_MS } from './gap';

/*
 * The safety net of webhooks: while there is none, e.g. because somebody has deleted it in the
 * service, the service tells nobody what happens. The transactions still show what was completed.
 */

const PLATFORMS: readonly ListedPlatform[] = ['realEstate', 'business'];

/** A time without a webhook. */
interface Gap {
	/** When it began, in milliseconds since 1970 by this machine's clock. */
	since: number;
	/** A client whose credential is opened already. */
	service?: ServiceClient;
	/** Milliseconds since 1970. */
	now?: number;
	/** Whether the workflow was unpublished meanwhile. */
	isClosed?: () => boolean;
	/** How long a delivery may be under way, in milliseconds. */
	underWayMs?: number;
}

/**
 * How long a completion is left to its delivery, in milliseconds. The service records a delivery once
 * it's answered, which takes n8n a second or two when it's busy.
 */
const UNDER_WAY_MS = 5_000;

/**
 * Emits transactions that were completed in a gap and of which the webhook never heard: the event log
 * has no record of it, delivered or not. Only completions count, because a transaction has only one:
 * should the service deliver its event as well, it's passed on once all the same.
 * @returns how many were emitted, and whether it's done: all of them could be confirmed
 * @throws ServiceFailure; the look can be made again
 */
export async function emitMissedCompletions(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	{ since, service: given, now = Date.now(), isClosed, underWayMs = UNDER_WAY_MS }: Gap,
): Promise<{ emitted: number; isDone: boolean }> {
	const memory = subscriptionStore.get(context);
	const { webhookId } = memory;
	const isLookedFor = COMPLETIONS.some((event) => isChosen(event, settings.events));
	if (!isLookedFor || since < now - LONGEST_GAP_MS || webhookId === undefined)
		return { emitted: 0, isDone: true };
	const service = given ?? (await createService(context));
	// Updates have times of the service's clock, which any answer shows.
	if (service.latestServiceTime(now) === undefined) await listWebhooks(service);
	const from = (service.latestServiceTime(since) ?? since) - MARGIN_MS;
	const settled = (service.latestServiceTime(now) ?? now) - underWayMs;
	const completed = await listCompleted(service, settings, memory, from);
	const unheardOf = async (deliveries: Delivery[]): Promise<Delivery[]> => {
		const awaited = deliveries.filter((delivery) => isAwaited(context, settings, delivery));
		const heard = awaited.length === 0 ? NONE : await readHeard(service, webhookId, from);
		return awaited.filter(({ event, transactionId }) => !heard.has(heardAs(event, transactionId)));
	};
	const runs = new RunsAtOnce();
	const done = { emitted: 0, isDone: true };
	const emit = async (deliveries: Delivery[]): Promise<void> => {
		for (const delivery of deliveries) {
			const arrival = { by: 'recovery' as const, at: new Date().toISOString() };
			const ask = async () => await confirm(service, delivery, { authentic: true });
			const passage = await pass(context, settings, delivery, arrival, ask);
			if (passage.kind === 'later') done.isDone = false;
			if (passage.kind !== 'passed') continue;
			await runs.turn();
			if (isClosed?.() === true) return;
			runs.start(context, service.hide(passage.item), delivery.key, () =>
				warn(
					context,
					`n8n couldn't store the execution for the completed transaction ${delivery.transactionId}`,
				),
			);
			done.emitted += 1;
		}
	};
	const isUnderWay = ({ occurred }: Delivery) => (readInstant(occurred) ?? Infinity) > settled;
	const unheard = await unheardOf(completed);
	await emit(unheard.filter((each) => !isUnderWay(each)));
	const underWay = unheard.filter(isUnderWay);
	if (underWay.length > 0) {
		await sleep(underWayMs);
		if (isClosed?.() !== true) await emit(await unheardOf(underWay));
	}
	return done;
}

const NONE: ReadonlySet<string> = new Set();
const heardAs = (event: string, transactionId = '') => `${event} ${plainId(transactionId)}`;

/** The events that the event log has a record of, with their transactions. */
async function readHeard(
	service: ServiceClient,
	webhookId: string,
	since: number,
): Promise<ReadonlySet<string>> {
	const { records } = await readRecords(service, webhookId, { since });
	return new Set(
		records.map(({ delivery: { event, transactionId } }) => heardAs(event, transactionId)),
	);
}

/**
 * Lists the completions that are selected, of all platforms of the account, the oldest first
 * (docs/service/transactions.md#filters-of-the-list). Only what identifies them is kept.
 * @param since milliseconds since 1970
 * @throws ServiceFailure when a platform can't be asked, also one that refuses the key now and didn't
 *   when the workflow was published
 */
async function listCompleted(
	service: ServiceClient,
	{ events }: TriggerParameters,
	{ notOurs = [] }: SubscriptionMemory,
	since: number,
): Promise<Delivery[]> {
	const found = new Map<string, Delivery>();
	const query = { last_updated_date_start: new Date(since).toISOString() };
	for (const platform of PLATFORMS) {
		const list = listEntries(service, 'listTransactions', { platform, query });
		try {
			for await (const { id, status, date_updated: updated } of list) {
				const event = completionOf(status);
				const transactionId = asText(id);
				if (event === undefined || transactionId === undefined || !isChosen(event, events))
					continue;
				const key = completionKey(event, transactionId);
				const occurred = asText(updated);
				const data = { transaction_id: transactionId, status };
				found.set(key, {
					event,
					transactionId,
					data,
					key,
					...(occurred !== undefined && { occurred }),
				});
			}
		} catch (thrown) {
			if (!notOurs.includes(platform) || !isRefused(thrown)) throw asError(thrown);
		}
	}
	const time = ({ occurred }: Delivery) => readInstant(occurred) ?? Infinity;
	return [...found.values()].sort((one, other) => time(one) - time(other));
}

/** Statuses with which a platform refuses an account that it isn't for. */
const NOT_FOR_THIS_ACCOUNT = new Set<number | undefined>([401, 403, 404]);

const isRefused = (thrown: unknown) =>
	NOT_FOR_THIS_ACCOUNT.has(findFailure(thrown)?.flags.httpStatus);

/**
 * Notes, when a workflow is published, which platforms aren't for its account: a later refusal of
 * another one is an outage, and what happened there is looked for again.
 */
export async function notePlatforms(
	service: ServiceClient,
	memory: SubscriptionMemory,
): Promise<void> {
	const refusals = await Promise.all(
		PLATFORMS.map(async (platform) => {
			try {
				await listPages(service, 'listTransactions', { platform, impatient: true }, 1).next();
				return false;
			} catch (thrown) {
				// What can't be asked may be ours.
				return isRefused(thrown);
			}
		}),
	);
	memory.notOurs = PLATFORMS.filter((_platform, index) => refusals[index]);
}
