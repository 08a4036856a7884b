import { describe, expect, test } from '@jest/globals';

import { readDelivery } from '../../../nodes/SignAndClose/resources/webhook/deliveries.ts';
import { readConditions } from '../../../nodes/SignAndClose/trigger/conditions.ts';
import { meetsConditions, transactionOf } from '../../../nodes/SignAndClose/trigger/output.ts';

/** Which events start the workflow: none passes conditions that couldn't be applied. */

const delivery = readDelivery({
	event: 'transaction.completed',
	data: { transaction_id: 'ot_1', transaction_type: 'refinance' },
})!;
const row = { field: 'transaction_type', comparison: 'equals', value: 'refinance' };
const CONDITIONS = readConditions({ row: [row] }, 'and');

describe('with a condition on the transaction', () => {
	test.each([
		[
			'a matching transaction',
			{ kind: 'confirmed', transaction: { transaction_type: 'refinance' } },
			true,
		],
		[
			'another transaction',
			{ kind: 'confirmed', transaction: { transaction_type: 'heloc' } },
			false,
		],
		['a transaction that is gone', { kind: 'confirmed' }, false],
		['a transaction that could not be retrieved', { kind: 'unconfirmed', reason: 'gone' }, false],
		[
			'a matching transaction that contradicts the event',
			{ kind: 'unconfirmed', reason: 'sent', transaction: { transaction_type: 'refinance' } },
			true,
		],
		[
			'another transaction that contradicts the event',
			{ kind: 'unconfirmed', reason: 'sent', transaction: { transaction_type: 'heloc' } },
			false,
		],
	] as const)('%s (%j): the event passes: %s', (_name, confirmation, expected) => {
		expect(meetsConditions(CONDITIONS, delivery, transactionOf(confirmation))).toBe(expected);
	});
});

test.each([
	['conditions', undefined],
	[
		'conditions on the transaction',
		readConditions({ row: [{ field: 'event', comparison: 'exists' }] }, 'and'),
	],
])('without %s, an event passes whose transaction could not be retrieved', (_kind, conditions) => {
	expect(meetsConditions(conditions, delivery, undefined)).toBe(true);
});
