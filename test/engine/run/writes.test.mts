import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import type {
	Operation,
	OperationCall,
	OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { isFirstRetry } from '../../../nodes/SignAndClose/run/write/unknownOutcomes.ts';
import { runItems } from '../../../nodes/SignAndClose/run/runItems.ts';
import {
	reportDone,
	reportEnded,
	reportNotDone,
	UNCERTAIN,
	type Look,
	type Verdict,
} from '../../../nodes/SignAndClose/run/goals.ts';
import {
	credentialFor,
	executionOf,
	processed,
	runNode,
	type RunOutcome,
} from '../../support/engine.mts';
import { textField } from '../../support/madeUp/params.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { hints } from '../../support/operations.mts';

import { forEachCase } from '../../support/forEachCase.mts';

/**
 * What becomes of writes, around operations that a test makes up: what Retry On Fail and the retry of
 * an execution do again. None of them calls a service.
 */

const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const TWO_ITEMS: INodeExecutionData[] = [{ json: { name: 'a' } }, { json: { name: 'b' } }];
const LOST = 'The answer was lost';
/** Absence counts at once. */
const ONE_LOOK = { absentAfterMs: 0 };

/** What a person reads of an unknown outcome, at least. */
const UNDECIDED = expect.stringMatching(/^Look it up\. Check /);

const lost = (lookedUp?: boolean) =>
	new ExplainedFailure(LOST, 'Look it up', { unknownOutcome: true, lookedUp });
const made = (id: string): OperationResult => ({ json: { transaction_id: id } });

/** What an operation does, each time it is called. */
type Work = (call: OperationCall) => OperationResult;

/**
 * Makes a write that counts how often it was done and looked up.
 * @param works what it does the first time, the second time and so on
 * @param looks what a look-up does; without any, there is no look-up
 */
function writeOf(works: Work[], looks?: Array<(call: OperationCall) => Verdict<OperationResult>>) {
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
				return looks[Math.min(lookedUp.length, looks.length) - 1](call);
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
		limits: ONE_LOOK,
	});

/** What n8n keeps of the node after the run. */
const keptAfter = ({ run: { data } }: RunOutcome) =>
	JSON.stringify(data.executionData?.contextData ?? {});

const ids = ({ items }: RunOutcome) => items.map(({ json }) => json.transaction_id);

describe('a write whose outcome is unknown', () => {
	test('that the look-up finds is done, and nothing is kept of it', async () => {
		const write = writeOf([fail(lost())], [() => reportDone(made('ot_1'))]);
		const outcome = await run(write.operation);
		expect(ids(outcome)).toEqual(['ot_1']);
		expect(outcome.error).toBeUndefined();
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('that the look-up finds missing says so, and Retry On Fail does it again', async () => {
		const works = [fail(lost()), () => made('ot_1')];
		const looks = [() => reportNotDone({ still: 'missing' })];
		const once = await run(writeOf(works, looks).operation);
		expect(once.error?.message).toBe("The service answered, but it isn't there");
		expect(keptAfter(once)).not.toContain('"state"');
		const write = writeOf(works, looks);
		expect(ids(await run(write.operation, TRIES))).toEqual(['ot_1']);
		expect(write.executed).toHaveLength(2);
		// The next try looks once more before it sends.
		expect(write.lookedUp).toHaveLength(2);
	});
	test('that comes late, after the look-up found it missing, is found and not sent again', async () => {
		const hinted = { ...made('ot_1'), hint: 'Send it' };
		const looks = [() => reportNotDone({ still: 'missing' }), () => reportDone(hinted)];
		const write = writeOf([fail(lost())], looks);
		const outcome = await run(write.operation, TRIES);
		expect(ids(outcome)).toEqual(['ot_1']);
		expect(hints(outcome)).toBe(
			'Send it. The answer of an earlier try was lost. The service shows that it was done, so nothing was sent again',
		);
		expect(write.executed).toHaveLength(1);
	});
	test('that was missing, and that no later look shows, is sent again with the same reference', async () => {
		const sent: unknown[] = [];
		const send = ({ sending }: OperationCall) => {
			sent.push(sending.get());
			sending.set({ at: 1, reference: 'n8n-1' });
			if (sent.length < 2) throw lost();
			return made('ot_1');
		};
		const write = writeOf(
			[send, send],
			[() => reportNotDone({ still: 'missing' }), () => UNCERTAIN],
		);
		expect(ids(await run(write.operation, TRIES))).toEqual(['ot_1']);
		expect(sent).toEqual([undefined, { at: 1, reference: 'n8n-1' }]);
	});
	test('to what something else has ended fails by that, and nothing is kept of it', async () => {
		const expired = reportEnded(new ExplainedFailure('It has expired', 'Create another one'));
		const outcome = await run(writeOf([fail(lost())], [() => expired]).operation);
		expect(outcome.error?.message).toBe('It has expired');
		expect(keptAfter(outcome)).not.toContain('"state"');
	});
	test('that the look-up finds half done says where it stands', async () => {
		const looks = [() => reportNotDone({ still: 'draft' }, 'recalled')];
		const { error } = await run(writeOf([fail(lost())], looks).operation);
		expect(error?.message).toBe(
			'The service answered, but the transaction is still a draft. The transaction is recalled, and not sent again yet',
		);
	});

	const fruitless: Array<[string, Array<() => Verdict<OperationResult>> | undefined]> = [
		['the look-up can not tell', [() => UNCERTAIN, () => UNCERTAIN]],
		['the look-up fails', [fail(new Error('No route')), fail(new Error('No route'))]],
		['there is no look-up', undefined],
	];
	test.each(fruitless)('stays unknown where %s, and is never done again', async (_name, looks) => {
		const write = writeOf([fail(lost())], looks);
		const outcome = await run(write.operation, TRIES);
		expect(outcome.error).toMatchObject({ message: LOST, description: UNDECIDED });
		expect(keptAfter(outcome)).toContain('"state":"unknown"');
		expect(write.executed).toHaveLength(1);
	});
	test('that was looked up already is looked up anew by the next try only', async () => {
		await forEachCase(
			[
				[{}, 0],
				[TRIES, 1],
			] as const,
			async ([node, looks]) => {
				const write = writeOf([fail(lost(true))], [() => reportDone(made('ot_1'))]);
				expect(ids(await run(write.operation, node))).toEqual(looks === 0 ? [] : ['ot_1']);
				expect(write.executed).toHaveLength(1);
				expect(write.lookedUp).toHaveLength(looks);
			},
		);
	});
	test('is looked up later with what its request was noted with before it left', async () => {
		const sending = { reference: 'n8n-1', at: Date.now() };
		const send = ({ sending: memory }: OperationCall): never => {
			memory.set(sending);
			throw lost();
		};
		const noted: unknown[] = [];
		const look =
			(seen: Verdict<OperationResult>) =>
			({ itemIndex, params, sending: memory }: OperationCall) => {
				noted.push([itemIndex, params.getText('name'), memory.get()]);
				return seen;
			};
		const write = writeOf(
			[() => made('ot_1'), send],
			[look(UNCERTAIN), look(reportDone(made('ot_2')))],
		);
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
		const hinted = () => ({ ...made('ot_1'), hint: 'Send it' });
		const write = writeOf([hinted, fail(new Error('It broke')), () => made('ot_2')]);
		const outcome = await run(write.operation, TRIES, TWO_ITEMS);
		expect(hints(outcome)).toBe('Send it');
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
	test('is not looked up, and is done again', async () => {
		const write = writeOf([fail(lost()), () => made('ot_1')], [() => reportDone(made('ot_2'))]);
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

const THREE: INodeExecutionData[] = ['a', 'b', 'c'].map((name) => ({ json: { name } }));

beforeEach(async () => await processed.clearAllProcessedItems());

const refused = () => new ExplainedFailure('Refused', 'Correct it', { final: true });

interface Story {
	/** What the write does the first time, the second time and so on. */
	works: Array<(call: OperationCall) => OperationResult>;
	/** What each look-up sees; the last one for ever. */
	looks?: Array<() => Verdict<OperationResult>>;
	more?: Parameters<typeof madeUpOperation>[0];
	node?: object;
}

/** A write whose item "b" ends in execution 512, which can then be retried. */
async function retriable({ works, looks = [() => UNCERTAIN], more, node }: Story) {
	const sent: string[] = [];
	const looked: Look[] = [];
	const operation = madeUpOperation({
		kind: 'write',
		properties: [textField('Name', 'name')],
		async execute(call) {
			sent.push(call.params.getRequired('name'));
			return await Promise.resolve(works[sent.length - 1](call));
		},
		async lookUp(_call, how) {
			looked.push(how);
			return await Promise.resolve(looks[Math.min(looked.length, looks.length) - 1]());
		},
		toCheck: ({ params }) => `Check whether letter ${params.getText('name')} has arrived`,
		...more,
	});
	const run = async (how: object) =>
		await runNode({
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: { ...choosing(operation), name: '={{ $json.name }}' },
			node,
			items: THREE,
			limits: ONE_LOOK,
			...how,
		});
	return {
		sent,
		looked,
		run,
		first: await run({ executionId: '512' }),
		retry: async (retryOf: RunOutcome, executionId: string, how: object = {}) =>
			await run({ executionId, retryOf, ...how }),
	};
}

const [A, B, C] = [() => made('ot_a'), () => made('ot_b'), () => made('ot_c')];
const said = ({ error }: RunOutcome) => `${error?.message}. ${error?.description}`;
const MISSING = () => reportNotDone({ still: 'missing' });

/** As n8n's database does while it's locked. */
async function withoutStore(work: () => Promise<void>): Promise<void> {
	const original = processed.checkProcessedAndRecord;
	processed.checkProcessedAndRecord = async () => await Promise.reject(new Error('locked'));
	try {
		await work();
	} finally {
		processed.checkProcessedAndRecord = original;
	}
}

describe('the message of an unknown outcome', () => {
	const CHECK =
		"Look it up. Check whether letter b has arrived. If it wasn't done, run the workflow";
	const RETRY = 'wait two minutes, and retry this one in the list of executions';
	test.each<[string, Omit<Story, 'works'>, boolean]>([
		['says what to check and what to press', {}, true],
		[
			'of an execution that goes on has nothing to retry',
			{ node: { onError: 'continueRegularOutput' } },
			false,
		],
		['without a look-up has nothing to retry', { more: { lookUp: undefined } }, false],
	])('%s', async (_name, more, canRetry) => {
		const { first } = await retriable({ works: [A, fail(lost()), C], ...more });
		const text = String(first.error ? said(first) : first.items[1].json.error);
		expect(text).toContain(CHECK);
		expect(text.includes(RETRY)).toBe(canRetry);
	});
});

describe('a retry of an execution with an unknown outcome', () => {
	test('looks first, and sends nothing that it finds', async () => {
		const { first, retry, sent } = await retriable({
			works: [A, fail(lost()), C],
			looks: [() => UNCERTAIN, () => reportDone(made('ot_found'))],
		});
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_found', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'c']);
	});
	test('sends what the service shows as not done, and none of the others', async () => {
		const { first, retry, sent } = await retriable({
			works: [A, fail(lost()), B, C],
			looks: [() => UNCERTAIN, MISSING],
		});
		expect(sent).toEqual(['a', 'b']);
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('does not send it again, and says the same, while the service does not show it', async () => {
		const { first, retry, sent, looked } = await retriable({
			works: [A, fail(lost()), C],
			looks: [() => UNCERTAIN, fail(new Error('No route')), () => UNCERTAIN],
		});
		const third = await retry(await retry(first, '513'), '514');
		expect(said(third)).toBe(said(first));
		expect(looked).toHaveLength(3);
		expect(sent.filter((name) => name === 'b')).toHaveLength(1);
	});
	test('waits until absence counts, from when the answer was lost', async () => {
		const { first, retry, looked } = await retriable({
			works: [A, fail(lost()), C],
			looks: [() => UNCERTAIN, MISSING],
		});
		await retry(first, '513', { limits: { absentAfterMs: 300, lookUpPauseMs: 50 } });
		expect(looked.length).toBeGreaterThan(3);
		expect(looked.slice(1, -1).every(({ isLate }) => !isLate)).toBe(true);
		expect(looked.at(-1)).toMatchObject({ isLost: true, isLate: true });
	});
	test('looks for what an earlier try had sent when it ended, too', async () => {
		const sentAt = 1_700_000_000_000;
		const cutOff = ({ sending }: OperationCall): OperationResult => {
			sending.set({ at: sentAt });
			// As if n8n had ended there: what is known of the failure is forgotten below.
			throw lost();
		};
		const { first, retry, sent, looked } = await retriable({ works: [A, cutOff, C] });
		const context = Object.values(first.run.data.executionData!.contextData)[0];
		delete (context.signAndCloseWrites as Record<string, { outcome?: object }>)['0:1'].outcome;
		const second = await retry(first, '513');
		expect(said(second)).toMatch(/An earlier try ended while its request was under way/);
		expect(looked.at(-1)?.isLate).toBe(true);
		expect(sent).toEqual(['a', 'b']);
	});
});

describe('items that had not begun', () => {
	test('are written by one retry only, whichever is retried', async () => {
		const { first, retry, sent } = await retriable({
			works: [A, fail(refused()), B, fail(refused()), C],
		});
		expect(sent).toEqual(['a', 'b']);
		const second = await retry(first, '513');
		expect(second.error?.message).toBe('Refused (item 3 of 3)');
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
		// The first execution knows nothing of what its retry has done.
		const other = await retry(first, '514');
		expect(said(other)).toMatch(
			/Another retry of the same execution already started.*Nothing was sent\. In the list of executions, retry the newest/,
		);
		expect(said(await retry(other, '515'))).toMatch(/Another retry of the same execution/);
		expect(sent).toHaveLength(4);
		expect(ids(await retry(second, '516'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c', 'c']);
	});
	test('are written by one retry only, also of an execution that failed before this node', async () => {
		const { run, retry, sent } = await retriable({ works: [A, B, fail(refused()), C] });
		sent.length = 0;
		// n8n stops it before the first node begins, and keeps what a failure there leaves.
		const first = await run({ executionId: '600', cancelled: Promise.resolve() });
		expect(sent).toEqual([]);
		const second = await retry(first, '602');
		expect(second.error?.message).toBe('Refused (item 3 of 3)');
		expect(said(await retry(first, '603'))).toMatch(/^Another retry of the same execution already/);
		expect(sent).toEqual(['a', 'b', 'c']);
		expect(ids(await retry(second, '604'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'c', 'c']);
	});
	test('of executions that other events have started in the same millisecond are written', async () => {
		const { run, retry, sent } = await retriable({ works: [A, B, C, A, B, C] });
		sent.length = 0;
		const before = (event: string) => [{ name: 'Start', items: [{ json: { event } }] }];
		const [first, other] = await Promise.all(
			['620', '621'].map(async (executionId) => {
				const own = { executionId, before: before(executionId) };
				const stopped = await run({ ...own, cancelled: Promise.resolve() });
				const started = stopped.run.data.executionData!.runtimeData!;
				Object.assign(started, { establishedAt: 5, triggerNode: { name: 'Start', type: '' } });
				return stopped;
			}),
		);
		for (const [executionId, retried] of Object.entries({ 622: first, 623: other }))
			expect([executionId, ids(await retry(retried, executionId, { before: before('') }))]).toEqual(
				[executionId, ['ot_a', 'ot_b', 'ot_c']],
			);
		expect(said(await retry(first, '624', { before: before('') }))).toMatch(
			/^Another retry of the same execution already/,
		);
		expect(sent).toHaveLength(6);
	});
	test('can be retried again after a retry that has written nothing', async () => {
		const { first, retry, sent } = await retriable({
			works: [A, fail(lost()), B, C],
			looks: [() => UNCERTAIN, () => UNCERTAIN, MISSING],
		});
		expect(said(await retry(first, '513'))).toContain(LOST);
		expect(ids(await retry(first, '514'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('are written by the tries of one retry', async () => {
		const { first, retry } = await retriable({
			works: [A, fail(refused()), fail(refused()), fail(refused()), B, C],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test('wait for a retry of which n8n can store that it writes', async () => {
		const { first, retry, sent } = await retriable({ works: [A, fail(refused()), B, C] });
		await withoutStore(async () => {
			expect(said(await retry(first, '513'))).toMatch(
				/couldn't store what this retry is about to send, so nothing was sent/,
			);
		});
		expect(sent).toEqual(['a', 'b']);
		expect(ids(await retry(first, '514'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
});

test('of retries that come at the same time, one may write', async () => {
	const operation = madeUpOperation({ kind: 'write' });
	const contextOf = executionOf({ operations: [operation], parameters: choosing(operation) });
	const may = await Promise.all(
		['7', '7', '8', '7'].map(async (execution) => await isFirstRetry(contextOf(), execution)),
	);
	expect(may).toEqual([true, false, true, false]);
});
