import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import type { OperationResult } from '../../../nodes/SignAndClose/run/operation.ts';
import { WriteMemory } from '../../../nodes/SignAndClose/run/writeMemory.ts';
import { executionOf } from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

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
	lostAt: 5,
	told: { message: 'Unknown', remedy: 'Look' },
	check: 'Check',
} as const;
const SENT = { at: 3, reference: 'n8n-1' };

describe('an item', () => {
	test('is unknown before anything was written', () => {
		expect(execution().memory().outcomeOf(0)).toBeUndefined();
		expect(execution().memory().sendingOf(0).get()).toBeUndefined();
	});
	test('is remembered by the next try of the same run', () => {
		const { memory } = execution();
		memory().noteOutcome(0, done('ot_1'));
		memory().noteOutcome(1, IN_DOUBT);
		memory().sendingOf(1).set(SENT);
		expect(memory().outcomeOf(0)).toEqual(done('ot_1'));
		expect(memory().outcomeOf(1)).toEqual(IN_DOUBT);
		expect(memory().sendingOf(1).get()).toEqual(SENT);
		expect(memory().outcomeOf(2)).toBeUndefined();
	});
	test('is forgotten alone', () => {
		const { memory } = execution();
		for (const index of [0, 1]) {
			memory().noteOutcome(index, IN_DOUBT);
			memory().sendingOf(index).set(SENT);
		}
		memory().forget(0);
		expect([memory().outcomeOf(0), memory().sendingOf(0).get()]).toEqual([undefined, undefined]);
		expect([memory().outcomeOf(1), memory().sendingOf(1).get()]).toEqual([IN_DOUBT, SENT]);
	});
	test('that is sent again keeps its reference, so that both are found by it', () => {
		const { memory } = execution();
		memory().noteOutcome(0, IN_DOUBT);
		memory().sendingOf(0).set(SENT);
		memory().begin(0, 'there');
		expect([memory().outcomeOf(0), memory().sendingOf(0).get()]).toEqual([undefined, SENT]);
		expect(memory().targetOf(0)).toBe('there');
		memory().forget(0);
		expect(memory().targetOf(0)).toBeUndefined();
	});
	test('of another run of a node in a loop is another item', () => {
		const { memory } = execution();
		memory(0).noteOutcome(0, done('ot_1'));
		expect(memory(1).outcomeOf(0)).toBeUndefined();
		memory(1).noteOutcome(0, done('ot_2'));
		expect([memory(0).outcomeOf(0), memory(1).outcomeOf(0)]).toEqual([done('ot_1'), done('ot_2')]);
	});
	test('of another execution is another item', () => {
		execution().memory().noteOutcome(0, IN_DOUBT);
		expect(execution().memory().outcomeOf(0)).toBeUndefined();
	});
});

describe('the steps of an item', () => {
	test('are remembered in order by the next try', () => {
		const { memory } = execution();
		const steps = memory().stepsOf(0);
		expect(steps.all()).toEqual([]);
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
	test('stay when what is known of the item changes, and are no outcome', () => {
		const { memory } = execution();
		memory().stepsOf(0).add('recalled');
		expect(memory().outcomeOf(0)).toBeUndefined();
		memory().noteOutcome(0, IN_DOUBT);
		memory().forget(0);
		expect(memory().stepsOf(0).all()).toEqual(['recalled']);
	});
	test('do not change through the list that was handed out', () => {
		const steps = execution().memory().stepsOf(0);
		steps.add('recalled');
		steps.all().push('sent');
		expect(steps.all()).toEqual(['recalled']);
	});
});

test('all of it is stored as data that n8n can keep', () => {
	const { kept, memory } = execution();
	memory().stepsOf(0).add('recalled');
	memory().sendingOf(0).set(SENT);
	memory().noteOutcome(0, done('ot_1'));
	expect(JSON.parse(JSON.stringify(kept))).toEqual({
		signAndCloseWrites: {
			'0:0': { steps: ['recalled'], sending: SENT, outcome: done('ot_1') },
		},
	});
});

describe('an execution', () => {
	/** Has n8n begin the execution with what another one of this number had. */
	const begunWith = (noted: IDataObject) => {
		const { kept, memory } = execution();
		kept.signAndCloseExecution = noted;
		memory().noteExecution();
		return { kept, memory };
	};
	test('is noted, and can be retried by a person', () => {
		const { kept, memory } = execution();
		memory().noteExecution();
		memory().noteExecution();
		expect(kept.signAndCloseExecution).toEqual({ execution: '1' });
		expect([memory().retried, memory().isOfExecution]).toEqual([undefined, true]);
	});
	test('that begins with what another had is a retry of it, until it writes', () => {
		const { memory } = begunWith({ execution: '512' });
		expect(memory().retried).toBe('512');
		memory().noteRetried();
		memory().noteExecution();
		expect(memory().retried).toBeUndefined();
	});
	test('that retries a retry that has written nothing is one of the first', () => {
		expect(begunWith({ execution: '513', retried: '512' }).memory().retried).toBe('512');
	});
});

describe('a run without any failure', () => {
	test('is forgotten, and leaves nothing behind', () => {
		const { kept, memory } = execution();
		memory().noteExecution();
		memory().noteOutcome(0, done('ot_1'));
		memory().sendingOf(1).set(SENT);
		memory().stepsOf(1).add('recalled');
		memory().forgetRun();
		expect(kept).toEqual({});
	});
	test('leaves the other runs of a node in a loop as they are', () => {
		const { kept, memory } = execution();
		memory(1).noteOutcome(0, done('ot_1'));
		memory(11).noteOutcome(0, done('ot_11'));
		memory(1).forgetRun();
		expect([memory(1).outcomeOf(0), memory(11).outcomeOf(0)]).toEqual([undefined, done('ot_11')]);
		memory(11).forgetRun();
		expect(kept).toEqual({});
	});
	test('leaves what other code keeps for the node', () => {
		const { kept, memory } = execution();
		kept.other = 'x';
		memory().noteOutcome(0, IN_DOUBT);
		memory().forgetRun();
		expect(kept).toEqual({ other: 'x' });
	});
});
