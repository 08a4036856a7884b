import { describe, expect, test } from '@jest/globals';

import type { OperationResult } from '../../../../nodes/SignAndClose/core/operation.ts';
import { WriteMemory } from '../../../../nodes/SignAndClose/core/run/writeMemory.ts';
import { executionOf } from '../../../support/engine.mts';
import { choosing, madeUpOperation } from '../../../support/madeUp/operation.mts';

/** What a run of the node has written, kept where n8n keeps it between the tries of a run. */

/** A new execution: what it keeps of the node, and a memory for each try of a run. */
function execution() {
	const operation = madeUpOperation({ kind: 'write' });
	const contextOf = executionOf({ operations: [operation], parameters: choosing(operation) });
	return {
		kept: contextOf().getContext('node'),
		memory: (runIndex = 0) => new WriteMemory(contextOf(runIndex)),
	};
}

const done = (...ids: string[]) => ({
	state: 'done' as const,
	results: ids.map((id): OperationResult => ({ json: { transaction_id: id } })),
});
const IN_DOUBT = {
	state: 'inDoubt',
	startedAt: 5,
	told: { message: 'Unknown', remedy: 'Look' },
} as const;

describe('an item', () => {
	test('is unknown before anything was written', () => {
		expect(execution().memory().get(0)).toBeUndefined();
	});
	test('is remembered by the next try of the same run', () => {
		const { memory } = execution();
		memory().set(0, done('ot_1'));
		memory().set(1, IN_DOUBT);
		expect(memory().get(0)).toEqual(done('ot_1'));
		expect(memory().get(1)).toEqual(IN_DOUBT);
		expect(memory().get(2)).toBeUndefined();
	});
	test('is forgotten alone', () => {
		const { memory } = execution();
		memory().set(0, IN_DOUBT);
		memory().set(1, IN_DOUBT);
		memory().forget(0);
		expect(memory().get(0)).toBeUndefined();
		expect(memory().get(1)).toEqual(IN_DOUBT);
	});
	test('of another run of a node in a loop is another item', () => {
		const { memory } = execution();
		memory(0).set(0, done('ot_1'));
		expect(memory(1).get(0)).toBeUndefined();
		memory(1).set(0, done('ot_2'));
		expect(memory(0).get(0)).toEqual(done('ot_1'));
		expect(memory(1).get(0)).toEqual(done('ot_2'));
	});
	test('is named by its execution, its run if there are several, and its number', () => {
		const { memory } = execution();
		expect(memory(0).nameOf(2)).toEqual({ execution: '1', item: '1-3' });
		expect(memory(1).nameOf(2)).toEqual({ execution: '1', item: '1-2-3' });
	});
	test('of another execution is another item', () => {
		execution().memory().set(0, IN_DOUBT);
		expect(execution().memory().get(0)).toBeUndefined();
	});
});

describe('the steps of an item', () => {
	test('are none at first', () => {
		expect(execution().memory().stepsOf(0).all()).toEqual([]);
	});
	test('are remembered in order by the next try', () => {
		const { memory } = execution();
		const steps = memory().stepsOf(0);
		steps.add('recalled');
		expect(steps.all()).toEqual(['recalled']);
		memory().stepsOf(0).add('corrected');
		expect(memory().stepsOf(0).all()).toEqual(['recalled', 'corrected']);
	});
	test('are those of the item and the run', () => {
		const { memory } = execution();
		memory().stepsOf(0).add('recalled');
		expect(memory().stepsOf(1).all()).toEqual([]);
		expect(memory(1).stepsOf(0).all()).toEqual([]);
	});
	test('stay when what is known of the item changes', () => {
		const { memory } = execution();
		memory().stepsOf(0).add('recalled');
		expect(memory().get(0)).toBeUndefined();
		memory().set(0, IN_DOUBT);
		memory().forget(0);
		expect(memory().stepsOf(0).all()).toEqual(['recalled']);
	});
	test('do not change through the list that was handed out', () => {
		const steps = execution().memory().stepsOf(0);
		steps.add('recalled');
		steps.all().push('sent');
		expect(steps.all()).toEqual(['recalled']);
	});
	test('are stored as data that n8n can keep', () => {
		const { kept, memory } = execution();
		memory().stepsOf(0).add('recalled');
		memory().set(0, done('ot_1'));
		expect(JSON.parse(JSON.stringify(kept))).toEqual({
			signAndCloseWrites: {
				'0:0:steps': { state: 'begun', steps: ['recalled'] },
				'0:0': done('ot_1'),
			},
		});
	});
});

describe('the IDs of what was made', () => {
	test('are those of transactions, documents and webhooks, of all items', () => {
		const { memory } = execution();
		memory().set(0, done('ot_1', 'ot_2'));
		memory().set(1, {
			state: 'done',
			results: [{ json: { document_id: 'do_1', transaction_id: 'ot_3', id: 'x' } }],
		});
		memory().set(2, { state: 'done', results: [{ json: { webhook_id: 'wh1' } }] });
		expect([...memory().madeIds()].sort()).toEqual(['do_1', 'ot_1', 'ot_2', 'ot_3', 'wh1']);
	});
	test('are texts alone', () => {
		const { memory } = execution();
		memory().set(0, {
			state: 'done',
			results: [{ json: { transaction_id: 7, document_id: null } }, { json: {} }],
		});
		expect([...memory().madeIds()]).toEqual([]);
	});
	test('have none of an item in doubt or half done', () => {
		const { memory } = execution();
		memory().set(0, IN_DOUBT);
		memory().stepsOf(1).add('recalled');
		expect([...memory().madeIds()]).toEqual([]);
	});
});

describe('a run without any failure', () => {
	test('is forgotten, and leaves nothing behind', () => {
		const { kept, memory } = execution();
		memory().set(0, done('ot_1'));
		memory().set(1, IN_DOUBT);
		memory().stepsOf(1).add('recalled');
		memory().forgetRun();
		expect(kept).toEqual({});
	});
	test('leaves the other runs of a node in a loop as they are', () => {
		const { kept, memory } = execution();
		memory(1).set(0, done('ot_1'));
		memory(11).set(0, done('ot_11'));
		memory(1).forgetRun();
		expect(memory(1).get(0)).toBeUndefined();
		expect(memory(11).get(0)).toEqual(done('ot_11'));
		memory(11).forgetRun();
		expect(kept).toEqual({});
	});
	test('leaves what other code keeps for the node', () => {
		const { kept, memory } = execution();
		kept.other = 'x';
		memory().set(0, IN_DOUBT);
		memory().forgetRun();
		expect(kept).toEqual({ other: 'x' });
	});
});
