import { ExplainedFailure } from '../../messages/failures';
import { fetchRecords, type RecordedDelivery } from '../../resources/webhook/deliveries';
import { isSelected } from '../../resources/webhook/eventSelection';
import type { ServiceClient } from '../../transport/client';
import { asFailure, findFailure } from '../../transport/failure/failure';
import { lacksCall } from '../../transport/http/statuses';
import { Emitter, type EventSearch } from '../delivery/filter';
import { MAX_AGE_MS, toServiceTime, type TriggerState, triggerMemory } from '../memory';
import type { TriggerParameters } from '../parameters';
import { NOT_ANSWERED } from '../log';

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
const MAX_KEPT = 500;
/** How long n8n waits for the event records while it unpublishes or publishes, in milliseconds. */
const MAX_WAIT_MS = 15_000;
/**
 * How exactly the time is known at which calls and event log have taken turns, in milliseconds. What is
 * so near to it is taken for missed; its execution finds out.
 */
const SWITCH_MS = 5_000;

/**
 * Emits the events that no call has brought. Events that can't be confirmed at the moment are left for
 * the next check.
 * @throws ServiceFailure when the records can't be read
 */
export async function emitRecordedEvents(search: EventSearch): Promise<void> {
	const { context, settings, service, handled, isClosed } = search;
	const memory = triggerMemory.readState(context);
	const { webhookId, undelivered: saved = [] } = memory;
	if (webhookId === undefined) return;
	const isNeeded = (recorded: RecordedDelivery) =>
		isMissed(recorded, settings, memory) && !handled.has(recorded.delivery.key);
	const records = await fetchRecords(service, webhookId, {
		ofTrigger: true,
		since: computeStart(memory),
		isNeeded,
		isClosed,
	});
	const emitter = new Emitter(search, settings.pull ? 'pull' : 'recovery');
	const isOld = ({ at }: RecordedDelivery) => Date.parse(at) < Date.now() - MAX_AGE_MS;
	for (const recorded of [...saved.filter((entry) => !isOld(entry)), ...records.filter(isNeeded)])
		await emitter.emit(recorded);
	if (isClosed()) return;
	const left = records.filter((recorded) => emitter.left.has(recorded));
	triggerMemory.update(context, (newest) => {
		const bound = findBound(records, left);
		// A record may be dated in the future, which others aren't.
		if (bound !== undefined)
			newest.recordsUntil = new Date(Math.min(bound, toServiceTime(service))).toISOString();
		newest.undelivered = (newest.undelivered ?? []).filter(
			(recorded) => !handled.has(recorded.delivery.key) && !isOld(recorded),
		);
		if (newest.undelivered.length === 0) delete newest.undelivered;
	});
	// No further check will meet the others.
	const knownKeys = new Set([...saved, ...records].map(({ delivery }) => delivery.key));
	for (const key of handled) if (!knownKeys.has(key)) handled.delete(key);
}

/** What an unpublished workflow keeps the events of. */
export interface TriggerRecords {
	service: ServiceClient;
	memory: TriggerState;
	settings: Pick<TriggerParameters, 'events'>;
}

/**
 * Keeps the events that a webhook hasn't delivered, before it is removed with its records. n8n waits,
 * and answers no deliveries meanwhile.
 * @throws ServiceFailure when the records can't be read, ExplainedFailure when that takes too long; a
 *   service that doesn't offer them has none
 */
export async function keepUndelivered(
	{ service, memory, settings }: TriggerRecords,
	webhookId: string,
): Promise<void> {
	const byKey = new Map(memory.undelivered?.map((recorded) => [recorded.delivery.key, recorded]));
	const end = Date.now() + MAX_WAIT_MS;
	const isLate = () => Date.now() > end;
	const isNeeded = (recorded: RecordedDelivery) => isMissed(recorded, settings, memory);
	try {
		const records = await fetchRecords(service, webhookId, {
			ofTrigger: true,
			since: computeStart(memory),
			isUrgent: true,
			isNeeded,
			isClosed: isLate,
		});
		if (isLate())
			throw new ExplainedFailure(
				'Its event log is too long to be read while n8n waits',
				"Publish the workflow again to get the events that haven't arrived",
			);
		for (const recorded of records.filter(isNeeded))
			byKey.set(recorded.delivery.key, {
				...recorded,
				at: recorded.at || new Date().toISOString(),
			});
	} catch (thrown) {
		const isOffered = !lacksCall(findFailure(thrown)?.flags.httpStatus);
		if (isOffered) throw asFailure(thrown, NOT_ANSWERED);
	}
	memory.undelivered = service.hide([...byKey.values()].slice(-MAX_KEPT));
}

/** Whether no call has brought a selected event. Calls that came while they weren't the source bring nothing. */
function isMissed(
	{ delivery, arrived, at }: RecordedDelivery,
	{ events }: Pick<TriggerParameters, 'events'>,
	{ pulled = [] }: TriggerState,
): boolean {
	const time = Date.parse(at);
	const isPulled = pulled.some(
		({ from, to = Infinity }) => !(time < from - SWITCH_MS) && !(time > to + SWITCH_MS),
	);
	return isSelected(delivery.event, events) && (!arrived || isPulled);
}

/** How far back to read: a little further than what was passed on, at most as far as is picked up. */
function computeStart({ recordsUntil }: TriggerState): number {
	const oldest = Date.now() - MAX_AGE_MS;
	return recordsUntil === undefined
		? oldest
		: Math.max(oldest, Date.parse(recordsUntil) - OVERLAP_MS);
}

/** Up to when nothing is left to pass on: milliseconds since 1970; undefined when no record says a time. */
function findBound(records: RecordedDelivery[], left: RecordedDelivery[]): number | undefined {
	const times = (left.length > 0 ? left : records)
		.map(({ at }) => Date.parse(at))
		.filter((time) => !Number.isNaN(time))
		.sort((a, b) => a - b);
	return times.at(left.length > 0 ? 0 : -1);
}
