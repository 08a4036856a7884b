import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ExplainedFailure } from '../../../nodes/SignAndClose/core/explainedFailure.ts';
import type {
	Operation,
	OperationCall,
	OperationResult,
} from '../../../nodes/SignAndClose/core/operation.ts';
import { missingId } from '../../../nodes/SignAndClose/core/run/unknownOutcomes.ts';
import { ServiceFailure } from '../../../nodes/SignAndClose/service/errors/failure.ts';
import { done, notDone, UNKNOWN, type Seen } from '../../../nodes/SignAndClose/service/goals.ts';
import { credentialFor, processed, runNode, type RunOutcome } from '../../support/engine.mts';
import { textField } from '../../support/madeUp/params.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/**
 * What becomes of an item in doubt when a person retries its execution, around operations that a
 * test makes up. None of them calls a service.
 */

beforeEach(async () => await processed.clearAllProcessedItems());

const LOST = 'The answer was lost';
const THREE: INodeExecutionData[] = ['a', 'b', 'c'].map((name) => ({ json: { name } }));

const lost = () => new ExplainedFailure(LOST, 'Look it up', { inDoubt: true });
const made = (id: string): OperationResult => ({ json: { transaction_id: id } });
const fail = (failure: Error) => () => {
	throw failure;
};

interface Story {
	/** What the write does the first time, the second time and so on. */
	works: Array<(call: OperationCall) => OperationResult>;
	/** What each look-up sees; the last one for ever. */
	looks?: Array<() => Seen<OperationResult>>;
	more?: Partial<Operation>;
	items?: INodeExecutionData[];
	node?: object;
}

/** A write whose item "b" ends in doubt in execution 512, and which can then be retried. */
async function story({ works, looks = [() => UNKNOWN], more, items = THREE, node }: Story) {
	const sent: string[] = [];
	let looked = 0;
	const operation = madeUpOperation({
		kind: 'write',
		properties: [textField('Name', 'name')],
		async execute(call) {
			sent.push(call.params.required('name'));
			return await Promise.resolve(works[sent.length - 1](call));
		},
		async lookUp() {
			return await Promise.resolve(looks[Math.min(looked++, looks.length - 1)]());
		},
		toCheck: 'whether the letter has arrived',
		async showDone(_call, id) {
			if (id === undefined) throw missingId();
			return await Promise.resolve(made(id));
		},
		...more,
	});
	const run = async (rows: IDataObject[], how: object) =>
		await runNode({
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: {
				...choosing(operation),
				name: '={{ $json.name }}',
				transactionId: 'ot_of_item',
				...(rows.length > 0 && { unknownOutcomes: { row: rows } }),
			},
			node,
			items,
			...how,
		});
	return {
		sent,
		looked: () => looked,
		first: await run([], { executionId: '512' }),
		/** Retries a failed execution, after somebody has filled in the setting. */
		retry: async (retryOf: RunOutcome, executionId: string, ...rows: IDataObject[]) =>
			await run(rows, { executionId, retryOf }),
	};
}

const NOT_DONE = { item: '512-2', outcome: 'notDone' };
const ids = ({ items }: RunOutcome) => items.map(({ json }) => json.transaction_id);
const [A, B, C] = [() => made('ot_a'), () => made('ot_b'), () => made('ot_c')];
const said = ({ error }: RunOutcome) => `${error?.message}. ${error?.description}`;

describe('the message', () => {
	test('says what to check, where to enter what was found, and how to go on', async () => {
		const { first } = await story({ works: [A, fail(lost()), C] });
		expect(first.error?.message).toBe(`${LOST} (item 2 of 3)`);
		expect(first.error?.description).toMatch(
			/^Look it up\. Check whether the letter has arrived\. Then enter the outcome of 512-2 under 'Unknown Outcomes' in the settings of this node, save the workflow, and choose 'Retry with currently saved workflow' for this execution/,
		);
	});
	test('of an execution that goes on says that the item has to run again by itself', async () => {
		const { first } = await story({
			works: [A, fail(lost()), C],
			node: { onError: 'continueRegularOutput' },
		});
		expect(first.items[1].json.error).toMatch(
			/Check whether the letter has arrived\. If it wasn't done, run the workflow again for this item alone$/,
		);
	});
});

describe('a retry by hand', () => {
	test('sends nothing in doubt as long as nobody has decided', async () => {
		const { first, retry, sent, looked } = await story({ works: [A, fail(lost()), C] });
		const second = await retry(first, '513');
		const third = await retry(second, '514');
		expect(third.error?.message).toBe(`${LOST} (item 2 of 3)`);
		expect(third.error?.description).toBe(first.error?.description);
		expect(looked()).toBe(3);
		expect(sent.filter((name) => name === 'b')).toHaveLength(1);
	});
	test('sends an item again that was not done, and none of the others', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), B, C] });
		expect(sent).toEqual(['a', 'b']);
		const second = await retry(first, '513', NOT_DONE);
		expect(second.error).toBeUndefined();
		expect(ids(second)).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('looks first, and sends nothing that it finds after all', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), C],
			looks: [() => UNKNOWN, () => done(made('ot_found'))],
		});
		expect(ids(await retry(first, '513', NOT_DONE))).toEqual(['ot_a', 'ot_found', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'c']);
	});
	test.each([
		['the service refuses to show it', 403],
		['the service has no such call', 404],
	])('sends it also where %s', async (_name, httpStatus) => {
		const refused = new ServiceFailure({ code: 'unexpectedAnswer' }, { httpStatus });
		const { first, retry } = await story({
			works: [A, fail(lost()), B, C],
			looks: [fail(refused)],
		});
		expect(ids(await retry(first, '513', NOT_DONE))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test.each([
		['does not answer', { code: 'unreachable', fault: 'ECONNRESET', attempts: 5 } as const, {}],
		['is out of order', { code: 'unexpectedAnswer' } as const, { httpStatus: 503 }],
	])('sends nothing while the service %s', async (_name, reason, flags) => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), B, C],
			looks: [fail(new ServiceFailure(reason, flags))],
		});
		const second = await retry(first, '513', NOT_DONE);
		expect(said(second)).toMatch(/so nobody can look up 512-2 at present.*Nothing was sent/);
		expect(sent).toEqual(['a', 'b']);
	});
	test('takes an item for done with the ID that a person has entered', async () => {
		const { first, retry, sent, looked } = await story({ works: [A, fail(lost()), C] });
		const row = { item: ' 512-2 ', outcome: 'done', id: ' ot_entered ' };
		expect(ids(await retry(first, '513', row))).toEqual(['ot_a', 'ot_entered', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'c']);
		expect(looked()).toBe(1);
	});
	test('takes it for done without an ID if the service shows it now', async () => {
		const { first, retry } = await story({
			works: [A, fail(lost()), C],
			looks: [() => UNKNOWN, () => done(made('ot_found'))],
		});
		const row = { item: '512-2', outcome: 'done', id: '' };
		expect(ids(await retry(first, '513', row))).toEqual(['ot_a', 'ot_found', 'ot_c']);
	});
	test('asks for the ID of what was created', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), C] });
		const row = { item: '512-2', outcome: 'done' };
		expect(said(await retry(first, '513', row))).toMatch(
			/'Unknown Outcomes' has no ID of what was created.*enter it beside 'It Was Done'/,
		);
		expect(sent).toEqual(['a', 'b']);
	});
	test('does not take for done what the service shows as not done', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), C],
			looks: [() => UNKNOWN, () => notDone({ still: 'draft' })],
		});
		const row = { item: '512-2', outcome: 'done' };
		expect(said(await retry(first, '513', row))).toMatch(
			/says that 512-2 was done, but the service shows that it wasn't.*Choose 'It Wasn't Done'/,
		);
		expect(sent).toEqual(['a', 'b']);
	});
	test('gives the ID of the transaction where the operation shows nothing', async () => {
		const { first, retry } = await story({
			works: [A, fail(lost()), C],
			more: {
				showDone: undefined,
				properties: [textField('Name', 'name'), textField('Transaction', 'transactionId')],
			},
		});
		const second = await retry(first, '513', { item: '512-2', outcome: 'done' });
		expect(second.items[1].json).toEqual({ transaction_id: 'ot_of_item' });
	});
	test('decides about all items of the execution by its ID', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), B, C] });
		const second = await retry(first, '513', { item: '512', outcome: 'notDone' });
		expect(ids(second)).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('a single item goes before all of its execution', async () => {
		const { first, retry } = await story({ works: [A, fail(lost()), B, C] });
		const all = { item: '512', outcome: 'done' };
		expect(ids(await retry(first, '513', all, NOT_DONE))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
});

describe('nothing but a decision of a person', () => {
	const TRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	test('lets Retry On Fail send it again, not even the one of this execution', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), C], node: TRIES });
		expect(said(first)).toContain(LOST);
		// As if somebody had entered it before the execution, or an expression.
		const second = await retry(first, '512', NOT_DONE);
		expect(said(second)).toContain(LOST);
		expect(sent.filter((name) => name === 'b')).toHaveLength(1);
	});
	test.each([
		['another execution', { item: '511-2', outcome: 'notDone' }],
		['another item', { item: '512-3', outcome: 'notDone' }],
		['an expression', { item: '={{ "512-2" }}', outcome: 'notDone' }],
		['nothing', { item: '', outcome: 'notDone' }],
	])('is taken from a row about %s', async (_name, row) => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), C] });
		expect(said(await retry(first, '513', row))).toContain(LOST);
		expect(sent).toEqual(['a', 'b']);
	});
	test('an outcome that is not one of the choices is refused', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), C] });
		const row = { item: '512-2', outcome: '={{ "notDone" }}' };
		expect(said(await retry(first, '513', row))).toMatch(/'Unknown Outcomes' has the outcome/);
		expect(sent).toEqual(['a', 'b']);
	});
	test('two rows that differ are refused', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), C] });
		const other = { item: '512-2', outcome: 'done', id: 'ot_1' };
		expect(said(await retry(first, '513', NOT_DONE, other))).toMatch(
			/'Unknown Outcomes' has different outcomes of 512-2/,
		);
		expect(sent).toEqual(['a', 'b']);
	});
	test('one ID for all items is refused', async () => {
		const { first, retry } = await story({ works: [A, fail(lost()), C] });
		const row = { item: '512', outcome: 'done', id: 'ot_1' };
		expect(said(await retry(first, '513', row))).toMatch(
			/has an ID for all items of execution 512/,
		);
	});
});

describe('a decision to send again', () => {
	test('counts once: a second retry of the same execution asks anew', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), B, B],
			items: THREE.slice(0, 2),
		});
		expect((await retry(first, '513', NOT_DONE)).error).toBeUndefined();
		const again = await retry(first, '514', NOT_DONE);
		expect(said(again)).toMatch(
			/An earlier retry has sent 512-2 again, so the outcome is unknown.*enter the outcome of 514-2/,
		);
		expect(sent).toEqual(['a', 'b', 'b']);
		// With the new name, a person can decide again.
		const row = { item: '514-2', outcome: 'notDone' };
		expect(ids(await retry(again, '515', NOT_DONE, row))).toEqual(['ot_a', 'ot_b']);
		expect(sent).toEqual(['a', 'b', 'b', 'b']);
	});
	test('does not cover a retry whose answer is lost, too', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), fail(lost()), B, C] });
		const second = await retry(first, '513', NOT_DONE);
		expect(said(second)).toMatch(/enter the outcome of 513-2/);
		const third = await retry(second, '514', NOT_DONE);
		expect(said(third)).toMatch(/enter the outcome of 513-2/);
		expect(sent.filter((name) => name === 'b')).toHaveLength(2);
		const row = { item: '513-2', outcome: 'notDone' };
		expect(ids(await retry(third, '515', NOT_DONE, row))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test('sends nothing if n8n can not store that it is used', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), B, C] });
		const original = processed.checkProcessedAndRecord;
		processed.checkProcessedAndRecord = async () => await Promise.reject(new Error('locked'));
		try {
			const second = await retry(first, '513', NOT_DONE);
			expect(said(second)).toMatch(
				/couldn't store what this retry is about to send, so nothing was sent/,
			);
			expect(sent).toEqual(['a', 'b']);
		} finally {
			processed.checkProcessedAndRecord = original;
		}
		expect(ids(await retry(first, '514', NOT_DONE))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
});

describe('items that had not begun', () => {
	const refused = () => new ExplainedFailure('Refused', 'Correct it', { final: true });

	test('are written by one retry only, whichever is retried', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(refused()), B, fail(refused()), C],
		});
		expect(sent).toEqual(['a', 'b']);
		const second = await retry(first, '513');
		expect(second.error?.message).toBe('Refused (item 3 of 3)');
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
		// The first execution knows nothing of what its retry has done.
		const other = await retry(first, '514');
		expect(said(other)).toMatch(
			/Another retry of execution 512 has gone on already.*Nothing was sent\. In the list of executions, retry the newest/,
		);
		expect(said(await retry(other, '515'))).toMatch(/Another retry of execution 512/);
		expect(sent).toHaveLength(4);
		expect(ids(await retry(second, '516'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c', 'c']);
	});
	test('can be retried again after a retry that has written nothing', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(lost()), B, C] });
		expect(said(await retry(first, '513'))).toContain(LOST);
		expect(ids(await retry(first, '514', NOT_DONE))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('are written by the tries of one retry', async () => {
		const { first, retry } = await story({
			works: [A, fail(refused()), fail(refused()), fail(refused()), B, C],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		const second = await retry(first, '513');
		expect(second.error).toBeUndefined();
		expect(ids(second)).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test('wait for a retry of which n8n can store that it writes', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(refused()), B, C] });
		const original = processed.checkProcessedAndRecord;
		processed.checkProcessedAndRecord = async () => await Promise.reject(new Error('locked'));
		try {
			expect(said(await retry(first, '513'))).toMatch(/so nothing was sent/);
		} finally {
			processed.checkProcessedAndRecord = original;
		}
		expect(sent).toEqual(['a', 'b']);
		expect(ids(await retry(first, '514'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
});
