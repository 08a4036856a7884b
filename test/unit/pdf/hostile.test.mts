import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';

import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';

import { findPhrases } from '../../../nodes/SignAndClose/pdf/search/phrases.ts';
import { findPlaces } from '../../../nodes/SignAndClose/resources/document/places/listing/places.ts';
import { readPages, type PdfReading } from '../../../nodes/SignAndClose/pdf/pages.ts';
import { judgePdf } from '../../../nodes/SignAndClose/resources/document/files/judgement.ts';
import { seededRandom } from '../../../bench/seededRandom.mts';
import { workedMs } from '../../support/cpuTime.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { HELVETICA, onePage, pdfFile, type PdfPart } from '../../support/pdfFile.mts';

/** What one of these files may take. */
const MILLISECONDS = 2_000;
const LONGEST_BLOCK_MS = 100;
const BYTES = 100e6;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const packed = (content: string | Uint8Array): PdfPart => [
	'/Filter/FlateDecode',
	deflateSync(content, { level: 1 }),
];

/** Many zeros, which unpack to many more. */
const bomb = (bytes: number): PdfPart => packed(Buffer.alloc(bytes));

/** A page whose font has this ToUnicode CMap. */
const withCMap = (cmap: string) =>
	onePage('BT /F 9 Tf (A) Tj ET', {
		resources:
			'/Font<</F<</Subtype/Type0/Encoding/Identity-H/ToUnicode 5 0 R/DescendantFonts[<<>>]>>>>',
		objects: { 5: packed(cmap) },
	});

/** A page whose font has this array of widths. */
const withWidths = (widths: string) =>
	onePage('BT /F 9 Tf (AAAA) Tj ET', {
		resources: `/Font<</F<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</W 5 0 R>>]>>>>`,
		objects: { 5: widths },
	});

/** Pages of which all have this content. */
function manyPages(count: number, content: PdfPart): Buffer {
	const kids = Array.from({ length: count }, (_, index) => index + 10);
	return pdfFile({
		1: '<</Pages 2 0 R>>',
		2: `<</Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]/MediaBox[0 0 600 800]/Resources<</Font<</F ${HELVETICA}>>>>>>`,
		3: content,
		...Object.fromEntries(kids.map((kid) => [kid, '<</Type/Page/Contents 3 0 R>>'])),
	});
}

/** Forms of which each shows the next one twice. */
const doublingForms = (depth: number): Buffer =>
	onePage('/X Do', {
		resources: '/XObject<</X 10 0 R>>',
		objects: Object.fromEntries(
			Array.from({ length: depth }, (_, index) => [
				index + 10,
				[`/Subtype/Form/Resources<</XObject<</X ${index + 11} 0 R>>>>`, '/X Do /X Do'] as const,
			]),
		),
	});

/** A page with so many annotations, which are all the same. */
const withAnnotations = (count: number, annotation: string): Buffer =>
	onePage('', {
		page: `/MediaBox[0 0 600 800]/Annots[${'5 0 R '.repeat(count)}]`,
		objects: {
			5: annotation,
			6: ['/Subtype/Form/BBox[0 0 9 9]', 'BT /F 9 Tf (A) Tj ET'],
		},
	});

async function encrypted(): Promise<Uint8Array> {
	const document = await PDFDocument.create();
	document.addPage();
	document.encrypt({ userPassword: 'secret', ownerPassword: 'secret' });
	return await document.save();
}

const TEXT = onePage('BT /F 12 Tf 50 700 Td (Hello) Tj ET');
const latin1 = TEXT.toString('latin1');
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Bytes that mean nothing, the same in each run. */
function noise(length: number): Buffer {
	const random = seededRandom(31);
	return Buffer.from(Uint8Array.from({ length }, () => random() * 256));
}

/** Each file, with how it's read: the reason why it isn't, or that of its first page, or its kind. */
const FILES: [name: string, make: () => Uint8Array | Promise<Uint8Array>, result: string][] = [
	['a content that unpacks to much', () => onePage(bomb(3e8)), 'limit'],
	[
		'a bomb in a bomb',
		() =>
			onePage(['/Filter[/FlateDecode/FlateDecode]', deflateSync(deflateSync(Buffer.alloc(5e8)))]),
		'limit',
	],
	[
		'contents that unpack to gigabytes together',
		() => manyPages(200, packed(`${' '.repeat(999)}n`.repeat(15_000))),
		'text',
	],
	[
		'contents that unpack to gigabytes until they are cut',
		() =>
			manyPages(4_000, ['/Filter/FlateDecode', deflateSync(Buffer.alloc(15e6)).subarray(0, -99)]),
		'damaged',
	],
	['a content of white space', () => onePage(bomb(15_000_000)), 'limit'],
	['a content of one word', () => onePage(packed('n'.repeat(15_000_000))), 'limit'],
	['a content of ten million operators', () => onePage(packed('q Q '.repeat(5e6))), 'limit'],
	[
		'a content of millions of glyphs',
		() => onePage(packed(`BT /F 1 Tf ${`(${'A'.repeat(1000)}) Tj `.repeat(3000)}`)),
		'limit',
	],
	['a content that saves states only', () => onePage(packed('q '.repeat(1e6))), 'limit'],
	['operands without operators', () => onePage(packed('1 '.repeat(2e6))), 'damaged'],
	['a string without an end', () => onePage(packed(`(${'('.repeat(3e6)}`)), 'limit'],
	['inline images without an end', () => onePage(packed('BI ID '.repeat(1e6))), 'damaged'],
	[
		'forms that show themselves',
		() =>
			onePage('/X Do', {
				resources: '/XObject<</X 5 0 R>>',
				objects: { 5: ['/Subtype/Form/Resources<</XObject<</X 5 0 R>>>>', '/X Do /X Do'] },
			}),
		'text',
	],
	['forms that double nineteen times', () => doublingForms(19), 'limit'],
	['forms that are nested too deep', () => doublingForms(30), 'limit'],
	[
		'a hundred thousand annotations',
		() => withAnnotations(100_000, '<</Rect[0 0 9 9]/Subtype/FreeText/Contents(A)>>'),
		'partly',
	],
	[
		'annotations that are shown again and again',
		() => withAnnotations(200_000, '<</Rect[0 0 9 9]/Subtype/Stamp/AP<</N 6 0 R>>>>'),
		'limit',
	],
	[
		'fields that are their own parents',
		() => withAnnotations(9_000, '<</Rect[0 0 9 9]/Subtype/Widget/Parent 5 0 R>>'),
		'text',
	],
	[
		'thousands of texts over each other',
		() =>
			onePage(
				packed(
					`BT /F 9 Tf ${Array.from({ length: 18_000 }, (_, n) => `1 0 0 1 9 ${100 + (n % 50) / 1000} Tm (${n}) Tj`).join(' ')}`,
				),
			),
		'text',
	],
	[
		'a line of signs',
		() => onePage(packed(`BT /F .01 Tf 9 9 Td ${`(${'_'.repeat(1000)}) Tj `.repeat(90)}`)),
		'text',
	],
	[
		'one long word',
		() => onePage(packed(`BT /F .01 Tf 9 9 Td ${`(${'Borrower'.repeat(100)}) Tj `.repeat(90)}`)),
		'text',
	],
	['sequences that only begin', () => onePage(packed('/OC /L BDC '.repeat(400_000))), 'text'],
	['ten thousand pages', () => manyPages(10_000, ['', 'q Q']), 'limit'],
	[
		'four thousand pages',
		() => manyPages(4_000, ['', 'BT /F 9 Tf 9 9 Td (Borrower) Tj ET']),
		'text',
	],
	[
		'a page tree that goes in a circle',
		() => bytes(latin1.replace('/Kids[3 0 R]', '/Kids[2 0 R]')),
		'damaged',
	],
	[
		'a page twice in its tree',
		() => bytes(latin1.replace('/Kids[3 0 R]', '/Kids[3 0 R 3 0 R]')),
		'damaged',
	],
	[
		'a page tree ten thousand deep',
		() =>
			pdfFile({
				1: '<</Pages 2 0 R>>',
				...Object.fromEntries(
					Array.from({ length: 10_000 }, (_, n) => [n + 2, `<</Kids[${n + 3} 0 R]>>`]),
				),
			}),
		'damaged',
	],
	[
		'arrays nested a million deep',
		() => onePage('', { page: `/MediaBox ${'['.repeat(1e6)}` }),
		'limit',
	],
	[
		'dictionaries nested a million deep',
		() => bytes(`%PDF-1.7\n1 0 obj\n${'<</A'.repeat(1e6)}`),
		'limit',
	],
	[
		'references in a circle',
		() => onePage('', { page: '/MediaBox 5 0 R', objects: { 5: '6 0 R', 6: '5 0 R' } }),
		'damaged',
	],
	[
		'tables that go in a circle',
		() => bytes(latin1.replace('/Root', `/Prev ${latin1.indexOf('xref\n')}/Root`)),
		'text',
	],
	[
		'a table of two billion objects',
		() => bytes(latin1.replace('xref\n0 1', 'xref\n0 2000000000')),
		'text',
	],
	[
		'a table of millions of entries',
		() =>
			bytes(`%PDF-1.7\nxref\n0 9999999\n${'0000000009 00000 n \n'.repeat(600_000)}startxref\n9\n`),
		'limit',
	],
	[
		'a million beginnings of objects',
		() => bytes(`%PDF-1.7\n${'1 0 obj<<>>stream\n'.repeat(400_000)}`),
		'limit',
	],
	[
		'beginnings of strings in the ruins of a file',
		() => bytes(`%PDF-1.7\n${'1 0 obj(\n'.repeat(200_000)}`),
		'limit',
	],
	[
		'CMap ranges of four billion codes',
		() => withCMap('1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange'),
		'limit',
	],
	[
		'thousands of CMap ranges',
		() => withCMap(`9 beginbfrange ${'<0000> <FFFF> <0041> '.repeat(9_000)} endbfrange`),
		'limit',
	],
	[
		'a CMap of codespace ranges',
		() => withCMap(`9 begincodespacerange ${'<00> <01> '.repeat(120_000)} endcodespacerange`),
		'limit',
	],
	[
		'a range of texts of a million letters',
		() => withCMap(`9 beginbfrange <0000> <FFFF> (${'A'.repeat(1e6)}) endbfrange`),
		'text',
	],
	[
		'a glyph that stands for a million letters, again and again',
		() =>
			onePage(packed(`BT /F 1 Tf (${'A'.repeat(9000)}) Tj ET`), {
				resources: `/Font<</F<</Subtype/TrueType/FirstChar 65/Widths[5]/ToUnicode 5 0 R>>>>`,
				objects: { 5: packed(`9 beginbfchar <41> <${'0041'.repeat(250_000)}> endbfchar`) },
			}),
		'text',
	],
	[
		'glyphs with names of a million letters',
		() =>
			onePage(packed(`BT /F 1 Tf (${'A'.repeat(9000)}) Tj ET`), {
				resources: '/Font<</F<</Subtype/TrueType/FirstChar 65/Widths[5]/Encoding 5 0 R>>>>',
				objects: { 5: `<</Differences[65${`/A${'_A'.repeat(500_000)}`.repeat(5)}]>>` },
			}),
		'unknownGlyphs',
	],
	['a range of widths without an end', () => withWidths('[0 4000000000 500]'), 'unknownGlyphs'],
	['thousands of ranges of widths', () => withWidths(`[${'0 65535 500 '.repeat(9_000)}]`), 'limit'],
	[
		'an object stream of itself',
		() => pdfFile({ 1: '<</Pages 2 0 R>>', 2: ['/Type/ObjStm/N 2 0 R/First 2 0 R', '2 0'] }),
		'damaged',
	],
	[
		'a content that is cut',
		() => onePage(['/Filter/FlateDecode', deflateSync(bytes(latin1)).subarray(0, 60)]),
		'damaged',
	],
	['no bytes', () => bytes(''), 'notPdf'],
	['noise', () => noise(5e6), 'notPdf'],
	[
		'noise behind the head of a PDF',
		() => Buffer.concat([bytes('%PDF-1.7\n'), noise(5e6)]),
		'damaged',
	],
	[
		'noise between two objects',
		() => bytes(latin1.replace('2 0 obj', () => `${noise(5e6).toString('latin1')}\n2 0 obj`)),
		'text',
	],
	[
		'noise in an object',
		() => bytes(latin1.replace('/Type', () => `/Type ${noise(5e6).toString('latin1')}`)),
		'limit',
	],
	['a cut file', () => TEXT.subarray(0, TEXT.length / 2), 'damaged'],
	['a password', encrypted, 'locked'],
	[
		'a predictor with rows of a gigabyte',
		() =>
			onePage([
				'/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 1000000000/Colors 32>>',
				deflateSync('abc'),
			]),
		'damaged',
	],
	[
		'numbers of a million digits',
		() => onePage(packed(`${'9'.repeat(1e6)} 0 0 1 0 0 cm BT /F ${'9'.repeat(400)} Tf (A) Tj ET`)),
		'text',
	],
];

const resultOf = (reading: PdfReading): string =>
	'reason' in reading ? reading.reason : (reading.pages[0].reason ?? reading.pages[0].kind);

/** A form of fields with these entries, whose objects are beside them. */
const formOf = (fields: string[], more: Record<number, PdfPart> = {}): Buffer => {
	const all = fields.map((_, index) => `${index + 100} 0 R`).join(' ');
	return pdfFile({
		1: `<</Pages 2 0 R/AcroForm<</Fields[${all}]>>>>`,
		2: '<</Kids[3 0 R]/MediaBox[0 0 600 800]>>',
		3: `<</Type/Page/Annots[${all}]>>`,
		...more,
		...Object.fromEntries(
			fields.map((entries, index) => [
				index + 100,
				`<</Subtype/Widget/FT/Sig/Rect[9 9 99 99]${entries}>>`,
			]),
		),
	});
};
const many = (entries: string) => Array.from({ length: 5_000 }, () => entries);

const FORMS: Array<[name: string, make: () => Buffer, result: string]> = [
	['many fields', () => formOf(many('/T(Borrower Signature)')), '5000 places'],
	[
		'many fields below a parent with a name of a megabyte',
		() => formOf(many('/Parent 5 0 R'), { 5: `<</T(${'a'.repeat(1e6)})>>` }),
		'limit',
	],
	[
		'a circle of parents',
		() => formOf(['/T(a)/Parent 5 0 R'], { 5: '<</T(b)/Parent 6 0 R>>', 6: '<</Parent 5 0 R>>' }),
		'1 places',
	],
	[
		'a label with signs behind it',
		() => onePage(packed(`BT /F 1 Tf (Signature${':'.repeat(90_000)}a) Tj ET`)),
		'0 places',
	],
];

/** Does something that takes little time and memory, and lets others work. */
async function expectCheap(use: (pause: () => Promise<void>) => Promise<unknown>): Promise<void> {
	const used = () => {
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		return heapUsed + arrayBuffers;
	};
	const [started, before] = [workedMs(), used()];
	let [last, longest, most] = [started, 0, before];
	const pause = async () => {
		longest = Math.max(longest, workedMs() - last);
		// What nobody holds any more is no memory that's needed.
		if (used() - before >= BYTES) collectGarbage();
		most = Math.max(most, used());
		await new Promise((resolve) => setImmediate(resolve));
		last = workedMs();
	};
	await use(pause);
	await pause();
	expect(workedMs() - started).toBeLessThan(MILLISECONDS);
	expect(most - before).toBeLessThan(BYTES);
	expect(longest).toBeLessThan(LONGEST_BLOCK_MS);
}

describe('a clear result, soon and with little memory, for', () => {
	test.each(FILES)('%s', async (_, make, result) => {
		const file = await make();
		await expectCheap(async (pause) => {
			const reading = await readPages(file, pause);
			const pages = 'pages' in reading ? reading.pages : [];
			await findPhrases(pages, [{ text: 'Borrower' }], pause);
			expect(resultOf(reading)).toBe(result);
		});
	});
	test.each(FORMS)('%s', async (_, make, result) => {
		const file = make();
		await expectCheap(async (pause) => {
			const found = await findPlaces(file, pause);
			expect('reason' in found ? found.reason : `${found.places.length} places`).toBe(result);
		});
	});
});

describe('what keeps people from signing is found as soon, and only where it is certain, in', () => {
	const xfa = (more: string, parts: Record<number, PdfPart> = {}) =>
		pdfFile({
			1: `<</Type/Catalog/Pages 2 0 R/AcroForm<<${more}>>>>`,
			2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
			3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>',
			...parts,
		});
	const XFA_FORMS: typeof FILES = [
		[
			'an XFA form of many large parts',
			() => xfa(`/XFA[${'4 0 R '.repeat(1000)}]`, { 4: packed('<dynamicRender>'.repeat(1e6)) }),
			'',
		],
		[
			'an XFA form of 100,000 signatures',
			() =>
				xfa(`/XFA 4 0 R/Fields[${'5 0 R '.repeat(1e5)}]`, {
					4: ['', 'form'],
					5: '<</FT/Sig/Rect[0 0 0 0]>>',
				}),
			'',
		],
		[
			'an XFA form that has one large part many times',
			() => xfa(`/XFA[${'4 0 R '.repeat(1e4)}]`, { 4: ['', '<dynamicRender>'.repeat(1e6)] }),
			'',
		],
		['50 MB of letters', () => Buffer.alloc(50 * 1024 ** 2, '%PDF-1.7 /Filter [[ \uFFFD'), ''],
	];
	test.each([...FILES, ...XFA_FORMS])('%s', async (_, make, result) => {
		const file = await make();
		await expectCheap(async (pause) => {
			const [fault] = (await judgePdf(file, pause)) ?? [];
			expect(fault?.includes('password')).toBe(result === 'locked' ? true : undefined);
		});
	});
});

describe('whatever is in a file', () => {
	const pause = async () => {};
	const SAMPLES = [
		TEXT,
		withCMap('1 beginbfchar <4141> <0041> endbfchar'),
		withWidths('[0[1 2]]'),
		doublingForms(3),
	];

	/** What isn't ours, such as a TypeError, would be called damage, too. */
	const isOurs = async (file: Uint8Array) => {
		const reading = await readPages(file, pause);
		const pages = 'pages' in reading ? reading.pages : [];
		expect(await findPhrases(pages, [{ text: 'Hello' }], pause)).toHaveLength(1);
		forEachCase(pages, ({ kind, reason, width, height, runs }) => {
			expect(reason !== undefined).toBe(kind === 'unreadable');
			expect(width > 0 && height > 0).toBe(true);
			forEachCase(runs, ({ texts, starts, ends }) =>
				expect([starts.length, ends.length]).toEqual([texts.length, texts.length]),
			);
		});
	};

	test('it can be cut anywhere', async () => {
		for (const sample of SAMPLES)
			for (let length = 0; length < sample.length; length += 7)
				await isOurs(sample.subarray(0, length));
	});

	test('bytes of it can be others', async () => {
		const change = fc.tuple(fc.nat(), fc.nat(255));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...SAMPLES),
				fc.array(change, { minLength: 1, maxLength: 8 }),
				async (sample, changes) => {
					const changed = Buffer.from(sample);
					for (const [at, value] of changes) changed[at % changed.length] = value;
					await isOurs(changed);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('its content can be anything', async () => {
		const word = fc.constantFrom(
			...[
				'BT',
				'ET',
				'Tf',
				'Tj',
				'TJ',
				'Td',
				'TD',
				'Tm',
				'T*',
				"'",
				'"',
				'q',
				'Q',
				'cm',
				'Do',
				'BI',
				'ID',
				'EI',
				'Tz',
			],
			...[
				'/F',
				'/X',
				'(A)',
				'[(B)-9]',
				'0',
				'1',
				'-2.5',
				'1e9',
				'99999999',
				'<41>',
				'<<',
				'>>',
				'[',
			],
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(word, { maxLength: 80 }),
				fc.uint8Array({ maxLength: 40 }),
				async (words, rest) => {
					await isOurs(onePage(['', Buffer.concat([Buffer.from(words.join(' ')), rest])]));
				},
			),
			{ numRuns: 300 },
		);
	});
});
