import fc from 'fast-check';

import {
	asObject,
	asObjects,
	asText,
	copyJson,
	getOwnValue,
	parseIfJson,
	parseJson,
	withoutEmpty,
} from '../../../nodes/SignAndClose/values/json.ts';
import { forEachCase } from '../../support/forEachCase.mts';
import { expectUsualPrototypes } from '../../support/hostile/index.mts';

const OTHERS = [undefined, null, '', 'text', 0, 7, true, Symbol('x'), () => undefined];

test('only objects count as objects, in lists too', () => {
	const object = { a: 1 };
	expect(asObject(object)).toBe(object);
	forEachCase([...OTHERS, [], [object]], (other) => expect(asObject(other)).toEqual({}));
	expect(asObjects([...OTHERS, [object], object, []])).toEqual([object]);
	forEachCase([...OTHERS, object, { length: 1, 0: object }], (other) =>
		expect(asObjects(other)).toEqual([]),
	);
});

test('only a text that is not empty counts as text', () => {
	expect(asText('x')).toBe('x');
	expect(asText(' ')).toBe(' ');
	forEachCase(['', undefined, null, 7, true, ['x'], {}], (other) =>
		expect(asText(other)).toBeUndefined(),
	);
});

test('what is empty is left out; zero, false, blanks and empty lists are values', () => {
	expect(
		withoutEmpty({ a: undefined, b: null, c: '', d: 0, e: false, f: ' ', g: [], h: {}, i: 'x' }),
	).toStrictEqual({ d: 0, e: false, f: ' ', g: [], h: {}, i: 'x' });
});

test('a name that every object inherits is no value of its own', () => {
	expect(getOwnValue({ a: 1 }, 'a')).toBe(1);
	forEachCase(['constructor', 'toString', '__proto__', 'b'], (name) =>
		expect(getOwnValue({ a: 1 }, name)).toBeUndefined(),
	);
});

/** The name as JSON may write it: each of its characters can be escaped. */
const HOSTILE = ['__proto__', '\\u005f_proto__', '__\\u0070roto__', '__pro\\u0074o__'];

describe.each([
	['parseJson', parseJson],
	['parsedJson', parseIfJson],
	['copyJson', (text: string) => copyJson(JSON.parse(text))],
])('%s', (_name, read) => {
	test('gives what JSON.parse gives', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
				const text = JSON.stringify(json);
				fc.pre(!text.includes('__proto__'));
				expect(read(text)).toStrictEqual(JSON.parse(text));
			}),
		);
	});
	test.each(HOSTILE)('leaves out the name %s, at any depth', (name) => {
		const text = `{"a":[{"${name}":{"polluted":1},"b":{"${name}":2,"c":"${name}"}}],"${name}":3}`;
		const json = read(text);
		expectUsualPrototypes(json);
		expect(JSON.stringify(json)).toBe(
			JSON.stringify({ a: [{ b: { c: JSON.parse(`"${name}"`) as string } }] }),
		);
	});
});

test('what is no JSON fails, or stays as it is where it need not be JSON', () => {
	expect(() => parseJson('{"a":')).toThrow(SyntaxError);
	const object = { a: '{"b":1}' };
	expect(parseIfJson(object)).toBe(object);
	forEachCase(['{"a":', 'text', '', undefined, null, 7], (other) =>
		expect(parseIfJson(other)).toBe(other),
	);
	expect(parseIfJson('{"a":[1]}')).toEqual({ a: [1] });
});

describe('copyJson', () => {
	const nested = (levels: number, open: string, close: string) =>
		JSON.parse(open.repeat(levels) + 'null' + close.repeat(levels)) as unknown;
	test.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
	])('goes through fifty levels of %s, and no further', (_what, open, close) => {
		expect(copyJson(nested(50, open, close))).toEqual(nested(50, open, close));
		expect(() => copyJson(nested(51, open, close))).toThrow(new RangeError('nested too deeply'));
		expect(() => copyJson(nested(100_000, open, close))).toThrow(RangeError);
	});
});
