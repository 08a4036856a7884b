import fc from 'fast-check';

import {
	DistinctNames,
	toSafeFileName,
} from '../../../../nodes/SignAndClose/transport/files/fileNames.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Names that can be stored everywhere, and that no file system takes for the same. */

const ANY = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 300 }),
	fc.constantFrom('测'.repeat(300), '👩‍👧'.repeat(300), '\ud800', 'x'.repeat(1_000_000), ''),
);

describe('the name of a file', () => {
	test('has no forbidden character, at most 120 characters and 240 bytes, and its ending', () => {
		fc.assert(
			fc.property(ANY, (name) => {
				const safe = toSafeFileName(name, '.pdf');
				expect(safe).toMatch(/^[^<>:"/\\|?*\p{Cc}]+\.pdf$/iu);
				expect([...safe].length).toBeLessThanOrEqual(120);
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240);
				expect(safe.isWellFormed()).toBe(true);
				expect(safe.startsWith('.')).toBe(false);
			}),
		);
	});
	test.each([
		['Deed', 'Deed.pdf'],
		['Deed.PDF', 'Deed.pdf'],
		['Data.xml', 'Data.xml.pdf'],
		['', 'file.pdf'],
		['../../etc/passwd', 'etc passwd.pdf'],
		[' . Deed . .', 'Deed.pdf'],
		['\t\u00a0Deed \r\n of\u2003Trust\u3000', 'Deed of Trust.pdf'],
		['Deed: / "of" | <Trust>', 'Deed of Trust.pdf'],
		['Deed\u200b/\u202e of', 'Deed of.pdf'],
		['De\u0301ed', 'D\u00e9ed.pdf'],
		['CON', '_CON.pdf'],
		['LPT1.deed', '_LPT1.deed.pdf'],
		['Com¹', '_Com¹.pdf'],
		['CONIN$', '_CONIN$.pdf'],
		['Come', 'Come.pdf'],
		['x'.repeat(117), `${'x'.repeat(116)}.pdf`],
		['🖋'.repeat(60), `${'🖋'.repeat(59)}.pdf`],
	])('%j becomes %s', (name, safe) => {
		expect(toSafeFileName(name, '.pdf')).toBe(safe);
	});
	test.each([
		['Letter.docx', 'Letter.docx'],
		['', 'file'],
		['x'.repeat(130), 'x'.repeat(120)],
		[`${'x'.repeat(118)}. .y`, 'x'.repeat(118)],
	])('%j of any type keeps its own ending', (name, safe) => {
		expect(toSafeFileName(name, '')).toBe(safe);
	});
});

describe('the names of a folder', () => {
	const FORMS = ['pdf', 'xml', 'png', 'jpg', 'mp4'];
	/** What a file system may take for the same name. */
	const folded = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase();

	test('are distinct whatever the names of the files, and whatever the files turn out to be', () => {
		const NAME = fc.oneof(
			ANY,
			fc
				.tuple(
					fc.constantFrom('Deed', 'deed', 'DEED', 'Dee\u0301d', 'D\u00e9ed', 'Deed (2)', 'CON'),
					fc.constantFrom('', '.pdf', '.PDF', '.xml', '.docx', '.', ' '),
				)
				.map((parts) => parts.join('')),
		);
		const FILE = fc.record({
			name: NAME,
			own: fc.constantFrom('', '', '.docx', '.txt'),
			form: fc.constantFrom(...FORMS),
			isKnown: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(FILE, { maxLength: 12 }), (files) => {
				const names = new DistinctNames();
				const given = files.map(({ name, own, form, isKnown }) => {
					const made = names.make(name, own);
					return isKnown || own === ''
						? toSafeFileName(made, `.${form}`)
						: toSafeFileName(made, '');
				});
				expect(new Set(given.map(folded)).size).toBe(files.length);
				forEachCase(given, (name) => {
					expect([...name].length).toBeLessThanOrEqual(120);
					expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
				});
			}),
		);
	});
	test('get a number where they would be the same', () => {
		const names = new DistinctNames();
		names.keep('Survey.pdf');
		const all = ['Deed', 'DEED', 'deed.pdf', 'survey', 'Stra\u00dfe', 'STRASSE'];
		expect(all.map((name) => names.make(name))).toEqual([
			'Deed',
			'DEED (2)',
			'deed (3)',
			'survey (2)',
			'Straße',
			'STRASSE (2)',
		]);
	});
	test('keep the ending of a format that nobody knows', () => {
		const names = new DistinctNames();
		expect(names.make('Letter', '.docx')).toBe('Letter.docx');
		expect(names.make('Letter', '.docx')).toBe('Letter (2).docx');
		// A PDF of this name ends in .docx.pdf, and so does the letter if it is a PDF after all.
		expect(names.make('Letter.docx')).toBe('Letter.docx (2)');
	});
});
