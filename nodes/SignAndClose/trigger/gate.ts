import {
	sleep,
	type IDataObject,
	type IRun,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { Delivery, RecordedDelivery } from '../resources/webhook/deliveries';
import { isChosen } from '../resources/webhook/events';
import type { ServiceClient } from '../transport/client';
import { needTransaction } from './conditions';
import { confirm, type Confirmation } from './confirmation';
import { claimedKeys } from './deduplication';
import { keepSecrets, triggerMemory } from './memory';
import { toOutput, type Arrival, meetsConditions } from './output';
import type { TriggerParameters } from './parameters';
import { nodeKey, warnings } from './warnings';

/*
 * What every event passes before it starts the workflow, whatever has brought it: a call (webhook.ts),
 * an event record (eventLog.ts), or the status of a transaction (gaps.ts). Afterwards, n8n
 * stores an execution, whose execute() drops what another one has claimed.
 */

type Context = ITriggerFunctions | IWebhookFunctions;

/**
 * What becomes of an event: its item if it passes. It's dropped when it isn't selected, isn't new, or
 * doesn't meet the conditions, and left for later when it can't be confirmed at the moment.
 */
type Passage = IDataObject | 'dropped' | 'later';

/**
 * Asks whether an event is wanted, new and authentic.
 * @param ask asks the service about the event, where that is selected
 * @returns with the item, which may hold secrets of the credential still
 */
export async function pass(
	context: Context,
	settings: TriggerParameters,
	delivery: Delivery,
	arrival: Arrival,
	ask: () => Promise<Confirmation>,
): Promise<Passage> {
	if (!isAwaited(context, settings.events, delivery)) return 'dropped';
	const confirmation = settings.confirm ? await ask() : undefined;
	if (confirmation?.kind === 'later') {
		const { refused, reason = '' } = confirmation;
		if (refused) warnings.once(context, `events wait until they can be confirmed. ${reason}`);
		return 'later';
	}
	const transaction = confirmation?.transaction;
	if (!meetsConditions(settings.conditions, delivery, transaction)) {
		if (transaction === undefined && needTransaction(settings.conditions))
			warnings.once(
				context,
				`${delivery.event} was left out, because its transaction can't be retrieved to compare it with 'Only Run If'`,
			);
		return 'dropped';
	}
	return toOutput(delivery, arrival, confirmation, settings);
}

/**
 * Whether an event is selected, and no run of this process has claimed it. A test listener gets every
 * event, even one that the published workflow has had.
 */
export function isAwaited(
	context: Context,
	events: readonly string[],
	{ event, key }: Pick<Delivery, 'event' | 'key'>,
): boolean {
	const isNew = context.getMode() === 'manual' || !claimedKeys.has(context, key);
	return isNew && isChosen(event, events);
}

/** How many executions run at once. */
const AT_ONCE = 5;
/**
 * How long the next execution waits for one that doesn't end, in milliseconds: a workflow may wait
 * for days.
 */
const PATIENCE_MS = 30_000;

/** What n8n settles when an execution has ended. */
type Done = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/**
 * Keys of executions that haven't ended, whichever look has started them: n8n deletes an execution that
 * hasn't started yet when another one with its key comes. State of this process; docs/architecture.md
 * lists all of it.
 */
const underWay = new Set<string>();

/** A look for events that no call has brought. */
export interface Look {
	context: ITriggerFunctions;
	settings: TriggerParameters;
	service: ServiceClient;
	/** Keys of events that this process has emitted already. */
	handled: Set<string>;
	/** Whether the workflow was unpublished meanwhile. */
	isClosed: () => boolean;
}

/** An event that no call has brought. */
export type Missed = Pick<RecordedDelivery, 'delivery' | 'at'>;

/**
 * Emits events that no call has brought. n8n stores only one execution for the key of an event. After
 * an outage there can be hundreds of events, and an execution for each of them at the same moment would
 * take the machine.
 */
export class Emitter {
	/** What can't be confirmed at the moment, is under way, or wasn't reached any more. */
	readonly left = new Set<Missed>();

	/** Executions that haven't ended. */
	private readonly open = new Set<Promise<unknown>>();

	constructor(
		private readonly look: Look,
		private readonly by: Arrival['by'],
	) {
		keepSecrets(look.service, triggerMemory.read(look.context));
	}

	/** Passes an event on if it may pass. */
	async emit(missed: Missed): Promise<void> {
		const { context, settings, service, handled, isClosed } = this.look;
		const { delivery, at } = missed;
		const { key } = delivery;
		if (handled.has(key)) return;
		const ask = async () => await confirm(service, delivery, { authentic: true, at });
		const passage = await pass(context, settings, delivery, { by: this.by, at }, ask);
		const isPassing = typeof passage === 'object';
		while (isPassing && this.open.size >= AT_ONCE) await Promise.race(this.open);
		const id = `signAndClose:${nodeKey(context)}:${key}`;
		if (passage === 'later' || (isPassing && underWay.has(id)) || isClosed()) {
			this.left.add(missed);
			return;
		}
		handled.add(key);
		if (passage === 'dropped') return;
		this.start(passage, id, () => {
			// n8n says later that it couldn't store the execution. The next check tries again.
			handled.delete(key);
			triggerMemory.update(context, (memory) => {
				const others = memory.undelivered?.filter(({ delivery }) => delivery.key !== key) ?? [];
				memory.undelivered = [...others, service.hide({ ...missed, arrived: false })];
			});
		});
	}

	/** Has n8n store an execution, and the node's static data with it. */
	private start(item: IDataObject, id: string, onRefused: () => void): void {
		let settle: Pick<Done, 'reject' | 'resolve'>;
		const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
		underWay.add(id);
		const ended = promise.catch(onRefused).finally(() => underWay.delete(id));
		const turn: Promise<unknown> = Promise.race([ended, sleep(PATIENCE_MS)]).then(() =>
			this.open.delete(turn),
		);
		this.open.add(turn);
		const { context, service } = this.look;
		context.emit([[{ json: service.hide(item) }]], undefined, { promise, ...settle! }, id);
	}
}
