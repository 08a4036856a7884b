import { liveRecord } from '../../../support/live/answers.mts';
import { known, storedMemory } from '../../../support/live/webhooks.mts';

import { reading } from './reading.mts';

/** What a check of the event records reads, emits and remembers. */

const [HOUR, WEEK] = [3_600_000, 7 * 24 * 3_600_000];
const ago = (age: number) => new Date(Date.now() - age).toISOString();
const named = (transaction_id: string) => ({
	event: 'transaction.created',
	data: { transaction_id, date_occurred: '2026-11-21T10:00:00Z' },
});
const record = (transactionId: string, age: number, code = 500) =>
	liveRecord('transaction.created', named(transactionId), { code, delivered: ago(age) });
const kept = (transactionId: string, at: string) => ({
	delivery: {
		...named(transactionId),
		transactionId,
		occurred: named(transactionId).data.date_occurred,
		key: `key of ${transactionId}`,
	},
	at,
	arrived: false,
});
test('nothing where there is no webhook', async () => {
	await reading({ stored: {} }, async ({ check, asked }) => {
		expect([await check(), asked()]).toEqual([[], []]);
	});
});
test('one behind thousands of newer records is found, and the next check reads only what is new', async () => {
	const arrived = (index: number) => ({
		...record(`ot_${index}`, 2 * HOUR + index * 180_000, 200),
		id: `record-${index}`,
	});
	const records = [
		...Array.from({ length: 2_500 }, (_, index) => arrived(index)),
		record('ot_x', 6 * 24 * HOUR),
	];
	await reading({ records }, async ({ check, asked }) => {
		expect(await check()).toEqual(['ot_x']);
		const before = asked().length;
		records.unshift(record('ot_new', 60_000));
		expect(await check()).toEqual(['ot_new']);
		// The page of the new one, and as many old ones as make sure that no other is among them.
		expect(asked().length - before).toBeLessThanOrEqual(4);
	});
});
test('undelivered events of an earlier life are emitted for seven days, then forgotten', async () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	const undelivered = [
		kept('ot_late', ago(WEEK + 1)),
		kept('ot_just', ago(WEEK)),
		kept('ot_new', ago(HOUR)),
	];
	await reading({ stored: known({ undelivered }) }, async ({ trigger, check }) => {
		expect(await check()).toEqual(['ot_just', 'ot_new']);
		expect(storedMemory(trigger)).not.toHaveProperty('undelivered');
		expect(await check()).toEqual([]);
	});
	now.mockRestore();
});
test('in pull mode, the time goes on to the first event that can not be confirmed yet', async () => {
	const busy = new Set(['ot_2', 'ot_kept']);
	const records = [record('ot_3', 1_000), record('ot_2', 2_000), record('ot_1', 3_000)];
	const undelivered = [kept('ot_gone', ago(5_000)), kept('ot_kept', ago(4_000))];
	const parameters = { options: { confirm: true, eventSource: 'pull' } };
	await reading({ records, busy, parameters }, async ({ trigger, check }) => {
		expect(await check()).toEqual(['ot_1', 'ot_3']);
		expect(storedMemory(trigger)).toStrictEqual(
			known({ recordsUntil: records[1].delivered as string }),
		);
		busy.clear();
		expect(await check()).toEqual(['ot_2']);
		expect(storedMemory(trigger).recordsUntil).toBe(records[0].delivered);
	});
	busy.add('ot_kept');
	await reading(
		{ busy, parameters, stored: known({ undelivered }) },
		async ({ trigger, check }) => {
			expect(await check()).toEqual(['ot_gone']);
			expect(storedMemory(trigger).undelivered).toEqual([undelivered[1]]);
		},
	);
});
test('in push mode the time of the newest record is kept, and an event that the filters leave out is asked for once', async () => {
	const records = [record('ot_1', HOUR)];
	await reading({ records }, async ({ trigger, check }) => {
		expect(await check()).toEqual(['ot_1']);
		expect(storedMemory(trigger)).toStrictEqual(
			known({ recordsUntil: records[0].delivered as string }),
		);
	});
	const parameters = {
		onlyRunIf: { row: [{ field: 'organization_id', comparison: 'equals', value: 'another' }] },
	};
	await reading({ records, parameters }, async ({ check, confirmed }) => {
		expect(await check()).toEqual([]);
		expect(await check()).toEqual([]);
		expect(confirmed).toEqual(['ot_1']);
	});
});
const RECORDS = [
	record('ot_new', 1_000),
	record('ot_overlap', 5.5 * HOUR),
	record('ot_old', 7 * HOUR),
	record('ot_older', WEEK + HOUR),
];
test.each([
	['push', 5 * HOUR, ['ot_overlap', 'ot_new']],
	['pull', 5 * HOUR, ['ot_overlap', 'ot_new']],
	['pull', undefined, ['ot_old', 'ot_overlap', 'ot_new']],
	['pull', 2 * WEEK, ['ot_old', 'ot_overlap', 'ot_new']],
])('in %s mode, read up to %s milliseconds ago: %j', async (deliveryMode, age, read) => {
	const stored = known(age === undefined ? {} : { recordsUntil: ago(age) });
	const setting = {
		records: RECORDS,
		stored,
		parameters: { options: { eventSource: deliveryMode } },
	};
	await reading(setting, async ({ check, undelivered }) => {
		expect(await undelivered()).toEqual(read);
		expect(await check()).toEqual(read);
	});
});
describe('while calls and event log take turns as the source', () => {
	const MINUTE = 60_000;
	/** Calls, then the event log until 20 minutes ago or till now, then calls again. */
	const records = [
		record('ot_last', MINUTE, 200),
		record('ot_pulled', 30 * MINUTE, 200),
		record('ot_called', 50 * MINUTE, 200),
	];
	const from = Date.now() - 40 * MINUTE;
	test.each([
		['push', [], []],
		['pull', [{ from }], ['ot_pulled', 'ot_last']],
		['push', [{ from, to: Date.now() - 20 * MINUTE }], ['ot_pulled']],
		['pull', [{ from: Date.now() - 20 * MINUTE }], ['ot_last']],
	])('in %s mode, %j: what a call has started is left alone', async (source, pulled, read) => {
		const parameters = { options: { eventSource: source } };
		await reading({ records, parameters, stored: known({ pulled }) }, async ({ check }) => {
			expect(await check()).toEqual(read);
		});
	});
});
test("two records of about the same time in the wrong order don't turn the whole list", async () => {
	const records = Array.from({ length: 502 }, (_, at) => record(`ot_${at}`, (at + 1) * 60_000));
	[records[0], records[1]] = [records[1], records[0]];
	await reading({ records }, async ({ undelivered }) => {
		const ids = await undelivered();
		expect([ids.length, ids[0], ids.at(-2), ids.at(-1)]).toEqual([500, 'ot_499', 'ot_0', 'ot_1']);
	});
});

test('of the events that were not delivered, the newest 500 are kept, and no other events', async () => {
	// Minutes apart, so that no moment that a busy machine takes between two of them turns their order.
	const minutesAgo = (count: number) => count * 60_000;
	const records = Array.from({ length: 502 }, (_, at) => record(`ot_${at}`, minutesAgo(at + 2)));
	const others = [
		record('ot_arrived', minutesAgo(0), 200),
		liveRecord('transaction.sent', named('ot_sent'), { code: 500, delivered: ago(minutesAgo(1)) }),
	];
	others[1].payload = { ...named('ot_sent'), event: 'transaction.sent' };
	await reading({ records: [...others, ...records] }, async ({ undelivered }) => {
		const ids = await undelivered();
		expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, 'ot_499', 'ot_0']);
	});
});
