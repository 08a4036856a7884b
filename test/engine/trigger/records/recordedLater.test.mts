import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { emitRecorded, keepUndelivered } from '../../../../nodes/SignAndClose/trigger/eventLog.ts';
import { readTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import type { SubscriptionMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { CONFIRMING, listening, nextNumber } from '../../../support/delivery.mts';
import { accounts, triggerContext } from '../../../support/engine.mts';
import { liveClosing, liveRecord } from '../../../support/live/answers.mts';
import { known, playing, storedMemory } from '../../../support/live/webhooks.mts';
import { until } from '../until.mts';

/** Event records on bad days: a refused key, no times, many events at once, records that fail. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ago = (age: number) => new Date(Date.now() - age).toISOString();
const named = (
	transaction_id: string,
	occurred: string | undefined,
	event = 'transaction.created',
) => ({
	event,
	data: { transaction_id, ...(occurred !== undefined && { date_occurred: occurred }) },
});
const record = (id: string, age: number, more: IDataObject = {}) => ({
	...liveRecord('transaction.created', named(id, ago(age)), { code: 500, delivered: ago(age) }),
	...more,
});

beforeEach(() => accounts.clear());
afterEach(() => void jest.restoreAllMocks());

interface Setting {
	/** The records, in the order in which the service lists them. */
	records: IDataObject[];
	parameters?: IDataObject;
	stored?: IDataObject;
	/** The status of every answer with a transaction. */
	status?: () => number;
	/** The transaction that is shown. */
	transaction?: IDataObject;
	/** The status of the event records. */
	recordsStatus?: number;
}

/** Runs a test with a published trigger and the event records of its webhook. */
async function reading(
	{ records, parameters, stored = known(), status, transaction = {}, recordsStatus }: Setting,
	work: (scene: {
		trigger: ReturnType<typeof triggerContext>;
		check: (isClosed?: () => boolean) => Promise<unknown[]>;
		undelivered: () => Promise<unknown[]>;
		emitted: IDataObject[];
		/** What n8n is given to settle when an execution has ended. */
		done: Array<{ resolve: (run: IRun) => void }>;
		asked: () => number;
		warned: () => string[];
	}) => Promise<void>,
) {
	let questions = 0;
	const scene = {
		instead: ({ path, query }: { path: string; query: Record<string, string> }) => {
			const id = /ot_\w+/.exec(path)?.[0];
			if (id !== undefined) {
				questions += 1;
				const answer = status?.() ?? 200;
				return answer === 200
					? { body: liveClosing([], { id, ...transaction }) }
					: { status: answer, body: { errors: ['No'] } };
			}
			if (!path.endsWith('/events')) return undefined;
			const [from, count] = [Number(query.offset), Number(query.limit)];
			return recordsStatus === undefined
				? { body: records.slice(from, from + count) }
				: { status: recordsStatus, body: { errors: ['No'] } };
		},
	};
	await playing(scene, async ({ credential, service }) => {
		const trigger = triggerContext({
			credential,
			parameters: listening({ events: ['*'], ...parameters }),
			node: { id: `later-${nextNumber()}` },
			staticData: { 'node:Tested': stored },
		});
		const warn = jest.spyOn(trigger.logger, 'warn').mockImplementation(() => undefined);
		const emitted: IDataObject[] = [];
		const done: Array<{ resolve: (run: IRun) => void }> = [];
		trigger.emit = ([[{ json }]]: INodeExecutionData[][], _response: unknown, settle: never) => {
			emitted.push(json);
			done.push(settle);
		};
		const handled = new Set<string>();
		const settings = readTriggerParameters(trigger);
		await work({
			trigger,
			emitted,
			done,
			asked: () => questions,
			warned: () => warn.mock.calls.map(([text]) => String(text)),
			check: async (isClosed) => {
				const before = emitted.length;
				await emitRecorded(trigger, settings, service, handled, isClosed);
				return emitted.slice(before).map(({ transaction_id: id }) => id);
			},
			undelivered: async () => {
				const memory: SubscriptionMemory = { ...storedMemory(trigger) };
				await keepUndelivered(service, memory, settings, 'ours');
				return memory.undelivered!.map(({ delivery }) => delivery.transactionId);
			},
		});
	});
}

describe('while the service refuses the key', () => {
	test.each([401, 403])(
		'with %i, every event waits, a check asks about twenty of them, the log says so once, and all come afterwards',
		async (refusal) => {
			let status = refusal;
			const records = Array.from({ length: 30 }, (_, at) => record(`ot_${at}`, (at + 20) * MINUTE));
			const parameters = {
				...CONFIRMING,
				onlyRunIf: {
					row: [{ field: 'organization_id', comparison: 'equals', value: 'orod4kenk' }],
				},
			};
			await reading(
				{ records, parameters, status: () => status },
				async ({ check, asked, warned, done }) => {
					expect(await check()).toEqual([]);
					const perCheck = asked();
					// Each of them on both platforms at most.
					expect(perCheck).toBeLessThanOrEqual(40);
					expect(await check()).toEqual([]);
					expect(asked()).toBe(2 * perCheck);
					expect(warned()).toEqual([
						expect.stringMatching(/events wait until they can be confirmed/),
					]);
					status = 200;
					const checked = check();
					for (let ended = 0; ended < 30; ended++) {
						await until(() => done.length > ended);
						done[ended].resolve({} as IRun);
					}
					expect(await checked).toHaveLength(30);
				},
			);
		},
	);
});

test('a refusal that is about one transaction keeps back no other event', async () => {
	let questions = 0;
	const records = ['ot_3', 'ot_2', 'ot_1'].map((id, at) => record(id, (at + 20) * MINUTE));
	// Both platforms refuse the first one: nobody has chosen one of them.
	const status = () => (++questions <= 2 ? 403 : 200);
	await reading({ records, parameters: CONFIRMING, status }, async ({ check }) => {
		expect(await check()).toEqual(['ot_2', 'ot_3']);
		expect(await check()).toEqual(['ot_1']);
	});
});

describe('an event that the transaction contradicts', () => {
	const completed = (age: number) => ({
		...record('ot_1', age),
		payload: JSON.stringify(named('ot_1', ago(age), 'transaction.completed')),
		event: 'transaction.completed',
	});
	const sent = { status: 'sent', detailed_status: 'sent_to_signer' };
	test.each([
		['just now waits', 0, []],
		['long ago passes, not confirmed', 20 * MINUTE, [{ confirmed: false }]],
	])('%s', async (_what, age, expected) => {
		const parameters = CONFIRMING;
		const setting = { records: [completed(age)], parameters, transaction: sent };
		await reading(setting, async ({ check, emitted }) => {
			await check();
			expect(emitted).toMatchObject(expected);
			expect(emitted).toHaveLength(expected.length);
		});
	});
	test('made up as deleted, but in the records of the service, is confirmed', async () => {
		const deleted = {
			...record('ot_1', 20 * MINUTE),
			payload: JSON.stringify(named('ot_1', ago(20 * MINUTE), 'transaction.deleted')),
		};
		const setting = { records: [deleted], parameters: CONFIRMING, status: () => 404 };
		await reading(setting, async ({ check, emitted }) => {
			await check();
			expect(emitted).toMatchObject([{ event: 'transaction.deleted', confirmed: true }]);
		});
	});
});

test('an old event whose execution n8n could not store, as it says later, comes with the next check', async () => {
	const records = [record('ot_2', MINUTE), record('ot_1', 3 * 60 * MINUTE)];
	await reading({ records }, async ({ check, done }) => {
		expect(await check()).toEqual(['ot_1', 'ot_2']);
		const [old] = done as unknown as Array<{ reject: (thrown: Error) => void }>;
		old.reject(new Error('database is locked'));
		await new Promise(setImmediate);
		expect(await check()).toEqual(['ot_1']);
	});
});

describe('records without a time', () => {
	const timeless = (id: string, occurred?: string) => {
		const undated = { ...record(id, 0), payload: JSON.stringify(named(id, occurred)) };
		return Object.fromEntries(Object.entries(undated).filter(([name]) => name !== 'delivered'));
	};
	test.each(['push', 'pull'])(
		'are as old as their event, or as the record beside them, in %s mode',
		async (deliveryMode) => {
			const records = [
				record('ot_new', MINUTE),
				timeless('ot_beside_new'),
				timeless('ot_yesterday', ago(DAY)),
				timeless('ot_old', ago(60 * DAY)),
				timeless('ot_beside_old'),
			];
			await reading(
				{ records, parameters: { options: { eventSource: deliveryMode } } },
				async ({ check }) => {
					expect((await check()).sort()).toEqual(['ot_beside_new', 'ot_new', 'ot_yesterday']);
				},
			);
		},
	);
	test('that are kept while the workflow is not published are emitted afterwards', async () => {
		const records = [timeless('ot_1')];
		await reading({ records }, async ({ trigger, undelivered, check }) => {
			expect(await undelivered()).toEqual(['ot_1']);
			const kept = {
				delivery: { ...named('ot_kept', undefined), transactionId: 'ot_kept', key: 'kept' },
				at: '',
				arrived: false,
			};
			trigger.getWorkflowStaticData('node').undelivered = [kept];
			expect(await check()).toEqual(['ot_kept', 'ot_1']);
		});
	});
});

describe('many events at once', () => {
	const records = Array.from({ length: 12 }, (_, at) => record(`ot_${at}`, (at + 1) * MINUTE));
	const run = {} as IRun;
	test('start five executions, and each of the others when one has ended', async () => {
		await reading({ records }, async ({ check, emitted, done }) => {
			const checked = check();
			await until(() => emitted.length === 5);
			await new Promise((wake) => setImmediate(wake));
			expect(emitted).toHaveLength(5);
			done[2].resolve(run);
			await until(() => emitted.length === 6);
			for (let ended = 0; ended < 12; ended++) {
				await until(() => done.length > ended);
				done[ended].resolve(run);
			}
			expect(await checked).toHaveLength(12);
		});
	});
	test('are left for the next publishing when the workflow is unpublished meanwhile', async () => {
		let closed = false;
		await reading({ records }, async ({ check, emitted, done }) => {
			const checked = check(() => closed);
			await until(() => emitted.length === 5);
			closed = true;
			done[0].resolve(run);
			await checked;
			expect(emitted).toHaveLength(5);
		});
	});
});

describe('records that can not be read before a webhook is removed', () => {
	test.each([404, 405, 501])(
		'are none where %i says that there are none',
		async (recordsStatus) => {
			await reading({ records: [], recordsStatus }, async ({ undelivered }) => {
				expect(await undelivered()).toEqual([]);
			});
		},
	);
	test.each([401, 409])('with %i are a failure', async (recordsStatus) => {
		await reading({ records: [], recordsStatus }, async ({ undelivered }) => {
			await expect(undelivered()).rejects.toMatchObject({ flags: { httpStatus: recordsStatus } });
		});
	});
});
