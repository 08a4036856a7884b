import { describe, expect, test } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';

import { complaintOf, formOf, textField } from '../../../support/madeUp/params.mts';

/** Collections and rows, read through n8n's own context: from the form and from an expression. */

const PROPERTIES: INodeProperties[] = [
	{
		displayName: 'More',
		name: 'more',
		type: 'collection',
		default: {},
		options: [textField('Loan Number', 'loan_number')],
	},
	{
		displayName: 'Signers',
		name: 'signers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [
			{ name: 'row', displayName: 'Signer', values: [textField('Last Name', 'last_name')] },
		],
	},
	// n8n itself drops an expression for a whole collection, but not for a field of another type.
	textField('Fields', 'fields'),
	textField('Lines', 'lines'),
];

const paramsOf = formOf(PROPERTIES);
/** The form with nothing filled in. */
const empty = () => paramsOf({});

describe('an object', () => {
	const read = (fields: string) => paramsOf({ fields }).object('fields');

	test('is what the form holds', () => {
		expect(paramsOf({ more: { loan_number: '7001' } }).object('more')).toEqual({
			loan_number: '7001',
		});
		expect(empty().object('more')).toEqual({});
	});
	test('is what an expression returns', () => {
		expect(read('={{ ({ loan_number: 7 }) }}')).toEqual({ loan_number: 7 });
	});
	test.each(['', '={{ null }}', '={{ "" }}', '={{ [] }}', '={{ undefined }}'])(
		'is empty when there is nothing (%j)',
		(expression) => {
			expect(read(expression)).toEqual({});
		},
	);
	test('is empty when the form does not have it', () => {
		expect(empty().object('unheardOf')).toEqual({});
	});
	test.each(['={{ "some" }}', '={{ 7 }}', '={{ true }}', '={{ [1] }}', '={{ [{}] }}', ' '])(
		'is refused when there is anything else (%j)',
		(expression) => {
			expect(complaintOf(() => read(expression))).toBe(
				"'Fields' must be an object of its fields. Fill in the fields one by one, or let the expression return an object of them",
			);
		},
	);
});

describe('rows', () => {
	const ROWS = [{ last_name: 'Doe' }, { last_name: 'Roe' }];

	test('are those of the form', () => {
		expect(paramsOf({ signers: { row: ROWS } }).rows('signers')).toEqual(ROWS);
		expect(empty().rows('signers')).toEqual([]);
	});
	test('are the array that an expression returns', () => {
		const lines = `={{ ${JSON.stringify(ROWS)} }}`;
		expect(paramsOf({ lines }).rows('lines')).toEqual(ROWS);
	});
	test.each([
		[ROWS, ROWS],
		[{ row: ROWS }, ROWS],
		// A single row.
		[{ row: ROWS[0] }, [ROWS[0]]],
		[{ row: null }, []],
		[{ row: '' }, []],
		[{}, []],
		[undefined, []],
		[null, []],
		['', []],
	])('of %j are %j', (value, expected) => {
		expect(empty().rows('signers', value)).toEqual(expected);
	});
	test.each([
		[['Doe'], 1],
		[[{}, null], 2],
		[[{}, {}, []], 3],
		[[undefined], 1],
		['Doe', 1],
		[7, 1],
		[true, 1],
		[{ row: 'Doe' }, 1],
		[{ row: [{}, 'Roe'] }, 2],
	])('of %j are refused at row %i', (value, row) => {
		expect(complaintOf(() => empty().rows('signers', value))).toBe(
			`'Signers', row ${row}: must be an object. Fill in rows, or let the expression return an array of objects`,
		);
	});
	test('are none when the form does not have them', () => {
		expect(empty().rows('unheardOf')).toEqual([]);
	});
});
