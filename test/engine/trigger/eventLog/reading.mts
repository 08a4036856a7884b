import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import {
	emitRecordedEvents,
	keepUndelivered,
} from '../../../../nodes/SignAndClose/trigger/missed/eventLog.ts';
import type { TriggerState } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { parseTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import { listening, nextNumber } from '../../../support/delivery.mts';
import { triggerContext } from '../../../support/engine.mts';
import { liveClosing } from '../../../support/live/answers.mts';
import { known, playing, storedMemory } from '../../../support/live/webhooks.mts';

export interface Setting {
	/** The event records, in the order in which the service lists them. */
	records?: IDataObject[];
	parameters?: IDataObject;
	stored?: IDataObject;
	/** Transactions that can't be asked for at present. */
	busy?: Set<string>;
	/** Transactions that aren't there any more. */
	gone?: Set<string>;
	/** The status of every answer with a transaction. */
	status?: () => number;
	/** Of all transactions. */
	fields?: IDataObject;
	/** The status of the event records. */
	recordsStatus?: number;
}

/** A published trigger with the event records of its webhook. */
export interface Reading {
	trigger: ReturnType<typeof triggerContext>;
	/** Reads the event records once, and returns the transactions of the events that were emitted. */
	check: (isClosed?: () => boolean) => Promise<unknown[]>;
	/** The transactions of the events that are kept when the workflow is unpublished. */
	undelivered: () => Promise<unknown[]>;
	emitted: IDataObject[];
	/** What n8n is given to settle when an execution has ended. */
	done: Array<{ resolve: (run: IRun) => void }>;
	asked: () => string[];
	/** The transactions that were asked for. */
	confirmed: string[];
	warned: () => string[];
}

export async function reading(
	{ records = [], parameters = {}, stored = known(), fields = {}, ...more }: Setting,
	work: (scene: Reading) => Promise<void>,
): Promise<void> {
	const confirmed: string[] = [];
	const statusOf = (id: string) => {
		if (more.busy?.has(id)) return 409;
		return more.gone?.has(id) ? 422 : (more.status?.() ?? 200);
	};
	const instead = ({ path, query }: { path: string; query: Record<string, string> }) => {
		const id = /ot_\w+/.exec(path)?.[0];
		if (id === undefined && !path.endsWith('/events')) return undefined;
		if (id !== undefined) confirmed.push(id);
		const status = id === undefined ? (more.recordsStatus ?? 200) : statusOf(id);
		if (status !== 200) return { status, body: { errors: ['No'] } };
		const [from, count] = [Number(query.offset), Number(query.limit)];
		return id === undefined
			? { body: records.slice(from, from + count) }
			: { body: liveClosing([], { id, ...fields }) };
	};
	await playing({ instead }, async ({ credential, service, asked }) => {
		const trigger = triggerContext({
			credential,
			parameters: listening({ events: ['transaction.created'], ...parameters }),
			node: { id: `reading-${nextNumber()}` },
			staticData: { 'node:Tested': stored },
		});
		const warn = jest.spyOn(trigger.logger, 'warn').mockImplementation(() => undefined);
		const emitted: IDataObject[] = [];
		const done: Reading['done'] = [];
		trigger.emit = ([[{ json }]]: INodeExecutionData[][], _response: unknown, settle: never) => {
			emitted.push(json);
			done.push(settle);
		};
		const handled = new Set<string>();
		const settings = parseTriggerParameters(trigger);
		await work({
			trigger,
			emitted,
			done,
			asked,
			confirmed,
			warned: () => warn.mock.calls.map(([text]) => String(text)),
			check: async (isClosed = () => false) => {
				const before = emitted.length;
				await emitRecordedEvents({ context: trigger, settings, service, handled, isClosed });
				return emitted.slice(before).map(({ transaction_id: id }) => id);
			},
			undelivered: async () => {
				const memory: TriggerState = { ...storedMemory(trigger) };
				await keepUndelivered({ service, memory, settings }, 'ours');
				return memory.undelivered!.map(({ delivery }) => delivery.transactionId);
			},
		});
	});
}
