import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { asBoolean } from '../../../nodes/SignAndClose/values/booleans.ts';
import { canBeId, LONGEST_ID, sameId } from '../../../nodes/SignAndClose/values/ids.ts';
import { numberIn, shownValue } from '../../../nodes/SignAndClose/values/shown.ts';

describe('a value in a message', () => {
	test.each<[string, unknown]>([
		['text', 'text'],
		['', ''],
		['7', 7],
		['NaN', Number.NaN],
		['true', true],
		['null', null],
		['undefined', undefined],
		['Symbol(x)', Symbol('x')],
		['10', 10n],
		['a list', []],
		['a list', [1, { a: 1 }]],
		['an object', {}],
		['an object', new Date(0)],
		['an object', Object.create(null)],
		['a function', () => undefined],
		['a function', Date],
	])('is %p', (expected, value) => {
		expect(shownValue(value)).toBe(expected);
	});
	test('is found for anything', () => {
		fc.assert(fc.property(fc.anything(), (value) => typeof shownValue(value) === 'string'));
	});
});

test.each<[number, unknown]>([
	[7, 7],
	[0, 0],
	[-1.5, '-1.5'],
	[7, ' 7\n'],
	[0, '0'],
	[Number.NaN, ''],
	[Number.NaN, ' \t'],
	[Number.NaN, 'seven'],
	[Number.NaN, '7 of 9'],
	[Number.NaN, true],
	[Number.NaN, null],
	[Number.NaN, undefined],
	[Number.NaN, [7]],
	[Number.NaN, { valueOf: () => 7 }],
	[Number.NaN, 7n],
	[Number.NaN, Symbol('7')],
])('the number is %p in %p', (expected, value) => {
	expect(numberIn(value)).toBe(expected);
});

describe('an ID', () => {
	test.each<[boolean, unknown, unknown]>([
		[true, 'or_od4kenk', 'orod4kenk'],
		[true, 'or_od4kenk', 'or_od4kenk'],
		[true, 'orod4kenk', 'or_od4kenk'],
		[false, 'or_od4kenk', 'ot_od4kenk'],
		[false, 'or_od4_kenk', 'or_od4kenk'],
		[false, '', ''],
		[false, '', '_'],
		[false, 'x', undefined],
		[false, undefined, 'x'],
		[false, undefined, undefined],
		[false, 7, 7],
		[false, 'null', null],
		[false, ['x'], ['x']],
	])('it is %p that %p and %p are the same', (expected, one, other) => {
		expect(sameId(one, other)).toBe(expected);
	});
	test('has at most a thousand characters that can be sent and seen', () => {
		expect(LONGEST_ID).toBe(1_000);
		expect(canBeId('x'.repeat(1_000))).toBe(true);
		expect(canBeId('x'.repeat(1_001))).toBe(false);
		for (const text of ['a\nb', '\u0000', '\u007f', '\u0085', '\ud800', 'a\udc00', '\t'])
			expect(canBeId(text)).toBe(false);
		for (const text of ['ot_1', 'a b', '测👧', 'a/b?c', '\u00a0']) expect(canBeId(text)).toBe(true);
	});
});

test.each<[boolean | undefined, unknown]>([
	[true, true],
	[true, 'true'],
	[true, ' TRUE\n'],
	[false, false],
	[false, 'false'],
	[false, '\tFalse '],
	[undefined, ''],
	[undefined, 'yes'],
	[undefined, 1],
	[undefined, 0],
	[undefined, null],
	[undefined, undefined],
	[undefined, ['true']],
	[undefined, { toString: () => 'true' }],
])('it is %p by %p', (expected, value) => {
	expect(asBoolean(value)).toBe(expected);
});
