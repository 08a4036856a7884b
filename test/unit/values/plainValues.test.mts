import { asBoolean } from '../../../nodes/SignAndClose/values/plainValues.ts';
import { canBeId, LONGEST_ID, isSameId } from '../../../nodes/SignAndClose/values/ids.ts';
import { parseNumber, formatForDisplay } from '../../../nodes/SignAndClose/values/plainValues.ts';
import { forEachCase } from '../../support/forEachCase.mts';

describe('a value in a message', () => {
	test.each<[string, unknown]>([
		['text', 'text'],
		['7', 7],
		['NaN', Number.NaN],
		['true', true],
		['null', null],
		['Symbol(x)', Symbol('x')],
		['10', 10n],
		['a list', []],
		['an object', {}],
		['an object', Object.create(null)],
		['a function', () => undefined],
	])('is %p', (expected, value) => {
		expect(formatForDisplay(value)).toBe(expected);
	});
});

test.each<[number, unknown]>([
	[7, 7],
	[0, 0],
	[-1.5, '-1.5'],
	[7, ' 7\n'],
	[Number.NaN, ''],
	[Number.NaN, 'seven'],
	[Number.NaN, '7 of 9'],
	[Number.NaN, true],
	[Number.NaN, null],
	[Number.NaN, [7]],
	[Number.NaN, { valueOf: () => 7 }],
])('the number is %p in %p', (expected, value) => {
	expect(parseNumber(value)).toBe(expected);
});

describe('an ID', () => {
	test.each<[boolean, unknown, unknown]>([
		[true, 'or_od4kenk', 'orod4kenk'],
		[true, 'or_od4kenk', 'or_od4kenk'],
		[false, 'or_od4kenk', 'ot_od4kenk'],
		[false, 'or_od4_kenk', 'or_od4kenk'],
		[false, '', ''],
		[false, 'x', undefined],
		[false, 7, 7],
		[false, ['x'], ['x']],
	])('it is %p that %p and %p are the same', (expected, one, other) => {
		expect(isSameId(one, other)).toBe(expected);
	});
	test('has at most a thousand characters that can be sent and seen', () => {
		expect(LONGEST_ID).toBe(1_000);
		expect(canBeId('x'.repeat(1_000))).toBe(true);
		expect(canBeId('x'.repeat(1_001))).toBe(false);
		forEachCase(['a\nb', '\u0000', '\u007f', '\u0085', '\ud800', 'a\udc00', '\t'], (text) =>
			expect(canBeId(text)).toBe(false),
		);
		forEachCase(['ot_1', 'a b', '测👧', 'a/b?c', '\u00a0'], (text) =>
			expect(canBeId(text)).toBe(true),
		);
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
	[undefined, null],
	[undefined, { toString: () => 'true' }],
])('it is %p by %p', (expected, value) => {
	expect(asBoolean(value)).toBe(expected);
});
