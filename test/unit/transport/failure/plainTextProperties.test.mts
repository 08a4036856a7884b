import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { plainText } from '../../../../nodes/SignAndClose/transport/failure/plainText.ts';
import { expectPlain } from '../../../support/hostile/index.mts';

const PIECES = [
	'<script>alert(1)</script>',
	'<!-- -->',
	'\u001b]8;;https://evil.example\u0007',
	'\r\n',
	'\u2028',
	'\u202e',
	'\ud800',
	'\udc00',
	'a',
	' < 3 ',
	'<',
];

describe('plainText', () => {
	test('leaves no markup, control or half character, and is short', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string())), (parts) => {
				expectPlain(plainText(parts.join('')));
				expect(plainText(parts.join(''), 100).length).toBeLessThanOrEqual(103);
			}),
		);
	});
	test('keeps ordinary text as it is', () => {
		const text = "'Limit' must be < 5 & > 1, says \"O'Hara\" – 測試 👩‍👧";
		expect(plainText(text)).toBe(text);
	});
	test('of a long text, keeps the beginning and the end', () => {
		expect(plainText(`'ID' is '${'x'.repeat(9_000)}', which isn't one`)).toMatch(
			/^'ID' is 'x+ … x+', which isn't one$/,
		);
	});
});
