import type { IRun, ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../service/client';
import { readRecords, type RecordedDelivery } from '../../service/resources/deliveries';
import { isChosen } from '../../service/resources/events';
import { confirm } from '../authenticity/confirmation';
import { toItem } from '../output';
import type { TriggerParameters } from '../parameters';
import type { SubscriptionMemory } from '../subscription/subscription';
import { storedMemory, subscriptionStore } from '../subscription/subscriptionStore';
import { isWanted } from '../webhook';

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
): Promise<number> {
	const memory = storedMemory(context);
	const known = subscriptionStore.get(context);
	if (known.webhookId === undefined) return 0;
	const service = await createService(context);
	const { records, complete } = await readRecords(service, known.webhookId, {
		since: sinceWhen(memory, settings),
	});
	if (!complete)
		context.logger.warn(
			"Sign and Close Trigger: the service has more event records than one check reads. Use 'Webhook: Get Events' to see them",
		);
	const kept = (known.undelivered ?? []).filter(
		({ at }) => Date.parse(at) >= Date.now() - LONGEST_MS,
	);
	let emitted = 0;
	const left = new Set<RecordedDelivery>();
	for (const recorded of [...kept, ...records]) {
		const { delivery, at } = recorded;
		if (handled.has(delivery.key) || !isMissed(recorded, settings)) continue;
		const confirmation = settings.confirm ? await confirm(service, delivery) : undefined;
		if (confirmation?.kind === 'later') {
			left.add(recorded);
			continue;
		}
		handled.add(delivery.key);
		if (confirmation !== undefined && !isWanted(confirmation, settings)) continue;
		// n8n stores the static data with each emit, so a restart continues from here.
		if (settings.pull && left.size === 0) memory.recordsUntil = at;
		const item = toItem(
			delivery,
			{ by: settings.pull ? 'pull' : 'recovery', at },
			confirmation,
			settings.form,
		);
		// When n8n couldn't store the run, the next check tries again.
		context.emit(
			[[{ json: service.hide(item) }]],
			undefined,
			whenRefused(() => handled.delete(delivery.key)),
			`signAndClose:${context.getWorkflow().id}:${context.getNode().id}:${delivery.key}`,
		);
		emitted += 1;
	}
	for (const each of [memory, known])
		if (each.undelivered !== undefined)
			each.undelivered = kept.filter((recorded) => left.has(recorded));
	forgetOld(handled, [...kept, ...records]);
	return emitted;
}

type Done = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/**
 * A promise that n8n settles when a run has ended; `work` is called when n8n couldn't store the
 * run.
 */
function whenRefused(work: () => void): Done {
	let settle: Pick<Done, 'reject' | 'resolve'>;
	const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
	promise.catch(work);
	return { promise, ...settle! };
}

/**
 * Reads the events that a subscription hasn't delivered, before the subscription and its records
 * are removed.
 */
export async function readUndelivered(
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: TriggerParameters,
): Promise<RecordedDelivery[]> {
	const kept = memory.undelivered ?? [];
	if (memory.webhookId === undefined) return kept;
	try {
		const { records } = await readRecords(service, memory.webhookId, {
			since: sinceWhen(memory, settings),
		});
		return [...kept, ...records.filter((recorded) => isMissed(recorded, settings))].slice(
			-MOST_KEPT,
		);
	} catch {
		// A service that doesn't offer event records or can't be asked must not prevent unpublishing.
		return kept;
	}
}

function isMissed(
	{ delivery, arrived }: RecordedDelivery,
	{ events, pull }: TriggerParameters,
): boolean {
	return isChosen(delivery.event, events) && (pull || !arrived);
}

function sinceWhen({ recordsUntil }: SubscriptionMemory, { pull }: TriggerParameters): number {
	const oldest = Date.now() - LONGEST_MS;
	return pull && recordsUntil !== undefined
		? Math.max(oldest, Date.parse(recordsUntil) - OVERLAP_MS)
		: oldest;
}

/** Forgets the keys that no further check will meet. */
function forgetOld(handled: Set<string>, met: RecordedDelivery[]): void {
	const keys = new Set(met.map(({ delivery }) => delivery.key));
	for (const key of handled) if (!keys.has(key)) handled.delete(key);
}
