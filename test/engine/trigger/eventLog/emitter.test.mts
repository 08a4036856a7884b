import type { IDataObject, IRun } from 'n8n-workflow';
import { CONFIRMING } from '../../../support/delivery.mts';
import { accounts } from '../../../support/engine.mts';
import { liveRecord } from '../../../support/live/answers.mts';
import { triggerMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { CALLBACK, known } from '../../../support/live/webhooks.mts';
import { until } from '../../../support/until.mts';

import { reading } from './reading.mts';

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

test.each([401, 403])(
	'while the service refuses the key with %i, every event waits, the log says so once, and all come afterwards',
	async (refusal) => {
		let status = refusal;
		const records = ['ot_2', 'ot_1'].map((id, at) => record(id, (at + 20) * MINUTE));
		const scene = { records, parameters: CONFIRMING, status: () => status };
		await reading(scene, async ({ check, warned }) => {
			expect([await check(), await check()]).toEqual([[], []]);
			expect(warned()).toEqual([expect.stringMatching(/events wait until they can be confirmed/)]);
			status = 200;
			expect(await check()).toEqual(['ot_1', 'ot_2']);
		});
	},
);

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

test('what n8n can not store is kept once, however often it is tried', async () => {
	const records = Array.from({ length: 6 }, (_, at) => record(`ot_g${at}`, (at + 5) * MINUTE));
	await reading({ records, parameters: CONFIRMING }, async ({ trigger, check }) => {
		let [emitted, failed] = [0, 0];
		trigger.emit = (_data: unknown, _response: unknown, done: { reject(e: Error): void }) => {
			emitted++;
			setTimeout(() => {
				done.reject(new Error('database is locked'));
				failed++;
			}, 1);
		};
		const sizes: number[] = [];
		for (let round = 0; round < 5; round++) {
			await check();
			await until(() => failed === emitted);
			// What follows from a failure follows before the next turn of the event loop.
			await new Promise(setImmediate);
			sizes.push(triggerMemory.readState(trigger).undelivered?.length ?? 0);
		}
		expect(sizes).toEqual([6, 6, 6, 6, 6]);
	});
});

test('one record with a time in the future does not hide what comes after it', async () => {
	const records = [record('ot_f1', -30 * 24 * 60 * MINUTE)];
	await reading({ records }, async ({ check }) => {
		expect(await check()).toHaveLength(1);
		records.push(record('ot_f2', 0));
		expect(await check()).toEqual(['ot_f2']);
	});
});

test('a pulled item shows no secret of the subscription', async () => {
	const stored = known({ pulled: [{ from: 0 }] });
	const records = [
		{
			...record('ot_s1', MINUTE),
			payload: {
				...named('ot_s1', ago(MINUTE)),
				data: { transaction_id: 'ot_s1', webhook_url: CALLBACK },
			},
		},
	];
	const parameters = { options: { confirm: false, eventSource: 'pull' } };
	await reading({ records, stored, parameters }, async ({ check, emitted }) => {
		await check();
		expect(emitted).toHaveLength(1);
		expect(JSON.stringify(emitted)).not.toContain('the-secret-of-this-subscription');
	});
});
