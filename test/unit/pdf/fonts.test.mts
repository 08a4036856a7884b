import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

import { readGlyphName, SIGN_GLYPH } from '../../../nodes/SignAndClose/pdf/fonts/characters.ts';
import { firstPageOf, onePage, type PdfPart } from '../../support/pdfFile.mts';

/** The first page, which is wide enough, with a string in a font. */
const shown = (font: string, string: string, objects: Record<number, PdfPart> = {}) =>
	firstPageOf(
		onePage(`BT /F 10 Tf 100 700 Td ${string} Tj ET`, {
			resources: `/Font<</F ${font}>>`,
			page: '/MediaBox[0 0 9000 800]',
			objects,
		}),
	);

/** Text and width of what a font shows. */
async function textAndWidth(font: string, string: string, objects?: Record<number, PdfPart>) {
	const { kind, text, runs } = await shown(font, string, objects);
	return [kind, text, Math.round((runs[0]?.ends.at(-1) ?? 0) * 100) / 100];
}

const UNKNOWN = ['unreadable', '', 0];

describe('widths of the standard fonts (9.6.2.2)', () => {
	/** Characters that pdf-lib measures, too; it's wrong about Ÿ. */
	const TEXT =
		' !"#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~' +
		'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œž¡¢£¤¥¦§¨©ª«¬®¯°±²³´¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ';

	test.each([
		['Helvetica', StandardFonts.Helvetica],
		['Helvetica-Bold', StandardFonts.HelveticaBold],
		['Helvetica-BoldOblique', StandardFonts.HelveticaBoldOblique],
		['ABCDEF+ArialMT', StandardFonts.Helvetica],
		['Arial,Bold', StandardFonts.HelveticaBold],
		['Times-Roman', StandardFonts.TimesRoman],
		['TimesNewRomanPS-BoldMT', StandardFonts.TimesRomanBold],
		['Times New Roman,Italic', StandardFonts.TimesRomanItalic],
		['Times-BoldItalic', StandardFonts.TimesRomanBoldItalic],
		['Courier-Bold', StandardFonts.CourierBold],
		['CourierNewPSMT', StandardFonts.Courier],
	])('%s', async (name, standardFont) => {
		const judge = await (await PDFDocument.create()).embedFont(standardFont);
		const file = await PDFDocument.create();
		file
			.addPage([6000, 800])
			.drawText(TEXT, { font: await file.embedFont(standardFont), size: 10 });
		const bytes = Buffer.from(await file.save({ useObjectStreams: false })).toString('latin1');
		const named = bytes.replace(/\/BaseFont \/\S+/, `/BaseFont /${name.replaceAll(' ', '#20')}`);
		const { runs, text } = await firstPageOf(Buffer.from(named, 'latin1'));
		expect(text).toBe(TEXT);
		runs.forEach(({ texts, starts, ends }) => {
			texts.forEach((each, index) => {
				const thousandths = [ends[index] - starts[index], judge.widthOfTextAtSize(each, 10)].map(
					(width) => Math.round(width * 100),
				);
				expect([each, thousandths[0]]).toEqual([each, thousandths[1]]);
			});
		});
	});

	test.each(['ArialNarrow', 'Arial-Black', 'HelveticaNeue'])(
		'of %s nobody knows them',
		async (name) => {
			expect(await textAndWidth(`<</Subtype/Type1/BaseFont/${name}>>`, '(Borrower)')).toEqual(
				UNKNOWN,
			);
		},
	);
});

test('form fields have their check marks of ZapfDingbats', async () => {
	const font = '<</Subtype/Type1/BaseFont/ZapfDingbats>>';
	const judge = await (await PDFDocument.create()).embedFont(StandardFonts.ZapfDingbats);
	for (const [code, sign] of ['4✔', '8✘', 'n■', 'l●', 'o❏', 'q❑', '%☎', '~❞']) {
		const width = Math.round(judge.widthOfTextAtSize(sign, 10) * 100) / 100;
		expect([code, ...(await textAndWidth(font, `<${code.charCodeAt(0).toString(16)}>`))]).toEqual([
			...[code, 'text', SIGN_GLYPH, width],
		]);
	}
});

describe('encodings (9.6.5)', () => {
	const widths = `/FirstChar 0/LastChar 255/Widths[${'500 '.repeat(256)}]`;
	const simple = (entries: string) => `<</Subtype/Type1/BaseFont/Any ${widths}${entries}>>`;

	test.each([
		['standard', '', String.raw`(A'\256\261)`, 'A’ﬁ–'],
		['WinAnsi', '/Encoding/WinAnsiEncoding', String.raw`(A'\200\255\374)`, "A'€\u00adü"],
		['MacRoman', '/Encoding/MacRomanEncoding', String.raw`(A\217\322)`, 'Aè“'],
		[
			'with differences',
			'/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/B/o/rcaron 65/f_i]>>',
			String.raw`(\001\002\003A)`,
			'Bořfi',
		],
	])('%s', async (_, entries, string, text) => {
		expect((await shown(simple(entries), string)).text).toBe(text);
	});

	test('what the document says of its texts counts before', async () => {
		const cmap =
			'1 beginbfchar <41> <0042> endbfchar 1 beginbfrange <43> <44> [<00660069> <0058>] endbfrange';
		expect((await shown(simple('/ToUnicode 5 0 R'), '(ABCD)', { 5: ['', cmap] })).text).toBe(
			'BBfiX',
		);
	});

	test('a Type 1 font has its own', async () => {
		const program =
			'/Encoding 256 array\n0 1 255 {} for\ndup 1 /B put\ndup 2/o put readonly def\ncurrentfile eexec';
		const font = simple('/FontDescriptor<</FontFile 5 0 R/Flags 4>>');
		expect((await shown(font, String.raw`(\001\002)`, { 5: ['', program] })).text).toBe('Bo');
		expect((await shown(font, '(AB)', { 5: ['', '/Encoding StandardEncoding def'] })).text).toBe(
			'AB',
		);
		expect(await shown(font, '(AB)', { 5: ['', program] })).toMatchObject({
			reason: 'unknownGlyphs',
		});
	});

	test.each(['ABCDEF+Wingdings-Regular', 'Webdings', 'ZapfDingbats', 'SymbolMT'])(
		'%s shows signs, whatever their codes mean elsewhere',
		async (name) => {
			const font = simple('/Encoding/WinAnsiEncoding/ToUnicode 5 0 R').replace('Any', name);
			const cmap = '9 beginbfchar <41> <0041> <42> <F0A8> <43> <2022> endbfchar';
			const page = await shown(font, '(ABCD)', { 5: ['', cmap] });
			expect(page).toMatchObject({ kind: 'text', text: `${SIGN_GLYPH.repeat(2)}•${SIGN_GLYPH}` });
		},
	);

	test.each([
		['a symbolic font that is embedded', '/FontDescriptor<</FontFile2 5 0 R/Flags 4>>'],
		['private texts', '/Encoding<</Differences[65/g65/g66]>>'],
		['no texts', '/Encoding<</Differences[65/uniE000/uniFFFD]>>'],
	])('%s has texts that nobody knows', async (_, entries) => {
		const page = await shown(simple(entries).replace(/\/BaseFont\/Any(?=.*BaseFont)/, ''), '(AB)');
		expect(page).toMatchObject({ kind: 'unreadable', reason: 'unknownGlyphs', runs: [] });
	});
});

test.each([
	['A', 'A'],
	['eacute', 'é'],
	['Scommaaccent', 'Ş'],
	['uogonek', 'ų'],
	['one.oldstyle', '1'],
	['f_f_i', 'ffi'],
	['uni00E9', 'é'],
	['u1F600', '\u{1f600}'],
	['quoteright', '’'],
	['g123', undefined],
	['constructor', undefined],
	['xacute', undefined],
	['uFFFFFF', undefined],
])('the glyph %s', (name, text) => expect(readGlyphName(name)).toBe(text));

describe('composite fonts (9.7)', () => {
	const composite = (entries: string, cidFont = '/DW 500/W[65[600 700] 70 72 800]') =>
		`<</Subtype/Type0 ${entries}/DescendantFonts[<</Subtype/CIDFontType2 ${cidFont}>>]>>`;
	const texts = '1 beginbfrange <0041> <005A> <0061> endbfrange';

	test('with widths and texts', async () => {
		const font = composite('/Encoding/Identity-H/ToUnicode 5 0 R');
		const objects = { 5: ['', texts] as const };
		expect(await textAndWidth(font, '<00410042004600480043>', objects)).toEqual([
			'text',
			'abfhc',
			34,
		]);
	});

	test('with a CMap of its own', async () => {
		const cmap =
			'2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange ' +
			'1 begincidchar <41> 70 endcidchar 1 begincidrange <8140> <8150> 65 endcidrange';
		const toUnicode = '2 beginbfchar <41> <0058> <8141> <D83DDE00> endbfchar';
		const font = composite('/Encoding 6 0 R/ToUnicode 5 0 R');
		const objects = { 5: ['', toUnicode] as const, 6: ['', cmap] as const };
		expect(await textAndWidth(font, '<418141>', objects)).toEqual(['text', 'X\u{1f600}', 15]);
	});

	test.each([
		['without texts', composite('/Encoding/Identity-H')],
		['with a CMap that is not here', composite('/Encoding/UniJIS-UTF16-H/ToUnicode 5 0 R')],
		['from top to bottom', composite('/Encoding/Identity-V/ToUnicode 5 0 R')],
		['without a font for their glyphs', '<</Subtype/Type0/Encoding/Identity-H/ToUnicode 5 0 R>>'],
	])('%s are unknown', async (_, font) => {
		expect(await textAndWidth(font, '<00410042>', { 5: ['', texts] })).toEqual(UNKNOWN);
	});
});

test('a Type 3 font has its own glyph space', async () => {
	const font =
		'<</Subtype/Type3/FontMatrix[0.01 0 0 0.01 0 0]/FontBBox[0 -20 90 80]/FirstChar 65' +
		'/Widths[60 70]/Encoding<</Differences[65/B/o]>>>>';
	const { text, runs } = await shown(font, '(AB)');
	expect(text).toBe('Bo');
	expect(runs[0]).toMatchObject({ em: 10, height: 10, starts: [0, 6], ends: [6, 13] });
});

test('a page is partly read if 98 of 100 glyphs are known, and white space counts for none', async () => {
	const font = `<</Subtype/Type1/FirstChar 0/Widths[${'500 '.repeat(256)}]/Encoding<</Differences[1/g1]>>>>`;
	const page = (known: number, unknown: number) =>
		shown(font, `(${'A'.repeat(known)}${' '.repeat(900)}${'\\001'.repeat(unknown)})`);
	expect(await page(98, 2)).toMatchObject({ kind: 'partly', unread: ['letters'] });
	expect(await page(97, 3)).toMatchObject({ kind: 'unreadable', reason: 'unknownGlyphs' });
});

test('what follows a glyph of unknown width has no place, until the text moves on', async () => {
	const font = '<</Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/Lcaron 2/lcaron]>>>>';
	const page = await firstPageOf(
		onePage(
			String.raw`BT /F 10 Tf 100 700 Td (${'A'.repeat(99)}\002B) Tj (C) Tj 0 -20 Td (D) Tj ET`,
			{
				resources: `/Font<</F ${font}>>`,
				page: '/MediaBox[0 0 9000 800]',
			},
		),
	);
	expect(page.reason).toBe('unknownGlyphs');
	const shorter = await firstPageOf(
		onePage(
			String.raw`BT /F 10 Tf 100 700 Td (${'A'.repeat(200)}\002B) Tj (C) Tj 0 -20 Td (D) Tj ET`,
			{
				resources: `/Font<</F ${font}>>`,
				page: '/MediaBox[0 0 9000 800]',
			},
		),
	);
	expect(shorter.text).toBe(`${'A'.repeat(200)}\ufffdD`);
});

describe('the text that a sequence stands for (14.9.4)', () => {
	const cmap = '9 beginbfchar <41> <0041> <42> <E042> endbfchar';
	const named = '/Properties<</P<</ActualText 6 0 R>>>>';
	const shownAs = async (content: string, font = '') => {
		const dictionary = `<</Subtype/TrueType/FirstChar 65/Widths[500 500]${font}/ToUnicode 5 0 R>>`;
		const file = onePage(`BT /F 10 Tf 9 700 Td (${'A'.repeat(200)}) Tj 0 -20 Td ${content} ET`, {
			resources: `/Font<</F ${dictionary}>>${named}`,
			page: '/MediaBox[0 0 9000 800]',
			objects: { 5: ['', cmap], 6: '(ffi)' },
		});
		const { text, unread } = await firstPageOf(file);
		return [text.slice(200), unread];
	};
	const span = (properties: string, shown = '(B) Tj') => `/Span ${properties} BDC ${shown} EMC`;
	test.each([
		['as a string', span('<</ActualText(tt)>>'), 'tt'],
		['in UTF-16', span('<</ActualText<FEFF00540068>>>'), 'Th'],
		['in a resource', span('/P'), 'ffi'],
		['with the font in it', span('<</ActualText(tt)>>', '/F 10 Tf (B) Tj'), 'tt'],
		['but not a glyph that is known', span('<</ActualText(a)>>', '(A) Tj'), 'A'],
	])('tells a glyph that nobody knows: %s', async (_, content, expected) =>
		expect(await shownAs(content)).toEqual([expected, []]),
	);
	test.each([
		['of several glyphs', span('<</ActualText(tts)>>', '(BB) Tj')],
		['around another one', `/Span<</ActualText(tt)>> BDC ${span('<<>>')} EMC`],
		['that is over', `${span('<</ActualText(tt)>>', '')} /Span BMC (B) Tj EMC`],
		['that is no text', span('<</ActualText()>>')],
		['that nobody knows, too', span('<</ActualText<FEFFE042>>>')],
		['with words', span('<</ActualText(Borrower Signature)>>')],
		['of a glyph of unknown width', span('<</ActualText(tt)>>'), '/Widths[500]'],
	])('does not tell it: %s', async (_, content, font = '') => {
		const [text] = await shownAs(content, font);
		expect(text).toMatch(/^[\ufffd\ue042]+$/);
	});
	test('says nothing of a sign', async () =>
		expect(await shownAs(span('<</ActualText(x)>>'), '/BaseFont/Wingdings')).toEqual([
			'\ufffc',
			[],
		]));
});
