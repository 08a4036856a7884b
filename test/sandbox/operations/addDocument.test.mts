/** Add Document (docs/service/documents.md#add-a-document to #bookmarked-pdfs). */

import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from '@jest/globals';
import FormData from 'form-data';

import {
	addDocument,
	B,
	base64,
	makePdf,
	newClosing,
	newDocument,
	newDraft,
	newSent,
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
	test.each([31, 50])(
		'a file of %d MB, though some places say 50 MB, is read and refused as too big',
		async (megabytes) => {
			const bytes = Buffer.alloc(megabytes * 1024 * 1024, '%PDF-1.7 ');
			const tooBig = 'File is too big (max is 30MB)';
			await refuses({ resource: base64(bytes) }, tooBig);
			const form = new FormData();
			form.append('requirement', 'esign');
			form.append('resource', bytes, { filename: 'big.pdf', contentType: 'application/pdf' });
			const { status, body } = await postForm(`${B}/${await newDraft(client)}/documents`, form);
			expect([status, reasonOf(body)]).toEqual([422, tooBig]);
		},
	);
	test('a file of 30 MB is accepted', async () => {
		const pdf = await makePdf();
		const bytes = Buffer.concat([pdf, Buffer.alloc(30 * 1024 * 1024 - pdf.length, ' ')]);
		const { id } = await addDocument(client, await newDraft(client), { resource: base64(bytes) });
		expect(id).toMatch(/^do_/);
	});
	test('comes from a URL, in base64, or from a template by its slug or its id', async () => {
		const id = await newDraft(client);
		const { templates } = await client.ok('GET', '/templates');
		const url = sandbox.url + DEED;
		const bytes = base64(Buffer.from(await (await fetch(url)).arrayBuffer()));
		const contents = [];
		for (const resource of [url, bytes, templates[0].permalink, templates[0].id]) {
			const { id: document } = await addDocument(client, id, { resource });
			contents.push((await client.document(id, document, '?encoding=base64')).data);
		}
		const template = contents[2];
		expect(contents).toEqual([bytes, bytes, template, template]);
		expect(Buffer.from(template, 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
	});
	test('can be named document; without name and requirement it has those of the file and notarization', async () => {
		const path = `${B}/${await newDraft(client)}/documents`;
		expect(await client.ok('POST', path, { document: sandbox.url + DEED })).toMatchObject({
			id: expect.stringMatching(/^do_/),
			document_name: 'deed-of-trust.pdf',
			requirement: 'notarization',
		});
	});
	test('comes as multipart, by an independent client; real estate answers a list', async () => {
		const id = await newClosing(client);
		const form = new FormData();
		const fields = {
			requirement: 'esign',
			filename: '123',
			witness_required: 'true',
			signing_designations: JSON.stringify([{ ...SIGNATURE, signer_identifier: 'borrower-1' }]),
		};
		for (const [name, value] of Object.entries(fields)) form.append(name, value);
		const file = { filename: 'deed.pdf', contentType: 'application/pdf' };
		form.append('resource', await makePdf(2), file);
		expect((await postForm(`${R}/${id}/documents`, form)).body).toMatchObject([
			{
				document_name: '123',
				allowed_actions: ['WITNESS_REQUIRED'],
				signing_designations: [{ id: expect.any(String) }],
			},
		]);
		expect(client.stored(id).documents.at(-1)).toMatchObject({
			designations: [{ x: 72 }],
			flags: { witness_required: true },
		});
	});
});

describe('requirement and flags', () => {
	test.each(['esign', 'notarization', 'readonly'])(
		'%s takes flags and designations',
		async (requirement) => {
			const flags = { notarization_required: true, witness_required: true };
			const signing_designations = [{ ...SEAL, hint: 'Here' }];
			const more = { requirement, ...flags, signing_designations };
			expect(await addDocument(client, await newDraft(client), more)).toMatchObject({
				requirement,
				notarization_required: true,
				allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'],
				signing_designations,
			});
		},
	);
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
	test('the notary can always have some', async () => {
		const id = await newDraft(client, { signers: [{ email: 'kim@example.com' }] });
		const { signing_designations } = await addDocument(client, id, {
			signing_designations: [SEAL],
		});
		expect(signing_designations).toHaveLength(1);
	});
	test('a dependent one is filled when its trigger was selected', async () => {
		const finished = async (select: string[]) => {
			const id = await newSent(client, {}, { signing_designations: [TRIGGER, DEPENDENT] });
			await sandbox.act.sign(id, { select });
			return client.stored(id).documents[0].final!.length;
		};
		expect(await finished(['c1'])).toBeGreaterThan(await finished([]));
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
		const pages = [];
		for (const document of documents) {
			expect(document).not.toHaveProperty('tracking_id');
			const { data } = await client.document(id, document.id, '?encoding=base64');
			pages.push((await PDFDocument.load(Buffer.from(data, 'base64'))).getPageCount());
			expect(
				await client.ok('PATCH', `/documents/${document.id}`, { witness_required: true }),
			).toMatchObject({ allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'] });
		}
		// The page before the first bookmark stays with the first document.
		expect(pages).toEqual([2, 2, 1]);
	});
	test('the answer can be plain text, also of an update and on real estate', async () => {
		sandbox.world.settings.switches.bookmarkedAnswer = 'text';
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		for (const [method, path, body] of [
			['POST', `${B}/${id}/documents`, await bookmarked()],
			['POST', `${R}/${await newClosing(client)}/documents`, await bookmarked()],
			['PATCH', `/documents/${document}`, { pdf_bookmarked: true }],
		] as const) {
			const answer = await client.call(method, path, body);
			expect([answer.status, answer.body]).toEqual([200, 'Document upload in progress']);
			expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
		}
	});
	test('an update splits the document, which its parts replace', async () => {
		const id = await newDraft(client);
		const resource = base64(await makePdf(5, TITLES));
		const { id: document } = await addDocument(client, id, { resource });
		await client.ok('PATCH', `/documents/${document}`, { pdf_bookmarked: true });
		await sandbox.clock.advance(301_000);
		expect((await client.transaction(id)).documents).toMatchObject(
			TITLES.map(([document_name]) => ({ document_name })),
		);
	});
	test('one that can not be read becomes a document that fails', async () => {
		const id = await newDraft(client);
		await client.ok('POST', `${B}/${id}/documents`, {
			resource: base64('%PDF-1.7 broken'),
			filename: 'Bundle',
			pdf_bookmarked: true,
		});
		await sandbox.clock.advance(302_000);
		const [{ id: document }] = (await client.transaction(id)).documents;
		expect(await client.document(id, document)).toMatchObject({
			document_name: 'Bundle',
			processing_error: expect.stringMatching(/can not be read|no pages/),
		});
	});
});
