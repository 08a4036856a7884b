import { readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';

import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { shortenDigest, readReference } from '../../../nodes/SignAndClose/values/reference.ts';
import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { binaryFolder, storeFile, type RunOutcome } from '../../support/engine.mts';
import { withService } from '../../support/live/service.mts';
import {
	attempt,
	complaint,
	hints,
	lastBody,
	ownDocuments,
	run,
	transaction,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Add says in its reference what a document is made of, and Skip compares that. */

useSandbox();
let transactionId: string;
beforeEach(async () => {
	transactionId = await createClosing(credential());
	sandbox.requests.length = 0;
});

const [DEED, NOTE, AFFIDAVIT] = ['deed-of-trust', 'closing-disclosure', 'borrower-affidavit'];
type File = [name: string, sample: string];
const fileOf = async ([name, sample]: File) =>
	await storeFile((await samplePdf(sample))!, `${name}.pdf`, 'application/pdf');
/** An item of each file. */
const items = async (...files: File[]): Promise<{ items: INodeExecutionData[] }> => ({
	items: await Promise.all(
		files.map(async (file) => ({ json: {}, binary: { data: await fileOf(file) } })),
	),
});
/** One item with all files. */
const inOne = async (...files: File[]): Promise<{ items: INodeExecutionData[] }> => {
	const binary: IBinaryKeyData = {};
	for (const [index, file] of files.entries()) binary[`data_${index}`] = await fileOf(file);
	return { items: [{ json: {}, binary }] };
};
const add = (additionalFields: IDataObject = {}, more: IDataObject = {}): IDataObject => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	...more,
	additionalFields: { ifExists: 'add', ...additionalFields },
});
const skip = (additionalFields: IDataObject = {}, more: IDataObject = {}) =>
	add({ ifExists: 'skip', ...additionalFields }, more);
const ALL = { source: 'allFiles' };
const BY_HAND = { sendReference: false };
const addByHand = async (...files: File[]) => {
	await run(add(BY_HAND), await items(...files));
	for (const document of ownDocuments(transactionId)) document.state = 'done';
};
const FROM_URL = (sample = DEED) => ({
	source: 'url',
	fileUrl: `${sandbox.url}/samples/${sample}.pdf`,
	documentName: 'Scan',
});
const PLACE = { type: 'seal', signer_identifier: 'notary', page_number: 1, x: 9, y: 9 };
const PLACED = {
	whereToSign: 'json',
	designationsJson: JSON.stringify([{ ...PLACE, width: 90, height: 40 }]),
};
const PLACED_FIRST = {
	...PLACED,
	designationsJson: PLACED.designationsJson.replace('"page_number":1', '"page_number":0'),
};
const shown = () =>
	ownDocuments(transactionId).map(({ name, uploaded }) => [name, contentIn(uploaded)]);
const contentIn = (bytes: Buffer) =>
	shortenDigest(createHash('sha256').update(bytes).digest('hex'));
const of = async (...files: File[]) =>
	await Promise.all(
		files.map(async ([name, sample]) => [name, contentIn((await samplePdf(sample))!)]),
	);
const existing = ({ items: all }: RunOutcome) => all.map(({ json }) => json.existing);
const asked = () =>
	sandbox.requests.map(({ method, path }) => `${method} ${path.split('/').at(-2)}`);
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');
const refused = async (parameters: IDataObject, more: object) => {
	sandbox.requests.length = 0;
	const text = await complaint(parameters, more);
	expect(posts()).toEqual([]);
	return text;
};
const GET_FILE = { method: 'GET', path: /documents\/do_/, times: Infinity };
const withhold = (status = 409) =>
	sandbox.faults.add({ ...GET_FILE, status, body: { errors: ['Document processing: done'] } });

describe('the reference of a new document', () => {
	const sent = async (parameters: IDataObject, file: File = ['Deed', DEED]) => {
		await run(parameters, await items(file));
		return readReference(lastBody().tracking_id);
	};
	const AT_SEAL = {
		whereToSign: 'text',
		texts: { row: [{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal' }] },
	};
	test('says what it is made of and how it is wanted', async () => {
		const plain = await sent(add());
		const content = contentIn((await samplePdf(DEED))!);
		expect(plain).toMatchObject({ maker: 'add', content });
		const again = await sent(add({ bundle_position: 3 }, { documentName: 'Other' }));
		expect(again).toEqual({ ...plain, tail: again!.tail });
		expect(again!.tail).not.toBe(plain!.tail);
		const placed = await sent(add({}, AT_SEAL));
		expect([placed!.places === plain!.places, placed!.flags]).toEqual([false, plain!.flags]);
		const flagged = await sent(add({ witness_required: true }));
		expect([flagged!.places, flagged!.flags === plain!.flags]).toEqual([plain!.places, false]);
		expect((await sent(add(), ['Deed', NOTE]))!.content).not.toBe(content);
	});
	test('says the content of a file in base64, and of a link that the node fetches', async () => {
		const fileBase64 = (await samplePdf(DEED))!.toString('base64');
		const inText = await sent(add({}, { source: 'base64', fileBase64, documentName: 'Deed' }));
		const link = { ...FROM_URL(), ...PLACED };
		const fetched = await sent(add({ fetchFile: true }, link));
		const withToken = { fetchFile: true, authorization_header: 'Authorization:Bearer 1' };
		const tokened = await sent(add(withToken, link));
		const content = contentIn((await samplePdf(DEED))!);
		expect([inText, fetched, tokened].map((all) => all?.content)).toEqual(Array(3).fill(content));
		expect(tokened!.flags).toBe(fetched!.flags);
	});
	test.each<[string, () => IDataObject]>([
		['a link that only the service fetches', () => add({}, FROM_URL())],
		['a file that is split', () => add({ pdf_bookmarked: true })],
	])('of %s says nothing of it', async (_name, parameters) => {
		expect(await sent(parameters())).toBeUndefined();
		expect(lastBody().tracking_id).toMatch(/^n8n-/);
	});
	test("isn't sent beside a number of a person, or where nobody wants it", async () => {
		await sent(add({ tracking_id: '1042' }));
		expect(lastBody().tracking_id).toBe('1042');
		await sent(add(BY_HAND));
		expect(lastBody().tracking_id).toBeUndefined();
	});
	test('is the same in each try', async () => {
		await run(add(), await items(['Note', NOTE]));
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path: /documents$/, kind: 'cutBefore' });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const limits = { lookUpMs: 50, lookUpPauseMs: 10, absentAfterMs: 0 };
		await run(add(), { ...(await items(['Deed', DEED])), node, limits });
		const references = posts().map(({ body }) => (body as IDataObject).tracking_id);
		expect(references.length).toBeGreaterThan(1);
		expect(new Set(references).size).toBe(1);
	});
});

describe('Skip', () => {
	test('takes two files of one name for two, whichever execution adds them', async () => {
		const [one, other]: File[] = [
			['Scan', DEED],
			['Scan', NOTE],
		];
		expect(existing(await run(skip(), await items(one)))).toEqual([false]);
		expect(existing(await run(skip(), await items(other)))).toEqual([false]);
		expect(existing(await run(skip(), await items(other)))).toEqual([true]);
		const third = await run(skip(), await items(other, ['Scan', AFFIDAVIT], one));
		expect(existing(third)).toEqual([true, false, true]);
		expect(shown()).toEqual(await of(one, other, ['Scan', AFFIDAVIT]));
		expect(asked()).not.toContain('GET documents');
	});
	test('loses and doubles nothing after a failure, in another order', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: /documents$/,
			skip: 1,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const files: File[] = [
			['Scan', DEED],
			['Scan', NOTE],
		];
		await attempt(skip({}, ALL), await inOne(...files));
		const second = await run(skip({}, ALL), await inOne(files[1], files[0]));
		expect(existing(second)).toEqual([false, true]);
		expect(shown()).toEqual(await of(...files));
	});
	test('finds a file under another name', async () => {
		await run(skip(), await items(['Deed', DEED]));
		const { json } = await run(skip(), await items(['Deed of Trust', DEED]));
		expect(json).toMatchObject({ existing: true, document_name: 'Deed' });
		const named = await run(skip({}, { documentName: 'Grant' }), await items(['Deed', DEED]));
		expect(existing(named)).toEqual([true]);
	});
	test('takes the same name first where several have the content', async () => {
		await run(skip(), await items(['Form A', DEED], ['Form B', DEED]));
		const { json } = await run(skip(), await items(['Form B', DEED]));
		expect(json).toMatchObject({ existing: true, document_name: 'Form B' });
	});
	test('leaves a document to the file of the item that has its name, too', async () => {
		await run(skip(), await items(['Form B', DEED]));
		const both = await inOne(['Form A', DEED], ['Form B', DEED]);
		const second = await run(skip({}, ALL), both);
		expect(second.items.map(({ json }) => [json.document_name, json.existing])).toEqual([
			['Form A', false],
			['Form B', true],
		]);
		expect(existing(await run(skip({}, ALL), both))).toEqual([true, true]);
	});
	test('compares a link that the node fetches, and fetches it once', async () => {
		await run(skip(), await items(['Scan', DEED], ['Scan', NOTE]));
		const body = await samplePdf(DEED);
		await withService(
			() => ({ body, headers: { 'content-type': 'application/pdf' } }),
			async ({ url, requests }) => {
				const link = { ...FROM_URL(), ...PLACED, fileUrl: `${url}/scan.pdf` };
				expect(existing(await run(skip({ fetchFile: true }, link)))).toEqual([true]);
				expect(requests).toHaveLength(1);
			},
		);
		const other = skip({ fetchFile: true }, { ...FROM_URL(AFFIDAVIT), ...PLACED_FIRST });
		expect(existing(await run(other))).toEqual([false]);
	});
	test('finds a file whose name is written in another way, where only the name is known', async () => {
		await run(skip({}, { ...FROM_URL(), documentName: 'R\u00e9sum\u00e9' }));
		const again = await run(skip({}, { ...FROM_URL(), documentName: ' Re\u0301sume\u0301' }));
		expect(existing(again)).toEqual([true]);
	});
});

describe('a document without a reference that says its content', () => {
	test('is fetched, and compared, and n8n keeps nothing of it', async () => {
		await addByHand(['Deed', DEED], ['Rider', AFFIDAVIT]);
		sandbox.requests.length = 0;
		const files = await items(['Deed', DEED]);
		const before = readdirSync(binaryFolder(), { recursive: true }).length;
		const found = await run(skip(), files);
		expect([existing(found), hints(found)]).toEqual([[true], '1 skipped']);
		expect(readdirSync(binaryFolder(), { recursive: true })).toHaveLength(before);
		expect(asked()).toEqual(['GET transactions', 'GET documents']);
		expect(existing(await run(skip(), await items(['Deed', NOTE])))).toEqual([false]);
		expect(shown()).toEqual(await of(['Deed', DEED], ['Rider', AFFIDAVIT], ['Deed', NOTE]));
	});
	test('is told by its name if the service withholds the file, and a hint says so', async () => {
		await addByHand(['Deed', DEED]);
		withhold();
		const found = await run(skip(), await items(['Deed', DEED]));
		expect(existing(found)).toEqual([true]);
		expect(hints(found)).toMatch(
			/'Deed' \(do_[\w-]+\) was there, and its content couldn't be compared/,
		);
	});
	test('is nothing to be sure of if two of the transaction have the name', async () => {
		await addByHand(['Deed', DEED], ['Deed', NOTE]);
		withhold(404);
		expect(await refused(skip(), await items(['Deed', DEED]))).toMatch(
			/^'If It Exists' can't compare 'Deed' with 'Deed' \(do_[\w-]+\), 'Deed' \(do_[\w-]+\): several have this name.*'Tracking ID', or set it to Add/,
		);
	});
	test('is nothing to be sure of if two of the item have the name', async () => {
		await addByHand(['Deed', DEED]);
		withhold();
		const two = await inOne(['Deed', DEED], ['Deed', NOTE]);
		const one = { binaryPropertyName: 'data_0' };
		for (const parameters of [skip({}, ALL), skip({}, one)])
			expect(await refused(parameters, two)).toMatch(/'If It Exists' can't compare 'Deed' with/);
		const { data_0: deed } = two.items[0].binary!;
		const twice = { items: [{ json: {}, binary: { deed, data: deed } }] };
		expect(existing(await run(skip({}, ALL), twice))).toEqual([true]);
	});
	test("stops the item if the service can't be asked", async () => {
		await addByHand(['Deed', DEED]);
		const headers = { 'retry-after': '9999' };
		sandbox.faults.add({ ...GET_FILE, status: 503, headers });
		expect(await refused(skip(), await items(['Deed', DEED]))).toMatch(/503/);
	});
});

describe('a Tracking ID of a person', () => {
	test("isn't the reason to add what is there without one", async () => {
		await run(add(), await items(['Deed', DEED]));
		expect(existing(await run(skip({ tracking_id: '1' }), await items(['Deed', DEED])))).toEqual([
			true,
		]);
	});
	test("isn't compared with another one", async () => {
		await run(add({ tracking_id: '1' }), await items(['Deed', DEED]));
		const other = await run(skip({ tracking_id: '2' }), await items(['Deed', DEED]));
		expect(existing(other)).toEqual([false]);
		const same = await run(skip({ tracking_id: '1' }), await items(['Deed', NOTE]));
		expect(existing(same)).toEqual([true]);
	});
	test('that is a reference of other content is refused', async () => {
		await run(add(), await items(['Deed', DEED]));
		const { tracking_id: tracking } = lastBody();
		expect(await refused(skip({ tracking_id: tracking }), await items(['Rider', NOTE]))).toMatch(
			/^'Tracking ID' of 'Rider' is that of 'Deed' \(do_[\w-]+\), which has other content/,
		);
	});
});

describe('what is skipped is named', () => {
	const OTHER =
		"Deed is there with another requirement or other places; nothing was changed. Use 'Document: Apply Rules' or delete it";
	test.each<[string, IDataObject, IDataObject, string]>([
		['as it is', {}, {}, '1 skipped'],
		['elsewhere in the transaction', { bundle_position: 2 }, {}, '1 skipped'],
		['with another requirement', {}, { requirement: 'esign' }, OTHER],
		['with other places', {}, PLACED, OTHER],
		['with another flag', { witness_required: true }, {}, OTHER],
	])('%s', async (_name, additionalFields, more, expected) => {
		await run(add(), await items(['Deed', DEED]));
		sandbox.requests.length = 0;
		const found = await run(skip(additionalFields, more), await items(['Deed', DEED]));
		expect([existing(found), asked()]).toEqual([[true], ['GET transactions']]);
		expect(hints(found)).toContain(expected);
		expect(hints(found).includes(OTHER)).toBe(expected === OTHER);
	});
	test('unless its places are right no more, of which nothing is said', async () => {
		await run(add({}, PLACED), await items(['Deed', DEED]));
		const gone = { ...PLACED, designationsJson: PLACED.designationsJson.replace(':1', ':7') };
		const found = await run(skip({}, gone), await items(['Deed', DEED]));
		expect([existing(found), hints(found)]).toEqual([[true], '1 skipped']);
	});
});

test.each([{ state: 'failed' as const }, { processingError: 'damaged', state: 'failed' as const }])(
	'a document that could not be processed (%j) is added anew, and named',
	async (change) => {
		await run(skip(), await items(['Deed', DEED]));
		const [failed] = ownDocuments(transactionId);
		Object.assign(failed, change);
		const again = await run(skip(), await items(['Deed', DEED]));
		expect(existing(again)).toEqual([false]);
		expect(hints(again)).toContain(
			`The service couldn't process 'Deed' (${failed.id}), so the file was added anew. Delete the failed one with 'Document: Delete'`,
		);
		expect(existing(await run(skip(), await items(['Deed', DEED])))).toEqual([true]);
	},
);

test('of two documents of one reference, one is skipped and the other named', async () => {
	await run(skip(), await items(['Deed', DEED], ['Deed', DEED]));
	const [deed, own] = ownDocuments(transactionId);
	transaction(transactionId).documents.push({ ...deed, id: 'do_twin' });
	const found = await run(skip(), await items(['Deed', DEED], ['Deed', DEED]));
	expect(found.items.map(({ json }) => [json.document_id, json.existing])).toEqual([
		[deed.id, true],
		[own.id, true],
	]);
	expect(hints(found)).toBe(
		`2 skipped. 'Deed' (${deed.id}) is there twice. Delete 'Deed' (do_twin) with 'Document: Delete'`,
	);
});
