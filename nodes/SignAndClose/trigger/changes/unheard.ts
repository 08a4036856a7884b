import { sleep, type ITriggerFunctions } from 'n8n-workflow';

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
	/** How long a delivery may be under way, in milliseconds. */
	underWayMs?: number;
}

/**
 * How long a completion is left to its delivery, in milliseconds. The service records a delivery once
 * it's answered, which takes n8n a second or two when it's busy.
 */
const UNDER_WAY_MS = 5_000;

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
	{
		since,
		service: given,
		now = Date.now(),
		isClosed = () => false,
		underWayMs = UNDER_WAY_MS,
	}: Gap,
): Promise<number> {
	if (!settings.events.some(canSee)) return 0;
	if (since < now - LONGEST_GAP_MS) return 0;
	const { webhookId } = subscriptionStore.get(context);
	if (webhookId === undefined) return 0;
	const from = since - MARGIN_MS;
	const service = given ?? (await createService(context));
	const { seen } = await new ChangedTransactions().list(service, from, now);
	const completed = seen.filter((each) => isCompletion(each, settings.events)).map(changeOf);
	const unheardOf = async (changes: Change[]): Promise<Change[]> => {
		const heard = changes.length === 0 ? NONE : await readHeard(service, webhookId, from);
		return changes.filter(
			({ id, state, key }) =>
				!heard.has(heardAs(finalEvent(state), id)) && !claimedKeys.has(context, key),
		);
	};
	const emit = async (changes: Change[]): Promise<number> =>
		await emitChanges(context, service, settings, changes, {
			by: 'recovery',
			isClosed,
			onRefused: ({ transaction }) =>
				warn(
					context,
					`n8n couldn't store the execution for the completed transaction ${asText(transaction.id) ?? ''}`,
				),
		});
	const unheard = await unheardOf(completed);
	const settled = (service.latestServiceTime(now) ?? now) - underWayMs;
	const isUnderWay = ({ updated = Infinity }: Change) => updated > settled;
	const emitted = await emit(unheard.filter((each) => !isUnderWay(each)));
	const underWay = unheard.filter(isUnderWay);
	if (underWay.length === 0) return emitted;
	await sleep(underWayMs);
	return emitted + (await emit(isClosed() ? [] : await unheardOf(underWay)));
}

const NONE: ReadonlySet<string> = new Set();
const heardAs = (event: string, transactionId: string) => `${event} ${plainId(transactionId)}`;

/** The events that the event log has a record of, with their transactions. */
async function readHeard(
	service: ServiceClient,
	webhookId: string,
	since: number,
): Promise<ReadonlySet<string>> {
	const { records } = await readRecords(service, webhookId, { since });
	return new Set(
		records.map(({ delivery: { event, transactionId } }) => heardAs(event, transactionId ?? '')),
	);
}

function changeOf(seen: Seen): Change {
	return { ...seen, previous: undefined, key: onceKey(finalEvent(seen.state), seen.id) };
}
