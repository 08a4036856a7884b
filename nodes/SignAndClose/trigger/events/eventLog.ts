import type { ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../service/client';
import { asFailure, findFailure } from '../../service/errors/failure';
import { readRecords, type RecordedDelivery } from '../../service/resources/deliveries';
import { isChosen } from '../../service/resources/events';
import { confirm } from '../authenticity/confirmation';
import type { TriggerParameters } from '../parameters';
import type { SubscriptionMemory } from '../subscription/memory';
import { storedMemory, subscriptionStore } from '../subscription/subscriptionStore';
import { NOT_ASKED } from '../subscription/webhookCalls';
import { cutOffEvents } from './cutOff';
import { isAwaited, pass, type Passage } from './gate';
import { RunsAtOnce } from './runsAtOnce';

/*
 * Reads and emits events from the service's event records
 * (docs/service/webhooks.md#find-failed-deliveries).
 */

/**
 * Deliveries are unordered (docs/service/webhooks.md#retries), so the hour before the newest known
 * record is read again.
 */
const OVERLAP_MS = 3_600_000;
/**
 * Older events are not picked up. The service tries to deliver for 48 hours
 * (docs/service/webhooks.md#retries), and n8n forgets after 14 days, unless configured otherwise,
 * which runs it has had.
 */
const LONGEST_MS = 7 * 24 * 3_600_000;
/**
 * How many undelivered events are kept while the workflow isn't published. More would be too much
 * for n8n's static data.
 */
const MOST_KEPT = 500;

/**
 * After how many refusals of the key in a row a check asks no further questions. One alone may be
 * about its transaction, and must not keep back the other events.
 */
const MOST_REFUSALS = 20;

/** What a check of the event records may work with. */
interface Check {
	/** A client whose credential is opened already. */
	service?: ServiceClient;
	/** Whether the workflow was unpublished meanwhile. */
	isClosed?: () => boolean;
}

/**
 * Emits the events that no delivery has brought, or in pull mode all events. Each is emitted once:
 * n8n stores only one run for a deduplication key. Events that can't be confirmed at the moment are
 * left for the next check.
 * @param handled keys that this process has emitted already
 * @returns how many events were emitted
 * @throws ServiceFailure when the records can't be read
 */
export async function emitRecorded(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	handled: Set<string>,
	{ isClosed = () => false, ...given }: Check = {},
): Promise<number> {
	const memory = storedMemory(context);
	const known = subscriptionStore.get(context);
	if (known.webhookId === undefined) return 0;
	const service = given.service ?? (await createService(context));
	const { records } = await readRecords(service, known.webhookId, { since: sinceWhen(memory) });
	const kept = (known.undelivered ?? []).filter(
		({ at }) => !(Date.parse(at) < Date.now() - LONGEST_MS),
	);
	const cutOff = cutOffEvents.among(context, records, (ms) => service.latestServiceTime(ms));
	const runs = new RunsAtOnce();
	let emitted = 0;
	let refusals = 0;
	const left = new Set<RecordedDelivery>();
	const isCutOff = ({ arrived, delivery }: RecordedDelivery) => arrived && cutOff.has(delivery.key);
	for (const recorded of [...kept, ...inOrder(records, isCutOff, settings)]) {
		const { delivery, at } = recorded;
		if (handled.has(delivery.key) || !isAwaited(context, settings, delivery)) continue;
		const again = isCutOff(recorded);
		if (!isMissed(recorded, settings, again)) continue;
		const by = settings.pull ? ('pull' as const) : ('recovery' as const);
		const passage: Passage =
			refusals >= MOST_REFUSALS
				? { kind: 'later', refused: true }
				: await pass(
						context,
						settings,
						delivery,
						{ by, at, ...(again && { again }) },
						async () => await confirm(service, delivery, { authentic: true, at }),
					);
		refusals = passage.kind === 'later' && passage.refused ? refusals + 1 : 0;
		if (passage.kind === 'later') {
			left.add(recorded);
			continue;
		}
		handled.add(delivery.key);
		if (passage.kind === 'dropped') continue;
		await runs.turn();
		if (isClosed()) {
			handled.delete(delivery.key);
			left.add(recorded);
			break;
		}
		// n8n stores the static data with each emit, so a restart continues from here.
		if (settings.pull && left.size === 0 && at !== '') memory.recordsUntil = at;
		// When n8n couldn't store the run, which it says later, the next check tries again.
		const refused = () => {
			handled.delete(delivery.key);
			left.add(recorded);
			for (const each of [memory, known])
				if (at !== '' && at < (each.recordsUntil ?? '')) each.recordsUntil = at;
		};
		// In pull mode, n8n may have stored the execution that was cut off under the key of the event.
		const key = again ? `${delivery.key}:again` : delivery.key;
		runs.start(context, service.hide(passage.item), key, refused);
		emitted += 1;
	}
	if (isClosed()) return emitted;
	const until = boundOf(records, left);
	for (const each of [memory, known]) {
		if (until !== undefined) each.recordsUntil = until;
		if (each.undelivered !== undefined)
			each.undelivered = kept.filter((recorded) => left.has(recorded));
	}
	forgetOld(handled, [...kept, ...records]);
	return emitted;
}

/**
 * Reads the events that a webhook hasn't delivered, before it is removed with its records.
 * @param webhookId of the webhook; by default the one of the subscription
 * @param impatient whether n8n waits and answers no deliveries meanwhile
 * @returns those that are kept already, and those of the records
 * @throws ServiceFailure when the records can't be read; a service that doesn't offer them has none
 */
export async function readUndelivered(
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: Pick<TriggerParameters, 'events' | 'pull'>,
	{
		webhookId = memory.webhookId,
		impatient = false,
	}: { webhookId?: string; impatient?: boolean } = {},
): Promise<RecordedDelivery[]> {
	const all = new Map<string, RecordedDelivery>();
	for (const recorded of memory.undelivered ?? []) all.set(recorded.delivery.key, recorded);
	if (webhookId !== undefined) {
		try {
			const since = sinceWhen(memory);
			const { records } = await readRecords(service, webhookId, { since, impatient });
			for (const recorded of records.filter((each) => isMissed(each, settings)))
				all.set(recorded.delivery.key, {
					...recorded,
					at: recorded.at || new Date().toISOString(),
				});
		} catch (thrown) {
			if (!isNotOffered(thrown)) throw asFailure(thrown, NOT_ASKED);
		}
	}
	return [...all.values()].slice(-MOST_KEPT);
}

/** Statuses that say that there is no such call, or no such webhook any more. */
const NOT_OFFERED = new Set<number | undefined>([404, 405, 501]);

function isNotOffered(thrown: unknown): boolean {
	return NOT_OFFERED.has(findFailure(thrown)?.flags.httpStatus);
}

/**
 * What may have been cut off comes last, and the newest first: the later a delivery was answered, the
 * more likely its execution was cut off. In pull mode, the order says up to where the records are read.
 */
function inOrder(
	records: RecordedDelivery[],
	isCutOff: (recorded: RecordedDelivery) => boolean,
	{ pull }: Pick<TriggerParameters, 'pull'>,
): RecordedDelivery[] {
	if (pull) return records;
	const last = records.filter(isCutOff).reverse();
	return [...records.filter((each) => !isCutOff(each)), ...last];
}

function isMissed(
	{ delivery, arrived }: RecordedDelivery,
	{ events, pull }: Pick<TriggerParameters, 'events' | 'pull'>,
	isCutOff = false,
): boolean {
	return isChosen(delivery.event, events) && (pull || !arrived || isCutOff);
}

/** How far back to read: a little further than what was passed on, at most as far as is picked up. */
function sinceWhen({ recordsUntil }: SubscriptionMemory): number {
	const oldest = Date.now() - LONGEST_MS;
	return recordsUntil === undefined
		? oldest
		: Math.max(oldest, Date.parse(recordsUntil) - OVERLAP_MS);
}

/** Up to when nothing is left to pass on: ISO 8601; undefined when no record says a time. */
function boundOf(
	records: readonly RecordedDelivery[],
	left: ReadonlySet<RecordedDelivery>,
): string | undefined {
	const times = (left.size > 0 ? [...left] : records)
		.map(({ at }) => Date.parse(at))
		.filter((time) => !Number.isNaN(time))
		.sort((one, other) => one - other);
	const bound = left.size > 0 ? times[0] : times.at(-1);
	return bound === undefined ? undefined : new Date(bound).toISOString();
}

/** Forgets the keys that no further check will meet. */
function forgetOld(handled: Set<string>, met: RecordedDelivery[]): void {
	const keys = new Set(met.map(({ delivery }) => delivery.key));
	for (const key of handled) if (!keys.has(key)) handled.delete(key);
}
