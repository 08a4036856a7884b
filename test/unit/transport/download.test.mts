import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { safeFileName } from '../../../nodes/SignAndClose/transport/download.ts';

test('file names hold no forbidden character, are at most 120 characters long and keep their ending', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
			const safe = safeFileName(name, '.pdf');
			expect(safe).toMatch(/^[^<>:"/\\|?*\p{Cc}]+\.pdf$/iu);
			expect([...safe].length).toBeLessThanOrEqual(120);
			expect(safe.startsWith('.') && safe !== '.pdf').toBe(false);
		}),
	);
	expect(safeFileName('Deed / of: Trust.pdf', '.pdf')).toBe('Deed of Trust.pdf');
	expect(safeFileName('../../etc/passwd', '.pdf')).toBe('etc passwd.pdf');
	expect(safeFileName('', '.pdf')).toBe('file.pdf');
});

test.each(['CON', 'con.pdf', 'LPT1.deed', 'COM1', 'nul ', 'Com¹'])(
	'%s is no name of a device',
	(name) => {
		expect(safeFileName(name, '.pdf')).toMatch(/^_.+\.pdf$/);
	},
);

test('file names fit into 255 bytes and have no half characters', () => {
	for (const unit of ['测', '👩‍👧', '\ud800', 'x'.repeat(1_000_000)]) {
		const safe = safeFileName(unit.repeat(300).slice(0, 2_000_000), '.pdf');
		expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240);
		expect(safe.isWellFormed()).toBe(true);
		expect(safe).toMatch(/.+\.pdf$/);
	}
});

test.each([
	// The longest name with this ending.
	['x'.repeat(116), `${'x'.repeat(116)}.pdf`],
	['x'.repeat(117), `${'x'.repeat(116)}.pdf`],
	[`${'x'.repeat(116)}.pdf`, `${'x'.repeat(116)}.pdf`],
	[`${'x'.repeat(117)}.PDF`, `${'x'.repeat(116)}.PDF`],
	[`${'x'.repeat(1_200)}.pdf`, `${'x'.repeat(116)}.pdf`],
	// A character of four bytes, of three, and of two.
	['🖋'.repeat(60), `${'🖋'.repeat(59)}.pdf`],
	[`${'🖋'.repeat(60)}.pdf`, `${'🖋'.repeat(59)}.pdf`],
	['测'.repeat(80), `${'测'.repeat(78)}.pdf`],
	['é'.repeat(120), `${'é'.repeat(116)}.pdf`],
])('a long file name is cut before its ending (%#)', (name, safe) => {
	expect(safeFileName(name, '.pdf')).toBe(safe);
});

test.each([
	['Deed.PDF', 'Deed.PDF'],
	['Deed.pdf.pdf', 'Deed.pdf.pdf'],
	['Deed...', 'Deed.pdf'],
	[' . Deed . .', 'Deed.pdf'],
	['\t\u00a0Deed \r\n of\u2003Trust\u3000', 'Deed of Trust.pdf'],
	['Deed: / "of" | <Trust>', 'Deed of Trust.pdf'],
	['Deed\u200b/\u202e of', 'Deed of.pdf'],
	['Deed con', 'Deed con.pdf'],
	['Come', 'Come.pdf'],
	['.pdf', 'pdf.pdf'],
	['pdf', 'pdf.pdf'],
	['De\u0301e\u0301d', 'D\u00e9\u00e9d.pdf'],
	// Nobody reads more than the beginning of a name that long.
	[`${'/'.repeat(1_199)}Deed`, 'D.pdf'],
	[`${'/'.repeat(1_200)}Deed`, 'file.pdf'],
])('%j becomes %s', (name, safe) => {
	expect(safeFileName(name, '.pdf')).toBe(safe);
});
