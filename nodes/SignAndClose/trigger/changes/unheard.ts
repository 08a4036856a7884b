import type { ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../service/client';
import { readRecords } from '../../service/resources/deliveries';
import { plainId } from '../../service/values/ids';
import { asText } from '../../service/values/json';
import { claimedKeys } from '../events/deduplication';
import type { TriggerParameters } from '../parameters';
import { subscriptionStore } from '../subscription/subscriptionStore';
import { warn } from '../warnings';
import { ChangedTransactions, type Seen } from './changedTransactions';
import { onceKey, type Change } from './changeWatcher';
import { emitChanges } from './emitChanges';
import { LONGEST_GAP_MS, MARGIN_MS } from './gap';
import { canSee, finalEvent, isCompletion } from './states';

/*
 * The safety net of webhooks: while there is none, e.g. because somebody has deleted it in the
 * service, the service tells nobody what happens. The transactions still show it.
 */

/** A time without a webhook. */
interface Gap {
	/** When it began, in milliseconds since 1970. */
	since: number;
	/** A client whose credential is opened already. */
	service?: ServiceClient;
	/** Milliseconds since 1970. */
	now?: number;
	/** Whether the workflow was unpublished meanwhile. */
	isClosed?: () => boolean;
}

/**
 * Emits transactions that were completed in a gap and of which the webhook never heard: the event log
 * has no record of it, delivered or not. Only completions count, because a transaction has only one:
 * should the service deliver its event as well, it's passed on once all the same.
 * @returns how many were emitted
 * @throws ServiceFailure; the look can be made again
 */
export async function emitUnheard(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	{ since, service: given, now = Date.now(), isClosed = () => false }: Gap,
): Promise<number> {
	// Version 1 knows no key that a delivery and a look have in common.
	if (settings.typeVersion < 2 || !settings.events.some(canSee)) return 0;
	if (since < now - LONGEST_GAP_MS) return 0;
	const { webhookId } = subscriptionStore.get(context);
	if (webhookId === undefined) return 0;
	const from = since - MARGIN_MS;
	const service = given ?? (await createService(context));
	const { seen } = await new ChangedTransactions().list(service, from, now);
	const completed = seen.filter((each) => isCompletion(each, settings.events)).map(changeOf);
	if (completed.length === 0) return 0;
	const { records } = await readRecords(service, webhookId, { since: from });
	const heard = new Set(
		records.map(
			({ delivery: { event, transactionId } }) => `${event} ${plainId(transactionId ?? '')}`,
		),
	);
	const unheard = completed.filter(
		({ id, state, key }) =>
			!heard.has(`${finalEvent(state)} ${id}`) && !claimedKeys.has(context, key),
	);
	return await emitChanges(context, service, settings, unheard, {
		by: 'recovery',
		isClosed,
		onRefused: ({ transaction }) =>
			warn(
				context,
				`n8n couldn't store the execution for the completed transaction ${asText(transaction.id) ?? ''}`,
			),
	});
}

function changeOf(seen: Seen): Change {
	return { ...seen, previous: undefined, key: onceKey(finalEvent(seen.state), seen.id) };
}
