import { readFile } from 'node:fs/promises';

import type { IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { attempt, complaint, hints, run } from '../../support/operations.mts';
import { textPdf, type Text, type TextPage } from '../../support/textPdf.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Get Places lists the fields of a PDF's form, and the texts that look like labels. */

useSandbox();

const get = (file: Buffer, more: IDataObject = {}): IDataObject => ({
	resource: 'document',
	operation: 'getPlaces',
	source: 'base64',
	fileBase64: file.toString('base64'),
	pages: 'all',
	returnAll: true,
	simplify: true,
	...more,
});
const sample = async (name: string) => (await samplePdf(name))!;
const fixture = async (path: string) => await readFile(`test/fixtures/${path}.pdf`);
/** What was found: page, name, type and party of each place. */
async function found(file: Buffer, more?: IDataObject) {
	const outcome = await run(get(file, more));
	const places = outcome.items.map(({ json }) => [
		...[json.page, json.name, json.suggested_type, json.suggested_party],
	]);
	return { places, hints: hints(outcome), items: outcome.items };
}
const page = (...texts: Text[]): TextPage => ({ texts });

describe('labels', () => {
	test('of a paper, with who signs there, as far as it says so', async () => {
		const { places, hints: said } = await found(await sample('deed-of-trust'));
		expect(places).toEqual([
			[2, 'Borrower Signature', 'signature', 'borrower 1'],
			[2, 'Date', 'date_signed', null],
			[2, 'Notary Signature', 'signature', 'notary'],
			[2, 'Notary Seal', 'seal', 'notary'],
		]);
		expect(said).toBe('');
	});
	test('have the place of their text', async () => {
		const { items } = await found(await textPdf([page(['Borrower Signature', 72, 300])]));
		expect(items.map(({ json }) => json)).toEqual([
			{
				page: 1,
				kind: 'text',
				name: 'Borrower Signature',
				x: 72,
				y: 300,
				width: expect.closeTo(86, -1),
				height: expect.closeTo(10, -1),
				suggested_type: 'signature',
				suggested_party: 'borrower 1',
				not_usable: null,
			},
		]);
	});
	test('of two columns are told apart', async () => {
		const { places } = await found(await fixture('nextTo/two-columns-right'));
		expect(places.slice(0, 4)).toEqual([
			[1, 'Buyer 1 Signature', 'signature', 'buyer 1'],
			[1, 'Date', 'date_signed', null],
			[1, 'Seller 1 Signature', 'signature', 'seller 1'],
			[1, 'Date', 'date_signed', null],
		]);
	});
	test.each<[string, string, string | null]>([
		['Signature of Co-Borrower: ________', 'signature', 'borrower 2'],
		['BORROWERʼS SIGNATURE', 'signature', 'borrower 1'],
		['Witness 2 Signature', 'signature', 'witness2'],
		["Affiant's Signature", 'signature', null],
		['________ Date', 'date_signed', null],
		['Printed Name', 'full_name', null],
		['Initials', 'initials', null],
	])('%s', async (text, type, party) => {
		const { places } = await found(await textPdf([page([text, 72, 300])]));
		expect(places.map(([, , ...rest]) => rest)).toEqual([[type, party]]);
	});
	test.each([
		'Date of Birth',
		'Signed before me on the day and year above.',
		'and the signature of the borrower',
		'Name, date and signature;',
		'The undersigned has read this notice and signs it of his own free will',
		'Notary Public',
	])('%s is none', async (text) => {
		const { places } = await found(await textPdf([page([text, 72, 300])]));
		expect(places).toEqual([]);
	});
	test('on a turned page are named, and why nobody can sign there', async () => {
		const file = await textPdf([{ ...page(['Signature', 72, 300]), rotate: 90 }]);
		const { items } = await found(file);
		expect(items.map(({ json }) => json.not_usable)).toEqual([
			expect.stringMatching(/^is on page 1, which is rotated, cropped or scaled/),
		]);
	});
});

describe('form fields', () => {
	test('come with who signs there, as their names say it', async () => {
		const { items } = await found(await fixture('forms/good/three-borrowers'), { simplify: false });
		const fields = items.map(({ json }) => json).filter(({ kind }) => kind === 'field');
		expect(
			fields.map((json) => [json.field_type, json.suggested_type, json.suggested_party]),
		).toEqual(
			[1, 2, 10].flatMap((number) => [
				['signature', 'signature', `borrower ${number}`],
				['text', 'date_signed', `borrower ${number}`],
			]),
		);
	});
	test.each<[string, RegExp]>([
		['hidden', /^is hidden$/],
		['read-only', /^is read only$/],
		['filled', /^is filled in already$/],
		['zero-size', /^has no size$/],
		['signed-by-pdfbox', /^bears a digital signature$/],
	])('%s: says why nobody can sign there', async (name, expected) => {
		const { items } = await found(await fixture(`forms/traps/${name}`));
		const reasons = items.map(({ json }) => json.not_usable).filter((reason) => reason !== null);
		expect(reasons).toContainEqual(expect.stringMatching(expected));
	});
	test('buttons and lists are none', async () => {
		const file = await fixture('forms/traps/buttons-and-lists');
		const { items } = await found(file, { simplify: false });
		expect(items.map(({ json }) => json.field_type)).not.toContain('other');
	});
});

describe('which of them', () => {
	const three = [1, 2, 3].map((number) => page([`Borrower ${number} Signature`, 72, 300]));
	test.each<[string, number[]]>([
		['all', [1, 2, 3]],
		['last', [3]],
		['2-5', [2, 3]],
		['1, 3', [1, 3]],
	])('those on the pages %s', async (pages, expected) => {
		const { places } = await found(await textPdf(three), { pages });
		expect(places.map(([number]) => number)).toEqual(expected);
	});
	test('as many as the limit says', async () => {
		const { places } = await found(await textPdf(three), { returnAll: false, limit: 2 });
		expect(places.map(([number]) => number)).toEqual([1, 2]);
	});
	test('pages that are none are refused', async () => {
		expect(await complaint(get(await textPdf(three), { pages: 'first' }))).toBe(
			"'Pages' is 'first'. Enter all, last, or pages as in 2, 2-5 or 1, 4-6",
		);
	});
});

describe('a file', () => {
	test('without places says so, and what to do', async () => {
		const { places, hints: said } = await found(await textPdf([page(['Appendix', 72, 300])]));
		expect(places).toEqual([]);
		expect(said).toBe(
			"No form fields and no labels found. Add the document with 'Designations Below' in 'Where to Sign'",
		);
	});
	test('with pages that are pictures names them', async () => {
		const scan = { picture: 1 };
		const file = await textPdf([page(['Signature', 72, 300]), scan, scan]);
		const { places, hints: said } = await found(file);
		expect(places).toHaveLength(1);
		expect(said).toBe('Not all text can be read on pages 2 and 3');
		expect((await found(file, { pages: '1' })).hints).toBe('');
		expect((await found(file, { pages: '2' })).hints).toBe(
			"No form fields and no labels found. Add the document with 'Designations Below' in 'Where to Sign'. Not all text can be read on page 2",
		);
	});
	test('behind a link is fetched, without a question to the service', async () => {
		sandbox.requests.length = 0;
		const fileUrl = `${sandbox.url}/samples/deed-of-trust.pdf`;
		const { items } = await run(get(Buffer.of(), { source: 'url', fileUrl }));
		expect(items).toHaveLength(4);
		expect(sandbox.requests.filter(({ operationId }) => operationId !== undefined)).toEqual([]);
	});
	test('of the item goes on with each place', async () => {
		const { pdfItem } = await import('../../support/closing.mts');
		const item = await pdfItem();
		const { items } = await run(
			get(Buffer.of(), { source: 'binary', binaryPropertyName: 'data' }),
			{
				items: [item],
			},
		);
		expect(items.map(({ binary }) => binary)).toEqual(items.map(() => item.binary));
		expect(items.length).toBeGreaterThan(1);
	});
	test.each<[string, () => Promise<Buffer>, string]>([
		['no PDF', async () => Promise.resolve(Buffer.from('text')), 'Convert the file to PDF first'],
		[
			'damaged',
			async () => Promise.resolve(Buffer.from('%PDF-1.7\nnothing')),
			"'Source' is a file that is damaged. Use another file",
		],
		[
			'a form for the programs of Adobe alone',
			async () => await fixture('forms/traps/xfa-dynamic'),
			'Open it in Adobe Acrobat Reader, print it to PDF, and use that file',
		],
	])('that is %s is refused', async (_name, make, expected) => {
		expect(await complaint(get(await make()))).toContain(expected);
	});
	test.each([
		'circular-kids',
		'everything-indirect',
		'fields-without-names',
		'encrypted-with-empty-password',
	])('%s is read to its end', async (name) => {
		const { error } = await attempt(get(await fixture(`forms/traps/${name}`)));
		expect(error).toBeUndefined();
	});
});
