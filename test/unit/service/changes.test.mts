import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { readTransaction } from '../../../nodes/SignAndClose/service/answers.ts';
import {
	hasSignerLike,
	judgeChanges,
	resembles,
} from '../../../nodes/SignAndClose/service/resources/drafts/changes.ts';

/** Whether an answer shows what a request asked for, although the service writes it differently. */

describe('a shown value stands for the wanted one', () => {
	test.each([
		['the same text', 'A', 'A'],
		['other letters and spaces', 'JANE  Borrower ', 'jane borrower'],
		['an ID with and without underscore', 'orod4kenk', 'or_od4kenk'],
		['a number as text', '5', 5],
		['a time moved to the end of its day', '2027-03-01T23:59:59Z', '2027-03-01T15:00:00-05:00'],
		['the same time in another zone', '2027-03-01T20:00:00.000Z', '2027-03-01T15:00:00-05:00'],
		[
			'a phone number split into two fields',
			{ phone: { country_code: '1', number: '6175550123' } },
			{ phone_number: '6175550123' },
		],
		[
			'a phone number with its country',
			{ phone: { country_code: '44', number: '7700900123' } },
			{ phone_number: '+447700900123' },
		],
		['a zip code as postal code', { postal: '02110', full_address: 'x' }, { zip_code: '02110' }],
		['what is unset', null, ''],
		['entries in another order', [{ id: 'b' }, { id: 'a' }], [{ id: 'a' }, { id: 'b' }]],
	])('%s', (_what, shown, wanted) => {
		expect(resembles(shown, wanted)).toBe(true);
	});
	test.each([
		['another text', 'A', 'B'],
		['nothing', undefined, 'A'],
		['what was to be emptied', 'A', ''],
		['a time of another day', '2027-03-03T23:59:59Z', '2027-03-01T15:00:00Z'],
		['one entry more', ['a', 'b'], ['a']],
		['another zip code', { postal: '02111' }, { zip_code: '02110' }],
		['a text for an array', 'a', ['a']],
	])('not: %s', (_what, shown, wanted) => {
		expect(resembles(shown, wanted)).toBe(false);
	});
	test('everything stands for itself', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(resembles(value, value)).toBe(true);
			}),
		);
	});
});

describe('a change is', () => {
	const context = { platform: 'realEstate' as const, assuranceField: 'assurance_requirement' };
	const answer = (fields: object) => readTransaction({ id: 'ot_1', ...fields })!;
	const judge = (changes: object, before: object, after: object) =>
		judgeChanges(changes as never, answer(after), { ...context, before: answer(before) });

	test('done when the answer shows it under its own name', () => {
		const after = {
			recording_jurisdiction: { id: 'rl2', name: 'Suffolk' },
			redirect: { redirect_url: 'https://a.example', redirect_msg: null, forced_redirect: false },
		};
		const changes = {
			recording_jurisdiction_id: 'rl2',
			redirect: { url: 'https://a.example' },
		};
		expect(judge(changes, {}, after).state).toBe('done');
	});
	test('not done when the old value stays', () => {
		expect(judge({ loan_number: '2' }, { loan_number: '1' }, { loan_number: '1' })).toEqual({
			state: 'notDone',
			why: { unchanged: ['loan_number'] },
		});
	});
	test('done when the service writes the value in its own form', () => {
		const seen = judge(
			{ message_to_signer: 'Hello <b>you</b>' },
			{ message_to_signer: 'Hi' },
			{ message_to_signer: 'Hello you' },
		);
		expect(seen.state).toBe('done');
	});
	test('not known when a field that answers have is missing', () => {
		expect(judge({ loan_number: '2' }, {}, {}).state).toBe('unknown');
	});
	test('done when no answer shows the field', () => {
		expect(judge({ paper_note_consent: true }, {}, {}).state).toBe('done');
	});
	test('not done when the documents keep their order', () => {
		const documents = (first: number, second: number) => ({
			documents: [
				{ id: 'do_1', bundle_position: first },
				{ id: 'do_2', bundle_position: second },
				{ id: 'do_consent', bundle_position: 9 },
			],
		});
		const changes = {
			documents: [
				{ id: 'do_2', bundle_position: 0 },
				{ id: 'do_1', bundle_position: 1 },
			],
		};
		expect(judge(changes, documents(0, 1), documents(0, 1)).state).toBe('notDone');
		expect(judge(changes, documents(0, 1), documents(2, 1)).state).toBe('done');
	});
	test('not done while a signer is there who was to be removed', () => {
		const two = { signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };
		expect(judge({ signers: [{ email: 'a@example.com' }] }, two, two).state).toBe('notDone');
	});
});

test('a signer is recognized by what was asked for', () => {
	const transaction = readTransaction({
		id: 'ot_1',
		signers: [
			{
				signer_id: 'oc_1',
				email: 'Jane@Example.com',
				phone: { country_code: '1', number: '6175550123' },
			},
		],
	})!;
	expect(hasSignerLike(transaction, { email: 'jane@example.com' })).toBe(true);
	expect(hasSignerLike(transaction, { phone_number: '6175550123' })).toBe(true);
	expect(hasSignerLike(transaction, { phone_number: '6175550124' })).toBe(false);
	expect(hasSignerLike(transaction, { first_name: 'Jane' })).toBe(false);
});
