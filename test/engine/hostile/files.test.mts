import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, completedClosing, createClosing, id } from '../../support/closing.mts';
import { storeFile, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { expectPlainRun, TEN_MEGABYTES } from '../../support/hostile/index.mts';
import { attempt, ownDocuments, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Names of files that lead elsewhere, and files that are none. */

useSandbox();

const NAMES = [
	'../../etc/passwd',
	'..\\..\\windows\\system32\\drivers\\etc\\hosts',
	'C:\\Users\\x\\deed.pdf',
	'/etc/passwd.pdf',
	'deed\0.exe',
	'deed\r\nX-Injected: 1.pdf',
	'..',
	'...',
	'.',
	' ',
	'CON',
	'con.pdf',
	'LPT1.txt',
	'Com¹',
	'deed\u202efdp.exe',
	'\u200bdeed',
	'deed\ud800',
	'"; filename="evil.exe',
	"UTF-8''%2e%2e%2fevil.exe",
	'<img src=x onerror=alert(1)>',
	'__proto__',
	'测'.repeat(300),
	'👩‍👧'.repeat(100),
	TEN_MEGABYTES.slice(0, 1_000_000),
];

let transactionId: string;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	transactionId = await createClosing(credential());
});
const add = (more: IDataObject = {}) => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	...more,
});
const file = async (bytes: Buffer, name = 'deed.pdf') =>
	await storeFile(bytes, name, 'application/pdf');

describe('names of files that are uploaded', () => {
	test.each(NAMES.map((name) => [name.slice(0, 40), name]))('%j', async (_name, name) => {
		const data = await file((await samplePdf('deed-of-trust'))!, name);
		const before = ownDocuments(transactionId).length;
		const outcome = await attempt(add(), { items: [{ json: {}, binary: { data } }] });
		expectPlainRun(outcome);
		const sent = sandbox.requests.findLast(({ method }) => method === 'POST')!;
		const { filename } = sent.body as { filename?: string };
		if (ownDocuments(transactionId).length > before || filename !== undefined) {
			expect(String(filename)).not.toMatch(/[/\\\p{Cc}\p{Cs}\u202e]/u);
			expect(String(filename).length).toBeLessThanOrEqual(300);
		}
	});
});

describe('names of files that are downloaded', () => {
	const safe =
		/^(?![. ])(?!(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])([. ]|$))[^<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]+\.pdf$/iu;
	// The sandbox puts the name into its link, which can't hold every one.
	const held = NAMES.filter((name) => name.isWellFormed() && name.length < 1_000);
	test.each(held.map((name) => [name.slice(0, 40), name]))('%j', async (_name, name) => {
		const completed = await completedClosing(sandbox, credential());
		const [document] = ownDocuments(completed);
		Object.assign(document, { name });
		const { items } = await run({
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(completed),
			documentId: id(document.id),
			binaryPropertyName: 'data',
		});
		forEachCase([items[0].json.file_name, items[0].binary!.data.fileName], (shown) => {
			expect(shown).toMatch(safe);
			expect(Buffer.byteLength(String(shown))).toBeLessThanOrEqual(250);
		});
	});
});

describe('files that are none', () => {
	const PDF = '%PDF-1.7\n';
	/** Expects that an operation is refused before anything is sent. */
	async function refused(more: IDataObject, data: unknown, expected: RegExp): Promise<void> {
		const before = sandbox.requests.length;
		const outcome = await attempt(add(more), {
			items: [{ json: {}, binary: { data: data as IBinaryData } }],
		});
		expectPlainRun(outcome);
		expect(`${outcome.error?.message}. ${outcome.error?.description ?? ''}`).toMatch(expected);
		expect(sandbox.requests).toHaveLength(before);
	}
	test.each([
		['empty', Buffer.alloc(0)],
		['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
		['null bytes', Buffer.alloc(2_000)],
		['with the mark after 1024 bytes', Buffer.concat([Buffer.alloc(1_024), Buffer.from(PDF)])],
		['with half of the mark', Buffer.from('%PDF')],
		['with the mark in another encoding', Buffer.from(PDF, 'utf16le')],
	])('%s', async (_name, bytes) => {
		const expected = bytes.length === 0 ? /is an empty file/ : /isn't a PDF/;
		await refused({}, await file(bytes), expected);
		const text = bytes.toString('base64') || ' ';
		await refused({ source: 'base64', fileBase64: text }, undefined, /'File Content \(Base64\)'/);
	});
	test.each([
		'data:application/pdf,%25PDF-1.7',
		'data:;base64,',
		'JVBERi0=JVBERi0=',
		'JVBERi0\0',
		'A',
		'====',
		'https://files.example.com/a.pdf',
		'⁠JVBERi0xLjcK',
	])('the base64 text %j', async (fileBase64) => {
		await refused(
			{ source: 'base64', fileBase64 },
			undefined,
			/'File Content \(Base64\)' (isn't base64|isn't a PDF|is an empty file)/,
		);
	});
	test.each(['__proto__', 'constructor', 'hasOwnProperty', 'data.id', '../data', 'DATA'])(
		'the field %s, which the item does not have',
		async (binaryPropertyName) => {
			const expected =
				/'Input Binary Field' is '.+', but the item has no such file.*The item has: data/;
			await refused({ binaryPropertyName }, await file(Buffer.from(PDF)), expected);
		},
	);
	test.each<[string, unknown]>([
		['text', 'hello'],
		['nothing', null],
		['a list', []],
		['an empty object', {}],
		['without content', { mimeType: 'application/pdf', fileName: 'a.pdf' }],
		['with an object as content', { data: { a: 1 }, mimeType: 'application/pdf' }],
		['with an unknown ID', { id: 'filesystem-v2:../../../etc/passwd', data: '', mimeType: 'a/b' }],
		['with an ID of an unknown store', { id: 'nowhere:1', data: '', mimeType: 'a/b' }],
	])('a field that holds no file but %s', async (_name, data) => {
		await refused({}, data, /'Input Binary Field'/);
	});
});
