import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, borrowers, createClosing, id } from '../../support/closing.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { attempt, complaint, hints, run } from '../../support/operations.mts';
import { textPdf, type TextPage } from '../../support/textPdf.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Add finds signers by their roles, and leaves out places of nobody only where it's certain. */

useSandbox();

const JOHN = { email: 'john@example.com', first_name: 'John', last_name: 'Borrower' };
const SINGLE = borrowers({ external_id: '', role: 'Borrower' });
const JOINT = borrowers({ external_id: '', role: 'Borrower' }, { ...JOHN, role: 'Co-Borrower' });
const NUMBERED = borrowers({ external_id: '' }, JOHN);
const LEAVE_SIGNER = { ifSignerMissing: 'leaveOut' };
const LEAVE_TEXT = { ifTextMissing: 'leaveOut' };

const sized = (row: IDataObject): IDataObject => ({ width: 100, height: 20, ...row });
const at = (text: string, signer_identifier: string, more: IDataObject = {}) =>
	sized({ text, signer_identifier, ...more });
const OWN = at('Borrower', 'Borrower');
const SECOND = at('Other', 'Co-Borrower');
const PAGE: TextPage = {
	texts: [
		['Borrower', 100, 500],
		['Other', 300, 500],
	],
};
const ALONE: TextPage = { texts: [['Borrower', 100, 500]] };

const adding = async (
	transactionId: unknown,
	rows: IDataObject[],
	options: IDataObject,
	pages: TextPage[] = [PAGE],
): Promise<IDataObject> => ({
	...ADD_DOCUMENT,
	transactionId: id(String(transactionId)),
	source: 'base64',
	fileBase64: (await textPdf(pages)).toString('base64'),
	documentName: 'Deed',
	whereToSign: 'text',
	texts: { row: rows },
	additionalFields: { ifExists: 'add', ...options },
});
const close = async (signers: IDataObject) => await createClosing(credential(), { signers });
const added = async (signers: IDataObject, ...more: [IDataObject[], IDataObject, TextPage[]?]) =>
	await run(await adding(await close(signers), ...more));
const refused = async (
	signers: IDataObject,
	...more: [IDataObject[], IDataObject, TextPage[]?]
) => {
	const transactionId = await close(signers);
	sandbox.requests.length = 0;
	const text = await complaint(await adding(transactionId, ...more));
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	return text;
};
const sentTo = () => {
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const { signing_designations: places = [] } = body as { signing_designations?: IDataObject[] };
	return places.map(({ signer_identifier: signer }) => signer);
};

describe('a role', () => {
	test('is the signer whose external ID was made of it', async () => {
		const { json } = await added(JOINT, [OWN, SECOND], {});
		expect(sentTo()).toEqual(['borrower-1', 'borrower-2']);
		expect(json.left_out).toBeUndefined();
	});
	test('in rows and JSON, too', async () => {
		const transactionId = await close(JOINT);
		const place = { type: 'signature', page: '1', x: 72, y: 96, width: 100, height: 20 };
		await run({
			...(await adding(transactionId, [], {})),
			whereToSign: 'rows',
			designations: { row: [{ ...place, signer_identifier: 'Co-Borrower' }] },
		});
		expect(sentTo()).toEqual(['borrower-2']);
		await run({
			...(await adding(transactionId, [], {})),
			whereToSign: 'json',
			designationsJson: JSON.stringify([
				{ ...place, page: undefined, page_number: 0, signer_identifier: 'co-borrower' },
			]),
		});
		expect(sentTo()).toEqual(['borrower-2']);
	});
	test('in a change of a document, too', async () => {
		const { json } = await added(JOINT, [OWN], {});
		const place = { type: 'signature', page: '1', x: 72, y: 96, width: 100, height: 20 };
		sandbox.requests.length = 0;
		await attempt({
			...{ resource: 'document', operation: 'update', platform: 'realEstate' },
			transactionId: id(String(json.transaction_id)),
			documentId: id(String(json.document_id)),
			whereToSign: 'rows',
			designations: { row: [{ ...place, signer_identifier: 'Co-Borrower' }] },
			...{ updateFields: {}, placeOptions: {}, replaceFile: false },
		});
		const { body } = sandbox.requests.find(({ method }) => method !== 'GET')!;
		expect(body).toMatchObject({
			signing_designations: [{ signer_identifier: 'borrower-2' }],
		});
	});
	test("gives way to an external ID that's exactly the same", async () => {
		const signers = borrowers(
			{ external_id: '', role: 'Borrower' },
			{ ...JOHN, external_id: 'Borrower' },
		);
		await added(signers, [OWN], {});
		expect(sentTo()).toEqual(['Borrower']);
	});
	test.each<[string, IDataObject]>([
		['by Stop', {}],
		['also with Leave Out', LEAVE_SIGNER],
	])(
		'that no external ID was made of is refused, naming those there are, %s',
		async (_name, options) => {
			const text = await refused(NUMBERED, [at('Borrower', 'Borrower')], options);
			expect(text).toContain("'Borrower' in 'Signer Name or ID'");
			expect(text).toContain('signer-1');
		},
	);
});

describe('a signer who is not there', () => {
	test('stops the item', async () => {
		const text = await refused(SINGLE, [OWN, SECOND], LEAVE_TEXT);
		expect(text).toContain(
			"'Co-Borrower' in 'Signer Name or ID' isn't a signer of this transaction",
		);
		expect(text).toContain('borrower-1');
	});
	test('is left out on request, and told', async () => {
		const outcome = await added(
			SINGLE,
			[OWN, SECOND, at('Nowhere', 'Co-Borrower', { type: 'date' })],
			LEAVE_SIGNER,
		);
		expect(sentTo()).toEqual(['borrower-1']);
		expect(outcome.json.left_out).toEqual([
			{
				...{ place: 'Other', signer: 'Co-Borrower', type: 'signature' },
				why: 'no Co-Borrower in this closing, though the text is there',
			},
			{
				...{ place: 'Nowhere', signer: 'Co-Borrower', type: 'date' },
				why: 'no Co-Borrower in this closing',
			},
		]);
		expect(hints(outcome)).toContain(
			'No Co-Borrower in this closing: 2 places left out, though 1 of the texts is there',
		);
	});
	test('whose text stands only on other pages, or inside a word, has none there', async () => {
		const rows = [
			{ ...OWN, pages: '1' },
			{ ...SECOND, pages: '2' },
			at('Borrow', 'Co-Borrower'),
			{ ...SECOND, pages: '1' },
		];
		const { json } = await added(SINGLE, rows, LEAVE_SIGNER, [PAGE, ALONE]);
		const reasons = (json.left_out as IDataObject[]).map(({ why }) => why);
		expect(reasons).toEqual([
			'no Co-Borrower in this closing',
			'no Co-Borrower in this closing',
			'no Co-Borrower in this closing, though the text is there',
		]);
	});
	test('of signer-1, signer-2 and so on, too', async () => {
		const rows = [at('Borrower', 'signer-1'), at('Other', 'signer-2')];
		const outcome = await added(borrowers({ external_id: '' }), rows, LEAVE_SIGNER);
		expect(sentTo()).toEqual(['signer-1']);
		expect(hints(outcome)).toContain(
			'No signer-2 in this closing: 1 place left out, though the text is there',
		);
	});
	test('by the name of a form field, too', async () => {
		const place = { type: 'signature', page: '1', x: 72, y: 96, width: 100, height: 20 };
		const outcome = await run({
			...(await adding(await close(SINGLE), [], LEAVE_SIGNER)),
			whereToSign: 'rows',
			designations: {
				row: [
					{ ...place, signer_identifier: 'Borrower' },
					{ ...place, signer_identifier: 'Seller', y: 300 },
				],
			},
		});
		expect(sentTo()).toEqual(['borrower-1']);
		expect(outcome.json.left_out).toEqual([
			{ place: 'page 1', signer: 'Seller', type: 'signature', why: 'no Seller in this closing' },
		]);
	});
	test.each(['Co-Borower', 'john', 'borrower2x'])(
		'stops the item with Leave Out, too, if %s is no role',
		async (signer) => {
			const text = await refused(SINGLE, [OWN, at('Other', signer)], LEAVE_SIGNER);
			expect(text).toContain(
				`'${signer}' in 'Signer Name or ID' isn't a signer of this transaction`,
			);
		},
	);
	test('whose role is misspelled stops the item with the role that may be meant, before its texts', async () => {
		const rows = [OWN, at('Nowhere', 'Borrower'), at('Gone', 'Co-Borower')];
		await forEachCase([{}, LEAVE_SIGNER], async (options) => {
			const text = await refused(JOINT, rows, options);
			expect(text).toMatch(/did you mean the role Co-Borrower\?.*'Nowhere' wasn't found/s);
			expect(text).not.toContain("'Gone'");
		});
	});
	test('is somebody of whom nobody knows the role', async () => {
		const signers = borrowers({ external_id: '', role: 'Borrower' }, JOHN);
		expect(await refused(signers, [OWN, SECOND], LEAVE_SIGNER)).toContain(
			"'Co-Borrower' in 'Signer Name or ID' may be signer-2, so its place can't be left out",
		);
		const word = borrowers(
			{ external_id: '', role: 'Borrower' },
			{ ...JOHN, external_id: 'coborrower' },
		);
		expect(await refused(word, [OWN, SECOND], LEAVE_SIGNER)).toContain('may be coborrower');
		const rows = [OWN, at('Other', 'signer-2')];
		expect(await refused(JOINT, rows, LEAVE_SIGNER)).toContain('may be borrower-1');
	});
	test.each<[string, (signer: IDataObject) => IDataObject | undefined]>([
		['external IDs', (signer) => ({ ...signer, external_id: null })],
		['signers', () => undefined],
	])("isn't known to be absent where the service hides %s", async (_name, hide) => {
		const transactionId = await close(SINGLE);
		const answer = await run({
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id(transactionId),
			output: 'raw',
		});
		const signers = (answer.json.signers as IDataObject[]).map(hide);
		const body = { ...answer.json, signers: signers.includes(undefined) ? undefined : signers };
		sandbox.faults.add({ method: 'GET', path: /transactions\/ot_/, status: 200, body });
		const text = await complaint(await adding(transactionId, [SECOND], LEAVE_SIGNER));
		expect(text).toContain("the service doesn't show all external IDs");
	});
});

describe('a text that is not there', () => {
	const more = at('Rider', 'Borrower');
	test('stops the item', async () => {
		expect(await refused(SINGLE, [OWN, more], LEAVE_SIGNER)).toContain(
			"'Rider' wasn't found on page 1",
		);
	});
	test('is left out on request if its signer has another place, and told', async () => {
		const outcome = await added(SINGLE, [OWN, more], LEAVE_TEXT);
		expect(sentTo()).toEqual(['borrower-1']);
		expect(outcome.json.left_out).toEqual([
			{
				place: 'Rider',
				signer: 'Borrower',
				type: 'signature',
				why: "'Rider' isn't in the document",
			},
		]);
		expect(hints(outcome)).toContain("'Rider' isn't in the document: 1 place left out");
	});
	test('stops the item if its signer is there and has no other place, naming both', async () => {
		const text = await refused(JOINT, [OWN, at('Coborrower', 'Co-Borrower')], LEAVE_TEXT);
		expect(text).toContain("'Coborrower' wasn't found on page 1. Co-Borrower would have no place");
		const both = [OWN, at('Coborrower', 'Co-Borrower'), at('Co borrower', 'Co-Borrower')];
		expect(await refused(JOINT, both, LEAVE_TEXT)).toContain(
			"'Coborrower' and 'Co borrower'. Co-Borrower",
		);
		expect(await refused(SINGLE, [OWN, at('Notary', 'notary')], LEAVE_TEXT)).toContain(
			'Notary would have no place',
		);
	});
	test("isn't left out where a page can't be read, or it stands inside a word", async () => {
		const scan: TextPage = { picture: 1 };
		expect(await refused(SINGLE, [OWN, more], LEAVE_TEXT, [ALONE, scan])).toContain(
			'page 2 is a scan',
		);
		const inside: TextPage = {
			texts: [
				['Borrower', 100, 500],
				['Riders', 300, 500],
			],
		};
		expect(await refused(SINGLE, [OWN, more], LEAVE_TEXT, [inside])).toContain(
			'it stands only inside',
		);
	});
	test('of pages that are all read is left out whatever the others are', async () => {
		await added(
			SINGLE,
			[
				{ ...OWN, pages: '1' },
				{ ...more, pages: '1' },
			],
			LEAVE_TEXT,
			[ALONE, { picture: 1 }],
		);
		expect(sentTo()).toEqual(['borrower-1']);
	});
});

test('a place that depends on one that is left out stops the item', async () => {
	const rows = [
		{ ...OWN, details: { conditional_on_primary: 'x' } },
		{ ...SECOND, details: { optional: true, primary_designation_identifier: 'x' } },
	];
	expect(await refused(SINGLE, rows, LEAVE_SIGNER)).toContain("has the identifier 'x'");
});
test('an entry for form fields is left out, too, and names say who signs by the role', async () => {
	const { PDFDocument, PDFName, PDFString } = await import('@cantoo/pdf-lib');
	const pdf = await PDFDocument.create();
	const page = pdf.addPage([612, 792]);
	const fields = ['Borrower Signature', 'Co-Borrower Signature'].map((name, index) =>
		pdf.context.register(
			pdf.context.obj({
				...{ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', T: PDFString.of(name) },
				Rect: [72, 100 + index * 100, 172, 120 + index * 100],
			}),
		),
	);
	page.node.set(PDFName.of('Annots'), pdf.context.obj(fields));
	pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: fields }));
	const outcome = await run({
		...(await adding(await close(SINGLE), [], LEAVE_SIGNER)),
		fileBase64: Buffer.from(await pdf.save()).toString('base64'),
		whereToSign: 'fields',
		fieldsByName: true,
		formFields: {
			row: [{ fieldName: 'Co*', signer_identifier: 'Co-Borrower', type: 'signature' }],
		},
	});
	expect(sentTo()).toEqual(['borrower-1']);
	expect(outcome.json.left_out).toEqual([
		{
			place: 'Co*',
			signer: 'Co-Borrower',
			type: 'signature',
			why: 'no Co-Borrower in this closing',
		},
	]);
	expect(hints(outcome)).toContain("No place is at the signature fields 'Co-Borrower Signature'");
});

test('an optional place is no other signature of a signer whose text is not there', async () => {
	const optional = at('Borrower', 'Borrower', { type: 'signature', details: { optional: true } });
	const missing = at('Nowhere', 'Borrower', { type: 'signature' });
	expect(await refused(SINGLE, [optional, missing], LEAVE_TEXT)).toContain("'Nowhere'");
});
