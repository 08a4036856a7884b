import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { withService, type Answer } from '../../support/live/service.mts';

/** Transaction: Download Files. */

beforeAll(async () => await useBinaryMode('filesystem'));

const PDF = Buffer.from('%PDF-1.7\n%%EOF');

/** Downloads from a transaction whose links lead to the files. */
const download = async (
	transaction: (url: string) => IDataObject,
	file: (path: string) => Answer,
	more: IDataObject = {},
) =>
	await withService(
		({ path }) =>
			path.endsWith('/transactions/ot_1')
				? { body: { id: 'ot_1', ...transaction(url) } }
				: file(path),
		async (service) => {
			({ url } = service);
			return await runNode({
				credential: service.credential,
				parameters: {
					resource: 'transaction',
					operation: 'downloadFiles',
					platform: 'realEstate',
					transactionId: id('ot_1'),
					files: ['attachment', 'charge_statement', 'identity_report'],
					binaryPropertyName: 'data',
					...more,
				},
			});
		},
	);
/** The address of the service of a test. */
let url = '';

describe('each file is an item', () => {
	const whole = (at: string) => ({
		attachments: [
			{ name: 'Letter.docx', url: `${at}/letter`, date_created: '2026-11-21T10:00:00Z' },
			{ name: 'scan.pdf', url: `${at}/scan` },
			{ name: 'not there', url: null },
		],
		charge_statement_url: `${at}/charges`,
		identity_report: { name: 'identity_report.pdf', url: `${at}/identity` },
	});
	const letter = Buffer.from('{\\rtf a letter}');
	const give = (path: string) => ({ body: path.endsWith('/letter') ? letter : PDF });

	test('with its name, its type and its bytes', async () => {
		const { items, error } = await download(whole, give);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.kind, json.file_name, json.mime_type])).toEqual([
			['attachment', 'Letter.docx', 'application/octet-stream'],
			['attachment', 'scan.pdf', 'application/pdf'],
			['charge_statement', 'charge statement ot_1.pdf', 'application/pdf'],
			['identity_report', 'identity_report.pdf', 'application/pdf'],
		]);
		expect(items[0].json.date_created).toBe('2026-11-21T10:00:00Z');
		expect(await readFile(items[0].binary!.data)).toEqual(letter);
		expect(await readFile(items[3].binary!.data)).toEqual(PDF);
	});
	test('of those that were chosen, and nothing else can be', async () => {
		const { items } = await download(whole, give, { files: 'identity_report' });
		expect(items.map(({ json }) => json.kind)).toEqual(['identity_report']);
		await forEachCase([[], ['audit_trail']], async (files) =>
			expect((await download(whole, give, { files })).error?.message).toMatch(/^'Files' is/),
		);
	});
});

test('a link that has expired is renewed, but never by that of another file', async () => {
	let retrieved = 0;
	const renewed = (second: string) => (at: string) => ({
		attachments: [{ name: ++retrieved === 1 ? 'a.pdf' : second, url: `${at}/${retrieved}` }],
	});
	const give = (path: string): Answer => (path.endsWith('/1') ? { status: 403 } : { body: PDF });
	expect((await download(renewed('a.pdf'), give)).items).toHaveLength(1);
	retrieved = 0;
	expect((await download(renewed('b.pdf'), give)).items).toEqual([]);
});

test('a page is no file, and a transaction without any says so', async () => {
	const page = { body: '<!DOCTYPE html><html>Sign in</html>' };
	const one = (at: string) => ({ attachments: [{ name: 'Letter.docx', url: `${at}/1` }] });
	expect((await download(one, () => page)).error?.message).toMatch(/'Letter.docx' isn't a file/);
	expect(
		(
			await download(
				() => ({}),
				() => page,
			)
		).error?.message,
	).toMatch(/none of the chosen/);
});
