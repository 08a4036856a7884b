import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { runItems } from '../../../nodes/SignAndClose/run/runItems.ts';
import type { ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { credentialFor, executionOf, runNode, type RunOptions } from '../../support/engine.mts';
import { startLimitedService } from '../../../bench/limitedService.mts';
import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { hints, ownDocuments } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * The item loop around operations that a test makes up: which items run at the same time, where it
 * stops, and what becomes of results, hints and failures. The matrix shows the same of each operation.
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
	test.each(['read', 'write'] as const)('%ss: as many as requests may be open', async (kind) => {
		const { operation, seen } = slowOperation({ kind });
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
		await forEachCase([onTransaction, { resource: 'webhook' as const }], async (own) => {
			const { operation, seen } = slowOperation({ kind: 'write', ...own });
			const outcome = await run([operation], {
				// With and without its underscore, an ID is the same.
				parameters: {
					...choosing(operation),
					transactionId: "={{ $itemIndex % 2 ? 'ot1' : 'ot_1' }}",
				},
				items: items(3),
			});
			expect(indexes(outcome.items)).toEqual([0, 1, 2]);
			expect(seen).toEqual({ begun: [0, 1, 2], ended: [0, 1, 2], mostAtOnce: 1 });
		});
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

describe('where a run stops', () => {
	test('reads that fail: those beside are awaited, no other is begun, the first error counts', async () => {
		const { operation, seen } = slowOperation({});
		const failing = madeUpOperation({
			async execute(call) {
				if (call.itemIndex === 2) return await operation.execute!(call);
				// Later than the others have begun, and before they end.
				for (let turn = call.itemIndex; turn < 2; turn++) await new Promise(setImmediate);
				throw new Error(`Number ${call.itemIndex} broke`);
			},
		});
		const { error, items: output } = await run([failing], { items: items(5) });
		expect(error?.message).toBe('Number 0 broke (item 1 of 5)');
		expect(output).toEqual([]);
		expect(seen.begun).toEqual([2]);
		expect(seen.ended).toEqual([2]);
	});
	test('"continue": every item is done, and a failed one says why', async () => {
		const { operation, seen } = slowOperation({ kind: 'write' });
		const failing = madeUpOperation({
			kind: 'write',
			async execute(call) {
				if (call.itemIndex === 1) throw new Error('It broke');
				return await operation.execute!(call);
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
			message: 'The execution was stopped (item 2 of 3)',
		});
		expect(begun).toEqual([0]);
	});
	test('without items, nothing is read and nothing comes out', async () => {
		// n8n has no value for the operation: its dropdown belongs to another resource.
		const context = executionOf({ operations: [madeUpOperation()], parameters: {}, items: [] })();
		expect(() => context.getNodeParameter('operation', 0)).toThrow();
		expect(await runItems(context, [])).toEqual([[]]);
	});
});

test.each([
	['template', 'ofTheFuture'],
	['ofTheFuture', 'get'],
])(
	'an operation that this version does not have (%s: %s) is named',
	async (resource, operation) => {
		const { error } = await run([madeUpOperation()], { parameters: { resource, operation } });
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(/^'Operation' .*ofTheFuture.* doesn't exist$/),
			description: expect.stringMatching(/'Resource' and an 'Operation' from the lists/),
		});
	},
);

describe('the results of an item', () => {
	/** What the node puts out for what an operation returns. */
	const output = async (returned: Awaited<ReturnType<Required<Operation>['execute']>>) =>
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
	test("have the service's own field error under another name, which n8n leaves alone", async () => {
		expect((await output({ json: { a: 1, error: 'Off' } }))[0].json).toEqual({
			a: 1,
			service_error: 'Off',
		});
		expect((await output({ json: { a: 1 } }))[0].json).toEqual({ a: 1 });
	});
});

test('the hints of a run are one, each sentence once, as plain text, in order', async () => {
	const given = ['Send it', undefined, '<b>Sign</b>\nit. Send it', 'Send it'];
	const execute: Operation['execute'] = async ({ itemIndex }) => ({
		json: {},
		hint: given[itemIndex],
	});
	const outcome = await run([madeUpOperation({ execute })], { items: items(given.length) });
	expect(outcome.run.data.resultData.runData.Tested[0].hints).toEqual([
		{ message: 'Send it. ‹b>Sign‹/b> it', location: 'outputPane' },
	]);
	expect(outcome.items[0].json).toEqual({});
});

describe('at the sandbox', () => {
	useSandbox();
	beforeEach(() => void (sandbox.requests.length = 0));
	const perItem = { ...CLOSING, transactionName: '={{ $json.name }}' };
	const named = (names: string[]) => names.map((name) => ({ json: { name } }));
	const NAMES = Array.from({ length: 40 }, (_, index) => `Closing ${index}`);

	test('documents of one transaction keep the order of the input, whatever comes between', async () => {
		const transactions: string[] = [];
		for (let index = 0; index < 3; index++) transactions.push(await createClosing(credential()));
		const plan = Array.from({ length: 18 }, (_, index) => ({
			transaction: transactions[(index * index) % 3],
			name: `Document ${String(index).padStart(2, '0')}`,
		}));
		const { error } = await runNode({
			credential: credential(),
			parameters: {
				...ADD_DOCUMENT,
				transactionId: id('={{ $json.transaction }}'),
				documentName: '={{ $json.name }}',
			},
			items: await Promise.all(plan.map(async (json) => await pdfItem(undefined, undefined, json))),
		});
		expect(error).toBeUndefined();
		forEachCase(transactions, (transaction) =>
			expect(ownDocuments(transaction).map(({ name }) => name)).toEqual(
				plan.filter((one) => one.transaction === transaction).map(({ name }) => name),
			),
		);
	});
	test('a run opens the credential once, whatever the number of its items', async () => {
		let opened = 0;
		const transactionId = id(await createClosing(credential()));
		const get = { resource: 'transaction', operation: 'get', platform: 'realEstate' };
		const outcome = await runNode({
			credential: () => {
				// It may even be deleted meanwhile.
				if (opened++ > 0) throw new Error('Credential with ID "1" does not exist.');
				return credential();
			},
			parameters: { ...get, transactionId },
			items: items(40),
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items).toHaveLength(40);
	});
	test('a run begins no write after an item whose input can not be used', async () => {
		const { error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: named(['First', '', ...NAMES]),
		});
		expect(error?.message).toMatch(/\(item 2 of 42\)$/);
		expect(error?.description).toMatch(/Item 1 is done: leave it out/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
	test('a run that stops says what was done, as the service has it', async () => {
		const body = { errors: ['Not now'] };
		sandbox.faults.add({ method: 'POST', path: /\/transactions$/, skip: 8, status: 422, body });
		const { error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: named(NAMES),
		});
		const made = [...sandbox.world.transactions.values()].map(({ fields }) =>
			String(fields.transaction_name),
		);
		const done = NAMES.flatMap((name, index) => (made.includes(name) ? [index + 1] : []));
		expect(done.length).toBeLessThan(40);
		const said = /Items (.*) are done/.exec(String(error?.description))![1];
		const numbers = said.split(/, | and /).flatMap((group) => {
			const [from, to = from] = group.split(' to ').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		});
		expect(numbers).toEqual(done);
	});
});

describe('items that send nothing', () => {
	/** Lets the clock go on by a millisecond whenever it's read. */
	beforeEach(() => {
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now++);
	});
	afterEach(() => void jest.restoreAllMocks());

	test('let others run from time to time', async () => {
		let [turn, isOver] = [0, false];
		const others = () => {
			turn++;
			if (!isOver) setImmediate(others);
		};
		others();
		const seen = new Set<number>();
		const execute = async () => {
			seen.add(turn);
			return [];
		};
		await run([madeUpOperation({ execute })], { items: items(1000) });
		isOver = true;
		expect(seen.size).toBeGreaterThan(20);
	});
	test('can be stopped, also when they continue on failure', async () => {
		let begun = 0;
		let stop = () => undefined as void;
		const cancelled = new Promise<void>((resolve) => (stop = resolve));
		const execute = async () => {
			if (++begun === 10) setImmediate(stop);
			throw new Error('No use');
		};
		await run([madeUpOperation({ execute })], {
			items: items(1000),
			cancelled,
			node: { onError: 'continueRegularOutput' },
		});
		// n8n doesn't wait for the node; nothing is begun any more.
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
		expect(begun).toBeLessThan(100);
	});
});

test.each([
	[3000, /paused for 3 seconds in all$/],
	[1000, /^(?!.*paused)/],
])('a run that a service kept waiting for %i ms', async (pauseMs, expected) => {
	let refusals = 1;
	await using service = await startLimitedService(() => ({
		accepted: refusals-- <= 0,
		headers: { 'retry-after': String(pauseMs / 1000) },
	}));
	const outcome = await runNode({
		credential: credentialFor(service.url),
		parameters: {
			resource: 'transaction',
			operation: 'get',
			platform: 'business',
			transactionId: id('or_1'),
		},
	});
	expect(hints(outcome)).toMatch(expected);
});
