/** Add Document (docs/service/documents.md#add-a-document to #bookmarked-pdfs). */

import { PDFDocument } from '@cantoo/pdf-lib';
import FormData from 'form-data';
import { forEachCase } from '../../support/forEachCase.mts';

import {
	addDocument,
	B,
	base64,
	makePdf,
	newClosing,
	newDocument,
	newDraft,
	PLACE,
	R,
	reasonOf,
	SIGNATURE,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

async function postForm(path: string, form: FormData): Promise<{ status: number; body: any }> {
	const answer = await fetch(sandbox.url + path, {
		method: 'POST',
		headers: { ApiKey: sandbox.keys.full, ...form.getHeaders() },
		body: new Uint8Array(form.getBuffer()),
	});
	return { status: answer.status, body: await answer.json() };
}

const refuses = async (more: object, text: string | RegExp) => {
	const path = `${B}/${await newDraft(client)}/documents`;
	await client.refuses('POST', path, await newDocument(more), 422, text);
};
const SEAL = { ...PLACE, signer_identifier: 'notary', type: 'seal' };
const DEED = '/samples/deed-of-trust.pdf';

describe('the file', () => {
	test('only PDFs are taken', async () => {
		await refuses({ resource: base64('hello') }, 'Only PDF files are supported');
		await refuses({ resource: 'neither!' }, /neither a URL nor base64/);
		await refuses({ resource: `${sandbox.url}/samples/absent.pdf` }, /status 404/);
	});
	test('a file of 31 MB, though some places say 50 MB, is read and refused as too big', async () => {
		const bytes = Buffer.alloc(31 * 1024 * 1024, '%PDF-1.7 ');
		const tooBig = 'File is too big (max is 30MB)';
		await refuses({ resource: base64(bytes) }, tooBig);
		const form = new FormData();
		form.append('requirement', 'esign');
		form.append('resource', bytes, { filename: 'big.pdf', contentType: 'application/pdf' });
		const { status, body } = await postForm(`${B}/${await newDraft(client)}/documents`, form);
		expect([status, reasonOf(body)]).toEqual([422, tooBig]);
	});
	test('can be named document; without name and requirement it has those of the file and notarization', async () => {
		const path = `${B}/${await newDraft(client)}/documents`;
		expect(await client.ok('POST', path, { document: sandbox.url + DEED })).toMatchObject({
			id: expect.stringMatching(/^do_/),
			document_name: 'deed-of-trust.pdf',
			requirement: 'notarization',
		});
	});
});

describe('requirement and flags', () => {
	test('a non_essential document is neither annotated nor witnessed, when added and when updated', async () => {
		const id = await newDraft(client);
		const flags = { customer_can_annotate: true, witness_required: true };
		const without = { requirement: 'non_essential', allowed_actions: [] };
		const { requirement } = without;
		expect(await addDocument(client, id, { requirement, ...flags })).toMatchObject(without);
		const other = await addDocument(client, id, flags);
		expect(other.allowed_actions).toHaveLength(2);
		const path = `/documents/${other.id}`;
		expect(await client.ok('PATCH', path, { requirement })).toMatchObject(without);
	});
	test('notarization_required and identity_confirmation_required exclude each other', async () => {
		const [first, second] = [
			{ notarization_required: true },
			{ identity_confirmation_required: true },
		];
		await refuses({ ...first, ...second }, /exclude each other/);
		const { id } = await addDocument(client, await newDraft(client), first);
		await client.refuses('PATCH', `/documents/${id}`, second, 422);
	});
	test('esign_supervised is for wet_sign only', async () => {
		const requirement = 'esign_supervised';
		await refuses({ requirement }, 'esign_supervised is for wet_sign only');
		await refuses({ requirement: 'sing' }, /requirement|sing/);
	});
});

describe('designations', () => {
	const TRIGGER = {
		...SIGNATURE,
		type: 'checkmark',
		optional: true,
		primary_designation_identifier: 'c1',
	};
	const DEPENDENT = { ...SIGNATURE, y: 300, type: 'free_text', conditional_on_primary: 'c1' };
	const inGroup = (type: string, group: object = {}) => ({
		...SIGNATURE,
		type,
		signing_designation_group: { name: 'g', ...group },
	});
	test.each<[string, object[], RegExp]>([
		['one of a stranger', [{ ...SIGNATURE, signer_identifier: 'nobody' }], /external_id/],
		['a dependent one without its trigger', [DEPENDENT], /conditional_on_primary c1/],
		[
			'a trigger that is not optional',
			[{ ...TRIGGER, optional: false }, DEPENDENT],
			/conditional_on_primary c1/,
		],
		[
			'the trigger of another one',
			[{ ...TRIGGER, primary_designation_identifier: 'c2' }, DEPENDENT],
			/conditional_on_primary c1/,
		],
		['a page that is not there', [{ ...SIGNATURE, page_number: 2 }], /page_number 2/],
		['a fraction', [{ ...SIGNATURE, x: 72.5 }], /integer/i],
		['a seal of a signer', [{ ...SIGNATURE, type: 'seal' }], /belongs to the notary/],
		['an optional one of the notary', [{ ...SEAL, optional: true }], /notary can not be optional/],
		[
			'a group together with optional',
			[{ ...inGroup('checkmark'), optional: true }],
			/exclude each other/,
		],
		['a signature in a group', [inGroup('signature')], /type signature can not be in a group/],
		[
			'a group of which more are required than it has',
			[inGroup('checkmark', { min_required: 2 })],
			/g can't be fulfilled/,
		],
		[
			'a group with several radio buttons to be chosen',
			[inGroup('radio_checkmark', { max_required: 2 })],
			/at most one radio_checkmark/,
		],
	])('refuses %s', async (_name, signing_designations, text) => {
		await refuses({ signing_designations }, text);
	});
});

describe('bookmarked PDFs', () => {
	const TITLES: Array<[string, number]> = [
		['Note', 1],
		['Deed', 2],
		['Disclosure', 4],
	];
	const bookmarked = async () =>
		await newDocument({ resource: base64(await makePdf(5, TITLES)), pdf_bookmarked: true });
	test('are split in about five minutes; only then their documents can be set', async () => {
		const id = await newDraft(client);
		expect(
			await client.ok('POST', `${B}/${id}/documents`, {
				...(await bookmarked()),
				witness_required: true,
				tracking_id: 'T-1',
			}),
		).toEqual({ message: 'Document upload in progress' });
		// The clock also runs in real time, so this leaves a slow machine a minute.
		await sandbox.clock.advance(240_000);
		expect((await client.transaction(id)).documents).toEqual([]);
		const send = `${B}/${id}/notarization_ready`;
		await client.refuses('POST', send, undefined, 422, 'A document is still being split');
		await sandbox.clock.advance(61_000);
		const { documents } = await client.transaction(id);
		// Requirement and flags of the upload are not those of its parts.
		const own = { requirement: 'notarization', allowed_actions: ['NOTARIZATION_REQUIRED'] };
		expect(documents).toMatchObject(TITLES.map(([document_name]) => ({ document_name, ...own })));
		const pages: number[] = [];
		await forEachCase(documents as Array<{ id: string }>, async (document) => {
			expect(document).not.toHaveProperty('tracking_id');
			const { data } = await client.document(id, document.id, '?encoding=base64');
			pages.push((await PDFDocument.load(Buffer.from(data, 'base64'))).getPageCount());
			expect(
				await client.ok('PATCH', `/documents/${document.id}`, { witness_required: true }),
			).toMatchObject({ allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'] });
		});
		// The page before the first bookmark stays with the first document.
		expect(pages).toEqual([2, 2, 1]);
	});
	test('the answer can be plain text, also of an update and on real estate', async () => {
		sandbox.world.settings.switches.bookmarkedAnswer = 'text';
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		await forEachCase(
			[
				['POST', `${B}/${id}/documents`, await bookmarked()],
				['POST', `${R}/${await newClosing(client)}/documents`, await bookmarked()],
				['PATCH', `/documents/${document}`, { pdf_bookmarked: true }],
			] as const,
			async ([method, path, body]) => {
				const answer = await client.call(method, path, body);
				expect([answer.status, answer.body]).toEqual([200, 'Document upload in progress']);
				expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
			},
		);
	});
});
