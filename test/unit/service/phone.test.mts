import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { readPhone } from '../../../nodes/SignAndClose/service/values/phone.ts';

describe('readPhone', () => {
	test.each([
		['617 555 0123', undefined, { number: '6175550123' }],
		['(617) 555-0123', '1', { number: '6175550123', country: '1' }],
		// The service takes a number without + for one of +1, so +1 itself is left out.
		['+1 617 555 0123', undefined, { number: '6175550123' }],
		['1 617 555 0123', undefined, { number: '6175550123' }],
		['+1 (617) 555-0123', '+1', { number: '6175550123', country: '1' }],
		// Another country keeps its +: nothing tells where its code ends.
		['+44 7700 900123', undefined, { number: '+447700900123' }],
		['+44 7700 900123', '44', { number: '7700900123', country: '44' }],
		['7700 900123', '44', { number: '7700900123', country: '44' }],
	])('%s with country %s', (text, country, expected) => {
		expect(readPhone(text, country)).toEqual(expected);
	});
	test.each([
		['+44 7700 900123', '1'],
		['+1 617 555 0123', '44'],
	])('%s contradicts country %s', (text, country) => {
		expect(readPhone(text, country)).toBe('contradiction');
	});
	test.each(['', '1234', '1234567890123456', '617-CALL-NOW', '+'])('%p is no number', (text) => {
		expect(readPhone(text)).toBeUndefined();
	});
	test('however a number is punctuated, its digits are the same', () => {
		const digits = fc.string({
			unit: fc.constantFrom(...'23456789'),
			minLength: 10,
			maxLength: 10,
		});
		const marks = fc.array(fc.constantFrom(' ', '-', '.', '(', ')'), {
			minLength: 10,
			maxLength: 10,
		});
		fc.assert(
			fc.property(digits, marks, fc.constantFrom('', '1', '+1 '), (number, between, prefix) => {
				const written = prefix + [...number].map((digit, index) => digit + between[index]).join('');
				expect(readPhone(written)).toEqual({ number });
			}),
		);
	});
});
