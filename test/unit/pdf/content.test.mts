import {
	firstPageOf,
	HELVETICA,
	onePage,
	type PageParts,
	type PdfPart,
} from '../../support/pdfFile.mts';

/** Each glyph of a page with where its origin is, rounded. */
async function glyphsOf(content: string, parts?: PageParts) {
	const { runs } = await firstPageOf(onePage(content, parts));
	return runs.flatMap(({ x, y, cosine, sine, texts, starts }) =>
		texts.map((text, index) => {
			const at = [x + starts[index] * cosine, y + starts[index] * sine];
			return [text, ...at.map((each) => Math.round(each * 100) / 100)];
		}),
	);
}

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 99 99]';

describe('texts are where their operators put them (9.3, 9.4)', () => {
	test.each([
		[
			'Td and TD, T* and the leading',
			'100 700 Td (A) Tj 10 -20 TD (B) Tj T* (C) Tj',
			[
				['A', 100, 700],
				['B', 110, 680],
				['C', 110, 660],
			],
		],
		[
			'\' and "',
			'14 TL 100 700 Td (A) \' 5 2 (  B) "',
			[
				['A', 100, 686],
				[' ', 100, 672],
				[' ', 109.78, 672],
				['B', 119.56, 672],
			],
		],
		[
			'Tm',
			'2 0 0 2 100 700 Tm (AA) Tj 1 0 0 1 5 6 Tm (B) Tj',
			[
				['A', 100, 700],
				['A', 113.34, 700],
				['B', 5, 6],
			],
		],
		[
			'character spacing and word spacing',
			'3 Tc 7 Tw 100 700 Td (A A) Tj',
			[
				['A', 100, 700],
				[' ', 109.67, 700],
				['A', 122.45, 700],
			],
		],
		[
			'scaling and rise',
			'50 Tz 4 Ts 100 700 Td (AA) Tj',
			[
				['A', 100, 704],
				['A', 103.34, 704],
			],
		],
		[
			'TJ',
			'100 700 Td [(A)-1000(B)] TJ',
			[
				['A', 100, 700],
				['B', 116.67, 700],
			],
		],
		[
			'turned text',
			'0 1 -1 0 100 700 Tm (AA) Tj',
			[
				['A', 100, 700],
				['A', 100, 706.67],
			],
		],
	])('%s', async (_, text, glyphs) => {
		const parts = { resources: `/Font<</F ${HELVETICA}>>` };
		expect(await glyphsOf(`BT /F 10 Tf ${text} ET`, parts)).toEqual(glyphs);
	});

	test('cm, q and Q', async () => {
		const text = 'BT /F 10 Tf 10 10 Td (A) Tj ET';
		const content = `q 1 0 0 1 50 60 cm 2 0 0 2 0 0 cm ${text} Q ${text} Q ${text}`;
		expect(await glyphsOf(content)).toEqual([
			['A', 70, 80],
			['A', 10, 10],
			['A', 10, 10],
		]);
	});

	test('forms have their matrix and resources, and leave no trace', async () => {
		const content = 'BT /F 10 Tf 10 10 Td (A) Tj q 1 0 0 1 100 0 cm /X Do Q (B) Tj ET';
		const glyphs = await glyphsOf(content, {
			resources: `/Font<</F ${HELVETICA}>>/XObject<</X 5 0 R>>`,
			objects: {
				5: [
					`${FORM}/Matrix[1 0 0 1 5 5]/Resources<</Font<</G ${HELVETICA}>>/XObject<</Y 6 0 R>>>>`,
					'q BT /G 20 Tf (X) Tj ET /Y Do',
				],
				6: [FORM, 'BT /G 5 Tf 1 1 Td (Y) Tj ET /Y Do'],
			},
		});
		expect(glyphs).toEqual([
			['A', 10, 10],
			['X', 105, 5],
			['Y', 106, 6],
			['B', 16.67, 10],
		]);
	});
});

describe('what viewers do not show', () => {
	test('is not on the page', async () => {
		const boxes = { page: '/MediaBox[0 0 600 800]/CropBox[50 50 500 500]' };
		const text = (x: number, y: number) => `1 0 0 1 ${x} ${y} Tm (A) Tj`;
		const content = `BT /F 10 Tf ${text(100, 100)} ${text(20, 100)} ${text(100, 510)} ET`;
		expect(await glyphsOf(content, boxes)).toEqual([['A', 100, 100]]);
	});
});

describe('layers (8.11)', () => {
	const text = (name: string, y: number) =>
		`/OC /${name} BDC BT /F 10 Tf 100 ${y} Td (A) Tj ET EMC BT /F 10 Tf 100 ${y} Td (B) Tj ET`;
	/** The texts that viewers show of a content with the layers /L and /M, by what the catalog says. */
	async function shownOf(settings: string, content: string, more = '') {
		const file = onePage(content, {
			resources: `/Font<</F ${HELVETICA}>>/Properties<</L 6 0 R/M 7 0 R${more}>>/XObject<</X 8 0 R>>`,
			objects: {
				1: `<</Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<<${settings}>>>>>>`,
				6: '<</Type/OCG>>',
				7: '<</Type/OCG>>',
				8: [`${FORM}/OC 6 0 R`, 'BT /F 10 Tf 9 9 Td (X) Tj ET'],
			},
		});
		return (await firstPageOf(file)).text;
	}
	const both = `${text('L', 100)} ${text('M', 200)}`;
	const among = (members: string) => `/O<</Type/OCMD/OCGs[6 0 R 7 0 R]${members}>>`;
	test.each([
		['are shown', '', both, 'ABAB'],
		['that are off are not', '/OFF[6 0 R]', both, 'BAB'],
		['that are off, but for some', '/BaseState/OFF/ON[7 0 R]', both, 'BAB'],
		[
			'in each other',
			'/OFF[6 0 R]',
			`/OC /L BDC /T BMC ${text('M', 9)} EMC ${both} EMC ${both}`,
			'BAB',
		],
		['of a form', '/OFF[6 0 R]', '/X Do BT /F 10 Tf 9 9 Td (A) Tj ET', 'A'],
		['of a form that is shown', '/OFF[7 0 R]', '/X Do', 'X'],
		['without an end', '/OFF[6 0 R]', `EMC ${text('M', 9)} EMC /OC /L BDC ${both}`, 'AB'],
	])('%s', async (_, settings, content, expected) =>
		expect(await shownOf(settings, content)).toBe(expected),
	);
	test.each([
		['', 'AB'],
		['/P/AnyOn', 'AB'],
		['/P/AllOn', 'B'],
		['/P/AnyOff', 'AB'],
		['/P/AllOff', 'B'],
	])('of several, of which one is off: %s', async (policy, expected) =>
		expect(await shownOf('/OFF[6 0 R]', text('O', 9), among(policy))).toBe(expected),
	);
	test('have no picture when they are off', async () => {
		const content = '/OC /L BDC q 600 0 0 800 0 0 cm BI /W 1/H 1 ID x EI Q EMC';
		expect(await shownOf('/OFF[6 0 R]', `${content} ${both}`)).toBe('BAB');
	});
});

describe('annotations (12.5)', () => {
	const appearance = (entries = '', text = 'A'): readonly [string, string] => [
		`${FORM.replace('99 99', '100 20')}/Resources<</Font<</F ${HELVETICA}>>>>${entries}`,
		`BT /F 10 Tf 2 5 Td (${text}) Tj ET`,
	];
	/** The first page of a file with an annotation, of which object 6 is the appearance. */
	const withAnnotation = async (
		entries: string,
		objects: Record<number, PdfPart> = {},
		catalog = '',
	) =>
		await firstPageOf(
			onePage('', {
				page: '/MediaBox[0 0 600 800]/Annots[5 0 R]',
				objects: {
					1: `<</Pages 2 0 R${catalog}>>`,
					5: `<</Rect[72 300 172 320]${entries}>>`,
					6: appearance(),
					...objects,
				},
			}),
		);
	const SHOWN = '/AP<</N 6 0 R>>';
	test.each<[string, string, Record<number, PdfPart>, Array<[number, number]>]>([
		['in their box', `/Subtype/FreeText${SHOWN}`, {}, [[74, 305]]],
		['stretched', `/Subtype/Stamp${SHOWN}`, { 6: appearance('/BBox[0 0 50 10]') }, [[76, 310]]],
		[
			'with a matrix',
			`/Subtype/Stamp${SHOWN}`,
			{ 6: appearance('/Matrix[1 0 0 1 500 -90]') },
			[[74, 305]],
		],
		[
			'turned',
			`/Subtype/Stamp/Rect[72 300 92 400]${SHOWN}`,
			{ 6: appearance('/Matrix[0 1 -1 0 0 0]') },
			[[87, 302]],
		],
		[
			'in the state that they have',
			'/Subtype/Widget/AS/On/AP<</N<</On 6 0 R/Off 7 0 R>>>>',
			{ 7: appearance('', 'B') },
			[[74, 305]],
		],
		['not in another state', '/Subtype/Widget/AS/No/AP<</N<</On 6 0 R>>>>', {}, []],
		['hidden', `/Subtype/Widget/F 2${SHOWN}`, {}, []],
		['for the printer only', `/Subtype/Widget/F 32${SHOWN}`, {}, []],
		[
			'cut at their box',
			`/Subtype/Widget${SHOWN}`,
			{ 6: appearance('', `${' '.repeat(50)}A`) },
			[],
		],
		['of a note', `/Subtype/Popup${SHOWN}`, {}, []],
	])('%s', async (_, entries, objects, expected) => {
		const { runs, unread } = await withAnnotation(entries, objects);
		const at = runs.flatMap(({ x, y, texts }) =>
			texts.includes('A') ? [[Math.round(x), Math.round(y)]] : [],
		);
		expect([at, unread]).toEqual([expected, []]);
	});

	test.each<[string, string]>([
		['a text box without an appearance', '/Subtype/FreeText/Contents(Sign)'],
		['a value without an appearance', '/Subtype/Widget/FT/Tx/V(Jane)'],
		['a value of the parent', '/Subtype/Widget/Parent 7 0 R'],
		['a choice', '/Subtype/Widget/FT/Ch/V[(Jane)(Joe)]'],
		['the caption of a button', '/Subtype/Widget/FT/Btn/MK<</CA(Sign)>>'],
		['a stamp without an appearance', '/Subtype/Stamp/Name/Approved'],
		['a damaged appearance', '/Subtype/Widget/AP<</N 8 0 R>>'],
	])('are not read: %s', async (_, entries) => {
		const objects: Record<number, PdfPart> = {
			7: '<</V<FEFF004A>>>',
			8: [`${FORM}/Filter/FlateDecode`, 'x'],
		};
		const page = await withAnnotation(entries, objects);
		expect(page).toMatchObject({ kind: 'partly', unread: ['annotation'] });
	});

	test('are not read if viewers show their value anew', async () => {
		const form = '/AcroForm<</NeedAppearances true>>';
		const page = await withAnnotation(`/Subtype/Widget/V(Jane)${SHOWN}`, {}, form);
		expect(page).toMatchObject({ kind: 'partly', unread: ['annotation'] });
	});

	test.each<[string, string]>([
		['an empty field', '/Subtype/Widget/FT/Tx/V()'],
		['an empty field in UTF-16', '/Subtype/Widget/FT/Tx/V<FEFF>'],
		['a field without a value', '/Subtype/Widget/FT/Tx'],
		['a signature that is missing', '/Subtype/Widget/FT/Sig'],
		['a signature', '/Subtype/Widget/FT/Sig/V<</Contents(abc)>>'],
		['a check box', '/Subtype/Widget/FT/Btn/V/Yes/AS/Yes'],
		['a link', '/Subtype/Link/Contents(Sign)'],
		['a note beside the text', '/Subtype/Text/Contents(Sign)'],
		['a hidden value', '/Subtype/Widget/FT/Tx/V(Jane)/F 2'],
		['a value without a box', '/Subtype/Widget/FT/Tx/V(Jane)/Rect[0 0 0 0]'],
	])('have nothing to read: %s', async (_, entries) => {
		expect(await withAnnotation(entries)).toMatchObject({ kind: 'text', unread: [] });
	});
});

describe('kinds of pages', () => {
	const image = {
		resources: `/Font<</F ${HELVETICA}>>/XObject<</I 5 0 R>>`,
		objects: { 5: ['/Subtype/Image', ''] as const },
	};
	const text = 'BT /F 10 Tf 100 700 Td (Stamped) Tj ET';
	const curves = '0 0 1 1 2 2 c 0 0 1 1 v 0 0 1 1 y '.repeat(40);
	test.each([
		['text', 'with text', text],
		['text', 'that is empty', ''],
		['text', 'with a few curves', '0 0 1 1 2 2 c'],
		['text', 'with text and a small picture', `q 200 0 0 200 0 0 cm /I Do Q ${text}`],
		['partly', 'with text and a large picture', `q 600 0 0 800 0 0 cm /I Do Q ${text}`],
		[
			'partly',
			'with text and a picture in stripes',
			`${'q 0 -60 600 0 0 99 cm /I Do Q '.repeat(8)}${text}`,
		],
		[
			'partly',
			'with text and a large inline picture',
			`q 600 0 0 800 0 0 cm BI /W 1/H 1 ID \xffEI\x00 EI Q ${text}`,
		],
		['picture', 'with a picture alone', 'q 20 0 0 20 0 0 cm /I Do Q'],
		['picture', 'that is drawn', curves],
	])('%s: a page %s', async (kind, _, content) => {
		expect(await firstPageOf(onePage(content, image))).toMatchObject({ kind });
	});

	const invisible = '3 Tr BT /F 10 Tf 100 700 Td (Scanned) Tj ET 0 Tr ';
	test.each([
		[['recognized'], 'on a picture of the page', `q 600 0 0 800 0 0 cm /I Do Q ${invisible}`],
		[['recognized'], 'on a small picture', `q 200 0 0 200 0 0 cm /I Do Q ${invisible}`],
		[['recognized'], 'without a picture', `${invisible}${text}`],
		[['picture'], 'on a large part of the page', `q 600 0 0 500 0 0 cm /I Do Q ${invisible}`],
		[[], 'among more that is seen', `${invisible}${text} ${text}`],
	])('%j is not read of a page with invisible text %s', async (unread, _, content) => {
		expect(await firstPageOf(onePage(content, image))).toMatchObject({ unread });
	});

	test.each([
		['unknownGlyphs', 'in a font that is missing', 'BT /G 10 Tf (A) Tj ET'],
		['damaged', 'with a picture without an end', 'BI /W 1 ID abc'],
		['damaged', 'that are numbers only', '1 '.repeat(300)],
		['limit', 'with too many saved states', 'q '.repeat(1001)],
	])('unreadable for %s: a page %s', async (reason, _, content) => {
		expect(await firstPageOf(onePage(content))).toMatchObject({
			kind: 'unreadable',
			reason,
			runs: [],
		});
	});
});
