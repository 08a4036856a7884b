import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

import {
	decodeXml,
	judgeEnote,
	judgePdf,
	judgeXml,
} from '../../../../nodes/SignAndClose/resources/document/files/judgement.ts';
import { flate, onePage, pause } from '../../../support/pdfFile.mts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Which files can't be signed for certain. */

/** What is left of bytes that were read as UTF-8. */
const readAsText = (bytes: Uint8Array): Buffer => Buffer.from(Buffer.from(bytes).toString('utf8'));

async function madeByLibrary(useObjectStreams: boolean, encrypts = false): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (let number = 0; number < 5; number++)
		document.addPage().drawText(`Borrower Signature ${number}`, { x: 72, y: 72, font });
	if (encrypts) document.encrypt({ ownerPassword: 'secret', userPassword: '' });
	return Buffer.from(await document.save({ useObjectStreams }));
}

describe('a PDF that was read as text', () => {
	test.each<[string, () => Buffer | Promise<Buffer>]>([
		['with object streams', async () => await madeByLibrary(true)],
		['without object streams', async () => await madeByLibrary(false)],
		['and has an owner password', async () => await madeByLibrary(true, true)],
		['and has a picture', () => onePage(['/Filter[/DCTDecode]', Buffer.from('ffd8ffe0', 'hex')])],
		['and is large', () => Buffer.concat([onePage(flate('x')), Buffer.alloc(5 * 1024 ** 2, 'é')])],
	])('%s is told from a whole one', async (_name, make) => {
		const whole = await make();
		expect(await judgePdf(whole, pause)).toBeUndefined();
		expect((await judgePdf(readAsText(whole), pause))?.join(' ')).toMatch(
			/was read as text.*'Response Format' to File/,
		);
	});

	const METADATA = '<x:xmpmeta><title>\uFFFD\uFFFD\uFFFD</title></x:xmpmeta>';
	test.each([
		['of ASCII', onePage('BT /F 9 Tf (Hello) Tj ET')],
		['whose metadata has replaced letters', onePage(['/Type/Metadata', Buffer.from(METADATA)])],
		[
			'whose streams are text, with such metadata',
			onePage(['/Filter[/ASCII85Decode/FlateDecode]', '87cURD]~>'], {
				objects: { 5: ['/Type/Metadata', Buffer.from(METADATA)] },
			}),
		],
		[
			'with bytes in streams, and such metadata',
			onePage(flate('BT ET'), { objects: { 5: ['', Buffer.from(METADATA)] } }),
		],
	])("isn't one %s", async (_name, bytes) => {
		expect(await judgePdf(bytes, pause)).toBeUndefined();
	});
});

const ENOTE = '<?xml version="1.0"?><SMART_DOCUMENT><DATA>Jané</DATA></SMART_DOCUMENT>';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('an eNote', () => {
	test.each<[string, Buffer]>([
		['UTF-8', Buffer.from(ENOTE)],
		['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${ENOTE}`)],
		['UTF-16, little end first', Buffer.from(`\uFEFF${ENOTE}`, 'utf16le')],
		['UTF-16, big end first', bigEndian(`\uFEFF${ENOTE}`)],
		['UTF-16 without a mark', Buffer.from(ENOTE, 'utf16le')],
		['UTF-16 without a mark, big end first', bigEndian(ENOTE)],
	])('in %s is read', (_name, bytes) => {
		expect(decodeXml(bytes)).toBe(ENOTE);
		expect(judgeEnote(decodeXml(bytes))).toBeUndefined();
	});

	test('may have comments, a document type and a prefix', () => {
		const type = '<!DOCTYPE note:SMART_DOCUMENT [<!ENTITY a "<b>">]>';
		const whole = [
			`<!-- <html> -->\n${type}<note:SMART_DOCUMENT/>`,
			`${ENOTE}\n<!-- made by a document system -->\n`,
			'<SMART_DOCUMENT a="1>0" />',
			'<SMART_DOCUMENT><html></html></SMART_DOCUMENT>',
			'<ñote></ñote>',
			`<!--${'-'.repeat(9000)}-->${ENOTE}`,
		];
		forEachCase(whole, (text) => expect(judgeEnote(text)).toBeUndefined());
	});

	test('that is cut off is refused', () => {
		const cuts = [20, 21, 36, 40, 52, ENOTE.length - 20, ENOTE.length - 15].map((length) =>
			ENOTE.slice(0, length),
		);
		forEachCase([...cuts, '<!-- a', '<!DOCTYPE SMART_DOCUMENT>', '<a><b/>'], (text) =>
			expect(judgeXml(text)?.[0]).toMatch(/^is cut off/),
		);
	});

	test('is no web page, and no error of a server', () => {
		const pages = [
			'<html><body></body></html>',
			'<!DOCTYPE html>\n<html lang="en">',
			'\n<!-- page --><HTML>',
			'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
		];
		forEachCase(pages, (text) => expect(judgeXml(text)?.[0]).toMatch(/^is a web page or/));
	});

	test.each([
		['a closing disclosure', '<MESSAGE><INTEGRATED_DISCLOSURE/></MESSAGE>'],
		['a closing disclosure', '<m:MESSAGE><m:INTEGRATED_DISCLOSURE/></m:MESSAGE>'],
		['a loan application', '<MESSAGE><DEALS><URLA_DETAIL/></DEALS></MESSAGE>'],
		['a loan application', '<LOAN_APPLICATION></LOAN_APPLICATION>'],
		['a file of loan data', '<MESSAGE><DEAL_SETS/></MESSAGE>'],
		['a file of loan data', '<REQUEST_GROUP></REQUEST_GROUP>'],
	])('is not %s, which may be a seed: %s', (name, text) => {
		expect(judgeEnote(text)).toEqual([
			`is ${name} in MISMO's format, and no eNote`,
			expect.stringContaining('Seed XML'),
		]);
		expect(judgeXml(text)).toBeUndefined();
	});

	test('may be in a message that says so, and have another root', () => {
		const others = [
			'<MESSAGE><DocumentType>Note</DocumentType></MESSAGE>',
			'<MESSAGE><SMARTDocumentProfile/></MESSAGE>',
			'<NOTE></NOTE>',
		];
		forEachCase(others, (text) => expect(judgeEnote(text)).toBeUndefined());
	});
});
