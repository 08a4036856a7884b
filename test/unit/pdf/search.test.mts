import fc from 'fast-check';

import { findPhrases, type Phrase } from '../../../nodes/SignAndClose/pdf/search/phrases.ts';
import { forEachCase } from '../../support/forEachCase.mts';
import { HELVETICA, onePage, pagesOf, pause, pdfFile } from '../../support/pdfFile.mts';

/** Where a phrase is on a page with this text, which is in Helvetica of 10 points. */
async function places(content: string, text: string | Phrase) {
	const pages = await pagesOf(onePage(`BT /F 10 Tf ${content} ET`));
	const phrase = typeof text === 'string' ? { text } : text;
	const [found] = await findPhrases(pages, [phrase], pause);
	return found.map(({ x, y, width, height }) =>
		[x, y, width, height].map((each) => Math.round(each * 100) / 100),
	);
}

/** How often a phrase is found in a text that's shown at once. */
const times = async (shown: string, text: string | Phrase) =>
	(await places(`50 700 Td ${shown.startsWith('[') ? `${shown} TJ` : `(${shown}) Tj`}`, text))
		.length;

/** How often a phrase is found in a text of any characters, each as wide as the next. */
async function timesOf(shown: string, text: string) {
	const characters = [...shown];
	const mappings = characters.map((character, code) => {
		const hex = Buffer.from(character, 'utf16le').swap16().toString('hex');
		return `<${toHex(code)}> <${hex}>`;
	});
	const pages = await pagesOf(
		onePage(`BT /F 10 Tf 50 700 Td <${characters.map((_, code) => toHex(code)).join('')}> Tj ET`, {
			resources: `/Font<</F<</Subtype/TrueType/FirstChar 0/Widths[${'500 '.repeat(256)}]/ToUnicode 5 0 R>>>>`,
			objects: { 5: ['', `9 beginbfchar ${mappings.join(' ')} endbfchar`] },
		}),
	);
	const [found] = await findPhrases(pages, [{ text }], pause);
	return found.length;
}
const toHex = (code: number) => code.toString(16).padStart(2, '0');

test('a phrase has a box from its baseline to the height of the font', async () => {
	expect(await places('100 700 Td (Dear Borrower:) Tj', 'Borrower')).toEqual([
		[124.45, 700, 40.56, 10],
	]);
	expect(await places('0 1 -1 0 100 700 Tm (A Borrower) Tj', 'Borrower')).toEqual([
		[90, 709.45, 10, 40.56],
	]);
	expect(await places('-1 0 0 -1 100 700 Tm (Borrower) Tj', 'Borrower')).toEqual([
		[59.44, 690, 40.56, 10],
	]);
});

test('it is found from page to page and from the top to the bottom', async () => {
	const text =
		'BT /F 10 Tf 1 0 0 1 300 100 Tm (Sign) Tj 1 0 0 1 20 500 Tm (Sign) Tj 1 0 0 1 9 100 Tm (Sign) Tj ET';
	const pages = await pagesOf(
		pdfFile({
			1: '<</Pages 2 0 R>>',
			2: `<</Kids[3 0 R 4 0 R]/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F ${HELVETICA}>>>>>>`,
			3: '<</Type/Page/Contents 5 0 R>>',
			4: '<</Type/Page/Contents 5 0 R>>',
			5: ['', text],
		}),
	);
	const [found, none] = await findPhrases(pages, [{ text: 'Sign' }, { text: ' ' }], pause);
	expect(found.map(({ page, x, y }) => [page, x, y])).toEqual([
		...[
			[1, 20, 500],
			[1, 9, 100],
			[1, 300, 100],
		],
		...[
			[2, 20, 500],
			[2, 9, 100],
			[2, 300, 100],
		],
	]);
	expect(none).toEqual([]);
});

describe('a phrase is found', () => {
	test.each([
		['whatever white space is in it', 'Borrower   Signature', 'BorrowerSignature'],
		['without spaces, where words are apart', '[(Borrower)-250(Signature)]', 'Borrower Signature'],
		[
			'with letters that are set apart',
			'[(B)-200(o)-200(r)-200(r)-200(o)-200(w)-200(e)-200(r)]',
			'Borrower',
		],
		['with other quotes', String.raw`Borrower\222s \223Signature\224`, 'Borrower\'s "Signature"'],
		['with other dashes', String.raw`Co\226Borrower\227x`, 'Co-Borrower'],
		['behind a long dash', String.raw`Sign here\227Borrower`, 'Borrower'],
		['behind a dash that stands alone', 'Sign - Borrower', 'Borrower'],
		['behind a dash at the beginning', '-Borrower', 'Borrower'],
		['with signs around it', '(Borrower):', 'Borrower'],
		['at the end of a line', 'The Borrower', 'Borrower'],
		['printed twice to be bold', '[(Borrower)4026(Borrower)]', 'Borrower'],
	])('%s', async (_, shown, phrase) => {
		const text = shown.startsWith('[') ? shown : shown.replace(/[()]/g, String.raw`\$&`);
		expect(await times(text, phrase)).toBe(1);
	});

	test.each([...'\u02b9\u02bb\u02bc\u02bd\u2032\u2035\uff07'])(
		'with the apostrophe %s',
		async (sign) => expect(await timesOf(`Borrower${sign}s`, "Borrower's")).toBe(1),
	);

	test.each([...'\u2010\u2043\u2212\ufe58\ufe63\uff0d'])('with the dash %s', async (sign) =>
		expect(await timesOf(`Co${sign}Borrower`, 'Co-Borrower')).toBe(1),
	);

	test('across fonts, sizes and pieces in any order', async () => {
		const content =
			'1 0 0 1 139.45 700 Tm (Signature) Tj /F 12 Tf 1 0 0 1 90 700.5 Tm (Borrower) Tj';
		expect(await places(content, 'Borrower Signature')).toHaveLength(1);
	});

	test('with ligatures', async () => {
		const ligature = HELVETICA.replace('/WinAnsiEncoding', '<</Differences[1/fi]>>');
		const pages = await pagesOf(
			onePage('BT /F 10 Tf 9 9 Td (Of\\001ce) Tj ET', { resources: `/Font<</F ${ligature}>>` }),
		);
		const found = await findPhrases(
			pages,
			['Offi', 'Offfice', 'Office', 'ce'].map((text) => ({ text })),
			pause,
		);
		expect(found.map(({ length }) => length)).toEqual([0, 0, 1, 0]);
	});
});

describe('a phrase is not found', () => {
	test.each([
		['inside a longer word', 'Coborrower', 'borrower'],
		['before more letters', 'Borrowers', 'Borrower'],
		[
			'inside a longer word that is set apart',
			'[(B)-200(o)-200(r)-200(r)-200(o)-200(w)-200(e)-200(r)-200(s)]',
			'Borrower',
		],
		['inside a hyphenated word', 'Co-Borrower', 'Borrower'],
		['before a hyphen', 'Borrower-Trustee', 'Borrower'],
		['inside a word with an en dash', String.raw`Co\226Borrower`, 'Borrower'],
		['with the hyphen of a hyphenated word', '- Co-Borrower', '- Borrower'],
		['with a hyphen that ends another word', '- Co- Borrower', '- Borrower'],
		['with a hyphen that begins another word', 'Borrower -Trustee', 'Borrower -'],
		['with a dash between words', String.raw`Co\227Borrower`, '- Borrower'],
		['in other letters', 'borrower', 'Borrower'],
		['across a gap of more than 1.5 em', '[(Borrower)-1600(Signature)]', 'Borrower Signature'],
		['in letters on top of each other', '[(Borrower)3000(Signature)]', 'Borrower Signature'],
	])('%s', async (_, shown, phrase) => expect(await times(shown, phrase)).toBe(0));

	test.each([...'\u2010\u2043\u2212\ufe63\uff0d'])('after the hyphen %s', async (sign) =>
		expect(await timesOf(`Co${sign}Borrower`, 'Borrower')).toBe(0),
	);

	test('on two lines', async () => {
		const content = '100 700 Td (Borrower) Tj 39 -12 Td (Signature) Tj';
		expect(await places(content, 'Borrower Signature')).toEqual([]);
	});

	test('inside another phrase, if that is not meant', async () => {
		const phrase = { text: 'Borrower Signature', notInside: ['Borrower Signature Date'] };
		expect(await times('Borrower Signature Date', phrase.text)).toBe(1);
		expect(await times('Borrower Signature Date', phrase)).toBe(0);
		expect(await times('Borrower Signature    Borrower Signature Date', phrase)).toBe(1);
	});
});

test('it is told as a part of longer words, if that is wanted', async () => {
	const pages = await pagesOf(
		onePage('BT /F 10 Tf 9 700 Td (The Co-Borrower Signature, Borrower Signatures) Tj ET'),
	);
	const phrase = { text: 'Borrower Signature', inWords: true };
	const [found] = await findPhrases(pages, [phrase], pause);
	expect(found.map(({ inWord }) => inWord)).toEqual([
		'Co-Borrower Signature',
		'Borrower Signatures',
	]);
});

describe('it has the words around it', () => {
	test.each([
		['of its line', '(Sign: Co-Borrower, Date) Tj 0 -20 Td (More) Tj', 'Sign: Co-Borrower, Date'],
		['of its column', '[(Name)-2000(Co-Borrower Date)-2000(Seal)] TJ', 'Co-Borrower Date'],
		[
			'in letters that are set apart',
			'/F 10 Tf 5 Tc (The) Tj -7 Tc ( ) Tj 5 Tc (Co-Borrower) Tj',
			'The Co-Borrower',
		],
		['without a sign', String.raw`/Z 10 Tf (\250) Tj /F 10 Tf ( Co-Borrower) Tj`, 'Co-Borrower'],
		[
			'but not all of a long line',
			`(${'A'.repeat(30)} Co-Borrower ${'B'.repeat(30)}) Tj`,
			`…${'A'.repeat(25)} Co-Borrower ${'B'.repeat(25)}…`,
		],
	])('%s', async (_, content, expected) => {
		const resources = `/Font<</F ${HELVETICA}/Z<</Subtype/Type1/BaseFont/ZapfDingbats>>>>`;
		const pages = await pagesOf(onePage(`BT /F 10 Tf 50 700 Td ${content} ET`, { resources }));
		const [found] = await findPhrases(pages, [{ text: 'Co-Borrower' }], pause);
		expect(found.map(({ around }) => around)).toEqual([expected]);
	});
});

describe('texts over each other', () => {
	const form = '1 0 0 1 100 700 Tm (Name: __________________________) Tj';
	const name = '1 0 0 1 140 701 Tm (Jane Borrower) Tj';
	const letters = [...'Jane Borrower']
		.map((letter, index) => `1 0 0 1 ${140 + 6 * index} 701 Tm (${letter}) Tj`)
		.join(' ');
	test.each([
		['a name over a line', `${form} ${name}`, 'Jane Borrower', [[140, 701]]],
		['a line over a name', `${name} ${form}`, 'Jane Borrower', [[140, 701]]],
		[
			'on the same baseline',
			`${form} ${name.replace('701', '700')}`,
			'Jane Borrower',
			[[140, 700]],
		],
		['letter by letter', `${form} ${letters}`, 'Jane Borrower', [[140, 701]]],
		['the text below', `${name} ${form}`, 'Name:', [[100, 700]]],
		[
			'in two words',
			`${form} 1 0 0 1 170 701 Tm (Borrower) Tj 1 0 0 1 145 701 Tm (Jane) Tj`,
			'Jane Borrower',
			[[145, 701]],
		],
		[
			'of another size',
			`/F 30 Tf 1 0 0 1 90 698 Tm (COPY COPY) Tj /F 10 Tf ${name}`,
			'Jane Borrower',
			[[140, 701]],
		],
		[
			'turned',
			'0 1 -1 0 100 100 Tm (______________________) Tj 0 1 -1 0 99 110 Tm (Jane Borrower) Tj',
			'Jane Borrower',
			[[89, 110]],
		],
		[
			'kerned',
			`${form} 1 0 0 1 140 701 Tm [(J)20(ane)-300(Bo)15(rrower)] TJ`,
			'Jane Borrower',
			[[140, 701]],
		],
		[
			'over spaces',
			`1 0 0 1 100 700 Tm (Name:${' '.repeat(40)}Date) Tj ${name}`,
			'Jane Borrower',
			[[140, 701]],
		],
		[
			'printed again, with a shadow',
			`${name} ${name.replace('140 701', '140.8 700.4')}`,
			'Jane Borrower',
			[[140, 701]],
		],
	])('%s', async (_, content, text, expected) => {
		expect((await places(content, text)).map(([x, y]) => [x, y])).toEqual(expected);
	});
});

describe('a phrase of signs', () => {
	test.each([
		['once on a line', `(${'_'.repeat(40)}) Tj`, [[50, 700]]],
		[
			'once on each line of a row',
			`(${'_'.repeat(15)} Date ${'_'.repeat(15)}) Tj`,
			[
				[50, 700],
				[160.08, 700],
			],
		],
		['on a line drawn in parts', '(______) Tj (______) Tj (______) Tj', [[50, 700]]],
	])('%s', async (_, content, expected) => {
		expect((await places(`50 700 Td ${content}`, '__________')).map(([x, y]) => [x, y])).toEqual(
			expected,
		);
	});
});

describe('signs', () => {
	const widths = `/FirstChar 0/Widths[${'500 '.repeat(256)}]`;
	const prose = `1 0 0 1 9 600 Tm (${'Sign where it is marked. '.repeat(20)}) Tj`;
	/** The places of "Borrower" behind a sign, and what isn't read of the page. */
	async function behindSign(font: string, cmap = '') {
		const content = String.raw`BT /G 10 Tf 50 700 Td (\250) Tj /F 10 Tf (Borrower) Tj ${prose} ET`;
		const resources = `/Font<</F ${HELVETICA}/G<<${font}/ToUnicode 5 0 R>>>>`;
		const pages = await pagesOf(onePage(content, { resources, objects: { 5: ['', cmap] } }));
		const [found] = await findPhrases(pages, [{ text: 'Borrower' }], pause);
		return [found.map(({ x }) => Math.round(x)), pages[0].unread];
	}
	test.each([
		['Wingdings', `/Subtype/TrueType/BaseFont/Wingdings${widths}`, ''],
		[
			'Webdings that say that they are letters',
			`/Subtype/TrueType/BaseFont/Webdings${widths}`,
			'9 beginbfchar <A8> <006F> endbfchar',
		],
		[
			'a font of private characters',
			`/Subtype/TrueType/BaseFont/AAAAAA+F1${widths}`,
			'9 beginbfchar <A8> <E0A8> endbfchar',
		],
		[
			'a font with a box',
			`/Subtype/TrueType/BaseFont/AAAAAA+F1${widths}`,
			'9 beginbfchar <A8> <2610> endbfchar',
		],
	])('end a word: %s', async (_, font, cmap) => {
		expect(await behindSign(font, cmap)).toEqual([[55], []]);
	});

	test('of ZapfDingbats without widths', async () => {
		expect(await behindSign('/Subtype/Type1/BaseFont/ZapfDingbats')).toEqual([[58], []]);
	});

	test('that may be letters make the page partly read', async () => {
		const cmap = '9 beginbfchar <A8> <E0A8> <41> <0041> endbfchar';
		const font = `/Subtype/TrueType/BaseFont/AAAAAA+F1${widths}`;
		expect(await behindSign(font, cmap)).toEqual([[], ['letters']]);
	});

	test('of which nobody knows anything do not count, if they stand alone', async () => {
		const content = String.raw`BT /G 10 Tf 50 700 Td (\001) Tj 30 0 Td (\001) Tj /F 10 Tf 50 0 Td (Yes) Tj ET`;
		const font = `<</Subtype/Type1${widths}/Encoding<</Differences[1/g1]>>>>`;
		const [page] = await pagesOf(
			onePage(content, { resources: `/Font<</F ${HELVETICA}/G ${font}>>` }),
		);
		expect(page).toMatchObject({ kind: 'text', unread: [] });
	});

	test('in a row are letters, and so is a text of private characters', async () => {
		const font = `<</Subtype/TrueType/BaseFont/AAAAAA+F1${widths}/ToUnicode 5 0 R>>`;
		const objects = { 5: ['', '9 beginbfrange <41> <5A> <F041> endbfrange'] as const };
		const content = `BT /G 10 Tf 50 700 Td (BO) Tj /F 10 Tf ${prose} ET`;
		const pages = await pagesOf(
			onePage(content, { resources: `/Font<</F ${HELVETICA}/G ${font}>>`, objects }),
		);
		expect(pages[0]).toMatchObject({ kind: 'partly', unread: ['letters'] });
	});
});

describe('a letter and its accent', () => {
	const font = (accentWidth: number) =>
		`<</Subtype/TrueType/FirstChar 0/Widths[${'500 '.repeat(126)}${accentWidth} ${'500 '.repeat(100)}]/Encoding/WinAnsiEncoding/ToUnicode 5 0 R>>`;
	test.each([
		['a combining one without a width', 0, '0301', '(Jose~ N) Tj'],
		['a combining one with a width', 500, '0301', '(Jose~ N) Tj'],
		['a combining one over the letter', 500, '0301', '[(Jose)500(~ N)] TJ'],
		['a combining one, raised', 0, '0301', '(Jose) Tj 1 Ts (~) Tj 0 Ts ( N) Tj'],
	])('%s', async (_, width, code, shown) => {
		const content = `BT /G 10 Tf 50 700 Td ${shown} ET`;
		const objects = { 5: ['', `9 beginbfchar <7E> <${code}> endbfchar`] as const };
		const pages = await pagesOf(
			onePage(content, { resources: `/Font<</G ${font(width)}>>`, objects }),
		);
		const texts = ['José N', 'Jose\u0301 N', 'Jose'].map((text) => ({ text }));
		const found = await findPhrases(pages, texts, pause);
		expect(found.map((list) => list.map(({ x }) => x))).toEqual([[50], [50], []]);
	});
});

test('wherever words stand, each is found there and nowhere else', async () => {
	const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/);
	const places = fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(30)), {
		selector: String,
		minLength: 1,
		maxLength: 12,
	});
	await fc.assert(
		fc.asyncProperty(
			places,
			fc.array(word, { minLength: 12, maxLength: 12 }),
			async (at, words) => {
				const placed = at.map(([column, row], index) => ({
					...{ text: words[index], x: 20 + 110 * column, y: 30 + 25 * row },
				}));
				const content = placed.map(({ text, x, y }) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`);
				const pages = await pagesOf(onePage(`BT /F 10 Tf ${content.join(' ')} ET`));
				const texts = [...new Set(words)];
				const found = await findPhrases(
					pages,
					texts.map((text) => ({ text })),
					pause,
				);
				forEachCase(texts.entries(), ([index, text]) => {
					const expected = placed.filter((each) => each.text === text).map(({ x, y }) => [x, y]);
					const actual = found[index].map(({ x, y }) => [Math.round(x), Math.round(y)]);
					expect(actual.sort()).toEqual(expected.sort());
				});
			},
		),
		{ numRuns: 30 },
	);
});

test('a glyph that nobody knows may be a letter: no phrase goes over it or ends at it', async () => {
	const widths = '500 '.repeat(256);
	const font = `<</Subtype/Type1/FirstChar 0/Widths[${widths}]/Encoding<</Differences[1/g1]>>>>`;
	const content = String.raw`50 700 Td (Sign\001here) Tj 0 -20 Td (${'Sign here '.repeat(20)}) Tj`;
	const pages = await pagesOf(
		onePage(`BT /F 10 Tf ${content} ET`, {
			resources: `/Font<</F ${font}>>`,
			page: '/MediaBox[0 0 9000 800]',
		}),
	);
	const wanted = ['Sign here', 'Sign', 'here'].map((text) => ({ text }));
	const found = await findPhrases(pages, wanted, pause);
	expect(found.map((each) => each.filter(({ y }) => y === 700))).toEqual([[], [], []]);
	expect(found.map(({ length }) => length)).toEqual([20, 20, 20]);
});
