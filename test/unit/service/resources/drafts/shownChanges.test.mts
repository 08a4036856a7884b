import { describe, expect, test } from '@jest/globals';

import { readTransaction } from '../../../../../nodes/SignAndClose/service/answers.ts';
import {
	hasSignerLike,
	judgeChanges,
	resembles,
} from '../../../../../nodes/SignAndClose/service/resources/drafts/changes.ts';

/** What an answer proves of a change: more in test/unit/service/changes.test.mts. */

describe('a shown value stands for the wanted one', () => {
	test.each<[string, unknown, unknown]>([
		['parts that are not shown', { line1: 'A' }, { line1: 'A', line2: 'B' }],
		['parts that were not wanted', { line1: 'A', postal: '02110' }, { line1: 'A' }],
		['the same entry twice', ['a', 'a'], ['a', 'a']],
		['a time after a space', ' 2027-03-01T23:59:59Z', '2027-03-01T15:00:00-05:00'],
		['a time before a space', '2027-03-01T23:59:59Z', ' 2027-03-01T15:00:00-05:00'],
		['a time almost a day away', '2027-03-02T14:59:59Z', '2027-03-01T15:00:00Z'],
		['a date for a time of this day', '2027-03-01', '2027-03-01T23:00:00Z'],
	])('%s', (_what, shown, wanted) => {
		expect(resembles(shown, wanted)).toBe(true);
	});
	test.each<[string, unknown, unknown]>([
		['nothing for an object', null, { line1: 'A' }],
		['an empty object', { line1: '' }, { line1: 'A' }],
		['another entry beside the same', ['a', 'b'], ['a', 'c']],
		['one entry for two', ['a', 'b'], ['a', 'a']],
		['another part beside the same', { line1: 'A', city: 'B' }, { line1: 'A', city: 'C' }],
		['a time a whole day away', '2027-03-02T15:00:00Z', '2027-03-01T15:00:00Z'],
		['a number for a day', '2027', '2027-01-01'],
		['a day for a number', '2027-01-01', '2027'],
	])('not: %s', (_what, shown, wanted) => {
		expect(resembles(shown, wanted)).toBe(false);
	});
});

test('a signer is like the wanted one in all that was wanted', () => {
	const transaction = readTransaction({
		id: 'ot_1',
		signers: [
			{ email: 'jane@example.com', first_name: 'Jane' },
			{ email: 'joe@example.com', first_name: 'Joe' },
		],
	})!;
	expect(hasSignerLike(transaction, { email: 'joe@example.com', first_name: 'Joe' })).toBe(true);
	expect(hasSignerLike(transaction, { email: 'joe@example.com', first_name: 'Jane' })).toBe(false);
	expect(hasSignerLike({ id: 'ot_1' }, { first_name: 'Jane' })).toBe(false);
});

describe('without knowing what was there before', () => {
	const judge = (
		changes: object,
		after: object,
		platform: 'business' | 'realEstate' = 'realEstate',
		before?: object,
	) =>
		judgeChanges(changes as never, readTransaction({ id: 'ot_1', ...after })!, {
			platform,
			assuranceField: 'assurance_requirement',
			before: before && readTransaction({ id: 'ot_1', ...before }),
		});

	test('a change is done when it is shown, and not known otherwise', () => {
		expect(judge({ loan_number: '2' }, { loan_number: '2' }).state).toBe('done');
		expect(judge({ loan_number: '2' }, { loan_number: '1' })).toEqual({ state: 'unknown' });
		expect(judge({ loan_number: '2', file_number: '3' }, { loan_number: '2' })).toEqual({
			state: 'unknown',
		});
	});
	test('fields of business are judged on business', () => {
		const [changes, shown] = [{ payer: 'sender' }, { payer: 'signer' }];
		expect(judge(changes, shown, 'business', shown)).toEqual({
			state: 'notDone',
			why: { unchanged: ['payer'] },
		});
	});
	test('a change that the service wrote in its own form is done, another one beside it is not', () => {
		const before = { message_to_signer: 'Hi', loan_number: '1' };
		const after = { message_to_signer: 'Hello you', loan_number: '1' };
		expect(
			judge({ message_to_signer: 'Hello <b>you</b>', loan_number: '2' }, after, undefined, before),
		).toEqual({ state: 'notDone', why: { unchanged: ['loan_number'] } });
	});

	describe('documents', () => {
		const wanted = ['do_3', 'do_1', 'do_2'].map((id, bundle_position) => ({ id, bundle_position }));
		/** How the order is judged when these documents are shown at these positions. */
		const judged = (positions: Record<string, number | undefined>) =>
			judge(
				{ documents: wanted },
				{
					documents: Object.entries(positions).map(([id, position]) => ({
						id,
						bundle_position: position,
					})),
				},
			).state;
		test.each<[string, Record<string, number | undefined>, string]>([
			['are ordered, wherever they begin', { do_1: 5, do_2: 9, do_3: 2 }, 'done'],
			['are ordered, with others among them', { do_1: 5, do_4: 6, do_2: 9, do_3: 2 }, 'done'],
			['are not ordered', { do_1: 1, do_2: 2, do_3: 3 }, 'unknown'],
			['are ordered but for the last one', { do_1: 2, do_2: 0, do_3: 1 }, 'unknown'],
			['are ordered but for two at one place', { do_1: 2, do_2: 2, do_3: 1 }, 'unknown'],
			['do not have one that was ordered', { do_1: 2, do_3: 1 }, 'unknown'],
			['do not show all their places', { do_1: undefined, do_2: 2, do_3: 1 }, 'unknown'],
		])('%s', (_how, positions, expected) => {
			expect(judged(positions)).toBe(expected);
		});
		test('that are given under IDs with and without underscore are the same ones', () => {
			expect(judged({ do1: 5, do2: 9, do3: 2 })).toBe('done');
		});
	});
});
