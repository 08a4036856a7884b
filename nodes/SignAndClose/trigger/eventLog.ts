import { ExplainedFailure } from '../messages/explainedFailure';
import { fetchRecords, type RecordedDelivery } from '../resources/webhook/deliveries';
import { isChosen } from '../resources/webhook/events';
import type { ServiceClient } from '../transport/client';
import { asFailure, findFailure } from '../transport/failure/failure';
import { lacksCall } from '../transport/http/statuses';
import { Emitter, type Look } from './gate';
import { LONGEST_MS, serviceTime, type SubscriptionMemory, triggerMemory } from './memory';
import type { TriggerParameters } from './parameters';
import { NOT_ASKED } from './warnings';

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
 * How many undelivered events are kept while the workflow isn't published. More would be too much
 * for n8n's static data.
 */
const MOST_KEPT = 500;
/** How long n8n waits for the event records while it unpublishes or publishes, in milliseconds. */
const PATIENCE_MS = 15_000;
/**
 * How exactly the time is known at which calls and event log have taken turns, in milliseconds. What is
 * so near to it is taken for missed; its execution finds out.
 */
const TURN_MS = 5_000;

/**
 * Emits the events that no call has brought. Events that can't be confirmed at the moment are left for
 * the next check.
 * @throws ServiceFailure when the records can't be read
 */
export async function emitRecorded(look: Look): Promise<void> {
	const { context, settings, service, handled, isClosed } = look;
	const memory = triggerMemory.read(context);
	const { webhookId, undelivered: kept = [] } = memory;
	if (webhookId === undefined) return;
	const isNeeded = (recorded: RecordedDelivery) =>
		isMissed(recorded, settings, memory) && !handled.has(recorded.delivery.key);
	const reading = { ofTrigger: true, since: sinceWhen(memory), isNeeded, isClosed };
	const records = await fetchRecords(service, webhookId, reading);
	const emitter = new Emitter(look, settings.pull ? 'pull' : 'recovery');
	const isOld = ({ at }: RecordedDelivery) => Date.parse(at) < Date.now() - LONGEST_MS;
	for (const recorded of [...kept.filter((each) => !isOld(each)), ...records.filter(isNeeded)])
		await emitter.emit(recorded);
	if (isClosed()) return;
	const left = records.filter((recorded) => emitter.left.has(recorded));
	triggerMemory.update(context, (newest) => {
		const bound = boundOf(records, left);
		// A record may be dated in the future, which others aren't.
		if (bound !== undefined)
			newest.recordsUntil = new Date(Math.min(bound, serviceTime(service))).toISOString();
		newest.undelivered = (newest.undelivered ?? []).filter(
			(recorded) => !handled.has(recorded.delivery.key) && !isOld(recorded),
		);
		if (newest.undelivered.length === 0) delete newest.undelivered;
	});
	// No further check will meet the others.
	const met = new Set([...kept, ...records].map(({ delivery }) => delivery.key));
	for (const key of handled) if (!met.has(key)) handled.delete(key);
}

/** What an unpublished workflow keeps the events of. */
export interface Unpublished {
	service: ServiceClient;
	memory: SubscriptionMemory;
	settings: Pick<TriggerParameters, 'events'>;
}

/**
 * Keeps the events that a webhook hasn't delivered, before it is removed with its records. n8n waits,
 * and answers no deliveries meanwhile.
 * @throws ServiceFailure when the records can't be read, ExplainedFailure when that takes too long; a
 *   service that doesn't offer them has none
 */
export async function keepUndelivered(
	{ service, memory, settings }: Unpublished,
	webhookId: string,
): Promise<void> {
	const all = new Map(memory.undelivered?.map((recorded) => [recorded.delivery.key, recorded]));
	const end = Date.now() + PATIENCE_MS;
	const isLate = () => Date.now() > end;
	const isNeeded = (recorded: RecordedDelivery) => isMissed(recorded, settings, memory);
	try {
		const since = sinceWhen(memory);
		const reading = { ofTrigger: true, since, impatient: true, isNeeded, isClosed: isLate };
		const records = await fetchRecords(service, webhookId, reading);
		if (isLate())
			throw new ExplainedFailure(
				'Its event log is too long to be read while n8n waits',
				"Publish the workflow again to get the events that haven't arrived",
			);
		for (const recorded of records.filter(isNeeded))
			all.set(recorded.delivery.key, { ...recorded, at: recorded.at || new Date().toISOString() });
	} catch (thrown) {
		const isOffered = !lacksCall(findFailure(thrown)?.flags.httpStatus);
		if (isOffered) throw asFailure(thrown, NOT_ASKED);
	}
	memory.undelivered = service.hide([...all.values()].slice(-MOST_KEPT));
}

/** Whether no call has brought a selected event. Calls that came while they weren't the source bring nothing. */
function isMissed(
	{ delivery, arrived, at }: RecordedDelivery,
	{ events }: Pick<TriggerParameters, 'events'>,
	{ pulled = [] }: SubscriptionMemory,
): boolean {
	const time = Date.parse(at);
	const isPulled = pulled.some(
		({ from, to = Infinity }) => !(time < from - TURN_MS) && !(time > to + TURN_MS),
	);
	return isChosen(delivery.event, events) && (!arrived || isPulled);
}

/** How far back to read: a little further than what was passed on, at most as far as is picked up. */
function sinceWhen({ recordsUntil }: SubscriptionMemory): number {
	const oldest = Date.now() - LONGEST_MS;
	return recordsUntil === undefined
		? oldest
		: Math.max(oldest, Date.parse(recordsUntil) - OVERLAP_MS);
}

/** Up to when nothing is left to pass on: milliseconds since 1970; undefined when no record says a time. */
function boundOf(records: RecordedDelivery[], left: RecordedDelivery[]): number | undefined {
	const times = (left.length > 0 ? left : records)
		.map(({ at }) => Date.parse(at))
		.filter((time) => !Number.isNaN(time))
		.sort((a, b) => a - b);
	return times.at(left.length > 0 ? 0 : -1);
}
