import { firstPageOf, HELVETICA, onePage, type PageParts } from '../../support/pdfFile.mts';

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
