import { sleep, type IDataObject, type IRun, type ITriggerFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { Delivery } from '../../service/resources/deliveries';
import { asText } from '../../service/values/json';
import { toOutput } from '../outputV2';
import type { TriggerParameters } from '../parameters';
import { meetsConditions } from '../subject';
import type { Change } from './changeWatcher';
import { eventFor } from './states';

/* Emits changes of transactions as events. */

/** How many executions may be under way before the next change waits. */
const MOST_AT_ONCE = 10;
/** A change doesn't wait longer than that for executions, in milliseconds. */
const LONGEST_WAIT_MS = 1_000;

/** What became of a change. */
interface Emission {
	/** Called before anything is emitted: n8n stores the static data with each emit. */
	beforeFirst?: () => void;
	/** Called when n8n couldn't store the execution of a change. */
	onRefused: (change: Change) => void;
	/** How the changes were noticed. */
	by: 'change' | 'recovery';
}

/**
 * Emits those changes that a selected event stands for and that meet the conditions, a few at a time.
 * n8n stores only one execution for the key of a change.
 * @returns how many were emitted
 */
export async function emitChanges(
	context: ITriggerFunctions,
	service: ServiceClient,
	settings: TriggerParameters,
	changes: readonly Change[],
	{ beforeFirst, onRefused, by }: Emission,
): Promise<number> {
	const running = new Set<Promise<unknown>>();
	let emitted = 0;
	for (const change of changes) {
		const event = eventFor(change.state, settings.events);
		if (event === undefined) continue;
		const delivery = deliveryOf(change, event);
		const { transaction } = change;
		const confirmation = { kind: 'confirmed' as const, transaction };
		if (!meetsConditions(settings.conditions, delivery, confirmation)) continue;
		if (emitted === 0) beforeFirst?.();
		const arrival = { by, at: new Date().toISOString() };
		const json = service.hide(toOutput(delivery, arrival, confirmation, settings));
		if (running.size >= MOST_AT_ONCE) await Promise.race([...running, sleep(LONGEST_WAIT_MS)]);
		const ended = emit(context, json, delivery.key).catch(() => onRefused(change));
		running.add(ended);
		void ended.then(() => running.delete(ended));
		emitted += 1;
	}
	return emitted;
}

/** The event that a change stands for, as if it had been delivered. */
function deliveryOf({ transaction, previous, state, key }: Change, event: string): Delivery {
	const transactionId = asText(transaction.id);
	const occurred = asText(transaction.date_updated);
	return {
		event,
		transactionId,
		...(occurred !== undefined && { occurred }),
		data: { transaction_id: transactionId, previous_status: previous ?? null, status: state },
		key,
	};
}

type Done = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/** Emits one event, and waits until its execution has ended; rejects when n8n couldn't store it. */
async function emit(context: ITriggerFunctions, json: IDataObject, key: string): Promise<void> {
	let settle: Pick<Done, 'reject' | 'resolve'>;
	const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
	context.emit(
		[[{ json }]],
		undefined,
		{ promise, ...settle! },
		`signAndClose:${context.getWorkflow().id}:${context.getNode().id}:${key}`,
	);
	await promise;
}
