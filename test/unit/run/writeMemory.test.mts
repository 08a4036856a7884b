import type { OperationResult } from '../../../nodes/SignAndClose/run/operation.ts';
import { WriteMemory, type ItemOutcome } from '../../../nodes/SignAndClose/run/write/memory.ts';
import { executionOf } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/** What a run of the node has written, kept where n8n keeps it between the tries of a run. */

/** A new execution: what it keeps of the node, and a memory for each try of a run. */
function execution(begunWith: object = {}) {
	const operation = madeUpOperation({ kind: 'write' });
	const contextOf = executionOf({ operations: [operation], parameters: choosing(operation) });
	const kept = contextOf().getContext('node');
	Object.assign(kept, begunWith);
	return { kept, memory: (runIndex = 0) => new WriteMemory(contextOf(runIndex)) };
}

const done = (...ids: string[]): ItemOutcome => ({
	state: 'done',
	results: ids.map((id): OperationResult => ({ json: { transaction_id: id } })),
});
const UNKNOWN: ItemOutcome = {
	state: 'unknown',
	lostAt: 5,
	message: 'Cut',
	remedy: 'Look',
	check: 'Check',
};
const SENT = { at: 3, reference: 'n8n-1' };

describe('an item', () => {
	test('is forgotten alone, but for its steps', () => {
		const { memory, kept } = execution();
		for (const index of [0, 1]) {
			memory().noteOutcome(index, UNKNOWN);
			memory().getSending(index).set(SENT);
			memory().getSteps(index).add('recalled');
		}
		// As data that n8n can keep.
		expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
		memory().forget(0);
		expect([memory().get(0).outcome, memory().getSending(0).get()]).toEqual([undefined, undefined]);
		expect(memory().getSteps(0).all()).toEqual(['recalled']);
		expect([memory().get(1).outcome, memory().getSending(1).get()]).toEqual([UNKNOWN, SENT]);
	});
	test('that was missing after a lost answer keeps what finds it, until it is sent again', () => {
		const { memory } = execution();
		memory().begin(0, 'there');
		memory().getSending(0).set(SENT);
		memory().noteOutcome(0, UNKNOWN);
		memory().forget(0, 5);
		expect(memory().get(0)).toEqual({ missedAt: 5, sending: SENT, target: 'there' });
		memory().begin(0, 'there');
		expect(memory().get(0)).toEqual({ sending: SENT, target: 'there' });
	});
	test('that is sent again keeps its reference, so that both are found by it', () => {
		const { memory } = execution();
		memory().noteOutcome(0, UNKNOWN);
		memory().getSending(0).set(SENT);
		memory().begin(0, 'there');
		expect([memory().get(0).outcome, memory().getSending(0).get()]).toEqual([undefined, SENT]);
		expect(memory().get(0).target).toBe('there');
	});
});

test.each([
	[{}, undefined],
	// n8n begins a retry with what the failed execution had.
	[{ execution: '512' }, '512'],
	[{ execution: '513', retried: '512' }, '512'],
])('an execution that began with %j retries %s, until it writes', (noted, retried) => {
	const begun = 'execution' in noted ? { signAndCloseExecution: noted } : {};
	const { memory } = execution(begun);
	forEachCase([memory(), memory()], (one) =>
		expect([one.execution, one.retried]).toEqual(['1', retried]),
	);
	memory().noteRetried();
	expect(memory().retried).toBeUndefined();
	// A node in a loop runs again, after a run that is forgotten.
	memory(0).forgetRun();
	expect(memory(1).retried).toBeUndefined();
});

test('a run without any failure is forgotten, and leaves other runs and what other code keeps', () => {
	const { kept, memory } = execution({ other: 'x' });
	memory(1).noteOutcome(0, done('ot_1'));
	memory(11).noteOutcome(0, done('ot_11'));
	memory(1).forgetRun();
	expect([memory(1).get(0).outcome, memory(11).get(0).outcome]).toEqual([undefined, done('ot_11')]);
	memory(11).forgetRun();
	expect(kept).toEqual({ other: 'x', signAndCloseExecution: { execution: '1' } });
});
