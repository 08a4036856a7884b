import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { safeFileName } from '../../../nodes/SignAndClose/service/download.ts';

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

test.each(['CON', 'con.pdf', 'LPT1.deed', 'nul ', 'Com¹'])('%s is no name of a device', (name) => {
	expect(safeFileName(name, '.pdf')).toMatch(/^_.+\.pdf$/);
});

test('file names fit into 255 bytes and have no half characters', () => {
	for (const unit of ['测', '👩‍👧', '\ud800', 'x'.repeat(1_000_000)]) {
		const safe = safeFileName(unit.repeat(300).slice(0, 2_000_000), '.pdf');
		expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240);
		expect(safe.isWellFormed()).toBe(true);
		expect(safe).toMatch(/.+\.pdf$/);
	}
});
