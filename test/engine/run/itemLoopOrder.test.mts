import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { runItems } from '../../../nodes/SignAndClose/run/runItems.ts';
import type { ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import {
	countEvaluations,
	credentialFor,
	executionOf,
	runNode,
	type RunOptions,
} from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { hints } from '../../support/operations.mts';

/**
 * The item loop around operations that a test makes up: which items run at the same time, where it
 * stops, and what becomes of results, hints and failures. None of them calls a service.
 */

/** The parameter that names a transaction. */
const TRANSACTION: INodeProperties = {
	displayName: 'Transaction',
	name: 'transactionId',
	type: 'string',
	default: '',
};
const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({ json: { index } }));

/** Three requests at once, so that a few items are enough. */
const PACE = { ...LIMITS.pace, firstAtOnce: 3 };

/** Runs the first of some operations. */
const run = async (operations: Operation[], more: Partial<RunOptions> = {}) =>
	await runNode({
		credential: credentialFor('https://api.example.com'),
		operations,
		parameters: choosing(operations[0]),
		limits: { pace: PACE },
		...more,
	});

/** Gives everything that is ready its turn. */
async function othersHadTheirTurn(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** Tells the loop that a request leaves, as the client does. */
const tellSending = (service: ServiceClient) => service['onSend']?.();

/** An operation that stays at each item until everything else has had its turn. */
function slowOperation(own: Partial<Operation>) {
	const seen = { begun: [] as number[], ended: [] as number[], mostAtOnce: 0 };
	const operation = madeUpOperation({
		async execute({ itemIndex, service }) {
			seen.begun.push(itemIndex);
			seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.begun.length - seen.ended.length);
			tellSending(service);
			await othersHadTheirTurn();
			seen.ended.push(itemIndex);
			return { json: { index: itemIndex } };
		},
		...own,
	});
	return { operation, seen };
}

const indexes = (output: INodeExecutionData[]) => output.map(({ json }) => json.index);

describe('how many items run at the same time', () => {
	test('reads: as many as requests may be open at once', async () => {
		const { operation, seen } = slowOperation({ kind: 'read' });
		const outcome = await run([operation], { items: items(5) });
		expect(indexes(outcome.items)).toEqual([0, 1, 2, 3, 4]);
		expect(seen.mostAtOnce).toBe(PACE.firstAtOnce);
	});
	test('writes: as many, each of which begins when the one before it sends', async () => {
		const { operation, seen } = slowOperation({ kind: 'write' });
		const outcome = await run([operation], { items: items(5) });
		expect(indexes(outcome.items)).toEqual([0, 1, 2, 3, 4]);
		expect(seen.begun).toEqual([0, 1, 2, 3, 4]);
		expect(seen.mostAtOnce).toBe(PACE.firstAtOnce);
	});
	test.each(['read', 'write'] as const)(
		'%ss that rest between looks make room for as many more',
		async (kind) => {
			const most = 2 * PACE.firstAtOnce;
			let [underWay, mostAtOnce] = [0, 0];
			const operation = madeUpOperation({
				kind,
				async execute({ service }) {
					mostAtOnce = Math.max(mostAtOnce, ++underWay);
					for (let turn = 0; turn < 200 && mostAtOnce < most; turn++) await service.rest(1);
					await service.rest(5);
					underWay--;
					return { json: {} };
				},
			});
			await run([operation], { items: items(20) });
			expect(mostAtOnce).toBe(most);
		},
	);
	test('writes to one transaction, and of webhooks: one after the other', async () => {
		const onTransaction: Partial<Operation> = { properties: [TRANSACTION] };
		for (const own of [onTransaction, { resource: 'webhook' as const }]) {
			const { operation, seen } = slowOperation({ kind: 'write', ...own });
			const outcome = await run([operation], {
				parameters: { ...choosing(operation), transactionId: 'ot_1' },
				items: items(3),
			});
			expect(indexes(outcome.items)).toEqual([0, 1, 2]);
			expect(seen).toEqual({ begun: [0, 1, 2], ended: [0, 1, 2], mostAtOnce: 1 });
		}
	});
	test('reads of one transaction: as many as of several', async () => {
		const { operation, seen } = slowOperation({ kind: 'read', properties: [TRANSACTION] });
		await run([operation], {
			parameters: { ...choosing(operation), transactionId: 'ot_1' },
			items: items(5),
		});
		expect(seen.mostAtOnce).toBe(PACE.firstAtOnce);
	});
});

describe('while requests are open', () => {
	/** Which items' transactions n8n has evaluated by the time the first item ends. */
	async function evaluatedDuringTheFirst(transactionId: string, count: number) {
		const evaluations = countEvaluations();
		let seen: number[] = [];
		const read = madeUpOperation({
			properties: [TRANSACTION],
			async execute({ itemIndex, params, service }) {
				const json = { id: params.text('transactionId'), index: itemIndex };
				tellSending(service);
				await manyTurns();
				if (itemIndex === 0)
					seen = evaluations
						.stop()
						.filter(([name]) => name === 'transactionId')
						.map(([, index]) => index);
				return { json };
			},
		});
		const { items: output, error } = await run([read], {
			parameters: { ...choosing(read), transactionId },
			items: items(count),
			node: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		return { seen, output: output.map(({ json }) => json) };
	}
	const manyTurns = async () => {
		for (let turn = 0; turn < 20; turn++) await new Promise((ends) => setTimeout(ends, 2));
	};
	const { firstAtOnce } = PACE;

	test('the parameters of as many items are evaluated in advance, once each', async () => {
		const { seen, output } = await evaluatedDuringTheFirst('=ot_{{ $json.index }}', 20);
		expect(seen).toEqual([...Array(2 * firstAtOnce).keys()]);
		expect(output).toEqual(items(20).map(({ json: { index } }) => ({ id: `ot_${index}`, index })));
	});
	test('not beyond the last item', async () => {
		const { seen } = await evaluatedDuringTheFirst('=ot_{{ $json.index }}', firstAtOnce + 1);
		expect(seen).toEqual([...Array(firstAtOnce + 1).keys()]);
	});
	test('what can not be evaluated fails its own item only', async () => {
		const failing = `={{ $json.index === ${firstAtOnce} ? $('Nowhere').first().json.id : 'ot_' + $json.index }}`;
		const { output } = await evaluatedDuringTheFirst(failing, firstAtOnce + 2);
		expect(output.map(({ id, error }) => id ?? typeof error)).toEqual([
			...['ot_0', 'ot_1', 'ot_2', 'string', 'ot_4'],
		]);
	});
});

describe('where a run stops', () => {
	test('a read that fails: those beside it are awaited, no other is begun, its error counts', async () => {
		const { operation, seen } = slowOperation({});
		const failing = madeUpOperation({
			async execute(call) {
				if (call.itemIndex !== 0) return await operation.execute(call);
				// Later than the others have begun, and before they end.
				await new Promise(setImmediate);
				throw new Error('It broke');
			},
		});
		const { error, items: output } = await run([failing], { items: items(5) });
		expect(error?.message).toBe('It broke (item 1 of 5)');
		expect(output).toEqual([]);
		expect(seen.begun).toEqual([1, 2]);
		expect(seen.ended).toEqual([1, 2]);
	});
	test('several reads that fail: the failure of the first item counts', async () => {
		const failing = madeUpOperation({
			async execute({ itemIndex }) {
				if (itemIndex === 0) await othersHadTheirTurn();
				throw new Error(`Number ${itemIndex} broke`);
			},
		});
		const { error } = await run([failing], { items: items(2) });
		expect(error?.message).toBe('Number 0 broke (item 1 of 2)');
	});
	test('"continue": every item is done, and a failed one says why', async () => {
		const { operation, seen } = slowOperation({ kind: 'write' });
		const failing = madeUpOperation({
			kind: 'write',
			async execute(call) {
				if (call.itemIndex === 1) throw new Error('It broke');
				return await operation.execute(call);
			},
		});
		const outcome = await run([failing], {
			items: items(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcome.items.map(({ json }) => json)).toEqual([
			{ index: 0 },
			{ error: 'It broke (item 2 of 3)' },
			{ index: 2 },
		]);
		expect(seen.ended).toEqual([0, 2]);
	});
	test('a cancelled execution: the item under way ends, no other is begun', async () => {
		const stop = new AbortController();
		const begun: number[] = [];
		const operation = madeUpOperation({
			kind: 'write',
			async execute({ itemIndex }) {
				begun.push(itemIndex);
				stop.abort(new Error('Somebody stopped it'));
				return [];
			},
		});
		const options = {
			operations: [operation],
			parameters: choosing(operation),
			items: items(3),
		};
		await expect(runItems(executionOf(options, stop.signal)(), [operation])).rejects.toMatchObject({
			message: 'Somebody stopped it (item 2 of 3)',
		});
		expect(begun).toEqual([0]);
	});
	test('where n8n gives no signal, nothing is cancelled', async () => {
		const { operation } = slowOperation({});
		const options = {
			operations: [operation],
			parameters: choosing(operation),
			items: items(2),
		};
		expect(await runItems(executionOf(options)(), [operation])).toEqual([
			[
				{ json: { index: 0 }, pairedItem: { item: 0 } },
				{ json: { index: 1 }, pairedItem: { item: 1 } },
			],
		]);
	});
	test('without items, nothing is read and nothing comes out', async () => {
		// n8n has no value for the operation: its dropdown belongs to another resource.
		const context = executionOf({ operations: [madeUpOperation()], parameters: {}, items: [] })();
		expect(() => context.getNodeParameter('operation', 0)).toThrow();
		expect(await runItems(context, [])).toEqual([[]]);
	});
});

test('a resource that this version does not have is named, too', async () => {
	const { error } = await run([madeUpOperation()], {
		parameters: { resource: 'ofTheFuture', operation: 'get' },
	});
	expect(error?.message).toMatch(/^'Operation' ofTheFuture: .* doesn't exist$/);
	expect(error?.description).toMatch(/Choose a 'Resource' and an 'Operation' from the lists/);
});

test('an operation that this version does not have is named for each item, with what to do', async () => {
	const { items: output } = await run([madeUpOperation()], {
		parameters: { resource: 'template', operation: 'ofTheFuture' },
		items: items(2),
		node: { onError: 'continueRegularOutput' },
	});
	expect(output.map(({ json }) => json.error)).toEqual(
		[1, 2].map(
			(item) =>
				`'Operation' template: ofTheFuture doesn't exist (item ${item} of 2). Choose a 'Resource' and an 'Operation' from the lists. The workflow may come from a newer version of this node`,
		),
	);
	const { error } = await run([madeUpOperation()], {
		parameters: { resource: 'template', operation: 'ofTheFuture' },
	});
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
});

describe('the results of an item', () => {
	/** What the node puts out for what an operation returns. */
	const output = async (returned: Awaited<ReturnType<Operation['execute']>>) =>
		(await run([madeUpOperation({ execute: async () => returned })])).items;

	test('are none, one or several', async () => {
		const pairedItem = { item: 0 };
		expect(await output([])).toEqual([]);
		expect(await output({ json: { a: 1 } })).toEqual([{ json: { a: 1 }, pairedItem }]);
		expect(await output([{ json: { a: 1 } }, { json: { a: 2 } }])).toEqual([
			{ json: { a: 1 }, pairedItem },
			{ json: { a: 2 }, pairedItem },
		]);
	});
	test('have a file where the operation gives one', async () => {
		const binary = { data: { data: 'YQ==', mimeType: 'text/plain', fileName: 'a.txt' } };
		const [{ binary: file }, other] = await output([{ json: {}, binary }, { json: {} }]);
		expect(file).toMatchObject(binary);
		expect(other).not.toHaveProperty('binary');
	});
	test("have the service's own field error under another name, which n8n leaves alone", async () => {
		expect((await output({ json: { a: 1, error: 'Off' } }))[0].json).toEqual({
			a: 1,
			service_error: 'Off',
		});
		expect((await output({ json: { a: 1 } }))[0].json).toEqual({ a: 1 });
	});
	test('have no secret of the credential', async () => {
		const json = { said: 'The key is demo-full-access-key' };
		expect((await output({ json }))[0].json).toEqual({ said: 'The key is ***' });
	});
});

test('hints of items that are done outlive a try that fails', async () => {
	let tries = 0;
	const operation = madeUpOperation({
		kind: 'write',
		async execute({ itemIndex }) {
			if (itemIndex === 1 && tries++ === 0) throw new Error('Not now');
			return { json: {}, hint: `Hint of ${itemIndex}` };
		},
	});
	const outcome = await run([operation], {
		items: items(2),
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(outcome.error).toBeUndefined();
	for (const hint of ['Hint of 0', 'Hint of 1']) expect(hints(outcome)).toContain(hint);
});

describe('the hints of a run', () => {
	/** The hints of a run whose items give these. */
	const shown = async (given: Array<string | undefined>) =>
		await run([madeUpOperation({ execute: async ({ itemIndex }) => toHint(given[itemIndex]) })], {
			items: items(given.length),
		});
	const toHint = (hint: string | undefined) => ({ json: {} as IDataObject, hint });

	test('are shown once each, below the output, in order', async () => {
		const outcome = await shown(['Send it', undefined, 'Sign it', 'Send it']);
		expect(outcome.run.data.resultData.runData.Tested[0].hints).toEqual([
			{ message: 'Send it', location: 'outputPane' },
			{ message: 'Sign it', location: 'outputPane' },
		]);
	});
	test('are plain text, and no field of the output', async () => {
		const outcome = await shown(['<b>Send</b>\nit']);
		expect(hints(outcome)).toBe('‹b>Send‹/b> it');
		expect(outcome.items).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
	});
	test('are none where no item has one', async () => {
		expect(hints(await shown([undefined]))).toBe('');
	});
});

test('the message of a failure has no secret of the credential', async () => {
	const operation = madeUpOperation({
		execute: async () => {
			throw new Error('demo-full-access-key is wrong');
		},
	});
	expect((await run([operation])).error?.message).toBe('*** is wrong');
});
