import { Readable } from 'node:stream';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { saveStream } from '../../../../nodes/SignAndClose/transport/download.ts';
import type { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { executionOf, useBinaryMode } from '../../../support/engine.mts';

/** What a file is, by its beginning and its header, and what it is called then. */

beforeAll(async () => await useBinaryMode('filesystem'));

/**
 * Saves a file that is expected to be of a type.
 * @returns its name and type, or what was expected instead of it
 */
const kindOf = async (
	mimeType: string,
	bytes: string | Buffer,
	{ type, name = 'File' }: { type?: unknown; name?: string } = {},
) => {
	const context = executionOf({ parameters: {} })();
	const stream = Readable.from([Buffer.from(bytes as Buffer)], { objectMode: false });
	const headers = { 'content-length': '1', 'content-type': type };
	try {
		const { binary, facts } = await saveStream(context, stream, headers, { name, mimeType });
		expect(binary).toMatchObject({ fileName: facts.file_name, mimeType: facts.mime_type });
		return [facts.file_name, facts.mime_type];
	} catch (failure) {
		const { reason } = failure as ServiceFailure;
		return reason.code === 'unexpectedFile' ? `no ${reason.expected}` : reason;
	}
};

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bigEndian = (text: string) => utf16(text).swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const PDF = '%PDF-1.7\n';
const NOTE = '<?xml version="1.0"?>\n<SMART_DOCUMENT/>';

describe('a document', () => {
	const pdf = ['File.pdf', 'application/pdf'];
	test.each([PDF, `\n${PDF}`, `${' '.repeat(1_019)}%PDF-`, `<!-- scanned -->${PDF}`])(
		'is a PDF when it begins with its mark (%#)',
		async (bytes) => {
			expect(await kindOf('application/pdf', bytes, { type: 'text/html' })).toEqual(pdf);
		},
	);
	test.each<[string, string | Buffer]>([
		['a page', '<html></html>'],
		['text', 'gone'],
		['a PDF whose mark comes late', `${' '.repeat(1_020)}${PDF}`],
		['the mark in another encoding', utf16(PDF)],
		['half of the mark', '%PDF'],
	])('is none when it is %s', async (_what, bytes) => {
		expect(await kindOf('application/pdf', bytes, { type: 'application/pdf' })).toBe('no pdf');
	});
	test.each([
		['Deed', 'Deed.pdf'],
		['Deed.pdf', 'Deed.pdf'],
		['Deed.PDF', 'Deed.PDF'],
		['Data.xml', 'Data.xml.pdf'],
	])('%j is saved as %s', async (name, saved) => {
		expect(await kindOf('application/pdf', PDF, { name })).toEqual([saved, 'application/pdf']);
	});
});

describe('an eNote', () => {
	const xml = ['File.xml', 'application/xml'];
	test.each<[string, string | Buffer]>([
		['XML', NOTE],
		['XML after a byte order mark', `\uFEFF${NOTE}`],
		['XML in UTF-16', utf16(`\uFEFF${NOTE}`)],
		['XML in UTF-16, big-endian', bigEndian(`\uFEFF${NOTE}`)],
		['XML after blanks', ` \r\n${NOTE}`],
		['XML without a declaration', '<SMART_DOCUMENT/>'],
		['XML with a page as its view', '<NOTE><VIEW><html>I promise to pay</html></VIEW></NOTE>'],
		['XML with an element called error', '<NOTE><ERROR/><error code="0"/></NOTE>'],
		['XML whose comment names a page', `<?xml version="1.0"?><!-- no <html> - -- --><NOTE/>`],
		['XML whose instruction names one', `<?view as="<html>" ?><!--<error>--><NOTE/>`],
		['XML whose root begins like a page', '<html5note/>'],
		['XML of another document type', '<!DOCTYPE SMART_DOCUMENT SYSTEM "smart.dtd"><NOTE/>'],
	])('is %s', async (_what, bytes) => {
		expect(await kindOf('application/xml', bytes)).toEqual(xml);
	});
	test('may be a PDF', async () => {
		const type = 'application/xml';
		const saved = ['Note.pdf', 'application/pdf'];
		expect(await kindOf('application/xml', PDF, { type, name: 'Note.xml' })).toEqual(saved);
	});
	test.each<[string, string | Buffer]>([
		['text', 'gone'],
		['JSON', '{"errors":["Not ready"]}'],
		['a page', '<!DOCTYPE html><p>Sign in'],
		['a page whose document type has blanks', '<!DOCTYPE \n html>'],
		['a page after an instruction', '<?xml version="1.0"?><?is this it? ?><html/>'],
		['a page after a comment', '<!-- a - b -- c --> <html/>'],
		['a page without a document type', '<HTML lang="en">'],
		['a page after a declaration', '<?xml version="1.0"?>\n<!-- <NOTE> -->\n<html/>'],
		['a page in UTF-16', utf16('\uFEFF<html/>')],
		['a page in UTF-16, big-endian', bigEndian('\uFEFF<!doctype html>')],
		["a storage's refusal", '\uFEFF<?xml version="1.0"?><Error><Code>Expired</Code></Error>'],
		["a storage's refusal without a declaration", '<Error/>'],
	])('is not %s', async (_what, bytes) => {
		expect(await kindOf('application/xml', bytes, { type: 'application/xml' })).toBe('no xml');
	});
	test.each([
		['Note', 'Note.xml'],
		['Note.XML', 'Note.xml'],
		['Note.xml.signed', 'Note.xml.signed.xml'],
	])('%j is saved as %s', async (name, saved) => {
		expect(await kindOf('application/xml', NOTE, { name })).toEqual([saved, 'application/xml']);
	});
});

describe('a picture', () => {
	const PICTURE = latin1('\x89PNG\r\n\x1a\n {1} [2] < 3');
	test.each([
		['image/jpeg', 'File.jpg', 'image/jpeg'],
		['IMAGE/JPEG', 'File.jpg', 'image/jpeg'],
		[' image/gif ; charset=binary', 'File.gif', 'image/gif'],
		['image/webp;q=1', 'File.webp', 'image/webp'],
	])('is of the type that the header names (%s)', async (type, name, saved) => {
		expect(await kindOf('image/png', PICTURE, { type })).toEqual([name, saved]);
	});
	test.each([
		undefined,
		'',
		'image/x-unknown',
		'application/octet-stream',
		'application/pdf',
		'video/mp4',
		'text/html',
		'image/',
		'constructor',
		'__proto__',
	])('is what is expected when the header tells something else (%s)', async (type) => {
		expect(await kindOf('image/png', PICTURE, { type })).toEqual(['File.png', 'image/png']);
	});
	test.each<[string, string | Buffer]>([
		['a page', '<html>'],
		['a page after a byte order mark', '\uFEFF<html>'],
		['a page in UTF-16', bigEndian('\uFEFF<html>')],
		['XML', NOTE],
		['an answer in JSON', '{"errors":["Not ready"]}'],
		['an answer in JSON after blanks', '\r\n  ["Not ready"]'],
	])('is not %s', async (_what, bytes) => {
		expect(await kindOf('image/png', bytes, { type: 'image/png' })).toBe('no image');
		expect(await kindOf('video/mp4', bytes, { type: 'video/mp4' })).toBe('no video');
	});
});

test('a recording is of the type that the header names', async () => {
	for (const [type, ending] of [
		['video/mp4', '.mp4'],
		['video/quicktime', '.mov'],
		['video/webm', '.webm'],
	])
		expect(await kindOf('video/mp4', '\0\0\0\x18ftyp', { type })).toEqual([`File${ending}`, type]);
});
