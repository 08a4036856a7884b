import {
	sleep,
	type IHookFunctions,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../core/explainedFailure';
import { toNodeError } from '../../core/nodeError';
import { createService } from '../../service/client';
import { asError, isNotFound } from '../../service/errors/failure';
import { EVENT_LABEL } from '../properties';
import type { TriggerParameters } from '../parameters';
import { storedMemory, subscriptionStore } from '../subscription/subscriptionStore';
import { warn } from '../warnings';
import { ChangeWatcher, readChangeMemory, type ChangeMemory } from './changeWatcher';
import { emitChanges } from './emitChanges';
import { isRecent, unheardSince } from './gap';
import { LookPace } from './lookPace';
import { canSee } from './states';

/*
 * The event source "Transaction Changes", which needs no webhook: what n8n's hooks and its trigger()
 * do for it.
 */

/** Whether a watch of this node has begun, and hasn't been ended by unpublishing. */
export function isWatching(context: IHookFunctions): boolean {
	const { changes, unpublishedAt } = subscriptionStore.register(context);
	return readChangeMemory(changes) !== undefined && unpublishedAt === undefined;
}

/**
 * Begins to watch. n8n stores what a hook has noted, so that a restart of n8n continues from here even
 * if nothing was emitted before.
 * @throws InputFailure when no selected event can be seen, ExplainedFailure for a test, ServiceFailure
 */
export async function beginWatch(
	context: IHookFunctions,
	{ events }: Pick<TriggerParameters, 'events'>,
): Promise<void> {
	if (context.getMode() === 'manual')
		throw new ExplainedFailure(
			"'Transaction Changes' has no test events",
			"Publish the workflow to see it work. To build it with test events, choose 'Webhook Calls' in 'Event Source' meanwhile",
			{ final: true },
		);
	const unseen = events.filter((event) => !canSee(event));
	const names = unseen.map((event) => `'${event}'`).join(', ');
	if (unseen.length === events.length)
		throw new InputFailure(
			EVENT_LABEL,
			`only has events that 'Transaction Changes' can't see: ${names}`,
			"Choose other events, or another 'Event Source'",
		);
	if (unseen.length > 0)
		warn(
			context,
			`'Transaction Changes' can't see ${names}. The workflow doesn't run for these events`,
		);
	const memory = subscriptionStore.register(context);
	const { changes, unpublishedAt } = memory;
	const unheard = unheardSince(memory);
	if (!isRecent(unpublishedAt) || readChangeMemory(changes) === undefined) {
		const service = await createService(context);
		try {
			memory.changes = await ChangeWatcher.begin(service, Date.now(), events, unheard);
		} catch (thrown) {
			throw withoutList(thrown);
		}
	}
	// The watch passes on what was completed meanwhile. What else hadn't arrived is kept for the time
	// when the workflow has a webhook again.
	delete memory.gapSince;
	delete memory.unpublishedAt;
}

/** What prevents a watch. A service that offers only the documented endpoints has no such list. */
function withoutList(thrown: unknown): Error {
	return isNotFound(thrown)
		? new ExplainedFailure(
				"This service doesn't list transactions, so their changes can't be seen",
				"Choose 'Webhook Calls' in 'Event Source'",
				{ final: true },
			)
		: asError(thrown);
}

/** Starts the looks of a published workflow. The first one comes right away. */
export function startWatching(
	context: ITriggerFunctions,
	settings: TriggerParameters,
): ITriggerResponse {
	const stop = new AbortController();
	void watch(context, settings, stop.signal);
	return {
		closeFunction: async () => {
			stop.abort();
			return await Promise.resolve();
		},
	};
}

async function watch(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	signal: AbortSignal,
): Promise<void> {
	const pace = new LookPace();
	const watcher = new ChangeWatcher();
	let told: string | undefined;
	const tell = (text: string | undefined) => {
		// An outage is told once, not with every look.
		if (text !== undefined && text !== told) warn(context, text);
		told = text;
	};
	while (!signal.aborted) {
		let moved = false;
		try {
			const isClosed = () => signal.aborted;
			const look = await lookOnce(context, settings, watcher, { isClosed });
			moved = look.moved;
			tell(
				look.complete
					? undefined
					: "more transactions have changed than one look reads. Use 'Transaction: Get Many' to see them",
			);
		} catch (thrown) {
			// Nothing secret is in the explanation.
			const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
			tell(`couldn't look for changed transactions. ${message}. ${description ?? ''}`);
		}
		await sleep(pace.next(moved), signal).catch(() => undefined);
	}
}

/**
 * Looks once which transactions have changed, and emits their changes.
 * @param now milliseconds since 1970
 * @param isClosed whether the workflow was unpublished meanwhile
 * @throws ServiceFailure; the next look covers the time of this one
 */
export async function lookOnce(
	context: ITriggerFunctions,
	settings: TriggerParameters,
	watcher: ChangeWatcher,
	{ now = Date.now(), isClosed = () => false }: { now?: number; isClosed?: () => boolean } = {},
): Promise<{ moved: boolean; complete: boolean; emitted: number }> {
	const stored = storedMemory(context);
	const known = subscriptionStore.get(context);
	const memory = later(readChangeMemory(known.changes), readChangeMemory(stored.changes));
	// n8n starts trigger() at the same time as the hook that begins the watch.
	if (memory === undefined) return { moved: true, complete: true, emitted: 0 };
	const service = await createService(context);
	const { changes, moved, complete } = await watcher.look(service, memory, now);
	const emitted = await emitChanges(context, service, settings, changes, {
		by: 'change',
		isClosed,
		beforeFirst: () => (stored.changes = watcher.stateBefore()),
		onRefused: (change) => watcher.giveAgain(change),
	});
	return { moved, complete, emitted };
}

/** What the hook knows may be older than what an emit has stored, or newer. */
function later(
	one: ChangeMemory | undefined,
	other: ChangeMemory | undefined,
): ChangeMemory | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return one.since > other.since ? one : other;
}
