import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { withService } from '../../support/live/service.mts';
import { complaint, lastBody, run, sendClosing } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** eNote: Add, and sending a closing that needs one. */

useSandbox();

describe('eNote: Add and Transaction: Send', () => {
	const enote = (transactionId: string) => ({
		resource: 'enote',
		operation: 'add',
		transactionId: id(transactionId),
		source: 'url',
		fileUrl: `${sandbox.url}/samples/enote.xml`,
		enoteType: 'ENOTE',
		borrowers: {
			row: [{ first_name: 'Jane', last_name: 'Borrower', middle_name: '', ssn: '078-05-1120' }],
		},
	});
	const send = (transactionId: string) => sendClosing(id(transactionId));
	test('a refinance without eNote is refused with the remedy, with eNote it is sent; the social security number is not in the output', async () => {
		const transactionId = await createClosing(credential());
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		const { error } = await runNode({ credential: credential(), parameters: send(transactionId) });
		expect(error?.message).toBe(
			'Not sent: the closing says neither eNote nor paper note (the service said: eNote Required)',
		);
		expect(error?.description).toMatch(/'eNote: Add'/);
		const added = await run(enote(transactionId));
		expect(added.items[0].json).toMatchObject({ transaction_id: transactionId, is_enote: true });
		expect(JSON.stringify(added.items)).not.toContain('078-05-1120');
		const sent = await run(send(transactionId));
		expect(sent.items[0].json).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
	});
});

describe('the forms of an eNote', () => {
	const add = (more: IDataObject) => ({
		resource: 'enote',
		operation: 'add',
		transactionId: id('ot_1'),
		borrowers: {},
		...more,
	});
	const url = 'https://files.example.com/note';
	const container = { document_id: '8812', transaction_id: '5501', transaction_name: 'Loan 7' };
	/** What is sent to a service that takes it. */
	const sent = async (more: IDataObject) => {
		sandbox.faults.add({
			method: 'POST',
			path: /enote$/,
			status: 200,
			body: { id: 'do_1', is_enote: true },
		});
		await run(add(more));
		return lastBody();
	};
	const refused = async (more: IDataObject, expected: RegExp) => {
		sandbox.requests.length = 0;
		expect(await complaint(add(more))).toMatch(expected);
		expect(sandbox.requests).toEqual([]);
	};
	test.each(['EORIGINAL_CONTAINER', '={{ "EORIGINAL_CONTAINER" }}'])(
		'a note in a vault (%s) needs no file',
		async (enoteType) => {
			expect(await sent({ enoteType, container })).toEqual({
				type: 'EORIGINAL_CONTAINER',
				container,
			});
		},
	);
	test('a note in a vault needs all fields of the container', async () => {
		await refused(
			{ enoteType: 'EORIGINAL_CONTAINER', container: { ...container, transaction_id: '' } },
			/'Container: Transaction ID' is empty/,
		);
	});
	const WHOLE = '<?xml version="1.0"?><SMART_DOCUMENT><DATA/></SMART_DOCUMENT>';
	const base64 = (bytes: Buffer | string): IDataObject => ({
		source: 'base64',
		fileBase64: Buffer.from(bytes as string).toString('base64'),
	});
	test.each<[string, Buffer]>([
		['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${WHOLE}`)],
		['UTF-16, little end first', Buffer.from(`\uFEFF${WHOLE}`, 'utf16le')],
		['UTF-16, big end first', Buffer.from(`\uFEFF${WHOLE}`, 'utf16le').swap16()],
	])('a file in %s is sent byte by byte', async (_name, bytes) => {
		const { file } = await sent({ enoteType: 'ENOTE', ...base64(bytes) });
		expect(file).toBe(bytes.toString('base64'));
	});
	test.each([
		[
			'a web page',
			'<!DOCTYPE html><html></html>',
			/is a web page or the refusal.*may need a login/,
		],
		['cut off', WHOLE.slice(0, -9), /is cut off: its end is missing\. Get the file again/],
		[
			'a closing disclosure',
			'<MESSAGE><INTEGRATED_DISCLOSURE/></MESSAGE>',
			/is a closing disclosure in MISMO's format, and no eNote.*choose Seed XML in 'eNote Type'/,
		],
	])('a file that is %s is refused', async (_name, text, expected) => {
		await refused({ enoteType: 'ENOTE', ...base64(text) }, expected);
		const utf16 = base64(Buffer.from(`\uFEFF${text}`, 'utf16le'));
		await refused({ enoteType: 'ENOTE', ...utf16 }, expected);
	});
	test('loan data may be what the service creates an eNote from', async () => {
		const seed = '<MESSAGE><DEAL_SETS/></MESSAGE>';
		await refused({ enoteType: 'ENOTE', ...base64(seed) }, /is a file of loan data in MISMO's/);
		expect(await sent({ enoteType: 'SCHEMA', ...base64(seed) })).toMatchObject({ type: 'SCHEMA' });
	});
	test('an integration stands instead of a type, with the URL of a PDF', async () => {
		expect(await sent({ enoteType: 'integration', pdfUrl: `${url}.pdf` })).toEqual({
			integration: 'DOCUTECH',
			file: `${url}.pdf`,
		});
		expect(
			await sent({ enoteType: 'integration', integration: 'OTHER', pdfUrl: `${url}.pdf` }),
		).toMatchObject({ integration: 'OTHER' });
		await refused({ enoteType: 'integration', pdfUrl: 'note.pdf' }, /'PDF URL' isn't a complete/);
		await refused({ enoteType: 'integration', pdfUrl: '' }, /'PDF URL' is empty/);
	});
	test('any other type is passed on with what is filled in', async () => {
		const enoteType = '={{ "NEW_TYPE" }}';
		const vault = { document_id: '8812' };
		expect(await sent({ enoteType, source: 'url', fileUrl: url, container: vault })).toEqual({
			type: 'NEW_TYPE',
			file: url,
			container: vault,
		});
	});
	describe('social security numbers', () => {
		const borrower = (ssn: unknown) => ({
			enoteType: 'ENOTE',
			source: 'url',
			fileUrl: url,
			borrowers: {
				row: [{ first_name: 'Jane', last_name: 'Borrower', ssn: ssn as string }],
			},
		});
		test.each(['078-05-1120', '078 05 1120', ' 078051120 ', '={{ "078-05-1120" }}'])(
			'%s is sent as nine digits',
			async (ssn) => {
				// The sandbox doesn't log the number.
				await withService(
					() => ({ body: { id: 'do_1' } }),
					async (service) => {
						await run(add(borrower(ssn)), { credential: service.credential });
						expect(service.bodies('POST')).toMatchObject([{ borrowers: [{ ssn: '078051120' }] }]);
					},
				);
			},
		);
		test.each([
			['with a digit missing', '078-05-112'],
			['that lost its leading zero as a number', '={{ 78051120 }}'],
			['with letters', '078-05-112O'],
		])('one %s is refused, without showing it', async (_name, ssn) => {
			await refused(
				borrower(ssn),
				/'Borrowers', entry 1: 'Social Security Number' doesn't have nine digits.*leading zeros/,
			);
			expect(await complaint(add(borrower(ssn)))).not.toMatch(/112|78051/);
		});
	});
});
