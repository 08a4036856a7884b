import fc from 'fast-check';

import {
	toDocument,
	toTransaction,
} from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import { derivePhase } from '../../../../nodes/SignAndClose/transport/answers/transactionState.ts';

/** Answers are brought into their types once; what isn't known passes through. */

describe('a transaction of an answer', () => {
	test('numbers as text, and text as numbers', () => {
		expect(
			toTransaction({
				id: 77,
				loan_number: 7001234,
				documents: [{ id: 8, bundle_position: '2', is_enote: 'true' }, null, 'x'],
				signers: [{ id: 9, email: 'a@example.com' }],
			}),
		).toEqual({
			id: '77',
			loan_number: '7001234',
			documents: [{ id: '8', bundle_position: 2, is_enote: true }],
			signers: [{ id: '9', signer_id: '9', email: 'a@example.com' }],
		});
	});
	test('further fields, nested too, stay as they are', () => {
		const further = { id: 'ot_1', object: 'transaction', toString: 'x', nested: { a: [1, null] } };
		expect(toTransaction(further)).toEqual(further);
	});
	test('a list that is none is unknown, not empty', () => {
		expect(toTransaction({ id: 'ot_1', documents: {}, signers: 'x' })).toEqual({ id: 'ot_1' });
		expect(toTransaction({ id: 'ot_1', documents: null })?.documents).toBeNull();
	});
	test.each([undefined, null, '', 'text', 7, [], {}, { id: '' }, { id: null }, { id: {} }])(
		'%j is none',
		(answer) => {
			expect(toTransaction(answer)).toBeUndefined();
			expect(toDocument(answer)).toBeUndefined();
		},
	);
	test('no answer makes it throw', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (answer) => {
				toTransaction(answer);
				toTransaction({ id: 'ot_1', signers: answer, documents: answer });
				toDocument(answer);
			}),
		);
	});
});

describe('how far a transaction is', () => {
	test.each([
		[{ status: 'started', detailed_status: 'draft' }, 'draft'],
		[{ status: 'started' }, 'draft'],
		[{ detailed_status: 'recalled' }, 'draft'],
		[{ status: 'draft' }, 'draft'],
		[{ status: 'sent', detailed_status: 'sent_to_signer' }, 'sent'],
		[{ status: 'sent_to_closing_ops', detailed_status: 'order_placed' }, 'sent'],
		[{ status: 'active' }, 'sent'],
		[{ status: 'completed', detailed_status: 'complete' }, 'finished'],
		[{ status: 'completed_with_rejections' }, 'finished'],
		[{ status: 'expired' }, 'finished'],
		[{ status: 'sparkling' }, undefined],
		[{}, undefined],
		[{ status: null, detailed_status: '' }, undefined],
	])('%j', (state, phase) => {
		expect(derivePhase(state)).toBe(phase);
	});
});
