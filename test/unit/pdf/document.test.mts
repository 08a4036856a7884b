import { PDFDocument } from '@cantoo/pdf-lib';

import { PDF_LIMITS } from '../../../nodes/SignAndClose/pdf/bounds/limits.ts';
import { readPages } from '../../../nodes/SignAndClose/pdf/pages.ts';
import {
	firstPageOf,
	flate,
	indirectObject,
	onePage,
	pagesOf,
	pause,
	pdfFile,
	HELVETICA,
} from '../../support/pdfFile.mts';

const SHOWN = 'BT /F 12 Tf 50 700 Td (Hello) Tj ET';
const WHOLE = onePage(SHOWN);
const PACKED = onePage(flate(SHOWN));
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** What the first page says, however its file is damaged. */
const textOf = async (bytes: Uint8Array) => (await firstPageOf(bytes)).text;

/** A number of so many bytes. */
const number = (value: number, bytes: number) => {
	const buffer = Buffer.alloc(bytes);
	buffer.writeUIntBE(value, 0, bytes);
	return buffer;
};

/** A file of PDF 1.5: all objects but the content are in an object stream. */
function objectStreamFile(options: { free?: number[] } = {}): Buffer {
	const objects = [
		'<</Type/Catalog/Pages 2 0 R>>',
		'<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>',
		`<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F ${HELVETICA}>>>>>>`,
	];
	let offset = 0;
	const numbers = objects.map((object, index) => {
		offset += object.length + 1;
		return `${index + 1} ${offset - object.length - 1}`;
	});
	const [filter, bytes] = flate(`${numbers.join(' ')}\n${objects.join(' ')}`);
	const header = `/Type/ObjStm/N 3/First ${numbers.join(' ').length + 1}${filter}`;
	const content = indirectObject(4, flate(SHOWN));
	const container = indirectObject(5, [header, bytes]);
	const start = '%PDF-1.5\n'.length;
	const entry = (type: number, second: number, third: number) =>
		Buffer.concat([number(type, 1), number(second, 3), number(third, 1)]);
	const table = Buffer.concat([
		...[1, 2, 3].map((each, index) =>
			options.free?.includes(each) ? entry(0, 0, 0) : entry(2, 5, index),
		),
		entry(1, start, 0),
		entry(1, start + content.length, 0),
	]);
	const references = start + content.length + container.length;
	const [, packed] = flate(table);
	return Buffer.concat([
		Buffer.from('%PDF-1.5\n'),
		content,
		container,
		indirectObject(6, [`/Type/XRef/W[1 3 1]/Index[1 5]/Root 1 0 R/Size 7${filter}`, packed]),
		Buffer.from(`startxref\n${references}\n%%EOF`),
	]);
}

describe('files (ISO 32000-2, 7.5)', () => {
	test('with a cross-reference table', async () => expect(await textOf(WHOLE)).toBe('Hello'));

	test('with a cross-reference stream and an object stream', async () => {
		expect(await textOf(objectStreamFile())).toBe('Hello');
	});

	test('whose cross-reference stream calls a page free have damage', async () => {
		expect(await readPages(objectStreamFile({ free: [3] }), pause)).toEqual({ reason: 'damaged' });
	});

	test('with something before the header', async () => {
		expect(await textOf(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), WHOLE]))).toBe(
			'Hello',
		);
	});

	test.each([
		['no cross-reference table', latin1(WHOLE).replace(/xref\n0 1[^]*(?=trailer)/, '')],
		['no startxref', latin1(WHOLE).replace('startxref', 'start')],
		['a table at another offset', latin1(WHOLE).replace(/startxref\n\d+/, 'startxref\n17')],
		[
			'wrong offsets in the table',
			latin1(WHOLE)
				.replace(/00000 n/g, '00000 f')
				.replace('%PDF-1.7', '%PDF-1.7\n%moved'),
		],
		['a space after `stream`', latin1(PACKED).replace(/stream\n/g, 'stream \r\n')],
		['a tab and a line feed after `stream`', latin1(PACKED).replace(/stream\n/g, 'stream\t \n')],
		['a carriage return after `stream`', latin1(PACKED).replace(/stream\n/g, 'stream \r')],
		['a wrong length of a stream', latin1(WHOLE).replace(/\/Length \d+/, '/Length 9999')],
		[
			'a length that refers to its own stream',
			latin1(WHOLE).replace(/\/Length \d+/, '/Length 4 0 R'),
		],
		['no length', latin1(WHOLE).replace(/\/Length \d+/, '')],
		['only their beginning, up to the trailer', latin1(WHOLE).replace(/startxref[^]*/, '')],
	])('with %s are read all the same', async (_, text) => {
		expect(await textOf(Buffer.from(text, 'latin1'))).toBe('Hello');
	});

	test('whose object streams have to be found', async () => {
		const moved = latin1(objectStreamFile()).replace(/startxref\n\d+/, 'startxref\n3');
		expect(await textOf(Buffer.from(moved, 'latin1'))).toBe('Hello');
	});

	test('that were updated count as they are now', async () => {
		const old = latin1(WHOLE);
		const previous = /startxref\n(\d+)/.exec(old)![1];
		const content = latin1(indirectObject(4, ['', SHOWN.replace('Hello', 'Newer')]));
		const table = `xref\n4 1\n${String(old.length).padStart(10, '0')} 00000 n \n`;
		const trailer = `trailer\n<</Root 1 0 R/Prev ${previous}>>\nstartxref\n${old.length + content.length}\n`;
		expect(await textOf(Buffer.from(old + content + table + trailer, 'latin1'))).toBe('Newer');
	});

	test('for old and new readers have objects that only new ones see', async () => {
		const start = '%PDF-1.7\n'.length;
		const content = indirectObject(4, ['', SHOWN]);
		const table = Buffer.concat([number(1, 1), number(start, 3), number(0, 1)]);
		const stream = indirectObject(6, ['/Type/XRef/W[1 3 1]/Index[4 1]/Root 1 0 R', table]);
		const rest = latin1(
			pdfFile({
				1: '<</Type/Catalog/Pages 2 0 R>>',
				2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
				3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F ${HELVETICA}>>>>/MediaBox[0 0 600 800]>>`,
			}),
		).slice(start);
		const inserted = content.length + stream.length;
		const shifted = rest
			.replace(
				/\d{10} 00000 n/g,
				(entry) =>
					String(Number(entry.slice(0, 10)) + inserted).padStart(10, '0') + entry.slice(10),
			)
			.replace(/startxref\n(\d+)/, (_, at: string) => `startxref\n${Number(at) + inserted}`)
			.replace('trailer', '4 1\n0000000000 00000 f \ntrailer')
			.replace('/Root', `/XRefStm ${start + content.length}/Root`);
		const file = Buffer.concat([
			Buffer.from('%PDF-1.7\n'),
			content,
			stream,
			Buffer.from(shifted, 'latin1'),
		]);
		expect(await textOf(file)).toBe('Hello');
	});

	test.each([
		['nothing', '', 'notPdf'],
		['another file', '<html><body>404</body></html>', 'notPdf'],
		['a header alone', '%PDF-1.7', 'damaged'],
		['a catalog without pages', latin1(WHOLE).replace('/Pages 2 0 R', ''), 'damaged'],
		[
			'pages that are their own kids',
			latin1(WHOLE).replace('/Kids[3 0 R]', '/Kids[2 0 R]'),
			'damaged',
		],
		['a page that is missing', latin1(WHOLE).replace('/Kids[3 0 R]', '/Kids[9 0 R]'), 'damaged'],
	])('with %s are none', async (_, text, reason) => {
		expect(await readPages(Buffer.from(text, 'latin1'), pause)).toEqual({ reason });
	});
});

describe('pages (7.7.3)', () => {
	test('inherit what their parents have', async () => {
		const pages = await pagesOf(
			pdfFile({
				1: '<</Type/Catalog/Pages 2 0 R>>',
				2: '<</Type/Pages/Kids[3 0 R 5 0 R]/MediaBox[0 0 612 792]/Rotate 90>>',
				3: '<</Type/Pages/Kids[4 0 R]/CropBox[10 20 300 400]>>',
				4: '<</Type/Page>>',
				5: '<</Type/Page/MediaBox[300 400 0 0]/Rotate -90/UserUnit 2>>',
			}),
		);
		const media = { left: 0, bottom: 0, right: 612, top: 792 };
		const second = { left: 0, bottom: 0, right: 300, top: 400 };
		expect(pages).toEqual([
			{
				...{
					number: 1,
					width: 290,
					height: 380,
					rotate: 90,
					userUnit: 1,
					kind: 'text',
					unread: [],
					runs: [],
				},
				boxes: { media, crop: { left: 10, bottom: 20, right: 300, top: 400 } },
			},
			{
				...{
					number: 2,
					width: 300,
					height: 400,
					rotate: 270,
					userUnit: 2,
					kind: 'text',
					unread: [],
					runs: [],
				},
				boxes: { media: second, crop: second },
			},
		]);
	});

	test('have no larger crop box than media box', async () => {
		const boxes = '/MediaBox[0 0 100 100]/CropBox[-5 50 105 300]';
		const { width, height, boxes: read } = await firstPageOf(onePage('', { page: boxes }));
		expect([width, height, read.crop.bottom]).toEqual([100, 50, 50]);
	});

	test('without a size are none', async () => {
		expect(await readPages(onePage(SHOWN, { page: '' }), pause)).toEqual({ reason: 'damaged' });
	});

	test('can be fewer than a document has', async () => {
		const kids = [3, 4].map((number) => [number, '<</Type/Page/MediaBox[0 0 9 9]>>']);
		const file = pdfFile({
			...{ 1: '<</Pages 2 0 R>>', 2: '<</Kids[3 0 R 4 0 R]>>' },
			...Object.fromEntries(kids),
		});
		expect(await readPages(file, pause, { ...PDF_LIMITS, pages: 1 })).toEqual({ reason: 'limit' });
		expect(await readPages(file, pause, { ...PDF_LIMITS, pages: 2 })).toHaveProperty('pages');
	});

	test('do not hinder each other', async () => {
		const [first, second] = await pagesOf(
			pdfFile({
				1: '<</Type/Catalog/Pages 2 0 R>>',
				2: `<</Kids[3 0 R 4 0 R]/MediaBox[0 0 600 800]/Resources<</Font<</F ${HELVETICA}>>>>>>`,
				3: '<</Type/Page/Contents 5 0 R>>',
				4: '<</Type/Page/Contents[6 0 R 7 0 R]>>',
				5: ['/Filter/JPXDecode', 'x'],
				6: ['', 'BT /F 12 Tf 50 700'],
				7: ['', 'Td (Hello) Tj ET'],
			}),
		);
		expect(first).toMatchObject({ kind: 'unreadable', reason: 'unsupported' });
		expect(second.runs.map(({ texts }) => texts.join(''))).toEqual(['Hello']);
	});
});

describe('encryption (7.6)', () => {
	const algorithms = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const;

	/** A document that anybody can open, unless a password is given. */
	async function encrypted(algorithm: (typeof algorithms)[number], userPassword = '') {
		const document = await PDFDocument.create();
		document.addPage([600, 800]).drawText('Hello', { x: 50, y: 700, size: 12 });
		const ownerPassword = 'secret';
		document.encrypt({ ownerPassword, userPassword, algorithm, allowWeakCryptography: true });
		return await document.save({ useObjectStreams: algorithm !== 'RC4-40' });
	}

	test.each(algorithms)('by %s with an empty password', async (algorithm) => {
		expect(await textOf(await encrypted(algorithm))).toBe('Hello');
	});

	test.each(algorithms)('by %s with a password', async (algorithm) => {
		expect(await readPages(await encrypted(algorithm, 'needed'), pause)).toEqual({
			reason: 'locked',
		});
	});

	test('by another handler', async () => {
		const trailer = '/Encrypt<</Filter/Other/V 4>>/ID[<00><00>]';
		expect(await readPages(onePage(SHOWN, { trailer }), pause)).toEqual({ reason: 'encrypted' });
	});
});
