import type { IDataObject } from 'n8n-workflow';

import {
	hasArrived,
	parseDelivery,
	parseRecordedDelivery,
	fetchRecords,
} from '../../../../nodes/SignAndClose/resources/webhook/deliveries.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { liveRecord } from '../../../support/live/answers.mts';
import { withClient } from '../../../support/live/client.mts';

/** Events as they are read from deliveries and from the event records of a webhook. */

const event = 'transaction.sent';
const keyOf = (data: unknown) => parseDelivery({ event, data })!.key;

describe('an event', () => {
	const key = expect.stringMatching(/^[0-9a-f]{32}$/);
	test('has its transaction and its time, when the payload has them', () => {
		const data = { transaction_id: 'ot_1', date_occurred: '2026-11-21T10:00:00Z' };
		expect(parseDelivery({ event, data })).toStrictEqual({
			event,
			key,
			data,
			transactionId: 'ot_1',
			occurred: '2026-11-21T10:00:00Z',
		});
		expect(parseDelivery({ event })).toEqual({ event, key, data: {} });
	});
	test('is another one with other content, where time or transaction is missing', () => {
		forEachCase([{ transaction_id: 'ot_1' }, { date_occurred: 'x' }, {}], (known) => {
			const keys = [
				{ ...known, notes: ['a'] },
				{ ...known, notes: ['b'] },
				{ ...known, notes: ['a', 'b'] },
				{ ...known, notes: { 0: 'a' } },
				{ ...known, notes: null },
				known,
			].map(keyOf);
			expect(new Set(keys).size).toBe(keys.length);
		});
	});
	test('is none when it is nested too deeply', () => {
		let data: unknown = 'a';
		for (let level = 0; level < 100; level++) data = [data];
		expect(parseDelivery({ event, data })).toBeUndefined();
		expect(parseRecordedDelivery({ event, payload: { event, data } as never })).toBeUndefined();
	});
	test('is none in a record without a payload', () => {
		forEachCase([null, undefined, 'null'], (payload) =>
			expect(parseRecordedDelivery({ event, payload })).toBeUndefined(),
		);
	});
});

describe('a delivery has arrived', () => {
	const answered = (code: unknown, body?: unknown) =>
		hasArrived({ response: { code, body } as IDataObject }, false);
	test('with 200, as a number and as a text', () => {
		expect([200, '200'].map((code) => answered(code))).toEqual([true, true]);
		expect([201, 404, 500, undefined].map((code) => answered(code))).toEqual(Array(4).fill(false));
		expect(hasArrived({}, false)).toBe(false);
	});
});

describe('the event records of a webhook', () => {
	const time = (minute: number) => `2026-11-21T10:0${minute}:00.000000Z`;
	const at = (minute: number) => Date.parse(time(minute));
	/** The record of a delivery in this minute, of the event of a transaction. */
	const record = (minute: number | undefined, name = `ot_${minute}`, code = 200) => {
		const made = liveRecord(
			event,
			{ event, data: { transaction_id: name, date_occurred: 'x' } },
			{ code },
		);
		return { ...made, delivered: minute === undefined ? null : time(minute) };
	};
	/** What is read of these records, in pages of two, and how many pages were asked for. */
	const read = async (records: object[], options: { since?: number } = {}) =>
		await withClient(
			({ query: { limit, offset } }) => ({
				body: records
					.slice(Number(offset), Number(offset) + Number(limit))
					.map((one, index) => ({ id: `re_${Number(offset) + index}`, ...one })),
			}),
			async (service, { requests }) => {
				const found = await fetchRecords(service, 'wh_1', { ofTrigger: true, ...options });
				return {
					found: found.map(({ delivery }) => delivery.transactionId),
					times: found.map(({ at: when }) => when),
					arrived: found.map(({ arrived }) => arrived),
					pages: requests.length,
				};
			},
			{ limits: { pageSize: 2 } },
		);

	test('are given from the oldest to the newest, however the service lists them', async () => {
		const names = ['ot_1', 'ot_2', 'ot_3'];
		expect((await read([record(3), record(2), record(1)])).found).toEqual(names);
		expect((await read([record(1), record(2), record(3)])).found).toEqual(names);
		const sameTime = [record(3, 'a'), record(3, 'b'), record(1, 'c')];
		expect((await read(sameTime)).found).toEqual(['c', 'b', 'a']);
	});
	test('of one event are one, which arrived if any delivery did, the last time', async () => {
		const deliveries = [record(1, 'a', 500), record(2, 'a', 200), record(3, 'a', 500)];
		await forEachCase([deliveries, [...deliveries].reverse()], async (records) =>
			expect(await read(records)).toMatchObject({
				found: ['a'],
				times: [time(3)],
				arrived: [true],
			}),
		);
		expect(await read([record(2, 'a', 500), record(1, 'a', 500)])).toMatchObject({
			arrived: [false],
		});
	});
	test('without a time are kept', async () => {
		expect(await read([record(undefined, 'a')], { since: at(3) })).toMatchObject({
			found: ['a'],
			times: [''],
		});
	});
	test('from before the wanted time are left out, those of that moment are not', async () => {
		const { found } = await read([record(5), record(3), record(2)], { since: at(3) });
		expect(found).toEqual(['ot_3', 'ot_5']);
	});
	test('are read until a whole page of them is too old', async () => {
		const old = [record(2), record(2, 'b'), record(1), record(0)];
		expect(await read(old, { since: at(3) })).toMatchObject({ found: [], pages: 1 });
		const mixed = [record(5), record(2), record(4, 'late'), ...old];
		expect((await read(mixed, { since: at(3) })).found).toEqual(['late', 'ot_5']);
	});
	test('of just the wanted time are not too old', async () => {
		const records = [record(3, 'a'), record(3, 'b'), record(3, 'c'), record(3, 'd')];
		expect((await read(records, { since: at(3) })).found).toEqual(['d', 'c', 'b', 'a']);
	});
});
