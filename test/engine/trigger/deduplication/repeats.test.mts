import type { IDataObject } from 'n8n-workflow';

import { createClosing } from '../../../support/closing.mts';
import {
	CONFIRMING,
	listening,
	deliver,
	event,
	nextNumber,
	runOf,
} from '../../../support/delivery.mts';
import { processed, runNode } from '../../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';

/** An event that is delivered more than once. */

useSandbox();

describe('each event passes once', () => {
	test('a repeat is dropped in its run, and after that before a run is started', async () => {
		const body = event();
		const [first, second] = [await deliver(body), await deliver(body)];
		expect(first.item!.delivery_key).toBe(second.item!.delivery_key);
		expect((await runOf([{ json: first.item! }])).items).toHaveLength(1);
		expect((await runOf([{ json: second.item! }])).items).toEqual([]);
		expect(await deliver(body)).toMatchObject({ status: 200, item: undefined });
	});
	test('a hundred runs at once of twenty events: each passes once', async () => {
		const first = nextNumber();
		const keys = Array.from({ length: 100 }, (_, index) => `key-${first}-${index % 20}`);
		const runs = await Promise.all(
			keys.map(async (key) => await runOf([{ json: { event: 'x', delivery_key: key } }])),
		);
		const passed = runs.flatMap(({ items }) => items.map(({ json }) => json.delivery_key));
		expect(passed).toHaveLength(20);
		expect(new Set(passed).size).toBe(20);
	});
	test('a run that fails gives its event back: the next run passes', async () => {
		const { item } = await deliver(event({ transaction_id: 'ot_unknown' }));
		expect((await runOf([{ json: item! }], CONFIRMING)).error?.message).toMatch(
			/'Transaction' ot_unknown was not found/,
		);
		expect((await runOf([{ json: item! }])).items).toHaveLength(1);
	});
	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'with Retry On Fail and On Error "%s", an event whose run fails at first passes',
		async (onError) => {
			const transactionId = await createClosing(credential());
			const { item } = await deliver(event({ transaction_id: transactionId }));
			sandbox.faults.add({ method: 'GET', path: /\/transactions\//, status: 403, times: 1 });
			const { items, errorItems } = await runNode({
				type: 'signAndCloseTrigger',
				credential: credential(),
				parameters: listening(CONFIRMING),
				items: [{ json: item! }],
				mode: 'webhook',
				node: { onError, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
			});
			expect(errorItems).toEqual([]);
			expect(items.map(({ json }) => json)).toMatchObject([
				{ transaction_id: transactionId, transaction: { transaction_id: transactionId } },
			]);
		},
	);
	test.each([
		['that was not confirmed', { confirmed: false }, false],
		['that was made up as completed with confirmation off', {}, true],
	])('one %s keeps back no genuine one', async (_name, confirmed, isOtherKey) => {
		const id = await createClosing(credential());
		const key = `made-up-${nextNumber()}`;
		const json = { event: 'transaction.completed', transaction_id: id, delivery_key: key };
		const genuine = {
			...json,
			...(isOtherKey ? { delivery_key: `genuine-${key}` } : { confirmed: true }),
		};
		const passed = async (item: IDataObject) => (await runOf([{ json: item }])).items.length;
		const madeUp = { ...json, ...confirmed };
		expect([await passed(madeUp), await passed(madeUp), await passed(genuine)]).toEqual([1, 0, 1]);
		expect(await passed(genuine)).toBe(0);
	});
	test('a test execution gets an event that the published workflow has had', async () => {
		const body = event();
		const { item } = await deliver(body);
		expect((await runOf([{ json: item! }])).items).toHaveLength(1);
		expect((await deliver(body)).item).toBeUndefined();
		expect((await deliver(body, { mode: 'manual' })).item).toMatchObject({
			delivery_key: item!.delivery_key,
		});
	});
	test('a failed execution is run again by Retry On Fail, even if n8n can not release its event at once', async () => {
		const transactionId = await createClosing(credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		sandbox.faults.add({ method: 'GET', path: /\/transactions\//, status: 403, times: 2 });
		jest.spyOn(processed, 'removeProcessed').mockRejectedValueOnce(new Error('database is locked'));
		const { items, error } = await runNode({
			type: 'signAndCloseTrigger',
			credential: credential(),
			parameters: listening(CONFIRMING),
			items: [{ json: item! }],
			mode: 'webhook',
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect([items.length, error?.message]).toEqual([1, undefined]);
	});
});
