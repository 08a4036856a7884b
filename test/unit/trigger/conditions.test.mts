import type { IDataObject } from 'n8n-workflow';

import {
	areMet,
	checkConditions,
	needsTransaction,
	parseConditions,
} from '../../../nodes/SignAndClose/trigger/conditions.ts';
import { onlyRunIf } from '../../../nodes/SignAndClose/trigger/form.ts';

/** "Only Run If": what is compared with what, and when an event meets it. */

const read = (rows: IDataObject[], combinator?: string) =>
	parseConditions({ row: rows }, combinator);
const EVENT = {
	data: { meeting: { meeting_id: 'mt_1' }, transaction_type: 'heloc', file_number: 'F-1' },
	event: 'transaction.completed',
	transaction_id: 'ot_1',
	signers_open: 2,
	platform: 'realEstate',
};
const TRANSACTION = {
	transaction_type: 'refinance',
	loan_number: '7001234',
	external_id: '',
	file_number: null,
	cost: 2250,
	expiry: '2026-12-01T00:00:00Z',
	is_rushed: true,
	street_address: { state: 'MA' },
	signers: [{ email: 'jane@example.com' }, { email: 'joe@bank.example' }],
};
const meets = (row: IDataObject, combinator?: string) =>
	areMet(read([row], combinator), EVENT, TRANSACTION);

describe('one condition', () => {
	test.each([
		['transaction_type', 'equals', 'refinance', true],
		['transaction_type', 'equals', 'REFINANCE', true],
		['transaction_type', 'equals', 'heloc', false],
		['transaction_type', 'notEquals', 'heloc', true],
		['loan_number', 'startsWith', '7001', true],
		['loan_number', 'endsWith', '1234', true],
		['loan_number', 'contains', '999', false],
		['loan_number', 'notContains', '999', true],
		['loan_number', 'regex', '^7\\d+$', true],
		['loan_number', 'gt', '7000000', true],
		['loan_number', 'lt', '7000000', false],
		['signers_open', 'equals', '2', true],
		['signers_open', 'gt', '1', true],
		['cost', 'gt', '2250', false],
		['cost', 'equals', 2250, true],
		['expiry', 'before', '2026-12-02', true],
		['expiry', 'after', '2026-12-02', false],
		['is_rushed', 'true', '', true],
		['is_rushed', 'false', '', false],
		['street_address.state', 'equals', 'ma', true],
		// The service writes an empty text or null where nothing is set.
		['external_id', 'exists', '', false],
		['file_number', 'notExists', '', true],
		['external_id', 'equals', 'case', false],
		['external_id', 'notEquals', 'case', true],
		['unheard_of', 'notExists', '', true],
		['unheard_of', 'lt', '5', false],
		// One entry of a list is enough, unless the comparison says what isn't so.
		['signers.email', 'equals', 'joe@bank.example', true],
		['signers.email', 'endsWith', '@elsewhere.example', false],
		['signers.email', 'notContains', '@bank.example', false],
		['signers.email', 'notContains', '@elsewhere.example', true],
		// What can't be compared isn't met, and starts nothing.
		['transaction_type', 'gt', '5', false],
		['transaction_type', 'before', '2026-12-02', false],
	])('%s %s %j: %s', (field, comparison, value, expected) => {
		expect(meets({ field, comparison, value })).toBe(expected);
	});
	test("takes a reference of the node's own for none, and a person's for what it is", () => {
		const exists = (reference: string) =>
			areMet(read([{ field: 'external_id', comparison: 'exists' }]), EVENT, {
				...TRANSACTION,
				external_id: reference,
			});
		expect(exists('n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427')).toBe(false);
		expect(exists('n8n-7')).toBe(true);
	});
	test('looks in the event and in its transaction', () => {
		expect(meets({ field: 'event', comparison: 'endsWith', value: '.completed' })).toBe(true);
		const named = { field: 'other', otherField: ' data.meeting_id ', comparison: 'exists' };
		expect(meets(named)).toBe(false);
		expect(meets({ ...named, otherField: ' data.meeting.meeting_id ' })).toBe(true);
	});
	test('what the data of an event says, which may be made up, is not taken for the transaction', () => {
		expect(meets({ field: 'file_number', comparison: 'equals', value: 'F-1' })).toBe(false);
		expect(meets({ field: 'meeting.meeting_id', comparison: 'exists' })).toBe(false);
		expect(meets({ field: 'data.file_number', comparison: 'equals', value: 'F-1' })).toBe(true);
	});
	test.each([
		['transaction_type', 'equals', 'heloc'],
		['organization_id', 'notEquals', 'or_1'],
		['file_number', 'notExists', ''],
		['signers_open', 'equals', '2'],
	])('of a transaction that cannot be seen is not met: %s %s %j', (field, comparison, value) => {
		expect(areMet(read([{ field, comparison, value }]), EVENT, undefined)).toBe(false);
	});
	test('of the event is met without a transaction', () => {
		const isMeeting = { field: 'data.meeting.meeting_id', comparison: 'exists' };
		expect(areMet(read([isMeeting]), EVENT, undefined)).toBe(true);
		const either = read([isMeeting, { field: 'loan_number', comparison: 'exists' }], 'or');
		expect(areMet(either, EVENT, undefined)).toBe(true);
	});
	test('without a field is met by nothing', () => {
		expect(meets({ field: 'other', otherField: ' ', comparison: 'notExists' })).toBe(false);
		expect(meets({ field: '__proto__.constructor', comparison: 'exists' })).toBe(false);
	});
	test('a value from an expression may be a number, a date or nothing', () => {
		const before = (value: unknown) =>
			meets({ field: 'expiry', comparison: 'before', value } as IDataObject);
		expect(before(new Date('2026-12-02'))).toBe(true);
		expect(before({ toString: () => '2026-11-30T00:00:00Z' })).toBe(false);
		expect(before(null)).toBe(false);
	});
});

describe('several conditions', () => {
	const rows = [
		{ field: 'transaction_type', comparison: 'equals', value: 'refinance' },
		{ field: 'street_address.state', comparison: 'equals', value: 'NH' },
	];
	test.each([
		[undefined, false],
		['and', false],
		['or', true],
	])('combined by %s: %s', (combinator, expected) => {
		expect(areMet(read(rows, combinator), EVENT, TRANSACTION)).toBe(expected);
	});
	test('none at all let everything pass', () => {
		expect(parseConditions({}, 'and')).toBeUndefined();
		expect(parseConditions(undefined, undefined)).toBeUndefined();
		expect(areMet(undefined, EVENT, undefined)).toBe(true);
	});
	test('need the transaction, unless all of them are about the event', () => {
		const fields = (...names: string[]) => read(names.map((field) => ({ field })));
		expect(needsTransaction(undefined)).toBe(false);
		expect(needsTransaction(fields('event', 'data.meeting.meeting_id', 'document_name'))).toBe(
			false,
		);
		expect(needsTransaction(fields('event', 'loan_number'))).toBe(true);
		expect(needsTransaction(fields('database'))).toBe(true);
	});
});

describe('when the workflow is published', () => {
	test.each([
		[{ field: 'other', comparison: 'equals', value: 'a' }, /has no field in entry 1/],
		[{ field: 'status', comparison: 'equals', value: '' }, /has no value in entry 1/],
		[{ field: 'cost', comparison: 'gt', value: 'many' }, /'many' in entry 1, which isn't a number/],
		[
			{ field: 'expiry', comparison: 'before', value: 'soon' },
			/'soon' in entry 1, which isn't a date/,
		],
		[{ field: 'status', comparison: 'regex', value: '(' }, /which isn't a regular expression/],
	])('%j is refused', (row, message) => {
		expect(() => checkConditions(read([row]))).toThrow(message);
	});
	test('what can be compared is accepted', () => {
		const rows = [
			{ field: 'cost', comparison: 'gt', value: '5' },
			{ field: 'expiry', comparison: 'after', value: '2026-12-02T10:00:00' },
			{ field: 'status', comparison: 'exists', value: '' },
			{ field: 'status', comparison: 'regex', value: '^s' },
		];
		expect(() => checkConditions(read(rows))).not.toThrow();
		expect(() => checkConditions(undefined)).not.toThrow();
	});
	test('the names of fields and comparisons are no expressions', () => {
		const [row] = onlyRunIf.options as Array<{ values: Array<{ noDataExpression?: boolean }> }>;
		expect(row.values.map(({ noDataExpression }) => noDataExpression === true)).toEqual([
			true,
			true,
			true,
			false,
		]);
	});
});
