import { PDFDocument, PDFName, PDFString, type PDFPage } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, borrowers, createClosing, id } from '../../support/closing.mts';
import { searchAnew } from '../../support/dropdowns.mts';
import { complaint, hints, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Add places designations at the fields of a PDF's own form, or refuses to. */

useSandbox();

type Box = [x: number, y: number, width: number, height: number];
const TYPES = { signature: 'Sig', text: 'Tx', checkbox: 'Btn' };
/** A field of the form: its kind is a text's unless its name begins with another one. */
type Field = [name: string, box: Box, kind?: keyof typeof TYPES, more?: IDataObject];

/** A page with these fields. */
async function formPdf(fields: Field[], change = (_page: PDFPage) => undefined): Promise<string> {
	const pdf = await PDFDocument.create();
	const page = pdf.addPage([612, 792]);
	const references = fields.map(([name, [x, y, width, height], kind = 'signature', more = {}]) =>
		pdf.context.register(
			pdf.context.obj({
				Type: 'Annot',
				Subtype: 'Widget',
				FT: TYPES[kind],
				T: PDFString.of(name),
				Rect: [x, y, x + width, y + height],
				...(more as object),
			}),
		),
	);
	page.node.set(PDFName.of('Annots'), pdf.context.obj(references));
	pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: references }));
	change(page);
	return Buffer.from(await pdf.save()).toString('base64');
}

const A: Box = [72, 500, 180, 24];
const B: Box = [320, 500, 180, 24];
const C: Box = [72, 440, 100, 18];

const add = async (fields: Field[] | string, more: IDataObject = {}): Promise<IDataObject> => ({
	...ADD_DOCUMENT,
	source: 'base64',
	fileBase64: typeof fields === 'string' ? fields : await formPdf(fields),
	documentName: 'Form',
	whereToSign: 'fields',
	fieldsByName: true,
	formFields: {},
	...more,
});
const ROW = { signer_identifier: 'borrower-1', type: 'signature' };
const rows = (...row: IDataObject[]) => ({
	fieldsByName: false,
	formFields: { row: row.map((field) => ({ ...ROW, ...field })) },
});
/** What was sent: signer, type, page from 1, and the box. */
async function placed(fields: Field[] | string, more?: IDataObject, closing: IDataObject = {}) {
	const outcome = await run({
		...(await add(fields, more)),
		transactionId: id(await createClosing(credential(), closing)),
	});
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const sent = ((body as IDataObject).signing_designations ?? []) as IDataObject[];
	const places = sent.map(({ signer_identifier: signer, type, page_number: page, ...box }) => [
		...[signer, type, Number(page) + 1],
		...[box.x, box.y, box.width, box.height],
	]);
	return { places, hints: hints(outcome), json: outcome.json };
}
const refused = async (fields: Field[] | string, more?: IDataObject) =>
	await complaint({
		...(await add(fields, more)),
		transactionId: id(await createClosing(credential())),
	});

describe('by their names', () => {
	test('signers, dates and the notary get their places without a row', async () => {
		const { places, json } = await placed([
			['Borrower 1 Signature', A],
			['Borrower 1 Date', B, 'text'],
			['form1[0].Page1[0].NotarySignature[0]', C],
		]);
		expect(places).toEqual([
			['borrower-1', 'signature', 1, ...A],
			['borrower-1', 'date_signed', 1, ...B],
			['notary', 'signature', 1, ...C],
		]);
		expect(json.placed).toEqual([
			expect.objectContaining({ field: 'Borrower 1 Signature', signer: 'borrower-1', page: 1 }),
			expect.objectContaining({ field: 'Borrower 1 Date' }),
			expect.objectContaining({ signer: 'notary' }),
		]);
	});
	test('a hint says how many, where and for whom; rows are counted alone', async () => {
		const fields: Field[] = [
			['Borrower Signature', A],
			['Borrower Date', B, 'text'],
			['Other', C],
		];
		const row = { fieldName: 'Other', signer_identifier: 'notary', type: 'seal' };
		const both = await placed(fields, { ...rows(row), fieldsByName: true });
		expect(both.hints).toContain('3 places on page 1, by their names for borrower-1 (2)');
		const alone = await placed(fields, rows(row));
		expect(alone.hints).toMatch(/1 place on page 1(?!,)/);
	});
	test('a text field may be for a signature or for initials, a check box for nothing', async () => {
		const { places } = await placed([
			['Borrower Signature', A, 'text'],
			['Borrower Initials', B, 'text'],
			['Borrower Signature', C, 'checkbox'],
		]);
		expect(places).toEqual([
			['borrower-1', 'signature', 1, ...A],
			['borrower-1', 'initials', 1, ...B],
		]);
	});
	test('a digital signature is told, since any change makes it invalid', async () => {
		const { places, hints: said } = await placed([
			['Borrower Signature', A],
			['Seller Signature', B, 'signature', { V: { Type: 'Sig' } }],
		]);
		expect(places).toEqual([['borrower-1', 'signature', 1, ...A]]);
		expect(said).toContain('The file bears a digital signature, which any change invalidates');
		expect(said).not.toContain('No place is at');
	});
	test('a hidden signature field is no matter', async () => {
		const { hints: said } = await placed([
			['Borrower Signature', A],
			['Template', B, 'signature', { F: 2 }],
		]);
		expect(said).not.toContain('No place is at');
	});
	test('a signature field that fits nobody is named', async () => {
		const { places, hints: said } = await placed([
			['Borrower Signature', A],
			['Signature of Attorney', B],
			['Seller Signature', C],
		]);
		expect(places).toEqual([['borrower-1', 'signature', 1, ...A]]);
		expect(said).toContain(
			"No place is at the signature fields 'Signature of Attorney' (page 1) and 'Seller Signature' (page 1)",
		);
	});
	test.each<[string, Field[], string]>([
		['one of several with its name', [['Sig', B]], "'Sig' (page 1)"],
		['one without a name', [['', B]], 'a field without a name (page 1)'],
		['one with a long name', [['x'.repeat(9_999), B]], `'${'x'.repeat(150)}…' (page 1)`],
		['a text field for a signature', [['Signature of Agent', B, 'text']], "'Signature of Agent'"],
	])('%s is named if it got no place', async (_name, more, expected) => {
		const fields: Field[] = [['Sig', A], ...more];
		const { hints: said } = await placed(fields, rows({ fieldName: 'Sig', number: '1' }));
		expect(said).toContain(`No place is at the signature fields ${expected}`);
	});
	test('a party whose field a row names is one of the parties', async () => {
		const row = { fieldName: 'Buyer Signature', signer_identifier: 'signer-1' };
		const { places, hints: said } = await placed(
			[
				['Buyer Signature', A],
				['Seller Signature', B],
			],
			{ ...rows(row), fieldsByName: true },
			{ signers: borrowers({ external_id: '' }) },
		);
		expect(places).toEqual([['signer-1', 'signature', 1, ...A]]);
		expect(said).toContain("No place is at the signature fields 'Seller Signature' (page 1)");
	});
	test('a form whose names say nothing is refused, with the names', async () => {
		expect(await refused([['Signature1', A]])).toBe(
			"'Where to Sign' is 'Signature Fields of the PDF', and no name of a field says which signer's it is: 'Signature1'. Add an entry to 'Form Fields': the name of a field, and who signs there",
		);
	});
	test.each<[string, Field[], string]>([
		[
			'whose signers the transaction does not have',
			[['Seller Signature', A]],
			"and no signer has the external ID of the party in 'Seller Signature'. Add an entry",
		],
		[
			'whose fields are no places',
			[
				['Borrower Signature', A, 'signature', { V: { Type: 'Sig' } }],
				['Borrower Date', B, 'text', { V: PDFString.of('x') as never }],
				['Address', C, 'text', { F: 2 }],
			],
			"and 'Borrower Signature' bears a digital signature; 'Borrower Date' is filled in already. Choose 'At a Text'",
		],
		[
			'that is hidden',
			[['Sig', A, 'signature', { F: 2 }]],
			'and nobody can sign at its fields. Choose',
		],
		[
			'of several kinds',
			[
				['Sig', A],
				['Seller Date', B, 'text'],
				['Borrower Signature', C, 'signature', { Ff: 1 }],
			],
			"and no name of a field says which signer's it is: 'Sig'; no signer has the external ID of the party in 'Seller Date'; 'Borrower Signature' is read only. Add an entry",
		],
	])('a form %s is refused, with the reason', async (_name, fields, expected) => {
		expect(await refused(fields)).toContain(expected);
	});
	test('a form that is placed by nothing is told', async () => {
		const { places, hints: said } = await placed([['Borrower Signature', A]], rows());
		expect(places).toEqual([]);
		expect(said).toContain("No place to sign is set. Turn on 'By Their Names', add a form field,");
	});
	test('numbered signers are told by the numbers, unless there are two parties', async () => {
		const closing = { signers: borrowers({ external_id: '' }) };
		const one = await placed([['Borrower Signature', A]], {}, closing);
		expect(one.places).toEqual([['signer-1', 'signature', 1, ...A]]);
		const two = await placed(
			[
				['Borrower Signature', A],
				['Seller Signature', B],
				['Notary Signature', C],
			],
			{},
			closing,
		);
		expect(two.places).toEqual([['notary', 'signature', 1, ...C]]);
	});
});

describe('rows', () => {
	test('a name, and a pattern for the fields of the kind that the type needs', async () => {
		const fields: Field[] = [
			['Sig.Borrower', A],
			['Sig.Date', B, 'text'],
			['Agree', C, 'checkbox'],
		];
		const { places } = await placed(
			fields,
			rows(
				{ fieldName: 'sig.*' },
				{ fieldName: 'Sig.*', type: 'date_signed' },
				{ fieldName: 'Agree', type: 'checkmark' },
			),
		);
		expect(places.map(([, type, , x]) => [type, x])).toEqual([
			['signature', A[0]],
			['date_signed', B[0]],
			['checkmark', C[0]],
		]);
	});
	test('several of one name are each a place, or the one with the number', async () => {
		const fields: Field[] = [
			['Sig', A],
			['Sig', B],
		];
		const { places } = await placed(fields, rows({ fieldName: 'Sig' }));
		expect(places.map(([, , , x]) => x)).toEqual([A[0], B[0]]);
		const second = await placed(fields, rows({ fieldName: 'Sig', number: '2' }));
		expect(second.places.map(([, , , x]) => x)).toEqual([B[0]]);
	});
	test('the number counts what is seen, from the top of the first page', async () => {
		const filled: Field = ['Sig', B, 'text', { V: PDFString.of('x') as never }];
		const fields: Field[] = [['Sig', C], filled, ['Sig', A, 'text', { F: 2 }], ['Sig', A]];
		const first = await placed(fields, rows({ fieldName: 'Sig', number: '1' }));
		expect(first.places).toEqual([['borrower-1', 'signature', 1, ...A]]);
		const third = await placed(fields, rows({ fieldName: 'Sig', number: '3' }));
		expect(third.places).toEqual([['borrower-1', 'signature', 1, ...C]]);
		expect(await refused(fields, rows({ fieldName: 'Sig', number: '2' }))).toContain(
			"'Sig' is filled in already",
		);
	});
	test('rows come before names', async () => {
		const { places } = await placed([['Borrower Signature', A]], {
			...rows({ fieldName: 'Borrower Signature', signer_identifier: 'notary' }),
			fieldsByName: true,
		});
		expect(places).toEqual([['notary', 'signature', 1, ...A]]);
	});
	test.each<[string, Field[], IDataObject, string]>([
		[
			'a name that no field has',
			[['Sig', A]],
			{ fieldName: 'Signature' },
			"no form field has the name 'Signature'. The file has 'Sig'",
		],
		[
			'a check box for a signature',
			[['Box', A, 'checkbox']],
			{ fieldName: 'Box' },
			"'Box' takes no signature. Choose another 'Type', or another field",
		],
		[
			'a number too high',
			[['Sig', A]],
			{ fieldName: 'Sig', number: '2' },
			"'Sig' is the name of only 1. Change 'Number'",
		],
		[
			'a pattern for two parties',
			[
				['Borrower Signature', A],
				['Co-Borrower Signature', B],
			],
			{ fieldName: '*Borrower*' },
			"'*Borrower*' takes fields of borrower 1 and borrower 2. Enter more of the name, or add an entry for each of them",
		],
		[
			'a signer whom nobody has',
			[['Sig', A]],
			{ fieldName: 'Sig', signer_identifier: 'jane' },
			"isn't a signer of this transaction",
		],
	])('%s is refused', async (_name, fields, row, expected) => {
		expect(await refused(fields, rows(row))).toContain(expected);
	});
	test.each<[string, Field, string]>([
		['hidden', ['Sig', A, 'signature', { F: 2 }], 'is hidden'],
		['not viewed', ['Sig', A, 'signature', { F: 32 }], 'is hidden'],
		['read only', ['Sig', A, 'signature', { Ff: 1 }], 'is read only'],
		['without size', ['Sig', [72, 500, 0, 0]], 'has no size'],
		['filled in', ['Sig', A, 'text', { V: PDFString.of('x') as never }], 'is filled in already'],
		['signed', ['Sig', A, 'signature', { V: { Type: 'Sig' } }], 'bears a digital signature'],
	])('a field that is %s is no place', async (_name, field, expected) => {
		expect(await refused([field], rows({ fieldName: 'Sig' }))).toContain(`'Sig' ${expected}`);
	});
});

describe('the list of a row', () => {
	const form = (more: IDataObject = {}) => ({
		...{ resource: 'document', operation: 'add', source: 'url' },
		fileUrl: `${sandbox.url}/samples/deed-of-trust-form.pdf`,
		additionalFields: {},
		...more,
	});
	const list = async (more?: IDataObject, filter?: string) =>
		(await searchAnew('searchFormFields', sandbox.url, { parameters: form(more), filter })).results;
	test('has the fields of the PDF behind the link', async () => {
		expect(await list()).toEqual([
			{ name: 'Borrower Signature · signature · page 2', value: 'Borrower Signature' },
			{ name: 'Borrower Date · text · page 2', value: 'Borrower Date' },
			{ name: 'Notary Signature · signature · page 2', value: 'Notary Signature' },
			{ name: 'Notary Seal · signature · page 2', value: 'Notary Seal' },
		]);
		expect((await list({}, 'date')).map(({ value }) => value)).toEqual(['Borrower Date']);
	});
	test('fetches the file once for several fields and searches', async () => {
		await list();
		const { search } = await import('../../support/dropdowns.mts');
		const before = sandbox.fileRequests.length;
		await search('searchFormFields', sandbox.url, { parameters: form(), filter: 'notary' });
		expect(sandbox.fileRequests).toHaveLength(before);
	});
	test.each<[string, IDataObject, RegExp]>([
		['the file of an item', { source: 'binary' }, /^'Field Name' has a list only if 'Source' is/],
		['a link of an item', { fileUrl: '={{ $json.url }}' }, /Choose 'By Name' and enter it/],
		[
			'a file without a form',
			{ fileUrl: '/samples/note.pdf' },
			/^'File URL' leads to a file that has no form fields\. Choose another way in 'Where to Sign'/,
		],
		['a link that leads nowhere', { fileUrl: 'http://127.0.0.1:9/form.pdf' }, /127\.0\.0\.1/],
	])('says why it has none of %s', async (_name, { fileUrl, ...more }, expected) => {
		const url = String(fileUrl).startsWith('/') ? `${sandbox.url}${String(fileUrl)}` : fileUrl;
		await expect(list({ ...more, ...(url !== undefined && { fileUrl: url }) })).rejects.toThrow(
			expected,
		);
	});
	test('a choice of it, and a name that is entered, are placed alike', async () => {
		const file = (await samplePdf('deed-of-trust-form'))!.toString('base64');
		for (const mode of ['list', 'id']) {
			const fieldName = { __rl: true, mode, value: 'Borrower Signature' };
			const { places } = await placed(file, rows({ fieldName }));
			expect([mode, places]).toEqual([mode, [['borrower-1', 'signature', 2, 72, 180, 200, 24]]]);
		}
	});
});

test('a file without a form is refused, and so is a page that is rotated', async () => {
	expect(await refused([])).toBe(
		"'Where to Sign' is 'Signature Fields of the PDF', but the file has no form fields. Choose 'At a Text' or 'Designations Below'",
	);
	const rotated = await formPdf([['Sig', A]], (page) => {
		page.setRotation({ type: 'degrees', angle: 90 } as never);
	});
	expect(await refused(rotated, rows({ fieldName: 'Sig' }))).toContain(
		"'Sig' is on page 1, which is rotated, cropped or scaled",
	);
});
