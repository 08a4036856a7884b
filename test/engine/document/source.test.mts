import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { storeFile, useBinaryMode, type BinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { complaint, lastBody, ownDocuments, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Where the file of a document comes from. */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const add = (more: IDataObject = {}) => ({
	...ADD_DOCUMENT,
	transactionId: id('ot_1'),
	...more,
});
const inBase64 = (text: string) => Buffer.from(text).toString('base64');
const stored = async (bytes: Buffer, type = 'application/pdf'): Promise<INodeExecutionData> => ({
	json: {},
	binary: { data: await storeFile(bytes, 'deed', type) },
});
const pdfOf = async (megabytes: number) =>
	await stored(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(megabytes * 1024 ** 2)]));

describe("what isn't a file is refused before anything is sent", () => {
	const enote = (fileBase64: string) => ({
		resource: 'enote',
		operation: 'add',
		transactionId: id('ot_1'),
		source: 'base64',
		fileBase64,
		enoteType: 'ENOTE',
		borrowers: {},
	});
	const base64 = (fileBase64: string) => add({ source: 'base64', fileBase64 });
	test.each<[RegExp, IDataObject, () => INodeExecutionData | Promise<INodeExecutionData>]>([
		[
			/The item has no files, so 'Input Binary Field' finds none.*Put a node before/,
			add(),
			() => ({ json: {} }),
		],
		[
			/'Input Binary Field' is 'other'.*The item has: data/,
			add({ binaryPropertyName: 'other' }),
			pdfItem,
		],
		[
			/'Input Binary Field' is '[^']+', which isn't a PDF.*Convert/,
			add(),
			async () => await stored(Buffer.from('PK\x03\x04 word document'), 'application/msword'),
		],
		[/is an empty file/, add(), async () => await stored(Buffer.alloc(0))],
		[/50\.0 MB, more than the 50 MB.*Split/, add(), async () => await pdfOf(50)],
		[
			/'File URL' isn't a complete address/,
			add({ source: 'url', fileUrl: 'files/deed.pdf' }),
			pdfItem,
		],
		[/'File Content \(Base64\)' isn't base64/, base64('hello, world!'), pdfItem],
		[/isn't a PDF/, base64(inBase64('plain')), pdfItem],
		[/'File Content \(Base64\)' is empty/, enote('={{ "" }}'), pdfItem],
		[/isn't an XML file/, enote(inBase64('{"json": true}')), pdfItem],
	])('%s', async (expected, parameters, item) => {
		expect(await complaint(parameters, { items: [await item()] })).toMatch(expected);
		expect(sandbox.requests).toEqual([]);
	});
});

test('between 30 and 50 MB the service judges', async () => {
	const transactionId = id(await createClosing(credential()));
	sandbox.requests.length = 0;
	const refusal = { errors: ['File is too big (max is 30MB)'] };
	sandbox.faults.add({ method: 'POST', path: /documents$/, status: 422, body: refusal });
	expect(await complaint(add({ transactionId }), { items: [await pdfOf(31)] })).toMatch(
		/File is too big.*Split the file/,
	);
	const writes = sandbox.requests.filter(({ method }) => method !== 'GET');
	expect(writes.map(({ method }) => method)).toEqual(['POST']);
});

test.each<BinaryMode>(['filesystem', 'default'])(
	'in binary mode %s, each file is sent whole, under its own name',
	async (mode) => {
		await useBinaryMode(mode);
		const transactionId = await createClosing(credential());
		const files = ['deed-of-trust', 'borrower-affidavit'];
		const items = [
			await pdfItem(files[0], 'Deed of Trust.pdf', { requirement: 'notarization' }),
			await pdfItem(files[1], 'Affidavit "Übertrag".pdf', { requirement: 'esign' }),
		];
		const outcome = await run(
			add({ transactionId: id(transactionId), requirement: '={{ $json.requirement }}' }),
			{ items },
		);
		await useBinaryMode('filesystem');
		expect(outcome.items.map(({ json }) => [json.document_name, json.requirement])).toEqual([
			['Deed of Trust', 'notarization'],
			['Affidavit "Übertrag"', 'esign'],
		]);
		await forEachCase(ownDocuments(transactionId).entries(), async ([index, { uploaded }]) =>
			expect(uploaded.equals((await samplePdf(files[index]))!)).toBe(true),
		);
	},
);

describe('a template', () => {
	// As a live service lists them (docs/service/documents.md#templates).
	const SLUG = 'general-affidavit-2';
	const LISTED = {
		total_count: 2,
		templates: [
			{ id: 'od9z8y7x6', name: 'Power of attorney', permalink: 'power-of-attorney' },
			{ id: 'od1a2b3c4', name: 'General affidavit', permalink: SLUG },
		],
	};
	const from = (templateId: IDataObject) => add({ source: 'template', templateId });
	beforeEach(() => {
		sandbox.faults.add({ method: 'GET', path: /templates$/, status: 200, body: LISTED });
		sandbox.faults.add({ method: 'POST', status: 200, body: [{ id: 'do_1' }] });
	});
	test.each([
		['chosen from the list', { __rl: true, mode: 'list', value: SLUG }],
		['by permalink', id(SLUG)],
		['by an ID with an underscore', id('od_1a2b3c4')],
	])('%s is sent by its permalink', async (_name, templateId) => {
		await run(from(templateId));
		expect(lastBody()).toMatchObject({ resource: SLUG, requirement: 'notarization' });
	});
	test('that is not there is reported before a document is added', async () => {
		expect(await complaint(from(id('general-affidavit')))).toMatch(
			/'Template' general-affidavit was not found.*permalink/,
		);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
	});
});
