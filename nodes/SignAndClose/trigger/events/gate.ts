import type { IDataObject, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Delivery } from '../../service/resources/deliveries';
import { isChosen } from '../../service/resources/events';
import type { Confirmation } from '../authenticity/confirmation';
import { toOutput, type Arrival } from '../output';
import type { TriggerParameters } from '../parameters';
import { claimedKeys } from './deduplication';
import { isLeftOut, isWanted, warnRefused, warnUnseen } from './wanted';

/*
 * What every event passes before it starts the workflow, whatever has brought it: a call, an event
 * record, or the status of a transaction.
 */

type Context = ITriggerFunctions | IWebhookFunctions;

/** Whether an event is selected, and no run of this process has claimed it. */
export function isAwaited(
	context: Context,
	{ events }: Pick<TriggerParameters, 'events'>,
	{ event, key }: Pick<Delivery, 'event' | 'key'>,
): boolean {
	return isChosen(event, events) && !claimedKeys.has(context, key);
}

/** What becomes of an event. */
export type Passage =
	| { kind: 'passed'; item: IDataObject }
	/** It doesn't meet the conditions. */
	| { kind: 'dropped' }
	/** It can't be confirmed at the moment. `refused`: because of the key. */
	| { kind: 'later'; refused: boolean };

/**
 * Confirms an event where that is selected, and compares it with the conditions.
 * @param ask asks the service about the event
 * @returns with the item, which may hold secrets of the credential still
 */
export async function pass(
	context: Context,
	settings: TriggerParameters,
	delivery: Delivery,
	arrival: Arrival,
	ask: () => Promise<Confirmation>,
): Promise<Passage> {
	const confirmation = settings.confirm ? await ask() : undefined;
	if (confirmation?.kind === 'later') {
		warnRefused(context, confirmation);
		return { kind: 'later', refused: confirmation.refused === true };
	}
	if (arrival.again === true && isLeftOut(arrival.at, confirmation, settings))
		return { kind: 'dropped' };
	if (!isWanted(delivery, confirmation, settings)) {
		warnUnseen(context, delivery, confirmation, settings);
		return { kind: 'dropped' };
	}
	return { kind: 'passed', item: toOutput(delivery, arrival, confirmation, settings) };
}
