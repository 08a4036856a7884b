import { InputFailure } from '../../../../nodes/SignAndClose/messages/explainedFailure.ts';
import { textOf, textsOf } from '../../../../nodes/SignAndClose/run/parameters/textOf.ts';

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
		expect(textOf('Name', value)).toBe(expected);
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
		expect(textOf('Name', value)).toBeUndefined();
	});
	test.each([
		[{ a: 1 }, 'an object'],
		[['a'], 'a list'],
		[() => 'a', 'a function'],
		[Symbol('a'), 'Symbol(a)'],
	])('of %p is refused, with what it is and what to do', (value, shown) => {
		const failure = failureOf(() => textOf('Name', value));
		expect(failure).toBeInstanceOf(InputFailure);
		expect(failure).toMatchObject({
			message: `'Name' must be text, but is ${shown}`,
			remedy: 'Point the expression to one of its fields',
		});
	});
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
		expect(textsOf('Names', value)).toEqual(expected);
	});
	test('of a list with an object are refused', () => {
		expect(() => textsOf('Names', ['a', {}])).toThrow("'Names' must be text, but is an object");
		expect(() => textsOf('Names', {})).toThrow("'Names' must be text, but is an object");
	});
});
