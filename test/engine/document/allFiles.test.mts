import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { storeFile, useBinaryMode, type RunOutcome } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	attempt,
	complaint,
	hints,
	lastBody,
	ownDocuments,
	run,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Items of several files, each of which becomes a document. */

useSandbox();
let transactionId: string;
beforeEach(async () => {
	await useBinaryMode('filesystem');
	transactionId = await createClosing(credential());
	sandbox.requests.length = 0;
});

const add = (more: IDataObject = {}): IDataObject => ({
	...ADD_DOCUMENT,
	source: 'allFiles',
	binaryPropertyName: '',
	transactionId: id(transactionId),
	...more,
});
const withFields = (additionalFields: IDataObject) => add({ additionalFields });
const AT_SEAL = {
	whereToSign: 'text',
	texts: { row: [{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal' }] },
};
const pdf = async (fileName: string, sample = 'deed-of-trust'): Promise<IBinaryData> =>
	await storeFile((await samplePdf(sample))!, fileName, 'application/pdf');
const other = async (fileName: string, type = 'image/jpeg', text = 'a picture') =>
	await storeFile(Buffer.from(text), fileName, type);
/** The same pages, in another file of the same size: with another byte in the comment that begins it. */
const otherDeed = async (fileName: string): Promise<IBinaryData> => {
	const bytes = (await samplePdf('deed-of-trust'))!;
	bytes[bytes.indexOf('%', 1) + 1] ^= 1;
	return await storeFile(bytes, fileName, 'application/pdf');
};
const of = (binary: IBinaryKeyData): { items: INodeExecutionData[] } => ({
	items: [{ json: {}, binary }],
});
/** As a form outputs what was uploaded. */
const uploaded = async () =>
	of({
		Deed: await pdf('Deed of Trust.pdf'),
		Photo: await other('id.jpg'),
		Note: await pdf('Note.pdf', 'closing-disclosure'),
		Others_0: await pdf('Affidavit.pdf', 'borrower-affidavit'),
	});
const ALL = ['Deed of Trust', 'Note', 'Affidavit'];
const names = () => ownDocuments(transactionId).map(({ name }) => name);
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');
const added = ({ items }: RunOutcome) => items.map(({ json }) => json.document_name ?? json.error);
const said = ({ error }: RunOutcome) => `${error?.message}. ${error?.description}`;
const TRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const refuseSecond = () =>
	sandbox.faults.add({
		method: 'POST',
		path: /documents$/,
		skip: 1,
		status: 422,
		body: { errors: ['Not now'] },
	});
const TOLD =
	"Done: Deed of Trust.pdf. Not done: Note.pdf, Affidavit.pdf. To add only the others by a new run of the workflow, set 'If It Exists' to Skip";

describe('each PDF of an item', () => {
	test('is a document of its own, in order, with its own name and reference', async () => {
		const outcome = await run(add(), await uploaded());
		expect(added(outcome)).toEqual(ALL);
		expect(names()).toEqual(ALL);
		expect(outcome.items.map(({ json }) => json.file)).toEqual(['Deed', 'Note', 'Others_0']);
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(ALL.map(() => ({ item: 0 })));
		expect(Object.keys(outcome.items[2].binary!)).toEqual(['Deed', 'Photo', 'Note', 'Others_0']);
		const references = posts().map(({ body }) => (body as IDataObject).tracking_id);
		expect(new Set(references).size).toBe(3);
		forEachCase(references, (own) => expect(own).toMatch(/^n8n-/));
		expect(hints(outcome)).toBe("Left out, because it isn't a PDF: id.jpg");
		const files = ['deed-of-trust', 'closing-disclosure', 'borrower-affidavit'];
		await forEachCase(ownDocuments(transactionId).entries(), async ([index, own]) =>
			expect(own.uploaded.equals((await samplePdf(files[index]))!)).toBe(true),
		);
	});
	describe('comes in the same order, however n8n has stored them', () => {
		const file = async (name: string) => [name, await pdf(`${name}.pdf`)] as const;
		const binaryOf = async (...fields: string[]) =>
			Object.fromEntries(await Promise.all(fields.map(file)));
		const upload = { filename: 'x.pdf', mimetype: 'application/pdf', size: 1 };
		const form = { Note: upload, 'Deed of Trust': upload, Others: [upload, upload] };
		const OF_FORM = ['Note', 'Deed_of_Trust', 'Others_0', 'Others_1'];
		test('by name, with numbers as numbers', async () => {
			await run(add(), of(await binaryOf('data_10', 'Note', 'data_2', 'data', 'affidavit')));
			expect(names()).toEqual(['affidavit', 'data', 'data_2', 'data_10', 'Note']);
		});
		test('in that of the fields of a form', async () => {
			const binary = await binaryOf('Others_1', 'Affidavit', 'Deed_of_Trust', 'Others_0', 'Note');
			await run(add(), { items: [{ json: form, binary }] });
			expect(names()).toEqual([...OF_FORM, 'Affidavit']);
		});
		test('in that of a form before other nodes', async () => {
			const binary = await binaryOf('Others_1', 'Deed_of_Trust', 'Others_0', 'Note');
			const before = [
				{ name: 'Form', items: [{ json: form, binary }] },
				{ name: 'Create', items: [{ json: {}, binary, pairedItem: { item: 0 } }] },
			];
			await run(add(), { before });
			expect(names()).toEqual(OF_FORM);
		});
	});
	test('is one by its content, whatever it is called', async () => {
		const bytes = (await samplePdf('deed-of-trust'))!;
		const outcome = await run(
			add(),
			of({
				data: await storeFile(bytes, 'scan', 'application/octet-stream'),
				data_1: await other('letter.docx', 'application/msword'),
				data_2: await other('empty.txt', 'text/plain', ''),
			}),
		);
		expect(added(outcome)).toEqual(['scan']);
		expect(hints(outcome)).toBe("Left out, because they aren't PDFs: letter.docx, empty.txt");
	});
	test('without a name of its own has that of the item', async () => {
		const unnamed = { ...(await pdf('Deed.pdf')), fileName: undefined };
		expect(added(await run(add(), of({ Grant: unnamed })))).toEqual(['Grant']);
	});
	test('of a link has its name without percent codes, and never those of folders', async () => {
		const links = [
			['Joint%20Rider.pdf', 'Joint Rider'],
			['loan%2F..%2Fcaf%C3%A9%5CNote.pdf', 'Note'],
			['100%%20of%zz%E9%0AGrant.pdf', '100% of%zz%E9%0AGrant'],
			['Grant%0AOne.pdf', 'Grant One'],
		];
		await forEachCase(links, async ([fileName, name]) =>
			expect(added(await run(add(), of({ data: await pdf(fileName) })))).toEqual([name]),
		);
	});
	test('is added once if the item has it under two names', async () => {
		const deed = await pdf('Deed.pdf');
		expect(added(await run(add(), of({ Deed: deed, data: deed })))).toEqual(['Deed']);
	});
	test.each(['default', 'filesystem'] as const)(
		'is added once if two names have the same content and file name, where files are kept in mode %s',
		async (mode) => {
			await useBinaryMode(mode);
			const outcome = await run(
				add(),
				of({
					Deed: await pdf('Deed.pdf'),
					Deed_again: await pdf('Deed.pdf'),
					Same_size: await otherDeed('Deed.pdf'),
					Copy: await pdf('Copy of Deed.pdf'),
					Nameless: { ...(await pdf('x')), fileName: undefined },
					Nameless_again: { ...(await pdf('x')), fileName: undefined },
					Photo: await other('id.jpg'),
					Photo_again: await other('id.jpg'),
				}),
			);
			expect(outcome.items.map(({ json }) => [json.file, json.document_name])).toEqual([
				['Copy', 'Copy of Deed'],
				['Deed', 'Deed'],
				['Nameless', 'Nameless'],
				['Same_size', 'Deed'],
			]);
			expect(hints(outcome)).toBe("Left out, because it isn't a PDF: id.jpg");
		},
	);
	test('of one name is told by the name that the item has for it', async () => {
		const two = of({ first: await pdf('Deed.pdf'), second: await otherDeed('Deed.pdf') });
		const outcome = await run(add(AT_SEAL), two);
		expect(names()).toEqual(['Deed', 'Deed']);
		expect(hints(outcome)).toBe(
			'Deed.pdf (first): 1 place on page 2. Deed.pdf (second): 1 place on page 2',
		);
	});
	test('is told with the files of all items that are left out', async () => {
		const items = await Promise.all([uploaded(), uploaded(), of({ a: await pdf('A.pdf') })]);
		const outcome = await run(add(), { items: items.flatMap((own) => own.items) });
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1, 2].map((item) => ({ item })),
		);
		expect(hints(outcome)).toBe("Left out, because it isn't a PDF: id.jpg");
	});
	test('takes its place from the first one', async () => {
		await run(withFields({ bundle_position: 4 }), await uploaded());
		expect(lastBody()).toMatchObject({ filename: 'Affidavit', bundle_position: 6 });
		expect(await complaint(withFields({ bundle_position: 'last' }), await uploaded())).toMatch(
			/^'Bundle Position' /,
		);
	});
	test('keeps its own name and reference, whatever another source was to have', async () => {
		const fields = { documentName: 'Deed', additionalFields: { tracking_id: '7' } };
		await run(add(fields), await uploaded());
		expect(names()).toEqual(ALL);
		expect(lastBody().tracking_id).toMatch(/^n8n-/);
	});
});

describe('a workflow that has its files in the JSON of the items', () => {
	const COMBINED = { settings: { binaryMode: 'combined' as const } };
	test('has those of a form and of other nodes', async () => {
		const json = {
			Others: [await pdf('Affidavit.pdf'), await other('id.jpg')],
			_files: { data: await pdf('Note.pdf') },
		} as unknown as IDataObject;
		const outcome = await run(add(), { ...COMBINED, items: [{ json }] });
		expect(outcome.items.map(({ json: { file } }) => file)).toEqual(['Others[0]', 'data']);
		expect(names()).toEqual(['Affidavit', 'Note']);
		expect(hints(outcome)).toContain('id.jpg');
	});
	test('keeps those of memory beside it', async () => {
		await useBinaryMode('default');
		await run(add(), { ...COMBINED, ...(await uploaded()) });
		expect(names()).toEqual(ALL);
	});
});

describe("what can't be used is told before anything is sent", () => {
	const refused = async (parameters: IDataObject, more: object) => {
		const text = await complaint(parameters, more);
		expect(posts()).toEqual([]);
		return text;
	};
	test('no files at all', async () => {
		expect(await refused(add(), { items: [{ json: {} }] })).toBe(
			"'Source' finds no PDF, because the item has no files. Put a node before this one that brings the file, e.g. a form with an upload, or n8n's Read/Write Files from Disk",
		);
	});
	test('no PDF among them, with those that earlier nodes have', async () => {
		const photo = await other('id.jpg');
		const before = [
			{
				name: 'Form',
				items: [{ json: {}, binary: { Deed: await pdf('Deed.pdf'), Photo: photo } }],
			},
			{ name: 'Edit', items: [{ json: {}, binary: { Photo: photo }, pairedItem: { item: 0 } }] },
		];
		expect(await refused(add(), { before })).toBe(
			"'Source' finds no PDF among the item's files: id.jpg. Choose 'File of the Item', and enter an expression for one of an earlier node: {{ $('Form').item.binary.Deed }}",
		);
	});
	test('a damaged file that calls itself a PDF is not left out', async () => {
		const damaged = await other('Note.pdf', 'application/pdf', 'not a PDF');
		const items = of({ Deed: await pdf('Deed.pdf'), Note: damaged });
		expect(await refused(add(), items)).toBe(
			"Note.pdf: 'Note' is 'Note.pdf', which isn't a PDF. Convert the file to PDF first: the service accepts only PDF files",
		);
	});
	test('a file that n8n no longer has', async () => {
		const gone = { ...(await other('id.jpg')), id: 'filesystem-v2:workflows/x' };
		expect(await refused(add(), of({ Deed: await pdf('Deed.pdf'), Photo: gone }))).toMatch(
			/^'Photo' isn't a file that n8n has stored/,
		);
	});
	test('a reference of a person, which the form hides', async () => {
		expect(
			await refused(withFields({ additionalJson: '{ "tracking_id": "7" }' }), await uploaded()),
		).toMatch(/^'Tracking ID' can't be used with 'All Files of the Item'.*Remove it/);
	});
	test('several faults at once, those of all files without their names', async () => {
		const items = of({
			Deed: await pdf('Deed.pdf'),
			Note: await other('Note.pdf', 'application/pdf', ''),
		});
		const additionalFields = {
			additionalJson: '{ "tracking_id": "7" }',
			waitUntilProcessed: 'maybe',
		};
		const text = await refused(add({ requirement: '', additionalFields }), items);
		expect(text).toMatch(/\(\d\) 'Requirement' is empty/);
		expect(text).toMatch(/\(\d\) 'Tracking ID' can't be used/);
		expect(text).toMatch(/\(\d\) 'Wait Until Processed' is 'maybe'/);
		expect(text).toMatch(/\(\d\) Note\.pdf: 'Note' is an empty file/);
		expect(text.match(/\(\d\)/g)).toHaveLength(4);
	});
	test('texts are looked for in each document, which the message names', async () => {
		expect(await refused(add(AT_SEAL), await uploaded())).toMatch(
			/^Note\.pdf: 'Texts', entry 1: 'Notary Seal' wasn't found on page 1/,
		);
	});
	test('places of rows are compared with each document', async () => {
		const place = { type: 'seal', signer_identifier: 'notary', page_number: 1 };
		const row = { ...place, x: 10, y: 10, width: 90, height: 40 };
		const json = { whereToSign: 'json', designationsJson: JSON.stringify([row]) };
		expect(await refused(add(json), await uploaded())).toMatch(
			/Note\.pdf: .*there's no page 2.*Affidavit\.pdf: .*there's no page 2/,
		);
	});
});

describe('a document that fails', () => {
	test('ends the item, and says what is done', async () => {
		refuseSecond();
		const outcome = await attempt(add(), await uploaded());
		expect(outcome.error?.message).toMatch(/^Note\.pdf: .*Not now/);
		expect(outcome.error?.description).toContain(TOLD);
		expect(names()).toEqual(['Deed of Trust']);
	});
	test('among files that are split leads to leaving out the others by hand', async () => {
		refuseSecond();
		const outcome = await attempt(withFields({ pdf_bookmarked: true }), await uploaded());
		expect(outcome.error?.description).toMatch(/run the workflow again, leave out the files/);
	});
	test('is added by the next try, and none of the others twice', async () => {
		refuseSecond();
		expect(added(await run(add(), { ...(await uploaded()), node: TRIES }))).toEqual(ALL);
		expect(names()).toEqual(ALL);
	});
	test('is added by a retry of the execution', async () => {
		refuseSecond();
		const failed = await attempt(add(), { ...(await uploaded()), executionId: '11' });
		expect(failed.error).toBeDefined();
		await run(add(), { ...(await uploaded()), executionId: '12', retryOf: failed });
		expect(names()).toEqual(ALL);
	});
	test('whose answer was lost is looked up, with what was found in it', async () => {
		const path = /documents$/;
		sandbox.faults.add({ method: 'POST', path, skip: 1, kind: 'cutAfter' });
		const outcome = await run(add(), await uploaded());
		expect(outcome.items.map(({ json }) => json.file)).toEqual(['Deed', 'Note', 'Others_0']);
		expect(names()).toEqual(ALL);
		expect(posts()).toHaveLength(3);
	});
	test('and is unknown stops the item, until a later try sees it', async () => {
		sandbox.faults.add({ method: 'POST', path: /documents$/, skip: 1, kind: 'cutAfter' });
		sandbox.faults.add({ method: 'GET', path: /ot_/, times: Infinity, status: 500 });
		const limits = { lookUpMs: 50, lookUpPauseMs: 10 };
		const options = { ...(await uploaded()), limits };
		const failed = await attempt(add(), { ...options, executionId: '1' });
		expect(said(failed)).toMatch(
			/^Note\.pdf: .*unknown.*Done: Deed of Trust\.pdf\. Unknown: Note\.pdf\. Not done: Affidavit\.pdf/,
		);
		sandbox.faults.clear();
		const outcome = await run(add(), { ...options, executionId: '2', retryOf: failed });
		expect(added(outcome)).toEqual(ALL);
		expect(names()).toEqual(ALL);
	});
});

describe('If It Exists: Skip', () => {
	const skip = () => withFields({ ifExists: 'skip' });
	test('works for each file, with one look at the transaction', async () => {
		const first = await run(skip(), await uploaded());
		expect(first.items.map(({ json }) => json.existing)).toEqual([false, false, false]);
		sandbox.requests.length = 0;
		const more = await uploaded();
		more.items[0].binary!.Rider = await pdf('Rider.pdf');
		const second = await run(skip(), more);
		expect(second.items.map(({ json }) => [json.file, json.existing])).toEqual([
			['Deed', true],
			['Note', true],
			['Others_0', true],
			['Rider', false],
		]);
		expect(hints(second)).toContain('1 added, 3 skipped');
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
		expect(names()).toEqual([...ALL, 'Rider']);
	});
	test('adds what a run before has not come to', async () => {
		refuseSecond();
		await attempt(add(), await uploaded());
		await run(skip(), await uploaded());
		expect(names()).toEqual(ALL);
	});
	test('and Retry On Fail add nothing twice', async () => {
		await run(add(), of({ Deed: await pdf('Deed of Trust.pdf') }));
		refuseSecond();
		const outcome = await run(skip(), { ...(await uploaded()), node: TRIES });
		expect(outcome.items.map(({ json }) => json.existing)).toEqual([true, false, false]);
		expect(names()).toEqual(ALL);
	});
});
