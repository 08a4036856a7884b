import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PDFDocument } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { closingFile, DEED } from '../../support/createAndSend.mts';
import { storeFile } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { BUSINESS, complaint, run } from '../../support/operations.mts';
import { pdfFile } from '../../support/pdfFile.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Files that nobody could sign are refused before anything is sent, whatever is done with them. */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

async function makePdf(userPassword?: string): Promise<Buffer> {
	const document = await PDFDocument.create();
	document.addPage().drawText('Borrower Signature');
	if (userPassword !== undefined) document.encrypt({ ownerPassword: 'secret', userPassword });
	return Buffer.from(await document.save());
}

const XFA = pdfFile({
	1: '<</Type/Catalog/Pages 2 0 R/NeedsRendering true/AcroForm<</Fields[]/XFA 4 0 R>>>>',
	2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
	3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>',
	4: ['', '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>'],
});

const KINDS: Array<[string, () => Buffer | Promise<Buffer>, RegExp]> = [
	[
		'locked with a password',
		async () => await makePdf('needed'),
		/is locked with a password, so that the signers couldn't open it.*print it to PDF/,
	],
	[
		'read as text',
		async () => Buffer.from((await makePdf()).toString('utf8')),
		/was read as text on its way, which has destroyed it.*'Response Format' to File/,
	],
	[
		'a dynamic XFA form',
		() => XFA,
		/is a form in XFA format.*"Please wait\.\.\.".*print it to PDF/,
	],
];

const PLACE = { signer_identifier: 'borrower-1', type: 'signature', width: 90, height: 20 };
const ROWS = { designations: { row: [{ ...PLACE, page: 1, x: 9, y: 9 }] } };
const TEXTS = { texts: { row: [{ ...PLACE, text: 'Borrower Signature' }] } };
const CHOICES: IDataObject[] = [
	{ whereToSign: 'text' },
	{ whereToSign: 'text', ...TEXTS },
	{ whereToSign: 'rows' },
	{ whereToSign: 'rows', ...ROWS },
	{ whereToSign: 'json', designationsJson: '[]' },
	{ whereToSign: 'tags' },
	{ whereToSign: 'hiddenTags' },
	{ whereToSign: 'signer' },
	{ whereToSign: 'closingTeam' },
	{ whereToSign: 'nobody', requirement: 'readonly' },
];

describe.each(KINDS)('a PDF that is %s is refused', (_kind, make, expected) => {
	const item = async () => ({
		json: {},
		binary: { data: await storeFile(await make(), 'Deed of Trust.pdf', 'application/pdf') },
	});

	test('with every choice of Where to Sign', async () => {
		const add = { ...ADD_DOCUMENT, transactionId: id('ot_1'), texts: {}, designations: {} };
		await forEachCase(CHOICES, async (choice) => {
			const said = await complaint({ ...add, ...choice }, { items: [await item()] });
			expect(said).toMatch(/^'Input Binary Field' is 'Deed of Trust.pdf', which/);
			expect(said).toMatch(expected);
			expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});

	test('as a new file, as one of all files, in base64, and of a new transaction', async () => {
		const document = { ...ADD_DOCUMENT, transactionId: id('ot_1'), whereToSign: 'tags' };
		const fileBase64 = (await make()).toString('base64');
		const details = { requirement: 'esign', details: {} };
		const source = { source: 'binary', binaryPropertyName: 'data' };
		const uses: IDataObject[] = [
			{ ...document, operation: 'update', documentId: id('do_1'), replaceFile: true },
			{ ...document, source: 'allFiles' },
			{ ...document, source: 'base64', fileBase64 },
			{ ...BUSINESS, documents: { row: [{ ...details, ...source }] } },
		];
		await forEachCase(uses, async (use) => {
			expect(await complaint(use, { items: [await item()] })).toMatch(expected);
			expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});

	test('by Create and Send', async () => {
		const parameters = closingFile({ documentRules: DEED, then: 'draft' });
		expect(await complaint(parameters, { items: [await item()] })).toMatch(expected);
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('behind a link, if the node fetches it, and otherwise the service gets it', async () => {
		const transactionId = id(await createClosing(credential()));
		const file = await make();
		const server = createServer((_request, answer) => void answer.end(file)).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const link = { source: 'url', fileUrl: `http://127.0.0.1:${port}/deed.pdf` };
		const add = { ...ADD_DOCUMENT, transactionId, documentName: 'Deed', ...link };
		sandbox.requests.length = 0;
		const fetching = [
			{ whereToSign: 'text', ...TEXTS },
			{ whereToSign: 'rows', ...ROWS, additionalFields: { fetchFile: true } },
		];
		await forEachCase(fetching, async (choice) => {
			const said = await complaint({ ...add, ...choice });
			expect(said).toMatch(/^'File URL' leads to a file that/);
			expect(said).toMatch(expected);
		});
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		await run({ ...add, whereToSign: 'rows', ...ROWS });
		server.close();
	});
});

test('a PDF with an owner password is sent as it is', async () => {
	const file = await makePdf('');
	const transactionId = await createClosing(credential());
	const { json } = await run(
		{ ...ADD_DOCUMENT, transactionId: id(transactionId), whereToSign: 'tags' },
		{ items: [{ json: {}, binary: { data: await storeFile(file, 'a.pdf', 'application/pdf') } }] },
	);
	expect(json).toMatchObject({ existing: false });
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	expect((body as IDataObject).resource).toBe(file.toString('base64'));
});
