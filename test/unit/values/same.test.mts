import fc from 'fast-check';

import { isBlank, isSame } from '../../../nodes/SignAndClose/values/comparison.ts';

/** When a shown value is the wanted one: as values, never as resemblance. */

const ADDRESS = { line1: '1 Main St', line2: 'Unit 4', full_address: '1 Main St Unit 4' };

test.each<[string, unknown, unknown]>([
	['a number and its text', '5', 5],
	['a boolean and its text', 'true', true],
	['all that stands for nothing', { line1: '', parts: [null] }, ''],
	['parts that were not wanted', ADDRESS, { line1: '1 Main St' }],
	['a part that is emptied beside others', { line1: '1 Main St' }, { line2: '' }],
	['parts that are all emptied, of nothing', undefined, { line2: '', city: null }],
	[
		'entries with more parts, in their order',
		[{ id: 'a', x: 1 }, { id: 'b' }],
		[{ id: 'a' }, { id: 'b' }],
	],
])('the same: %s', (_what, shown, wanted) => {
	expect(isSame(shown, wanted)).toBe(true);
});

test.each<[string, unknown, unknown]>([
	['nothing for a text', undefined, 'A'],
	['false for nothing', false, ''],
	['nothing for false', undefined, false],
	['zero for nothing', 0, null],
	['what was to be emptied', 'A', ''],
	['a part that was to be emptied', ADDRESS, { line2: '' }],
	['an object for an empty one', { a: 1 }, {}],
	['an object without a part', { line1: 'A' }, { line1: 'A', city: 'B' }],
	['entries in another order', ['a', 'b'], ['b', 'a']],
	['one entry more', ['a', 'b'], ['a']],
	['one entry less', ['a'], ['a', 'a']],
	['a text for its list', 'a', ['a']],
	['a list for its text', ['a'], 'a'],
	['a list for an object', ['a'], { 0: 'a' }],
	['an object for a list', { 0: 'a', length: 1 }, ['a']],
	['a text for an object', 'a', { 0: 'a' }],
	['the same moment in another notation', '2027-03-01T20:00:00Z', '2027-03-01T15:00:00-05:00'],
])('not the same: %s', (_what, shown, wanted) => {
	expect(isSame(shown, wanted)).toBe(false);
});

describe('whatever the values are', () => {
	test('each is the same as itself', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(isSame(value, structuredClone(value))).toBe(true);
			}),
		);
	});
	test('a text with any other character is another one, also within lists and objects', () => {
		const changed = fc
			.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.string({ maxLength: 2 }))
			.map(([text, at, instead]) => {
				const place = at % text.length;
				return [text, text.slice(0, place) + instead + text.slice(place + 1)];
			})
			.filter(([text, other]) => text !== other);
		fc.assert(
			fc.property(changed, ([text, other]) => {
				expect(isSame(other, text)).toBe(false);
				expect(isSame([{ name: other }], [{ name: text }])).toBe(false);
			}),
		);
	});
	test('what is empty is the same as nothing, and nothing else is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(isSame(value, undefined)).toBe(isBlank(value));
				expect(isBlank({ value })).toBe(isBlank(value));
				expect(isBlank([value])).toBe(isBlank(value));
			}),
		);
	});
});
