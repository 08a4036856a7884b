import fc from 'fast-check';

import { toPlainText } from '../../../nodes/SignAndClose/values/plainText.ts';
import { expectPlain } from '../../support/hostile/index.mts';

const PIECES = ['<script>', '<!-- -->', '\u001b]8;;x\u0007', '\r\n', '\u2028', '\u202e', '\ud800'];

test.each([
	['lines', 'a\r\n\u2028b\tc', 'a b c'],
	['turned directions', 'a\u202eb\u2066c\u200fd', 'abcd'],
	['an element', 'a <b> </b> <!-- <?php < 3', 'a ‹b> ‹/b> ‹!-- ‹?php < 3'],
	['a terminal’s colors', '\u001b[31mred', ' [31mred'],
	['half characters', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
	['whole characters', '👩‍👧 测 & "O\'Hara" –', '👩‍👧 测 & "O\'Hara" –'],
])('of %s remains plain text', (_what, text, expected) => {
	expect(toPlainText(text)).toBe(expected);
});

test('of a text that is too long, the middle is left out, of no other', () => {
	const text = `${'a'.repeat(50)}${'b'.repeat(50)}`;
	expect(toPlainText(text, 100)).toBe(text);
	expect(toPlainText(`${text}b`, 100)).toBe(`${'a'.repeat(50)} … ${'b'.repeat(50)}`);
	expect(toPlainText('x'.repeat(4_001))).toBe(`${'x'.repeat(2_000)} … ${'x'.repeat(2_000)}`);
	// Where a cut makes half a character, nothing of it remains.
	expect(toPlainText(`${'x'.repeat(49)}👧👧${'y'.repeat(49)}`, 100).isWellFormed()).toBe(true);
});

test('no text leaves markup, control or half character, and each is short', () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES, '<'), fc.string())), (parts) => {
			expectPlain(toPlainText(parts.join('')));
			expect(toPlainText(parts.join(''), 100).length).toBeLessThanOrEqual(103);
		}),
	);
});
