import { Readable } from 'node:stream';

import {
	saveToStore,
	receive,
	receiveLink,
} from '../../../../nodes/SignAndClose/transport/fileDownload/download.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { credentialFor, executionOf, readFile, useBinaryMode } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { clientOf } from '../client.mts';

/** What is saved of a file: what it is, whether it's whole, its name, and how its link is renewed. */

beforeAll(async () => await useBinaryMode('filesystem'));

type Piece = string | Buffer;

/** A stream that gives these pieces one by one. */
const streamOf = (...pieces: Piece[]) =>
	Readable.from(
		pieces.map((piece) => Buffer.from(piece as Buffer)),
		{ objectMode: false },
	);

interface Target {
	mimeType?: string;
	name?: string;
	headers?: Record<string, unknown>;
}

/** Saves a stream in n8n's store, and reads it there. */
async function save(
	stream: Readable,
	{ mimeType = 'application/pdf', name = 'File', headers = { 'content-length': '1' } }: Target = {},
) {
	const context = executionOf({ parameters: {} })();
	try {
		const target = { name, mimeType };
		const received = await receive({ stream, headers }, target, saveToStore(context));
		const { result: binary, facts } = received;
		expect(binary).toMatchObject({ fileName: facts.file_name, mimeType: facts.mime_type });
		return { facts, content: await readFile(binary), reason: undefined };
	} catch (failure) {
		return { reason: (failure as ServiceFailure).reason };
	}
}

/** The name and the type under which a file is saved, or what was expected instead of it. */
async function kindOf(mimeType: string, bytes: Piece, type?: unknown, name?: string) {
	const headers = { 'content-length': '1', 'content-type': type };
	const { facts, reason } = await save(streamOf(bytes), { mimeType, name, headers });
	if (reason?.code === 'unexpectedFile') return `no ${reason.expected}`;
	return facts === undefined ? reason : `${facts.file_name} ${facts.mime_type}`;
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bigEndian = (text: string) => utf16(text).swap16();
const PDF = '%PDF-1.7\nfinal\n%%EOF\n';
const NOTE = '<?xml version="1.0"?>\n<SMART_DOCUMENT/>';
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n1{2[3<IEND\xAE\x42\x60\x82', 'latin1');
const MUCH = 'x'.repeat(3_000);

describe('what a file is', () => {
	test.each<[string, Piece]>([
		['File.pdf application/pdf', PDF],
		['File.pdf application/pdf', `${' '.repeat(1_019)}%PDF-`],
		['File.pdf application/pdf', `<!-- scanned -->${PDF}`],
		['no pdf', '<html></html>'],
		['no pdf', `${' '.repeat(1_020)}${PDF}`],
		['no pdf', '%PDF'],
	])('as a PDF: %s for %j', async (expected, bytes) => {
		expect(await kindOf('application/pdf', bytes, 'text/html')).toBe(expected);
	});
	test.each<[string, Piece]>([
		['XML', NOTE],
		['XML after a byte order mark', `\uFEFF${NOTE}`],
		['XML in UTF-16', utf16(`\uFEFF${NOTE}`)],
		['XML in UTF-16, big-endian', bigEndian(`\uFEFF${NOTE}`)],
		['XML with a page as its view', '<NOTE><VIEW><html>I promise to pay</html></VIEW></NOTE>'],
		['XML with an element called error', '<NOTE><ERROR/><error code="0"/></NOTE>'],
		['XML whose comment names a page', `<?xml version="1.0"?><!-- no <html> - -- --><NOTE/>`],
		['XML whose root begins like a page', '<html5note/>'],
		['XML of another document type', '<!DOCTYPE SMART_DOCUMENT SYSTEM "smart.dtd"><NOTE/>'],
	])('an eNote: %s', async (_what, bytes) => {
		expect(await kindOf('application/xml', bytes)).toBe('File.xml application/xml');
	});
	test.each<[string, Piece]>([
		['text', 'gone'],
		['JSON', '{"errors":["Not ready"]}'],
		['a page', '<!DOCTYPE \n html><p>Sign in'],
		['a page after an instruction and a comment', '<?xml version="1.0"?><!-- <NOTE> --><html/>'],
		['a page without a document type', '<HTML lang="en">'],
		['a page in UTF-16, big-endian', bigEndian('\uFEFF<!doctype html>')],
		["a storage's refusal", '\uFEFF<?xml version="1.0"?><Error><Code>Expired</Code></Error>'],
	])('no eNote, but %s', async (_what, bytes) => {
		expect(await kindOf('application/xml', bytes, 'application/xml')).toBe('no xml');
	});
	test('an eNote may be a PDF', async () => {
		expect(await kindOf('application/xml', PDF, 'application/xml', 'Note.xml')).toBe(
			'Note.pdf application/pdf',
		);
	});
	test.each([
		['image/png', ' IMAGE/JPEG ; charset=binary', 'File.jpg image/jpeg'],
		['image/png', 'image/webp;q=1', 'File.webp image/webp'],
		['video/mp4', 'video/quicktime', 'File.mov video/quicktime'],
		// The header tells something else.
		...[undefined, 'image/x-unknown', 'application/octet-stream', 'video/mp4', 'constructor'].map(
			(type): [string, string | undefined, string] => ['image/png', type, 'File.png image/png'],
		),
	])('%s with the header %p: %s', async (mimeType, type, expected) => {
		expect(await kindOf(mimeType, PICTURE, type)).toBe(expected);
	});
	test.each<[string, Piece]>([
		['a page', '\uFEFF<html>'],
		['a page in UTF-16', bigEndian('\uFEFF<html>')],
		['an answer in JSON', '\r\n  ["Not ready"]'],
	])('neither picture nor recording, but %s', async (_what, bytes) => {
		expect(await kindOf('image/png', bytes, 'image/png')).toBe('no image');
		expect(await kindOf('video/mp4', bytes, 'video/mp4')).toBe('no video');
	});
});

describe('a file', () => {
	test('is saved as it is, however it comes in pieces', async () => {
		await forEachCase([0, 1_000, 1_024, 200_000], async (middle) => {
			const whole = Buffer.concat([Buffer.from(PDF), Buffer.alloc(middle, 'é'), Buffer.from(PDF)]);
			await forEachCase([7, 1_024, 65_536], async (size) => {
				if (whole.length / size > 3_000) return;
				const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_value, index) =>
					whole.subarray(index * size, (index + 1) * size),
				);
				const { content, facts } = await save(streamOf(...pieces));
				expect(content?.equals(whole)).toBe(true);
				expect(facts).toMatchObject({ file_name: 'File.pdf', bytes: whole.length });
			});
		});
	});
	test('that fails is told as cut, unless the failure says more', async () => {
		const failing = (thrown: Error, ...pieces: string[]) =>
			Readable.from(
				(async function* () {
					for (const piece of pieces) yield Buffer.from(piece);
					throw thrown;
				})(),
				{ objectMode: false },
			);
		const own = new ServiceFailure({ code: 'unreadableContent' });
		const limit = (code: string) => Object.assign(new Error(code), { code });
		await forEachCase([[], [PDF], [PDF, MUCH]], async (pieces) => {
			await forEachCase([new Error('reset'), limit('ESTALLED')], async (thrown) =>
				expect(await save(failing(thrown, ...pieces))).toMatchObject({
					reason: { code: 'incompleteFile', fileName: 'File.pdf' },
				}),
			);
			await forEachCase(['ANSWER_SLOW', 'ANSWER_TOO_BIG'], async (fault) =>
				expect(await save(failing(limit(fault), ...pieces))).toMatchObject({
					reason: { code: 'unreachable', fault },
				}),
			);
			expect(await save(failing(own, ...pieces))).toMatchObject({ reason: own.reason });
		});
	});
	test('that is empty, or another one, is given up at its beginning', async () => {
		expect(await save(streamOf())).toMatchObject({ reason: { code: 'emptyFile' } });
		const open = new Readable({ read() {} });
		open.push('x'.repeat(1_024));
		expect(await save(open)).toMatchObject({ reason: { code: 'unexpectedFile' } });
		expect(open.destroyed).toBe(true);
	});
	test('that can not be saved is not read on', async () => {
		const stream = new Readable({
			read() {
				this.push(PDF);
			},
		});
		const context = executionOf({ parameters: {} })();
		jest.spyOn(context.helpers, 'prepareBinaryData').mockRejectedValue(new Error('disk full'));
		await expect(
			receive(
				{ stream, headers: {} },
				{ name: 'File', mimeType: 'application/pdf' },
				saveToStore(context),
			),
		).rejects.toMatchObject({ reason: { code: 'incompleteFile' } });
		expect(stream.destroyed).toBe(true);
	});
	const photo = (marks: string) => Buffer.from(`\xFF\xD8${marks}`, 'latin1');
	test.each<[boolean, string, string, Piece[]]>([
		[true, 'a PDF', 'application/pdf', ['%PDF-1.7', MUCH, '%%E', 'OF']],
		[true, 'its mark 1024 bytes before', 'application/pdf', ['%PDF-%%EOF', MUCH.slice(0, 1_019)]],
		[false, 'half of its mark', 'application/pdf', ['%PDF-1.7', MUCH, '%%EO']],
		[false, 'its mark long before', 'application/pdf', ['%PDF-%%EOF', ...MUCH.slice(0, 1_020)]],
		[true, 'XML and blanks', 'application/xml', ['<a/>', MUCH, '</a>', ' \r', '\n']],
		[true, 'XML in UTF-16', 'application/xml', [utf16('\uFEFF<a>'), utf16(`${MUCH}</a>\n`)]],
		[false, 'half of an element', 'application/xml', ['<a>', MUCH, '<b/></a']],
		[true, 'a picture', 'image/png', [PICTURE, MUCH, 'IEND', '\0\0']],
		[false, 'no end of a picture', 'image/png', [PICTURE, MUCH]],
		[true, 'a photo', 'image/jpeg', [photo(''), MUCH, photo('\xFF\xD9')]],
		[false, 'no end of a photo', 'image/jpeg', [photo('\xFF\xD9'), MUCH, 'IEND']],
		[true, 'a recording, whose format has no mark', 'video/mp4', ['\0\0\0\x18ftyp', MUCH]],
	])(
		'where only the connection tells the end: it is %p that it is whole with %s',
		async (isWhole, _what, mimeType, pieces) => {
			const { reason } = await save(streamOf(...pieces), {
				mimeType,
				headers: { connection: 'close' },
			});
			expect(reason?.code).toBe(isWhole ? undefined : 'incompleteFile');
		},
	);
});

describe('the name of a file', () => {
	test('of an eNote has the ending of what it is', async () => {
		expect(await kindOf('application/xml', NOTE, undefined, 'Note.XML')).toMatch(/^Note\.xml /);
		expect(await kindOf('application/xml', NOTE, undefined, 'Note.xml.a')).toMatch(
			/^Note\.xml\.a\.xml /,
		);
	});
	test('shows no secret', async () => {
		const name = `Deed ${credentialFor('').apiKey as string}`;
		const { facts } = await download(undefined, { '/1': { body: PDF } }, name);
		expect(facts?.file_name).toBe('Deed.pdf');
	});
});

/** Downloads a file at a service that knows these paths; `renewed` is the path of a new link. */
const download = async (
	renewed: string | undefined,
	answers: Record<string, Answer>,
	name = 'Deed',
) =>
	await withService(
		({ path }) => answers[path],
		async ({ url, credential, requests }) => {
			const context = executionOf({ parameters: {} })();
			const service = await clientOf(credential);
			const target = { name, mimeType: 'application/pdf' };
			const renew = async () => await Promise.resolve(renewed && url + renewed);
			const outcome = await receiveLink(
				service,
				`${url}/1`,
				renew,
				target,
				saveToStore(context),
			).then(
				async ({ result: kept, facts }) => ({ facts, content: String(await readFile(kept)) }),
				(failure: unknown) => ({ failure }),
			);
			return { facts: undefined, ...outcome, paths: requests.map(({ path }) => path) };
		},
	);

describe('a link', () => {
	test.each([400, 401, 403, 404, 410])(
		'that is refused with %i has expired, and a new one is retrieved',
		async (status) => {
			const answers = { '/1': { status }, '/2': { body: PDF } };
			expect(await download('/2', answers)).toMatchObject({
				content: PDF,
				paths: ['/1', '/2'],
			});
		},
	);
	test('is renewed once: the second refusal is told', async () => {
		const answers = { '/1': { status: 403 }, '/2': { status: 410, body: 'gone' } };
		expect(await download('/2', answers)).toMatchObject({
			failure: { reason: { code: 'refused', status: 410, details: ['gone'] } },
			paths: ['/1', '/2'],
		});
	});
	test.each<[string, Answer, object]>([
		['refused with 402', { status: 402 }, { code: 'refused', status: 402 }],
		['redirected nowhere', { status: 302 }, { code: 'refused', status: 302 }],
		['to nothing', { body: '' }, { code: 'emptyFile', fileName: 'Deed.pdf' }],
		['to a page', { body: '<html>' }, { code: 'unexpectedFile', expected: 'pdf' }],
		[
			'to a part',
			{ status: 206, body: PDF, headers: { 'content-range': 'bytes 0-21/99' } },
			{ code: 'incompleteFile', fileName: 'Deed.pdf' },
		],
		[
			'to a file that is cut',
			{
				respond: (response) => {
					response.writeHead(200, { 'content-length': '99' });
					response.write(PDF, () => response.destroy());
				},
			},
			{ code: 'incompleteFile', fileName: 'Deed.pdf' },
		],
	])('%s has not expired, and is not renewed', async (_what, answer, reason) => {
		expect(await download('/2', { '/1': answer, '/2': { body: PDF } })).toMatchObject({
			failure: { reason },
			paths: ['/1'],
		});
	});
	test('that has no successor is opened once more', async () => {
		const answers = { '/1': { status: 403 } };
		expect(await download(undefined, answers)).toMatchObject({ paths: ['/1', '/1'] });
	});
});
