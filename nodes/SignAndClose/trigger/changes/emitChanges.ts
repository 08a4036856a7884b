import type { ITriggerFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { Delivery } from '../../service/resources/deliveries';
import { asText } from '../../service/values/json';
import { RunsAtOnce } from '../events/runsAtOnce';
import { isWanted } from '../events/wanted';
import { toOutput } from '../output';
import type { TriggerParameters } from '../parameters';
import type { Change } from './changeWatcher';
import { eventFor } from './states';

/* Emits changes of transactions as events. */

/** What became of a change. */
interface Emission {
	/** Called before anything is emitted: n8n stores the static data with each emit. */
	beforeFirst?: () => void;
	/** Called when n8n couldn't store the execution of a change. */
	onRefused: (change: Change) => void;
	/** Whether the workflow was unpublished meanwhile. The rest is left then. */
	isClosed: () => boolean;
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
	{ beforeFirst, onRefused, isClosed, by }: Emission,
): Promise<number> {
	const runs = new RunsAtOnce();
	let emitted = 0;
	for (const change of changes) {
		const event = eventFor(change.state, settings.events);
		if (event === undefined) continue;
		const delivery = deliveryOf(change, event);
		const { transaction } = change;
		const confirmation = { kind: 'confirmed' as const, transaction };
		if (!isWanted(delivery, confirmation, settings)) continue;
		await runs.turn();
		if (isClosed()) break;
		if (emitted === 0) beforeFirst?.();
		const arrival = { by, at: new Date().toISOString() };
		const json = service.hide(toOutput(delivery, arrival, confirmation, settings));
		runs.start(context, json, delivery.key, () => onRefused(change));
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
