import { PDFDocument } from '@cantoo/pdf-lib';

import { findBarrier } from '../../../nodes/SignAndClose/pdf/document/barriers.ts';
import { flate, onePage, pause, pdfFile, type PdfPart } from '../../support/pdfFile.mts';

/** What keeps people from signing a PDF, with pdf.js as the judge of what can be opened and shown. */

const ALGORITHMS = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const;

async function encrypted(algorithm: (typeof ALGORITHMS)[number], userPassword: string) {
	const document = await PDFDocument.create();
	document.addPage([600, 800]).drawText('Hello');
	const options = { ownerPassword: 'secret', userPassword, allowWeakCryptography: true };
	document.encrypt({ ...options, algorithm });
	return await document.save({ useObjectStreams: algorithm !== 'RC4-40' });
}

/** What pdf.js says: the name of what it throws, or what an XFA form is. */
async function judgeByPdfJs(bytes: Uint8Array): Promise<string | undefined> {
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, enableXfa: true });
	try {
		return (await task.promise).isPureXfa ? 'pure XFA' : undefined;
	} catch (thrown) {
		return (thrown as Error).name;
	} finally {
		await task.destroy();
	}
}

describe('a password', () => {
	test.each(ALGORITHMS)('of the user locks a document by %s', async (algorithm) => {
		const bytes = await encrypted(algorithm, 'needed');
		expect(await findBarrier(bytes, pause)).toBe('locked');
		expect(await judgeByPdfJs(bytes)).toBe('PasswordException');
	});

	test.each(ALGORITHMS)('of the owner alone locks none by %s', async (algorithm) => {
		const bytes = await encrypted(algorithm, '');
		expect(await findBarrier(bytes, pause)).toBeUndefined();
		expect(await judgeByPdfJs(bytes)).toBeUndefined();
	});

	const SHORT = '<1234>';
	const WHOLE = `<${'00'.repeat(32)}>`;
	const standard = (more: string, user = WHOLE) =>
		`/Encrypt<</Filter/Standard/P -4/O${WHOLE}/U${user}${more}>>/ID[<00><00>]`;
	test.each([
		['another handler', '/Encrypt<</Filter/Other/V 4>>/ID[<00><00>]'],
		['an unknown version', standard('/V 9/R 9')],
		['an entry that is cut', standard('/V 2/R 3/Length 128', SHORT)],
		['attachments alone', standard('/V 4/R 4/CF<<>>/StmF/Identity/StrF/Identity')],
	])("isn't certain of %s", async (_name, trailer) => {
		const bytes = onePage('', { trailer });
		expect(await findBarrier(bytes, pause)).toBeUndefined();
	});
});

describe('an XFA form', () => {
	const PAGE =
		'<pageArea><contentArea w="200mm" h="250mm"/><medium short="8in" long="11in"/></pageArea>';
	const FORM = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form" layout="tb"><pageSet>${PAGE}</pageSet></subform></template></xdp:xdp>`;
	const config = (value: string): string =>
		`<config><acrobat><acrobat7><dynamicRender>${value}</dynamicRender></acrobat7></acrobat></config>`;
	const PLAIN: PdfPart = ['', FORM];
	const REQUIRED = flate(config('required'));
	const STREAM = '/XFA 5 0 R';
	const ARRAY = '/XFA[(preamble)6 0 R(config)5 0 R(template)6 0 R]';

	/** A form with these entries, of which 5 and 6 are streams. */
	const form = (acroForm: string, catalog: string, part: PdfPart): Buffer =>
		pdfFile({
			1: `<</Type/Catalog/Pages 2 0 R/AcroForm<<${acroForm}>>${catalog}>>`,
			2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
			3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>',
			5: part,
			6: flate(FORM),
			7: '<</FT/Tx/T(Name)/Rect[72 72 200 90]>>',
			8: '<</FT/Sig/T(All)/Rect[0 0 0 0]>>',
			9: 'true',
			10: '<</FT/Sig/T(One)/Kids[<</Rect[9 9 90 90]>>]>>',
		});

	const NEEDED = '/NeedsRendering true';
	test.each<[string, string, string, PdfPart]>([
		['one stream', `/Fields[]${STREAM}`, NEEDED, PLAIN],
		['an array of streams', `/Fields[]${ARRAY}`, NEEDED, PLAIN],
		['no list of fields', STREAM, NEEDED, PLAIN],
		['a reference as its mark', `/Fields[]${STREAM}`, '/NeedsRendering 9 0 R', PLAIN],
		['a signature of the whole file', `/Fields[8 0 R]/SigFlags 3${STREAM}`, NEEDED, PLAIN],
		['its mark in the form, one stream', `/Fields[]${STREAM}`, '', REQUIRED],
		['its mark in the form, an array', `/Fields[]${ARRAY}`, '', REQUIRED],
	])('with %s is dynamic', async (_name, acroForm, catalog, part) => {
		const bytes = form(acroForm, catalog, part);
		expect(await findBarrier(bytes, pause)).toBe('dynamicForm');
		if (catalog === NEEDED) expect(await judgeByPdfJs(bytes)).toBe('pure XFA');
	});

	test.each<[string, string, string, PdfPart]>([
		['a static one', `/Fields[]${STREAM}`, '', PLAIN],
		['one that says so', `/Fields[]${ARRAY}`, '', flate(config('forbidden'))],
		['a mark that is off', `/Fields[]${STREAM}`, '/NeedsRendering false', PLAIN],
		['fields of PDF', `/Fields[7 0 R]${STREAM}`, NEEDED, PLAIN],
		['fields and a signature', `/Fields[8 0 R 7 0 R]${ARRAY}`, NEEDED, REQUIRED],
		['a signature on a page', `/Fields[10 0 R]${STREAM}`, NEEDED, PLAIN],
		['no XFA', '/Fields[]', NEEDED, PLAIN],
		['an empty stream', `/Fields[]${STREAM}`, NEEDED, ['', '']],
		['a stream that is damaged', `/Fields[]${STREAM}`, '', ['/Filter/FlateDecode', 'no']],
	])('with %s has pages', async (_name, acroForm, catalog, part) => {
		const bytes = form(acroForm, catalog, part);
		expect(await findBarrier(bytes, pause)).toBeUndefined();
		expect(await judgeByPdfJs(bytes)).toBeUndefined();
	});
});

test.each([
	['no PDF', Buffer.from('PK')],
	['a cut PDF', onePage('BT ET').subarray(0, 100)],
	['a PDF without pages', pdfFile({ 1: '<</Type/Catalog>>' })],
])('%s has none for certain', async (_name, bytes) => {
	expect(await findBarrier(bytes, pause)).toBeUndefined();
});
