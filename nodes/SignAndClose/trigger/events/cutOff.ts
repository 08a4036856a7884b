import type { ITriggerFunctions } from 'n8n-workflow';

import type { RecordedDelivery } from '../../service/resources/deliveries';
import { subscriptionKey } from '../subscription/subscriptionStore';

/* Events whose execution a kill of n8n may have cut off before it had begun. */

/**
 * How long before the last delivery an execution may have been stored that hadn't begun when n8n was
 * gone, in milliseconds: on a busy machine, n8n takes seconds to begin it.
 */
const NOT_BEGUN_MS = 15_000;
/**
 * How long n8n may have been gone, and how long after its start it's looked for what was cut off, in
 * milliseconds.
 */
const GONE_MS = 900_000;
/** How many events are looked at, the newest first. */
const MOST_SUSPECTED = 100;

/**
 * Finds the deliveries that were answered last before this process began. n8n marks an execution that
 * it was killed in as crashed and doesn't repeat it. If that execution hadn't begun, no run has claimed
 * the event, and it can be passed on again: claiming tells, because n8n stores what runs have claimed.
 */
export class CutOffEvents {
	private readonly suspected = new Map<string, Set<string>>();

	/** @param begun when this process began, in milliseconds since 1970 */
	constructor(private readonly begun = Date.now()) {}

	/**
	 * Says which events may have been cut off. The first look of this process at a trigger decides.
	 * @param serviceTime tells the service's clock by this machine's
	 * @returns the keys of their deliveries
	 */
	among(
		context: ITriggerFunctions,
		records: RecordedDelivery[],
		serviceTime: (localMs: number) => number | undefined,
	): ReadonlySet<string> {
		// n8n's store of claims doesn't keep everything for long.
		if (Date.now() - this.begun > GONE_MS) return new Set();
		const trigger = subscriptionKey(context);
		let suspected = this.suspected.get(trigger);
		if (suspected === undefined) {
			suspected = this.last(records, serviceTime(this.begun) ?? this.begun);
			this.suspected.set(trigger, suspected);
		}
		return suspected;
	}

	private last(records: RecordedDelivery[], begun: number): Set<string> {
		const arrived = records
			.filter(({ arrived }) => arrived)
			.map(({ delivery, at }) => ({ key: delivery.key, at: Date.parse(at) }))
			.filter(({ at }) => at <= begun && at >= begun - GONE_MS)
			.sort((one, other) => one.at - other.at);
		const last = arrived.at(-1)?.at ?? 0;
		const keys = arrived.filter(({ at }) => at >= last - NOT_BEGUN_MS).map(({ key }) => key);
		return new Set(keys.slice(-MOST_SUSPECTED));
	}
}

/** What this process knows. n8n loads the package when it starts, for the workflows that it starts. */
export const cutOffEvents = new CutOffEvents();
