import type { IRun, ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../service/client';
import { readRecords, type RecordedDelivery } from '../../service/resources/deliveries';
import { isChosen } from '../../service/resources/events';
import { confirm } from '../authenticity/confirmation';
import { storedMemory, subscriptionStore } from '../subscription/subscriptionStore';
import { toItem } from '../output';
import { isWanted } from '../webhook';
import type { TriggerParameters } from '../parameters';
import type { SubscriptionMemory } from '../subscription/subscription';

/**
 * Events out of the records that the service keeps of its deliveries (interface.md §6, Get Webhook
 * Events).
 */

/**
 * Deliveries are unordered (gaps.md §2): the records just before the newest one known are looked at
 * again.
 */
const OVERLAP_MS = 3_600_000;
/**
 * What is older is not picked up any more: the service tries for 48 hours (gaps.md §2), and n8n
 * forgets after 14 days which runs it has had, unless told otherwise.
 */
const LONGEST_MS = 7 * 24 * 3_600_000;
/**
 * Undelivered events that are kept while the workflow is not published; more would be too much for
 * what n8n stores of a workflow.
 */
const MOST_KEPT = 500;

/**
 * Emits what the calls have missed, or in pull mode everything; each event once, by the key under
 * which n8n stores its run.
 * @param handled keys this process has emitted already; what can't be confirmed at the moment is
 *   left for the next tick
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
	const { records, complete } = await readRecords(
		service,
		known.webhookId,
		sinceWhen(memory, settings),
	);
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
		// n8n stores what the node remembers with each emit: a restart goes on from there.
		if (settings.pull && left.size === 0) memory.recordsUntil = at;
		const item = toItem(
			delivery,
			{ by: settings.pull ? 'pull' : 'recovery', at },
			confirmation,
			settings.simplify,
		);
		// n8n could not store the run: the next look tries again.
		context.emit(
			[[{ json: item }]],
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

/** What n8n tells when a run has ended, or could not even be stored. */
function whenRefused(work: () => void): Done {
	let settle: Pick<Done, 'reject' | 'resolve'>;
	const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
	promise.catch(work);
	return { promise, ...settle! };
}

/** What a subscription that is about to be removed has not brought yet: its records go with it. */
export async function readUndelivered(
	service: ServiceClient,
	memory: SubscriptionMemory,
	settings: TriggerParameters,
): Promise<RecordedDelivery[]> {
	const kept = memory.undelivered ?? [];
	if (memory.webhookId === undefined) return kept;
	try {
		const { records } = await readRecords(service, memory.webhookId, sinceWhen(memory, settings));
		return [...kept, ...records.filter((recorded) => isMissed(recorded, settings))].slice(
			-MOST_KEPT,
		);
	} catch {
		// A documented-only service, or one that can't be asked: that must not keep anybody from
		// unpublishing.
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

/** Keys that no look will meet again need not be remembered. */
function forgetOld(handled: Set<string>, met: RecordedDelivery[]): void {
	const keys = new Set(met.map(({ delivery }) => delivery.key));
	for (const key of handled) if (!keys.has(key)) handled.delete(key);
}
