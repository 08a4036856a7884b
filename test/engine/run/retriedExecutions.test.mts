import { beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';

import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/explainedFailure.ts';
import type {
	Operation,
	OperationCall,
	OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import {
	done,
	notDone,
	UNKNOWN,
	type Seen,
} from '../../../nodes/SignAndClose/run/outcome/goals.ts';
import { credentialFor, processed, runNode, type RunOutcome } from '../../support/engine.mts';
import { textField } from '../../support/madeUp/params.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/**
 * What becomes of items in doubt, and of those that had not begun, when a person retries an
 * execution, around operations that a test makes up. None of them calls a service.
 */

beforeEach(async () => await processed.clearAllProcessedItems());

const LOST = 'The answer was lost';
const THREE: INodeExecutionData[] = ['a', 'b', 'c'].map((name) => ({ json: { name } }));

const lost = () => new ExplainedFailure(LOST, 'Look it up', { inDoubt: true });
const refused = () => new ExplainedFailure('Refused', 'Correct it', { final: true });
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
	node?: object;
}

/** A write whose item "b" ends in execution 512, which can then be retried. */
async function story({ works, looks = [() => UNKNOWN], more, node }: Story) {
	const sent: string[] = [];
	const looked: OperationCall[] = [];
	const operation = madeUpOperation({
		kind: 'write',
		properties: [textField('Name', 'name')],
		async execute(call) {
			sent.push(call.params.required('name'));
			return await Promise.resolve(works[sent.length - 1](call));
		},
		async lookUp(call) {
			looked.push(call);
			return await Promise.resolve(looks[Math.min(looked.length, looks.length) - 1]());
		},
		toCheck: ({ params }) => `Check whether letter ${params.text('name')} has arrived`,
		...more,
	});
	const run = async (how: object) =>
		await runNode({
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: { ...choosing(operation), name: '={{ $json.name }}' },
			node,
			items: THREE,
			...how,
		});
	return {
		sent,
		looked,
		first: await run({ executionId: '512' }),
		retry: async (retryOf: RunOutcome, executionId: string) => await run({ executionId, retryOf }),
	};
}

const ids = ({ items }: RunOutcome) => items.map(({ json }) => json.transaction_id);
const [A, B, C] = [() => made('ot_a'), () => made('ot_b'), () => made('ot_c')];
const said = ({ error }: RunOutcome) => `${error?.message}. ${error?.description}`;
const MISSING = () => notDone({ still: 'missing' });

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

describe('the message of an item in doubt', () => {
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
		const { first } = await story({ works: [A, fail(lost()), C], ...more });
		const text = String(first.error ? said(first) : first.items[1].json.error);
		expect(text).toContain(CHECK);
		expect(text.includes(RETRY)).toBe(canRetry);
	});
});

describe('a retry of an execution with an item in doubt', () => {
	test('looks first, and sends nothing that it finds', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), C],
			looks: [() => UNKNOWN, () => done(made('ot_found'))],
		});
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_found', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'c']);
	});
	test('sends what the service shows as not done, and none of the others', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), B, C],
			looks: [() => UNKNOWN, MISSING],
		});
		expect(sent).toEqual(['a', 'b']);
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('sends nothing in doubt, and says the same, while the service does not show it', async () => {
		const { first, retry, sent, looked } = await story({
			works: [A, fail(lost()), C],
			looks: [() => UNKNOWN, fail(new Error('No route')), () => UNKNOWN],
		});
		const third = await retry(await retry(first, '513'), '514');
		expect(said(third)).toBe(said(first));
		expect(looked).toHaveLength(3);
		expect(sent.filter((name) => name === 'b')).toHaveLength(1);
	});
	test('knows when the answer was lost; the first look does not', async () => {
		const before = Date.now();
		const { first, retry, looked } = await story({ works: [A, fail(lost()), C] });
		const after = Date.now();
		await retry(await retry(first, '513'), '514');
		const [once, again, onceMore] = looked.map(({ lostAt }) => lostAt);
		expect(once).toBeUndefined();
		expect(again).toBeGreaterThanOrEqual(before);
		expect(again).toBeLessThanOrEqual(after);
		expect(onceMore).toBe(again);
	});
	test('whose answer is lost, too, is in doubt from then on', async () => {
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), fail(lost()), B, C],
			looks: [() => UNKNOWN, MISSING, () => UNKNOWN, () => UNKNOWN, MISSING],
		});
		const second = await retry(first, '513');
		const third = await retry(second, '514');
		expect(said(third)).toContain(LOST);
		expect(sent.filter((name) => name === 'b')).toHaveLength(2);
		expect(ids(await retry(third, '515'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test('looks for what an earlier try had sent when it ended, too', async () => {
		const sentAt = 1_700_000_000_000;
		const cutOff = ({ sending }: OperationCall): OperationResult => {
			sending.set({ at: sentAt });
			// As if n8n had ended there: what is known of the failure is forgotten below.
			throw lost();
		};
		const { first, retry, sent, looked } = await story({ works: [A, cutOff, C] });
		const context = Object.values(first.run.data.executionData!.contextData)[0];
		delete (context.signAndCloseWrites as Record<string, { outcome?: object }>)['0:1'].outcome;
		const second = await retry(first, '513');
		expect(said(second)).toMatch(/An earlier try ended while its request was under way/);
		expect(looked.at(-1)?.lostAt).toBe(sentAt + LIMITS.writeMs);
		expect(sent).toEqual(['a', 'b']);
	});
});

describe('items that had not begun', () => {
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
		const { first, retry, sent } = await story({
			works: [A, fail(lost()), B, C],
			looks: [() => UNKNOWN, () => UNKNOWN, MISSING],
		});
		expect(said(await retry(first, '513'))).toContain(LOST);
		expect(ids(await retry(first, '514'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
		expect(sent).toEqual(['a', 'b', 'b', 'c']);
	});
	test('are written by the tries of one retry', async () => {
		const { first, retry } = await story({
			works: [A, fail(refused()), fail(refused()), fail(refused()), B, C],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(ids(await retry(first, '513'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
	test('wait for a retry of which n8n can store that it writes', async () => {
		const { first, retry, sent } = await story({ works: [A, fail(refused()), B, C] });
		await withoutStore(async () => {
			expect(said(await retry(first, '513'))).toMatch(
				/couldn't store what this retry is about to send, so nothing was sent/,
			);
		});
		expect(sent).toEqual(['a', 'b']);
		expect(ids(await retry(first, '514'))).toEqual(['ot_a', 'ot_b', 'ot_c']);
	});
});
