import type { IDataObject } from 'n8n-workflow';

import { borrowers, fieldsIn, toForm } from '../../support/closing.mts';
import {
	businessFile,
	closingFile,
	RULES,
	withFiles,
	writes,
} from '../../support/createAndSend.mts';
import { storeFile, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	attempt,
	complaint,
	hints,
	ownDocuments,
	run,
	transaction,
} from '../../support/operations.mts';
import { textPdf } from '../../support/textPdf.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Create and Send: from a file to a draft with its documents, and to a sent closing. */

useSandbox();
let loan: string;
let number = 0;
beforeEach(() => {
	loan = `70${++number}`;
	sandbox.requests.length = 0;
});

const withNumber = (field: string, value: string, more: IDataObject): IDataObject => ({
	...more,
	...toForm({ [field]: value, ...fieldsIn(more) }),
});
const form = (more: IDataObject = {}) => closingFile(withNumber('loan_number', loan, more));
const updating = (more: IDataObject = {}) =>
	form({ ...more, ...toForm({ ifItDiffers: 'update', settingsNotShown: 'none' }) });
const business = (more: IDataObject = {}) =>
	businessFile(withNumber('external_id', `case-${loan}`, more));

const DEED_ALONE = { documentRules: { row: [RULES.row[0]] } };
const FILES = { 'Deed of Trust.pdf': '%1', 'Affidavit_of_Occupancy.pdf': '%2' };

const stepsOf = (json: IDataObject) =>
	(json.steps as IDataObject[]).map(({ what, outcome }) => `${String(what)}: ${String(outcome)}`);
const names = (id: unknown) => ownDocuments(id).map(({ name }) => name);
const failing = (path: RegExp, more: object = {}) =>
	sandbox.faults.add({ method: 'POST', path, status: 422, body: { errors: ['No'] }, ...more });

describe('a closing', () => {
	test('gets its documents by the rules, and stays a draft', async () => {
		const { json } = await run(
			form(),
			await withFiles({ ...FILES, 'Invoice.pdf': '', 'notes.txt': 'x' }),
		);
		expect(json).toMatchObject({ existing: false, status: 'started', loan_number: loan });
		expect(stepsOf(json)).toEqual([
			'transaction: done',
			'Deed of Trust.pdf: done',
			'Affidavit_of_Occupancy.pdf: done',
		]);
		expect(json.steps).toMatchObject([
			{
				action: 'create',
				sentence: 'Create the closing for Jane Borrower · jane.borrower@example.com',
			},
			{ action: 'add', sentence: "Add 'Deed of Trust.pdf' by rule 1" },
			{ action: 'add', sentence: "Add 'Affidavit_of_Occupancy.pdf' by rule 2" },
		]);
		forEachCase(json.steps as IDataObject[], ({ when }) =>
			expect(Date.parse(String(when))).not.toBeNaN(),
		);
		expect(json.differences).toEqual([]);
		expect(json.documents_added).toMatchObject([
			{ document_name: 'Deed of Trust', file: 'Deed of Trust.pdf', rule: 1 },
			{ document_name: 'Affidavit_of_Occupancy', file: 'Affidavit_of_Occupancy.pdf', rule: 2 },
		]);
		expect(json.files_left_out).toEqual(['Invoice.pdf', 'notes.txt']);
		const [first, second] = ownDocuments(json.transaction_id);
		expect([first.requirement, second.requirement].sort()).toEqual(['esign', 'notarization']);
		expect(transaction(json.transaction_id).status).toBe('started');
	});
	test('is named by its type, its signer and its street, unless it has a name', async () => {
		const { json } = await run(form({ documentRules: {} }), await withFiles({}));
		expect(json.transaction_name).toBe('Refinance, Jane Borrower, 100 Harbor Street');
		loan += 'b';
		const named = await run(
			form({ documentRules: {}, ...toForm({ transactionName: 'Ours' }) }),
			await withFiles({}),
		);
		expect(named.json.transaction_name).toBe('Ours');
	});
	test('says of each document where its places were found', async () => {
		const text = {
			text: 'Borrower Signature',
			signer_identifier: 'borrower-1',
			width: 9,
			height: 9,
		};
		const rule = { nameContains: 'Deed', requirement: 'notarization', whereToSign: 'text' };
		const outcome = await run(
			form({ documentRules: { row: [{ ...rule, texts: { row: [text] } }] } }),
			await withFiles({ 'Deed of Trust.pdf': '%1', 'Deed of Gift.pdf': '%2' }),
		);
		expect(hints(outcome)).toContain(
			'Deed of Trust: 1 place on page 2. Deed of Gift: 1 place on page 2',
		);
	});
	test('is sent, once nothing is missing', async () => {
		const outcome = await run(form({ then: 'send' }), await withFiles(FILES));
		expect((outcome.json.steps as IDataObject[]).slice(3)).toMatchObject([
			{
				action: 'send',
				what: 'transaction',
				sentence: 'Send it to Jane Borrower · jane.borrower@example.com',
				outcome: 'done',
			},
		]);
		expect(transaction(outcome.json.transaction_id).status).toBe('sent');
		expect(hints(outcome)).toContain('1 sent');
	});
	test('is checked, and nobody is told of it', async () => {
		const { json } = await run(form({ then: 'check' }), await withFiles(FILES));
		expect(json.check).toMatchObject({ ready: true, missing: 0 });
		expect(transaction(json.transaction_id).status).toBe('started');
	});
	test('of a row', async () => {
		const row = {
			'Loan Number': loan,
			'Borrower Email': 'jane@example.com',
			'Borrower First Name': 'Jane',
			'Borrower Last Name': 'Borrower',
			'Property Address': '1 Main St',
			'Property City': 'Boston',
			'Property State': 'MA',
			'Property Zip': '02110',
		};
		const parameters = form({
			fieldsFrom: 'row',
			signers: undefined,
			property: undefined,
			documentRules: { row: [RULES.row[0]] },
		});
		(parameters.numbers as IDataObject).loan_number = undefined;
		const { json } = await run(parameters, await withFiles({ 'Deed of Trust.pdf': '' }, row));
		expect(json).toMatchObject({ loan_number: loan, existing: false });
		expect(names(json.transaction_id)).toEqual(['Deed of Trust']);
	});
});

describe('an eNote', () => {
	const note = async () => await (await fetch(`${sandbox.url}/samples/enote.xml`)).text();
	const enote = { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'file1' } };
	const withEnote = form.bind(undefined, { ...toForm({ enote }) });
	const files = async () => await withFiles({ 'Deed of Trust.pdf': '', 'note.xml': await note() });
	test('is added once, and is no file that was left out', async () => {
		const first = await run(withEnote(), await files());
		expect(stepsOf(first.json).at(-1)).toBe('eNote: done');
		expect(first.json.files_left_out).toEqual([]);
		const { json } = await run(withEnote(), await files());
		expect(stepsOf(json)).toEqual([
			'transaction: found',
			'Deed of Trust.pdf: found',
			'eNote: found',
		]);
		expect(names(json.transaction_id)).toHaveLength(2);
	});
	test('of a link is no file that was left out, and a rule fits the name of the PDF', async () => {
		const linked = { 'Deed%20of%20Trust.pdf': '', 'e%20note.xml': await note() };
		const { json } = await run(withEnote(), await withFiles(linked));
		expect(json.files_left_out).toEqual([]);
		expect(names(json.transaction_id)).toContain('Deed of Trust');
	});
	test('is compared with the signers by the check', async () => {
		const named = (await note()).replace(
			/<\/SMART_DOCUMENT>/,
			'<BORROWER _FirstName="Jim" _LastName="Other"/></SMART_DOCUMENT>',
		);
		const { json } = await run(
			form({ then: 'check', ...toForm({ enote }) }),
			await withFiles({ 'Deed of Trust.pdf': '', 'note.xml': named }),
		);
		expect((json.check as IDataObject).warning_list).toContain('The eNote names Jim Other');
	});
	test("that can't be read stops the item before anything is sent", async () => {
		expect(await complaint(withEnote(), await withFiles(FILES))).toContain("isn't an XML file");
		expect(sandbox.requests).toEqual([]);
	});
});

test('as a tool, it drafts, whatever it is told', async () => {
	const parameters = form({ then: 'send', documentRules: {} });
	const { json } = await run(parameters, { type: 'signAndCloseTool', items: [{ json: {} }] });
	expect(transaction(json.transaction_id).status).toBe('started');
	expect(stepsOf(json)).toEqual(['transaction: done']);
});

test('two items for one closing are refused but for the first', async () => {
	const [item] = (await withFiles(FILES)).items;
	const said = await complaint(form(), { items: [item, item] });
	expect(said).toMatch(/^Item 2: 'Loan Number' is 70\d+, which is the same transaction as item 1/);
	expect(said).toContain('Leave one of the two out');
	expect(said).not.toContain('If It Exists');
});

test('a business transaction works alike, by its External ID', async () => {
	const files = await withFiles(FILES);
	const first = await run(business(), files);
	expect(names(first.json.transaction_id)).toHaveLength(2);
	const second = await run(business({ then: 'send' }), files);
	expect(second.json).toMatchObject({ transaction_id: first.json.transaction_id, existing: true });
	expect(names(first.json.transaction_id)).toHaveLength(2);
	expect(transaction(first.json.transaction_id).status).toBe('sent');
});

describe('run again', () => {
	test('a draft gets what is missing only, and a file twice in it stays there twice', async () => {
		const first = await run(
			form(),
			await withFiles({ 'Deed of Trust.pdf': '%1', 'Deed of Trust copy.pdf': '%1' }),
		);
		sandbox.requests.length = 0;
		const again = await withFiles({
			'Deed of Trust.pdf': '%1',
			'Deed of Trust copy.pdf': '%1',
			'Affidavit.pdf': '%2',
		});
		const { json } = await run(form(), again);
		expect(json).toMatchObject({ transaction_id: first.json.transaction_id, existing: true });
		expect(stepsOf(json)).toEqual([
			'transaction: found',
			'Deed of Trust.pdf: found',
			'Deed of Trust copy.pdf: found',
			'Affidavit.pdf: done',
		]);
		expect(writes()).toEqual(['POST /transactions/ID/documents']);
		expect(json.documents_added).toMatchObject([{ file: 'Affidavit.pdf' }]);
	});
	test('a sent one is returned, and nothing is added or sent', async () => {
		const first = await run(form({ then: 'send' }), await withFiles(FILES));
		sandbox.requests.length = 0;
		const outcome = await run(form({ then: 'send' }), await withFiles(FILES));
		expect(outcome.json).toMatchObject({
			transaction_id: first.json.transaction_id,
			status: 'sent',
		});
		expect(stepsOf(outcome.json)).toEqual([
			'transaction: found',
			'Deed of Trust.pdf: found',
			'Affidavit_of_Occupancy.pdf: found',
		]);
		expect(writes()).toEqual([]);
		expect(hints(outcome)).toContain('1 already sent');
	});
	test('a sent one that lacks a file of the item stops it', async () => {
		const { json } = await run(form({ then: 'send' }), await withFiles(FILES));
		sandbox.requests.length = 0;
		const said = await complaint(
			form({ then: 'send' }),
			await withFiles({ ...FILES, 'Affidavit 2.pdf': '' }),
		);
		expect(said).toBe(
			`This closing exists already, and differs from the item: Affidavit 2 isn't in ${String(json.transaction_id)}, which is sent to signer. Nothing was changed`,
		);
		expect(writes()).toEqual([]);
	});
	test('a document that was renamed in the draft is known all the same', async () => {
		const { json } = await run(form(), await withFiles(FILES));
		ownDocuments(json.transaction_id)[0].name = 'Renamed';
		sandbox.requests.length = 0;
		expect(await complaint(form(), await withFiles(FILES))).toBe(
			`This closing exists already, and differs from the item: Name of Deed of Trust is 'Renamed' in ${String(json.transaction_id)}, and 'Deed of Trust' in the item. Nothing was changed. If the item is right, set 'If It Differs' to Update It and run again: the draft becomes what the item says. If the draft is right, correct the item`,
		);
		expect(writes()).toEqual([]);
		await run(updating(), await withFiles(FILES));
		expect(writes()).toEqual(['PATCH /documents/DO']);
		expect(names(json.transaction_id)).toEqual(['Deed of Trust', 'Affidavit_of_Occupancy']);
	});
});

describe('a document with the name of a file and other content', () => {
	const changed = { 'Deed of Trust.pdf': '%other' };
	let id: unknown;
	beforeEach(async () => {
		({
			json: { transaction_id: id },
		} = await run(form(DEED_ALONE), await withFiles({ 'Deed of Trust.pdf': '%1' })));
		sandbox.requests.length = 0;
	});
	test.each(['stop', 'keep'])('stops the item, which names both: %s', async (ifItDiffers) => {
		const [{ id: documentId }] = ownDocuments(id);
		const parameters = form({ ...DEED_ALONE, ...toForm({ ifItDiffers }) });
		expect(await complaint(parameters, await withFiles(changed))).toBe(
			`This closing exists already, and differs from the item: Content of Deed of Trust is 'the content of ${documentId}' in ${String(id)}, and 'Deed of Trust.pdf' in the item. Nothing was changed. If the item is right, set 'If It Differs' to Update It and run again: the draft becomes what the item says. If the draft is right, correct the item`,
		);
		expect(writes()).toEqual([]);
	});
	test('is replaced once', async () => {
		for (let time = 0; time < 2; time++) await run(updating(DEED_ALONE), await withFiles(changed));
		expect(writes()).toEqual(['POST /transactions/ID/documents', 'DELETE /documents/DO']);
		expect(names(id)).toEqual(['Deed of Trust']);
	});
	test('is the file itself if it has the same bytes, where the service shows no references', async () => {
		for (const { flags } of ownDocuments(id)) delete flags.tracking_id;
		await sandbox.clock.advance(sandbox.world.settings.processingMs);
		const { json } = await run(
			form({ ...DEED_ALONE, then: 'send' }),
			await withFiles({ 'Deed of Trust.pdf': '%1' }),
		);
		expect(writes()).toEqual(['POST /transactions/ID/place_order']);
		expect([json.transaction_id, json.status]).toEqual([id, 'sent']);
	});
	test('may be the file itself where the service shows neither references nor files', async () => {
		for (const { flags } of ownDocuments(id)) delete flags.tracking_id;
		const isFile = { method: 'GET', path: /documents\/do_/, times: Infinity };
		sandbox.faults.add({ ...isFile, status: 422, body: { errors: ['No'] } });
		const files = await withFiles({ 'Deed of Trust.pdf': '%1' });
		const sending = form({ ...DEED_ALONE, then: 'send' });
		expect(await complaint(sending, files)).toContain(
			"Whether Deed of Trust has the item's content is unknown: the service doesn't show it. Look at it, and use 'Transaction: Send'. Nothing was changed",
		);
		await run(form(DEED_ALONE), files);
		expect(writes()).toEqual([]);
	});
});

describe("what can't be used", () => {
	test('is told all at once, before anything is sent', async () => {
		const parameters = form({
			matchBy: '',
			signers: borrowers({ email: 'nobody' }),
			documentRules: {
				row: [
					{ nameContains: '' },
					{
						nameContains: 'Deed',
						requirement: 'esign',
						whereToSign: 'rows',
						designations: {
							row: [
								{
									signer_identifier: 'x',
									type: 'signature',
									page: '9',
									x: 1,
									y: 1,
									width: 9,
									height: 9,
								},
							],
						},
					},
				],
			},
		});
		const said = await complaint(parameters, await withFiles(FILES));
		expect(said).toMatch(/'Match By' is empty/);
		expect(said).toMatch(/entry 1: 'Name Contains' is empty/);
		expect(said).toMatch(/nobody/);
		expect(sandbox.requests).toEqual([]);
	});
	test('says of an item without PDFs which node has some, and how they come in', async () => {
		const { items } = await withFiles(FILES);
		const before = [
			{ name: 'Form', items },
			{ name: 'Edit', items: [{ json: {}, pairedItem: { item: 0 } }] },
		];
		const said = await complaint(form(), { before });
		expect(said).toContain(
			"finds no PDF, because the item has no files. Bring the files of 'Form' into the item, e.g. by a Merge node that combines by position",
		);
		expect(said).not.toContain('File of the Item');
		expect(writes()).toEqual([]);
	});
	test('of a rule names the rule and the file', async () => {
		const place = { type: 'signature', x: 72, y: 96, width: 180, height: 24 };
		const designations = {
			row: [
				{ ...place, signer_identifier: 'x', page: '1' },
				{ ...place, signer_identifier: 'borrower-1', page: '9' },
			],
		};
		const parameters = form({
			documentRules: {
				row: [{ nameContains: 'Deed', requirement: 'esign', whereToSign: 'rows', designations }],
			},
		});
		const said = await complaint(parameters, await withFiles({ 'Deed of Trust.pdf': '' }));
		expect(said).toContain(
			"'Document Rules', entry 1 for 'Deed of Trust.pdf': 'Designations', entry 2: there's no page 9",
		);
		expect(said).toContain("'x' in 'Signer Name or ID' isn't a signer of this transaction");
		expect(sandbox.requests).toEqual([]);
	});
	test('a PDF without a rule is left out of a draft, with what to do', async () => {
		const files = await withFiles({ ...FILES, 'Invoice.pdf': '' });
		expect(hints(await run(form(), files))).toContain(
			"Invoice.pdf wasn't added to the closing, because no rule fits. If needed there, add a rule in 'Document Rules' and run again: the same draft gets the file. If not, set 'Files Without a Rule' to Leave Out",
		);
		const more = { ...RULES.row[0], nameContains: 'Invoice' };
		const { json } = await run(form({ documentRules: { row: [...RULES.row, more] } }), files);
		expect(json).toMatchObject({ existing: true, documents_added: [{ file: 'Invoice.pdf' }] });
	});
	test('a PDF without a rule that comes after the sending is for Replace Documents', async () => {
		const files = await withFiles(FILES);
		await run(form({ then: 'send' }), files);
		expect(hints(await run(form(), await withFiles({ ...FILES, 'Invoice.pdf': '' })))).toContain(
			"If needed there, add a rule in 'Document Rules' and use 'Transaction: Replace Documents' with the file. If not, set",
		);
	});
	test('a PDF without a rule stops what would be sent without it', async () => {
		const files = await withFiles({ ...FILES, 'Invoice.pdf': '' });
		expect(await complaint(form({ then: 'send' }), files)).toBe(
			"'Document Rules' and the item's files don't fit: No rule names Invoice.pdf. Nothing was sent. Add a rule or set 'Files Without a Rule' to Leave Out",
		);
		const { json } = await run(
			form({ then: 'send', ...toForm({ filesWithoutRule: 'leaveOut' }) }),
			files,
		);
		expect(json).toMatchObject({ status: 'sent', files_left_out: ['Invoice.pdf'] });
	});
	test('PDFs that are split have another way', async () => {
		const parameters = business({
			...toForm({ additionalJson: '{"pdf_bookmarked": true}' }),
		});
		expect(await complaint(parameters, await withFiles(FILES))).toContain("'Document: Add'");
		expect(sandbox.requests).toEqual([]);
	});
	test('an item without its number', async () => {
		const said = await complaint(form({ ...toForm({ loan_number: '' }) }), await withFiles({}));
		expect(said).toContain("'Loan Number' is empty");
	});
	test('a row without its number stops the sheet before any of it is sent', async () => {
		const row = {
			'Borrower Email': 'jane@example.com',
			'Borrower First Name': 'Jane',
			'Borrower Last Name': 'Borrower',
			'Property Address': '1 Main St',
			'Property City': 'Boston',
			'Property State': 'MA',
		};
		const items = [
			{ json: { ...row, 'Loan Number': loan } },
			{ json: { ...row, 'Loan Number': '' } },
		];
		const parameters = form({ fieldsFrom: 'row', documentRules: {} });
		(parameters.numbers as IDataObject).loan_number = undefined;
		const said = await complaint(parameters, { items });
		expect(said).toContain("Nothing was created. Item 2 (Jane Borrower): 'Loan Number' is empty");
		expect(sandbox.requests).toEqual([]);
	});
	test('signers whom the item does not have', async () => {
		const other = form({
			documentRules: JSON.parse(JSON.stringify(RULES).replace('borrower-1', 'other')),
		});
		const said = await complaint(other, await withFiles(FILES));
		expect(said).toContain("'Affidavit_of_Occupancy.pdf'");
		expect(said).toContain(
			'Enter borrower-1 for Jane Borrower. For somebody else, add them as a signer first',
		);
		expect(sandbox.requests).toEqual([]);
	});
	test('texts that a file lacks, all at once, with its rule and its name', async () => {
		const texts = ['Borrower', 'Date'].map((text) => ({
			...{ text, signer_identifier: 'borrower-1', width: 100, height: 20 },
		}));
		const rule = { nameContains: 'Deed', whereToSign: 'text', texts: { row: texts } };
		const bytes = await textPdf([{ texts: [['Hello', 9, 9]] }]);
		const data = await storeFile(bytes, 'Deed of Trust.pdf', 'application/pdf');
		const { error } = await attempt(form({ documentRules: { row: [rule] } }), {
			items: [{ json: {}, binary: { data } }],
		});
		expect(error).toMatchObject({
			message:
				"'Document Rules', entry 1 for 'Deed of Trust.pdf': 'Texts' weren't found on page 1: 'Borrower' and 'Date'",
			description:
				"Enter each as it stands on one line or two of the document, or choose 'Designations Below' in 'Where to Sign' and give page and position",
		});
	});
});

describe('a step that fails', () => {
	test('is named, and the draft with it', async () => {
		failing(/documents$/, { after: 1 });
		const node = { onError: 'continueErrorOutput' as const };
		const { items, errorItems } = await attempt(form(), { ...(await withFiles(FILES)), node });
		const [made] = [...sandbox.world.transactions.values()].slice(-1);
		expect(items).toEqual([]);
		expect(errorItems[0].json).toMatchObject({ message: { transaction_id: made.id } });
		expect(errorItems[0].json.error).toMatch(
			new RegExp(
				`The draft ${made.id} is kept. Run the workflow again: it goes on where it stopped. If you change the item, set 'If It Differs' to Update It, or change the draft with 'Transaction: Update' instead`,
			),
		);
	});
	test.each([
		['the second document', /documents$/, 1],
		['sending', /send$/, 0],
	])('%s is where the next try goes on', async (_what, path, after) => {
		failing(path, { after, times: 1 });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const options: Partial<RunOptions> = { ...(await withFiles(FILES)), node };
		const { json } = await run(form({ then: 'send' }), options);
		expect(json.status).toBe('sent');
		expect(names(json.transaction_id)).toHaveLength(2);
		expect(writes().filter((path_) => path_ === 'POST /transactions')).toHaveLength(1);
	});
	test('nothing is sent if something is missing, and the next run sends it', async () => {
		const parameters = (more: object) =>
			form({
				then: 'send',
				documentRules: { row: [{ ...RULES.row[1], ...more }] },
				...toForm({ skip_closing_ops: true }),
			});
		const files = await withFiles({ 'Affidavit.pdf': '' });
		const said = await complaint(parameters({ whereToSign: 'rows' }), files);
		expect(said).toMatch(/^Send: The transaction can't go out yet/);
	});
});
