import { InputFailure } from '../../../../nodes/SignAndClose/messages/failures.ts';
import { parseText, parseTexts } from '../../../../nodes/SignAndClose/run/parameters/texts.ts';

/** Values of any kind, read as text. */

/** The failure that a call throws. */
function failureOf(call: () => unknown): unknown {
	try {
		return call();
	} catch (thrown) {
		return thrown;
	}
}

describe('a text', () => {
	test.each([
		['Jane', 'Jane'],
		['  Jane Doe \n', 'Jane Doe'],
		[0, '0'],
		[12.5, '12.5'],
		[7n, '7'],
		[true, 'true'],
		[false, 'false'],
		['NaN', 'NaN'],
	])('of %p is %j', (value, expected) => {
		expect(parseText('Name', value)).toBe(expected);
	});
	test.each([
		[undefined],
		[null],
		[''],
		['  '],
		['undefined'],
		['null'],
		[' null '],
		['[object Object]'],
		[Number.NaN],
		[Infinity],
		[-Infinity],
	])('of %p is empty', (value) => {
		expect(parseText('Name', value)).toBeUndefined();
	});
	test.each([
		[{ a: 1 }, 'an object'],
		[['a'], 'a list'],
		[() => 'a', 'a function'],
		[Symbol('a'), 'Symbol(a)'],
	])('of %p is refused, with what it is and what to do', (value, shown) => {
		const failure = failureOf(() => parseText('Name', value));
		expect(failure).toBeInstanceOf(InputFailure);
		expect(failure).toMatchObject({
			message: `'Name' must be text, but is ${shown}`,
			remedy: 'Point the expression to one of its fields',
		});
	});
});

test.each([[2 ** 60], [-(2 ** 60)], [1e21], [Number.MAX_SAFE_INTEGER + 1]])(
	'of the number %p is refused, because it is rounded',
	(value) => {
		expect(failureOf(() => parseText('Loan Number', value))).toMatchObject({
			message: `'Loan Number' is the number ${value}, which isn't exact at this size`,
			remedy: 'Make the column or the field a text, where the number comes from',
		});
		expect(parseText('Loan Number', String(value))).toBe(String(value));
		expect(() => parseTexts('Loan Numbers', ['7', value])).toThrow("isn't exact");
	},
);
test('of the largest exact number is its digits', () => {
	expect(parseText('Loan Number', Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
});

describe('texts', () => {
	test.each([
		[
			['a', ' b ', 3],
			['a', 'b', '3'],
		],
		[
			['a', '', null, undefined, 'b'],
			['a', 'b'],
		],
		['a, b ,,c', ['a', 'b', 'c']],
		[5, ['5']],
		['', []],
		[undefined, []],
		[[], []],
	])('of %j are %j', (value, expected) => {
		expect(parseTexts('Names', value)).toEqual(expected);
	});
	test('of a list with an object are refused', () => {
		expect(() => parseTexts('Names', ['a', {}])).toThrow("'Names' must be text, but is an object");
		expect(() => parseTexts('Names', {})).toThrow("'Names' must be text, but is an object");
	});
});
