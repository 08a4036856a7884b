import { readFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { complaint, hints, run } from '../../support/operations.mts';
import { textPdf, type Text, type TextPage } from '../../support/textPdf.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Add places designations at texts of the PDF, or refuses to. */

useSandbox();

const PLAIN = { text: 'Borrower', signer_identifier: 'borrower-1', width: 100, height: 20 };
const ROW = { ...PLAIN, where: 'right' };
const [SCAN, PARTLY]: TextPage[] = [{ picture: 1 }, { texts: [['Logo', 9, 9]], picture: 0.6 }];
const signs = (...ys: number[]): TextPage => ({
	texts: ys.map((y) => ['Borrower', 100, y]),
});
const EMPTY = signs();

/** The parameters that place these rows in a PDF of these pages. */
const adding = async (pages: TextPage[], rows: IDataObject[], more: IDataObject = {}) => ({
	...ADD_DOCUMENT,
	transactionId: id('ot_unknown'),
	source: 'base64',
	fileBase64: (await textPdf(pages)).toString('base64'),
	documentName: 'Deed',
	whereToSign: 'text',
	texts: { row: rows },
	...more,
});
const added = async (pages: TextPage[], rows: IDataObject[], more?: IDataObject) =>
	await run({
		...(await adding(pages, rows, more)),
		transactionId: id(await createClosing(credential())),
	});
/** Where the places are: page from 1, x, y, width and height. */
async function places(pages: TextPage[], rows: IDataObject[], more?: IDataObject) {
	await added(pages, rows, more);
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const sent = (body as IDataObject).signing_designations as IDataObject[];
	return sent.map(({ page_number: page, x, y, width, height }) => [
		Number(page) + 1,
		...[x, y, width, height],
	]);
}
const refused = async (pages: TextPage[], rows: IDataObject[], more?: IDataObject) =>
	(await complaint(await adding(pages, rows, more))).replace(/^'Texts', /, '');

// "Borrower" of 10 points is 40.56 wide.
describe('a place', () => {
	test('above it, where nothing else is said', async () => {
		expect(await places([signs(500)], [PLAIN])).toEqual([[1, 100, 510, 100, 20]]);
	});
	test.each<[string, IDataObject, number[]]>([
		['above it', { where: 'above' }, [1, 100, 510, 100, 20]],
		['right of it', { where: 'right' }, [1, 141, 500, 100, 20]],
		['below it', { where: 'below' }, [1, 100, 480, 100, 20]],
		['on it', { where: 'on' }, [1, 100, 500, 100, 20]],
		['moved', { where: 'on', moveRight: 5.2, moveUp: -7 }, [1, 105, 493, 100, 20]],
	])('%s', async (_name, row, expected) => {
		expect(await places([signs(500)], [{ ...ROW, ...row }])).toEqual([expected]);
	});
	test('in inches and centimeters', async () => {
		const row = { ...ROW, where: 'on', moveUp: 1, width: 2, height: 0.5 };
		expect(await places([signs(500)], [row], { additionalFields: { unit: 'inches' } })).toEqual([
			[1, 100, 572, 144, 36],
		]);
		expect(
			await places([signs(500)], [row], { additionalFields: { unit: 'centimeters' } }),
		).toEqual([[1, 100, 528, 57, 14]]);
	});
	test('is in the output and in a hint, beside what else a row has', async () => {
		const other = { ...ROW, type: 'date_signed', text: 'Date', details: { hint: 'Today' } };
		const pages: TextPage[] = [
			signs(500),
			{ texts: [['Date of the Note', 50, 40]] },
			{ texts: [['Date', 60, 40]] },
		];
		const outcome = await added(pages, [ROW, { ...other, occurrence: 'every' }]);
		expect(outcome.json.placed).toEqual([
			{ page: 1, x: 141, y: 500, phrase: 'Borrower', line: 'Borrower' },
			{ page: 2, x: 71, y: 40, phrase: 'Date', line: 'Date of the Note' },
			{ page: 3, x: 81, y: 40, phrase: 'Date', line: 'Date' },
		]);
		expect(hints(outcome)).toBe('3 places on pages 1, 2 and 3');
		const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
		expect((body as IDataObject).signing_designations).toMatchObject([
			{ signer_identifier: 'borrower-1', type: 'signature' },
			{ signer_identifier: 'borrower-1', type: 'date_signed', hint: 'Today' },
			{ hint: 'Today' },
		]);
	});
});

const DATED = { ...PLAIN, where: 'on', text: 'Borrower Signature', nextText: 'Date' };
describe('the next text', () => {
	test('is in the output, and the place is next to it', async () => {
		const texts: Text[] = [
			['Borrower Signature', 100, 500],
			['Date', 300, 500],
		];
		const outcome = await added([{ texts }], [{ ...DATED, where: 'right' }]);
		expect(outcome.json.placed).toEqual([
			{
				...{ page: 1, x: 321, y: 500, phrase: 'Borrower Signature' },
				...{ next_phrase: 'Date', line: 'Borrower Signature' },
			},
		]);
	});
	test.each<[string, Text[], IDataObject, number[][]]>([
		[
			'of each one',
			[
				['Borrower Signature', 100, 500],
				['Date', 300, 500],
				['Borrower Signature', 100, 460],
				['Date', 300, 460],
			],
			{ occurrence: 'every' },
			[
				[300, 500],
				[300, 460],
			],
		],
		[
			'behind lines that are drawn as text',
			[['Borrower Signature: ______ Lender Signature: ______ Date: ____', 100, 500]],
			{ text: 'Lender Signature' },
			[[346, 500]],
		],
		[
			'below, if that is wanted',
			[
				['Borrower Signature', 100, 500],
				['Date', 300, 500],
				['Date', 100, 480],
			],
			{ nextSide: 'below' },
			[[100, 480]],
		],
		[
			'below both lines of a text',
			[
				['Borrower', 100, 500],
				['Signature', 100, 489],
				['Name', 100, 465],
				['Date', 100, 441],
			],
			{},
			[[100, 441]],
		],
		[
			'below, beneath the date of the signer before',
			[
				['Lender', 100, 540],
				['Date', 100, 520],
				['Borrower Signature', 100, 500],
				['Date', 100, 480],
			],
			{},
			[[100, 480]],
		],
		[
			'below the party that a name is of',
			[
				['Jane Doe', 100, 500],
				['Borrower', 100, 488],
				['Date', 100, 476],
			],
			{ text: 'Jane Doe' },
			[[100, 476]],
		],
		[
			'on the right, behind the date of the column before',
			[
				['Lender', 60, 520],
				['Date', 60, 500],
				['Borrower Signature', 200, 500],
				['Date', 400, 500],
			],
			{},
			[[400, 500]],
		],
	])('%s', async (_name, texts, row, expected) => {
		const found = await places([{ texts }], [{ ...DATED, ...row }]);
		expect(found.map(([, x, y]) => [x, y])).toEqual(expected);
	});
	const NONE = /^entry 1: there's no 'Date' for 'Borrower Signature' on page 1/;
	const UNCERTAIN =
		/^entry 1: there are 2 places that may be the 'Date' for 'Borrower Signature' on page 1/;
	test.each<[string, Text[], RegExp, string?]>([
		[
			'behind the label of the next signer',
			[
				['Borrower Signature', 60, 500],
				['Lender Signature', 250, 500],
				['Date', 400, 500],
			],
			NONE,
		],
		[
			'behind the label of the next signer in the same text',
			[['Borrower Signature: ______ Lender Signature: ______ Date: ____', 100, 500]],
			NONE,
		],
		[
			'below the label of the next signer',
			[
				['Borrower Signature', 100, 500],
				['Name', 100, 480],
				['Lender Signature', 100, 460],
				['Date', 100, 440],
			],
			NONE,
		],
		[
			'below a wider gap',
			[
				['Borrower Signature', 100, 500],
				['Name', 100, 485],
				['Date', 100, 455],
			],
			NONE,
		],
		[
			'in a column of its own',
			[
				['Escrow', 300, 520],
				['Borrower Signature', 100, 500],
				['Date', 300, 500],
				['Date', 100, 480],
			],
			UNCERTAIN,
		],
		['only as a part of a word', [['Borrower Signature    Updated', 100, 500]], NONE],
		[
			'behind the label of another party',
			[
				['Borrower Signature', 60, 500],
				['Notary Public', 250, 500],
				['Date', 400, 500],
			],
			NONE,
		],
		[
			'below the label of an official',
			[
				['Sign here', 100, 500],
				['Notary', 100, 488],
				['Date', 100, 476],
			],
			/there's no 'Date' for 'Sign here'/,
			'Sign here',
		],
		[
			'below the label of another party',
			[
				['Borrower Signature', 100, 500],
				['Witness', 100, 480],
				['Date', 100, 460],
			],
			NONE,
		],
		[
			'far below the label of another party in its column',
			[
				['Lender', 300, 565],
				['Name', 300, 512],
				['Borrower Signature', 100, 500],
				['Date', 300, 500],
				['Date', 100, 450],
			],
			NONE,
		],
		[
			'where the dates stand before their signers',
			[['Date: ____ Borrower Signature: ______ Date: ____ Lender: ______', 60, 500]],
			UNCERTAIN,
		],
		[
			'where the dates stand above their signers',
			[
				['Date', 100, 520],
				['Borrower Signature', 100, 500],
				['Date', 100, 480],
				['Lender', 100, 460],
			],
			UNCERTAIN,
		],
	])('is refused %s', async (_name, texts, expected, text = DATED.text) => {
		expect(await refused([{ texts }], [{ ...DATED, text }])).toMatch(expected);
	});
});

/** A text in two lines, of which the second one is at another place or has another size. */
const inTwoLines = (
	x = 100,
	y = 489,
	second = 'Signature for the lender',
	first = 'Borrower',
): TextPage => ({
	texts: [
		[first, 100, 500],
		[second, x, y],
	],
});
const BOTH = { ...PLAIN, text: 'Borrower Signature' };
describe('a text in two lines', () => {
	test.each<[string, number[]]>([
		['above', [1, 100, 510, 100, 20]],
		['on', [1, 100, 500, 100, 20]],
		['right', [1, 143, 500, 100, 20]],
		['below', [1, 100, 469, 100, 20]],
	])('%s it', async (where, expected) => {
		expect(await places([inTwoLines()], [{ ...BOTH, where }])).toEqual([expected]);
	});
	test('counts with those on one line', async () => {
		const [first, second] = inTwoLines().texts!;
		const texts = [first, second, ['Borrower Signature', 100, 300]] as Text[];
		expect(await refused([{ texts }], [BOTH])).toMatch(/'Borrower Signature' stands 2 times/);
		const [[, , y]] = await places([{ texts }], [{ ...BOTH, notInside: 'Borrower Signature for' }]);
		expect(y).toBe(310);
	});
	test('is none whose first word begins on the line above', async () => {
		const page: TextPage = {
			texts: [
				['Signature line of the Co-', 100, 500],
				['Borrower Signature', 100, 488],
			],
		};
		expect(await refused([page], [BOTH])).toMatch(/it stands only inside 'Co-Borrower Signature'/);
		const ruled: TextPage = { texts: [['Sign here -', 100, 500], page.texts![1]] };
		const [[, , y]] = await places([ruled], [BOTH]);
		expect(y).toBe(498);
	});
	test.each<[string, TextPage]>([
		['in another column', inTwoLines(140)],
		['farther below', inTwoLines(100, 480)],
		['behind another word', inTwoLines(100, 489, 'The Signature')],
		['in a longer word', inTwoLines(100, 489, 'Signatures')],
		['above', inTwoLines(100, 511)],
		['whose first line begins with other words', inTwoLines(100, 489, 'Signature', 'The Borrower')],
	])('is none %s', async (_name, page) => {
		expect(await refused([page], [BOTH])).toMatch(
			/'Borrower Signature' (?:wasn't found|isn't) on page 1/,
		);
	});
});

describe('text that another program recognized', () => {
	const scan = async (name: string) => ({
		fileBase64: (await readFile(new URL(`../../fixtures/scans/${name}`, import.meta.url))).toString(
			'base64',
		),
	});
	const row = { ...ROW, text: 'Borrower Signature', where: 'on', occurrence: 'first' };
	test('is refused with the switch that trusts it', async () => {
		expect(await refused([], [row], await scan('letter-gray-150.pdf'))).toMatch(
			/page 1 has text that nobody sees, as another program recognized it in a picture\. Turn on 'Trust Recognized Text' if the text of page 1 is right/,
		);
	});
	test('gets a place and a hint, if it is trusted', async () => {
		const more = { ...(await scan('letter-gray-150.pdf')) };
		const trusting = { ...more, additionalFields: { trustRecognized: true } };
		expect(hints(await added([], [row], trusting))).toBe(
			'1 place on page 1. Page 1 is a scan: its text was recognized by another program',
		);
	});
});

const four = [signs(700, 600), EMPTY, signs(500), signs(400)];
describe('the occurrence', () => {
	test.each<[string, IDataObject, number[][]]>([
		['the only one of several pages', { pages: '2, 3' }, [[3, 500]]],
		[
			'each of several pages',
			{ pages: '2-3, last', occurrence: 'every' },
			[
				[3, 500],
				[4, 400],
			],
		],
		[
			'every',
			{ occurrence: 'every' },
			[
				[1, 700],
				[1, 600],
				[3, 500],
				[4, 400],
			],
		],
		['first', { occurrence: 'first' }, [[1, 700]]],
		['last', { occurrence: 'last' }, [[4, 400]]],
		['the third', { occurrence: 'nth', nth: 3 }, [[3, 500]]],
		['the second, where nothing else is said', { occurrence: 'nth' }, [[1, 600]]],
		['the only one of some pages', { pages: '2-3' }, [[3, 500]]],
		['the only one of a page', { pages: '3' }, [[3, 500]]],
		['the only one of the last page', { pages: 'last' }, [[4, 400]]],
		['the first of some pages', { occurrence: 'first', pages: '2 - 9' }, [[3, 500]]],
	])('%s', async (_name, row, expected) => {
		const found = await places(four, [{ ...ROW, ...row }]);
		expect(found.map(([page, , y]) => [page, y])).toEqual(expected);
	});
	test('not inside another text', async () => {
		const pages = [
			{
				texts: [
					['Co-Borrower', 100, 500],
					['Borrower', 100, 400],
				],
			},
		] as TextPage[];
		const [[, , y]] = await places(pages, [{ ...ROW, notInside: 'Co-Borrower' }]);
		expect(y).toBe(400);
	});
	test.each<[string, TextPage[], IDataObject, number]>([
		['the first before a scan', [signs(500), SCAN], { occurrence: 'first' }, 1],
		['the last after a scan', [SCAN, signs(500)], { occurrence: 'last' }, 2],
		[
			'the only one, as somebody has looked at the pictures',
			[PARTLY, signs(500), SCAN],
			{ ignorePicturesOn: '1, last' },
			2,
		],
		[
			'the only one of a page that keeps its corner',
			[{ ...signs(500), crop: [0, 0, 500, 700] }],
			{},
			1,
		],
		['the only one of pages that can be read', [SCAN, signs(500), SCAN], { pages: '2' }, 2],
	])('%s', async (_name, pages, row, page) => {
		expect((await places(pages, [{ ...ROW, ...row }]))[0][0]).toBe(page);
	});
});

describe('nothing is sent', () => {
	test.each<[string, TextPage[], IDataObject, RegExp]>([
		[
			'several',
			four,
			{},
			/^entry 1: 'Borrower' stands 4 times in the document, on pages 1, 3 and 4\./,
		],
		[
			'fewer than wanted',
			four,
			{ occurrence: 'nth', nth: 5 },
			/^entry 1: 'Borrower' stands only 4 times, on pages 1, 3 and 4\. .*'Number'/,
		],
		[
			'a miss',
			[EMPTY, EMPTY],
			{ text: 'Seller' },
			/^entry 1: 'Seller' wasn't found on pages 1 to 2\. /,
		],
		['a miss on one page', four, { pages: '2' }, /^entry 1: 'Borrower' wasn't found on page 2\. /],
		[
			'a miss where pages are scans',
			[EMPTY, SCAN, PARTLY],
			{ occurrence: 'first' },
			/^entry 1: 'Borrower' isn't on pages 1 to 3; page 2 is a scan; page 3 has a large picture, which may hold text\./,
		],
		...['only', 'every', 'nth', 'last'].map(
			(occurrence): [string, TextPage[], IDataObject, RegExp] => [
				`${occurrence} before a scan`,
				[signs(700, 600), SCAN],
				{ occurrence },
				/^entry 1: 'Borrower' may also stand on pages that can't be read; page 2 is a scan\. .*'Pages'/,
			],
		),
		[
			'a file that is a scan, whatever is looked for',
			[SCAN, SCAN],
			{},
			/^'Texts' can't be found, because the file is a scan, without any text\. Choose 'Designations Below'/,
		],
		['the first after a scan', [SCAN, signs(500)], { occurrence: 'first' }, /page 1 is a scan/],
		[
			'the first of a page that is partly read',
			[{ ...signs(500), picture: 0.6 }],
			{ occurrence: 'first' },
			/page 1 has a large picture/,
		],
		[
			'a cover with a picture, and says what leaves it out',
			[PARTLY, signs(500), EMPTY],
			{},
			/page 1 has a large picture, which may hold text\. Enter 2-3 in 'Pages' to leave these pages out, or look at them and enter 1 in 'Ignore Pictures On'/,
		],
		[
			'a page between others',
			[EMPTY, SCAN, signs(500)],
			{},
			/Enter 1, 3 in 'Pages' .* enter 2 in 'Ignore Pictures On'/,
		],
		[
			'the page of the text itself, which can only be looked at',
			[EMPTY, { ...signs(500), picture: 0.6 }],
			{},
			/page 2 has a large picture, which may hold text\. Look at them and enter 2 in 'Ignore Pictures On'/,
		],
		[
			'odd pages to ignore pictures on',
			[signs(5)],
			{ ignorePicturesOn: 'x' },
			/^entry 1: 'Ignore Pictures On' is 'x'/,
		],
		[
			'a part of hyphenated words',
			[{ texts: [['Co-Borrower Signature', 100, 500]] }],
			{ text: 'Borrower Signature' },
			/^entry 1: 'Borrower Signature' isn't on page 1; it stands only inside 'Co-Borrower Signature'\./,
		],
		...(
			[
				{ rotate: 90 },
				{ crop: [10, 10, 500, 700] },
				{ media: [-10, 0, 612, 792] },
				{ userUnit: 2 },
			] as TextPage[]
		).map((odd): [string, TextPage[], IDataObject, RegExp] => [
			JSON.stringify(odd),
			[EMPTY, { ...signs(500), ...odd }],
			{},
			/^entry 1: 'Borrower' stands on page 2, which is rotated, cropped or scaled.*'Designations Below'/,
		]),
		[
			'no such page',
			[EMPTY],
			{ pages: '2-5' },
			/^entry 1: there's no page 2: the document has 1\./,
		],
		[
			'a place beyond the page',
			[{ texts: [['Borrower', 550, 500]] }],
			{},
			/^entry 1: the place isn't on the page: it reaches from 591 to 691 points .* page 1 has 612 × 792/,
		],
		['no text', [EMPTY], { text: ' ' }, /^entry 1: 'Text' is missing/],
		[
			'no signer',
			[signs(5)],
			{ signer_identifier: '' },
			/^entry 1: 'Signer Name or ID' is missing/,
		],
		['odd pages', [signs(5)], { pages: '5-2' }, /^entry 1: 'Pages' is '5-2'/],
		['no page at all', [signs(5)], { pages: '0' }, /^entry 1: 'Pages' is '0'/],
		['no width', [signs(5)], { width: 0 }, /^entry 1: 'Width' is not a number above 0/],
		['no number', [signs(5)], { moveUp: 'x' }, /^entry 1: 'Move Up' isn't a number/],
		['the zeroth', [signs(5)], { occurrence: 'nth', nth: 0 }, /^entry 1: 'Number' isn't a whole/],
	])('%s', async (_name, pages, row, expected) => {
		const asked = sandbox.requests.length;
		expect(await refused(pages, [{ ...ROW, ...row }])).toMatch(expected);
		expect(sandbox.requests.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([]);
	});
	test('all rows at once, those whose texts are missing together', async () => {
		const rows = [ROW, { ...ROW, text: 'Seller' }, { ...ROW, text: 'Buyer', type: '' }];
		const said = await refused([signs(5)], rows);
		expect(said).toMatch(/'Texts' weren't found on page 1: 'Seller' and 'Buyer'/);
		expect(said).toMatch(/entry 3: 'Type' is missing/);
	});
	test('a file that is no PDF inside', async () => {
		const fileBase64 = Buffer.from('%PDF-1.7\nnothing').toString('base64');
		expect(await refused([], [ROW], { fileBase64 })).toMatch(
			/^'Texts' can't be found, because the file is/,
		);
	});
});

test.each([
	['notarization', /^No place to sign is set\. Add a text, or choose in 'Where to Sign'/],
	['readonly', /^$/],
])('no rows place nothing; a hint for %s', async (requirement, hint) => {
	const outcome = await added([EMPTY], [], { requirement });
	expect(outcome.json.existing).toBe(false);
	expect(hints(outcome)).toMatch(hint);
});

test('a link, whose file the node fetches, too', async () => {
	const found = await places([], [{ ...ROW, where: 'above', notInside: 'Borrower Affidavit' }], {
		source: 'url',
		fileUrl: `${sandbox.url}/samples/borrower-affidavit.pdf`,
	});
	expect(found).toEqual([[1, 72, 174, 100, 20]]);
});
