import {
	sleep,
	type IDataObject,
	type IRun,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { Delivery, RecordedDelivery } from '../../resources/webhook/deliveries';
import { isSelected } from '../../resources/webhook/eventSelection';
import type { ServiceClient } from '../../transport/client';
import { needsTransaction } from '../conditions';
import { confirmEvent, type Confirmation } from './confirmation';
import { processedKeys } from './deduplication';
import { hideStateSecrets, triggerMemory } from '../memory';
import { toEventOutput, type EventArrival, meetsConditions } from './output';
import type { TriggerParameters } from '../parameters';
import { buildNodeId, triggerLog } from '../log';

/*
 * What every event passes before it starts the workflow, whatever has brought it: a call (webhook.ts),
 * an event record (eventLog.ts), or the status of a transaction (completions.ts). Afterwards, n8n
 * stores an execution, whose execute() drops what another one has claimed.
 */

type Context = ITriggerFunctions | IWebhookFunctions;

/**
 * What becomes of an event: its item if it passes. It's dropped when it isn't selected, isn't new, or
 * doesn't meet the conditions, and left for later when it can't be confirmed at the moment.
 */
type EventOutcome = IDataObject | 'dropped' | 'later';

/**
 * Asks whether an event is wanted, new and authentic.
 * @param ask asks the service about the event, where that is selected
 * @returns with the item, which may hold secrets of the credential still
 */
export async function filterEvent(
	context: Context,
	settings: TriggerParameters,
	delivery: Delivery,
	arrival: EventArrival,
	ask: () => Promise<Confirmation>,
): Promise<EventOutcome> {
	if (!isSelectedAndNew(context, settings.events, delivery)) return 'dropped';
	const confirmation = settings.confirm ? await ask() : undefined;
	if (confirmation?.kind === 'later') {
		const { refused, reason = '' } = confirmation;
		if (refused) triggerLog.logOnce(context, `events wait until they can be confirmed. ${reason}`);
		return 'later';
	}
	const transaction = confirmation?.transaction;
	if (!meetsConditions(settings.conditions, delivery, transaction)) {
		if (transaction === undefined && needsTransaction(settings.conditions))
			triggerLog.logOnce(
				context,
				`${delivery.event} was left out, because its transaction can't be retrieved to compare it with 'Only Run If'`,
			);
		return 'dropped';
	}
	return toEventOutput(delivery, arrival, confirmation, settings);
}

/**
 * Whether an event is selected, and no run of this process has claimed it. A test listener gets every
 * event, even one that the published workflow has had.
 */
export function isSelectedAndNew(
	context: Context,
	events: readonly string[],
	{ event, key }: Pick<Delivery, 'event' | 'key'>,
): boolean {
	const isNew = context.getMode() === 'manual' || !processedKeys.has(context, key);
	return isNew && isSelected(event, events);
}

/** How many executions run at once. */
const MOST_EXECUTIONS = 5;
/**
 * How long the next execution waits for one that doesn't end, in milliseconds: a workflow may wait
 * for days.
 */
const LONGEST_WAIT_MS = 30_000;

/** What n8n settles when an execution has ended. */
type SettledExecution = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/**
 * Keys of executions that haven't ended, whichever look has started them: n8n deletes an execution that
 * hasn't started yet when another one with its key comes. State of this process; docs/architecture.md
 * lists all of it.
 */
const runningExecutions = new Set<string>();

/** A look for events that no call has brought. */
export interface EventSearch {
	context: ITriggerFunctions;
	settings: TriggerParameters;
	service: ServiceClient;
	/** Keys of events that this process has emitted already. */
	handled: Set<string>;
	/** Whether the workflow was unpublished meanwhile. */
	isClosed: () => boolean;
}

/** An event that no call has brought. */
type MissedEvent = Pick<RecordedDelivery, 'delivery' | 'at'>;

/**
 * Emits events that no call has brought. n8n stores only one execution for the key of an event. After
 * an outage there can be hundreds of events, and an execution for each of them at the same moment would
 * take the machine.
 */
export class Emitter {
	/** What can't be confirmed at the moment, is under way, or wasn't reached any more. */
	readonly left = new Set<MissedEvent>();

	/** Executions that haven't ended. */
	private readonly open = new Set<Promise<unknown>>();

	constructor(
		private readonly search: EventSearch,
		private readonly by: EventArrival['by'],
	) {
		hideStateSecrets(search.service, triggerMemory.readState(search.context));
	}

	/** Passes an event on if it may pass. */
	async emit(missed: MissedEvent): Promise<void> {
		const { context, settings, service, handled, isClosed } = this.search;
		const { delivery, at } = missed;
		const { key } = delivery;
		if (handled.has(key)) return;
		const ask = async () => await confirmEvent(service, delivery, { authentic: true, at });
		const outcome = await filterEvent(context, settings, delivery, { by: this.by, at }, ask);
		const isPassing = typeof outcome === 'object';
		while (isPassing && this.open.size >= MOST_EXECUTIONS) await Promise.race(this.open);
		const id = `signAndClose:${buildNodeId(context)}:${key}`;
		if (outcome === 'later' || (isPassing && runningExecutions.has(id)) || isClosed()) {
			this.left.add(missed);
			return;
		}
		handled.add(key);
		if (outcome === 'dropped') return;
		this.start(outcome, id, () => {
			// n8n says later that it couldn't store the execution. The next check tries again.
			handled.delete(key);
			triggerMemory.update(context, (memory) => {
				const remaining = memory.undelivered?.filter(({ delivery }) => delivery.key !== key) ?? [];
				memory.undelivered = [...remaining, service.hide({ ...missed, arrived: false })];
			});
		});
	}

	/** Has n8n store an execution, and the node's static data with it. */
	private start(item: IDataObject, id: string, onRefused: () => void): void {
		let settle: Pick<SettledExecution, 'reject' | 'resolve'>;
		const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
		runningExecutions.add(id);
		const ended = promise.catch(onRefused).finally(() => runningExecutions.delete(id));
		const turn: Promise<unknown> = Promise.race([ended, sleep(LONGEST_WAIT_MS)]).then(() =>
			this.open.delete(turn),
		);
		this.open.add(turn);
		const { context, service } = this.search;
		context.emit([[{ json: service.hide(item) }]], undefined, { promise, ...settle! }, id);
	}
}
