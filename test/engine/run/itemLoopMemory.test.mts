import { describe, expect, test } from '@jest/globals';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/explainedFailure.ts';
import type {
	Operation,
	OperationCall,
	OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { runItems } from '../../../nodes/SignAndClose/run/runItems.ts';
import {
	done,
	notDone,
	UNKNOWN,
	type Seen,
} from '../../../nodes/SignAndClose/run/outcome/goals.ts';
import { credentialFor, executionOf, runNode } from '../../support/engine.mts';
import { textField } from '../../support/madeUp/params.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/**
 * What the item loop remembers of writes, around operations that a test makes up: which outcome of a
 * look-up leads to what, and what Retry On Fail does again. None of them calls a service.
 */

const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const TWO_ITEMS: INodeExecutionData[] = [{ json: { name: 'a' } }, { json: { name: 'b' } }];
const LOST = 'The answer was lost';

/** What a person reads of an item in doubt; retriedExecutions.test.mts is about the rest of it. */
const UNDECIDED = expect.stringMatching(/^Look it up\. Check /);

const lost = (lookedUp?: boolean) =>
	new ExplainedFailure(LOST, 'Look it up', { inDoubt: true, lookedUp });
const made = (id: string): OperationResult => ({ json: { transaction_id: id } });

/** What an operation does, each time it is called. */
type Work = (call: OperationCall) => OperationResult;

/**
 * Makes a write that counts how often it was done and looked up.
 * @param works what it does the first time, the second time and so on
 * @param looks what a look-up does; without any, there is no look-up
 */
function writeOf(works: Work[], looks?: Array<(call: OperationCall) => Seen<OperationResult>>) {
	const executed: OperationCall[] = [];
	const lookedUp: OperationCall[] = [];
	const operation = madeUpOperation({
		kind: 'write',
		properties: [textField('Name', 'name')],
		async execute(call) {
			executed.push(call);
			return works[executed.length - 1](call);
		},
		...(looks && {
			async lookUp(call) {
				lookedUp.push(call);
				return looks[lookedUp.length - 1](call);
			},
		}),
	});
	return { operation, executed, lookedUp };
}

const fail = (failure: Error) => () => {
	throw failure;
};

const run = async (operation: Operation, node: object = {}, items?: INodeExecutionData[]) =>
	await runNode({
		credential: credentialFor('https://api.example.com'),
		operations: [operation],
		parameters: { ...choosing(operation), name: '={{ $json.name }}' },
		node,
		items,
	});

type Outcome = Awaited<ReturnType<typeof run>>;

/** What n8n keeps of the node after the run. */
const keptAfter = ({ run: { data } }: Outcome) =>
	JSON.stringify(data.executionData?.contextData ?? {});

const ids = ({ items }: Outcome) => items.map(({ json }) => json.transaction_id);

describe('a write in doubt', () => {
	test('that the look-up finds is done, and nothing is kept of it', async () => {
		const write = writeOf([fail(lost())], [() => done(made('ot_1'))]);
		const outcome = await run(write.operation);
		expect(ids(outcome)).toEqual(['ot_1']);
		expect(outcome.error).toBeUndefined();
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('that the look-up finds is not done again by Retry On Fail', async () => {
		const write = writeOf(
			[fail(lost()), fail(new Error('It broke')), () => made('ot_2')],
			[() => done(made('ot_1'))],
		);
		expect(ids(await run(write.operation, TRIES, TWO_ITEMS))).toEqual(['ot_1', 'ot_2']);
		expect(write.executed.map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 1]);
	});
	test('that the look-up finds missing says so, and Retry On Fail does it again', async () => {
		const works = [fail(lost()), () => made('ot_1')];
		const looks = [() => notDone({ still: 'missing' })];
		const once = await run(writeOf(works, looks).operation);
		expect(once.error?.message).toBe("The service answered, but it isn't there");
		expect(keptAfter(once)).not.toContain('inDoubt');
		const write = writeOf(works, looks);
		expect(ids(await run(write.operation, TRIES))).toEqual(['ot_1']);
		expect(write.executed).toHaveLength(2);
		expect(write.lookedUp).toHaveLength(1);
	});
	test('that the look-up finds half done says where it stands', async () => {
		const looks = [() => notDone({ still: 'draft' }, 'recalled')];
		const { error } = await run(writeOf([fail(lost())], looks).operation);
		expect(error?.message).toBe(
			'The service answered, but the transaction is still a draft. The transaction is recalled, and not sent again yet',
		);
	});

	const fruitless: Array<[string, Array<() => Seen<OperationResult>> | undefined]> = [
		['the look-up can not tell', [() => UNKNOWN, () => UNKNOWN]],
		['the look-up fails', [fail(new Error('No route')), fail(new Error('No route'))]],
		['there is no look-up', undefined],
	];
	test.each(fruitless)('stays in doubt where %s', async (_name, looks) => {
		const write = writeOf([fail(lost())], looks);
		const outcome = await run(write.operation);
		expect(outcome.error).toMatchObject({
			message: 'The answer was lost',
			description: UNDECIDED,
		});
		expect(keptAfter(outcome)).toContain('inDoubt');
	});
	test.each(fruitless)(
		'is never done again by Retry On Fail where %s, and says why',
		async (_name, looks) => {
			const write = writeOf([fail(lost())], looks);
			const { error } = await run(write.operation, TRIES);
			expect(write.executed).toHaveLength(1);
			expect(error).toMatchObject({ message: LOST, description: UNDECIDED });
		},
	);
	test('that was looked up already is not looked up twice in one try', async () => {
		const write = writeOf([fail(lost(true))], [() => done(made('ot_1'))]);
		expect((await run(write.operation)).error?.message).toBe('The answer was lost');
		expect(write.lookedUp).toHaveLength(0);
	});
	test('that was looked up already is looked up anew by Retry On Fail', async () => {
		const write = writeOf([fail(lost(true))], [() => done(made('ot_1'))]);
		expect(ids(await run(write.operation, TRIES))).toEqual(['ot_1']);
		expect(write.executed).toHaveLength(1);
	});
	test('is looked up later with what its request was noted with before it left', async () => {
		const sending = { reference: 'n8n-1', at: Date.now() };
		const send = ({ sending: memory }: OperationCall): never => {
			memory.set(sending);
			throw lost();
		};
		const noted: unknown[] = [];
		const look =
			(seen: Seen<OperationResult>) =>
			({ itemIndex, params, sending: memory }: OperationCall) => {
				noted.push([itemIndex, params.text('name'), memory.get()]);
				return seen;
			};
		const write = writeOf([() => made('ot_1'), send], [look(UNKNOWN), look(done(made('ot_2')))]);
		expect(ids(await run(write.operation, TRIES, TWO_ITEMS))).toEqual(['ot_1', 'ot_2']);
		expect(noted).toEqual(Array(2).fill([1, 'b', sending]));
	});
});

describe('a write that is certain', () => {
	test('to have failed is not looked up, and is done again by Retry On Fail', async () => {
		const refused = new ExplainedFailure('Refused', 'Correct it', { final: true });
		const write = writeOf([fail(refused), () => made('ot_1')], []);
		expect(ids(await run(write.operation, TRIES))).toEqual(['ot_1']);
		expect(write.executed).toHaveLength(2);
		expect(write.lookedUp).toHaveLength(0);
	});
	test('to be done is not done again, and its result comes out all the same', async () => {
		const write = writeOf([() => made('ot_1'), fail(new Error('It broke')), () => made('ot_2')]);
		const outcome = await run(write.operation, TRIES, TWO_ITEMS);
		expect(ids(outcome)).toEqual(['ot_1', 'ot_2']);
		expect(write.executed.map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 1]);
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('to be done is kept while another item has failed, for n8n may try again', async () => {
		const write = writeOf([() => made('ot_1'), fail(new Error('It broke'))]);
		const outcome = await run(write.operation, { onError: 'continueRegularOutput' }, TWO_ITEMS);
		expect(keptAfter(outcome)).toContain('ot_1');
	});
	test('is kept without the secrets that its result holds', async () => {
		const said = { json: { said: 'demo-full-access-key' } };
		const write = writeOf([() => said, fail(new Error('It broke'))]);
		const kept = keptAfter(await run(write.operation, {}, TWO_ITEMS));
		expect(kept).toContain('***');
		expect(kept).not.toContain('demo-full-access-key');
	});
});

describe('an operation of several steps', () => {
	test('goes on after those that an earlier try has done', async () => {
		const before: string[][] = [];
		const step = ({ steps }: OperationCall) => {
			before.push(steps.all());
			steps.add(`step ${before.length}`);
		};
		const write = writeOf([
			(call) => {
				step(call);
				throw new Error('It broke');
			},
			(call) => {
				step(call);
				return made('ot_1');
			},
		]);
		const outcome = await run(write.operation, TRIES);
		expect(before).toEqual([[], ['step 1']]);
		expect(keptAfter(outcome)).not.toContain('step');
	});
});

describe('a read', () => {
	test('is done again by Retry On Fail, and nothing is kept of it', async () => {
		const read: number[] = [];
		const operation = madeUpOperation({
			async execute({ itemIndex }) {
				read.push(itemIndex);
				if (read.length === 2) throw new Error('It broke');
				return made(`ot_${read.length}`);
			},
		});
		expect(ids(await run(operation, TRIES, TWO_ITEMS))).toEqual(['ot_3', 'ot_4']);
		expect(read).toEqual([0, 1, 0, 1]);
		read.length = 0;
		const outcome = await run(operation, { onError: 'continueRegularOutput' }, TWO_ITEMS);
		expect(keptAfter(outcome)).not.toContain('ot_');
	});
	test('is never in doubt: it is not looked up, and is done again', async () => {
		const write = writeOf([fail(lost()), () => made('ot_1')], [() => done(made('ot_2'))]);
		const operation: Operation = { ...write.operation, kind: 'read' };
		expect(ids(await run(operation, TRIES))).toEqual(['ot_1']);
		expect(write.lookedUp).toHaveLength(0);
	});
});

test('the runs of a node in a loop each write for themselves', async () => {
	const write = writeOf([
		() => made('ot_1'),
		fail(new Error('It broke')),
		() => made('ot_2'),
		() => made('ot_3'),
	]);
	const operations = [write.operation];
	const contextOf = executionOf({
		operations,
		parameters: { ...choosing(write.operation), name: 'a' },
		items: TWO_ITEMS,
	});
	const idsOf = async (context: IExecuteFunctions) =>
		(await runItems(context, operations))[0].map(({ json }) => json.transaction_id);
	await expect(idsOf(contextOf(0))).rejects.toThrow('It broke (item 2 of 2)');
	expect(await idsOf(contextOf(1))).toEqual(['ot_2', 'ot_3']);
	expect(write.executed.map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 0, 1]);
	// The second run went well; what the first has done is still known.
	expect(JSON.stringify(contextOf(0).getContext('node'))).toContain('ot_1');
});
