/** Add Document (docs/service/documents.md#add-a-document to #bookmarked-pdfs). */

import { describe, expect, test } from '@jest/globals';
import FormData from 'form-data';

import {
	addDocument,
	base64,
	makePdf,
	reasonOf,
	newClosing,
	newDraft,
	newSent,
} from '../../support/client.mts';
import { client, sandbox, useSandbox } from '../../support/useSandbox.mts';

useSandbox();

async function postForm(path: string, form: FormData): Promise<{ status: number; body: any }> {
	const answer = await fetch(sandbox.url + path, {
		method: 'POST',
		headers: { ApiKey: sandbox.keys.full, ...form.getHeaders() },
		body: new Uint8Array(form.getBuffer()),
	});
	return { status: answer.status, body: await answer.json() };
}

describe('Add Document', () => {
	const add = async (more: object) => {
		const id = await newDraft(client);
		return await client.refused('POST', `/transactions/${id}/documents`, {
			resource: base64(await makePdf()),
			requirement: 'esign',
			...more,
		});
	};
	const designation = {
		signer_identifier: 'kim',
		type: 'signature',
		page_number: 0,
		x: 72,
		y: 100,
		width: 180,
		height: 24,
	};
	test('Add a document, limits: only PDF files', async () => {
		expect(await add({ resource: base64('hello') })).toEqual([422, 'Only PDF files are supported']);
		expect((await add({ resource: 'neither!' }))[1]).toMatch(/neither a URL nor base64/);
	});
	test.each([31, 50])(
		'a file of %d MB, though some places say 50 MB, is read and refused as too big',
		async (megabytes) => {
			const bytes = Buffer.alloc(megabytes * 1024 * 1024, '%PDF-1.7 ');
			const tooBig = [422, 'File is too big (max is 30MB)'];
			expect(await add({ resource: base64(bytes) })).toEqual(tooBig);
			const form = new FormData();
			form.append('requirement', 'esign');
			form.append('resource', bytes, { filename: 'big.pdf', contentType: 'application/pdf' });
			const path = `/transactions/${await newDraft(client)}/documents`;
			const { status, body } = await postForm(path, form);
			expect([status, reasonOf(body)]).toEqual(tooBig);
		},
	);
	test('a file of 30 MB is accepted', async () => {
		const pdf = await makePdf();
		const bytes = Buffer.concat([pdf, Buffer.alloc(30 * 1024 * 1024 - pdf.length, ' ')]);
		const { id } = await addDocument(client, await newDraft(client), { resource: base64(bytes) });
		expect(id).toMatch(/^do_/);
	});
	test('Add a document: from a URL, with the authorization header given for it', async () => {
		const id = await newDraft(client);
		expect(
			(
				await addDocument(client, id, {
					resource: `${sandbox.url}/samples/deed-of-trust.pdf`,
					filename: undefined,
				})
			).document_name,
		).toBe('deed-of-trust.pdf');
		expect((await add({ resource: `${sandbox.url}/samples/absent.pdf` }))[1]).toMatch(/status 404/);
	});
	test('the slug of a template, or its id', async () => {
		const { templates } = await client.ok('GET', '/templates');
		const id = await newDraft(client);
		const contents = [];
		for (const resource of [templates[0].permalink, templates[0].id]) {
			const { id: document } = await addDocument(client, id, { resource });
			contents.push(
				(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=base64`)).data,
			);
		}
		expect(Buffer.from(contents[0], 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
		expect(contents[1]).toBe(contents[0]);
	});
	test('the content by its other name document, and a document without a requirement', async () => {
		const document = await client.ok('POST', `/transactions/${await newDraft(client)}/documents`, {
			document: `${sandbox.url}/samples/deed-of-trust.pdf`,
		});
		expect(document).toMatchObject({
			document_name: 'deed-of-trust.pdf',
			requirement: 'notarization',
		});
	});
	test('as multipart, by an independent client', async () => {
		const id = await newClosing(client);
		const form = new FormData();
		for (const [name, value] of Object.entries({
			requirement: 'esign',
			filename: '123',
			witness_required: 'true',
			signing_designations: JSON.stringify([{ ...designation, signer_identifier: 'borrower-1' }]),
		}))
			form.append(name, value);
		form.append('resource', await makePdf(2), {
			filename: 'deed.pdf',
			contentType: 'application/pdf',
		});
		const { body } = await postForm(`/mortgage/v1/transactions/${id}/documents`, form);
		expect(body).toEqual([
			expect.objectContaining({
				document_name: '123',
				allowed_actions: ['WITNESS_REQUIRED'],
				signing_designations: [expect.objectContaining({ id: expect.any(String) })],
			}),
		]);
		expect(sandbox.world.transactions.get(id)!.documents.at(-1)).toMatchObject({
			designations: [{ x: 72 }],
			flags: { witness_required: true },
		});
	});
	test('business answers a document, real estate a list', async () => {
		const resource = base64(await makePdf());
		expect(
			(
				await client.ok('POST', `/transactions/${await newDraft(client)}/documents`, {
					resource,
					requirement: 'esign',
				})
			).id,
		).toMatch(/^do_/);
		expect(
			await client.ok('POST', `/mortgage/v2/transactions/${await newClosing(client)}/documents`, {
				resource,
				requirement: 'esign',
			}),
		).toHaveLength(1);
	});
	test.each([
		[
			'a designation of a stranger',
			[{ ...designation, signer_identifier: 'nobody' }],
			/external_id/,
		],
		[
			'a dependent designation without its trigger',
			[{ ...designation, conditional_on_primary: 'c1' }],
			/conditional_on_primary c1/,
		],
		[
			'a trigger that is not optional',
			[
				{ ...designation, primary_designation_identifier: 'c1' },
				{ ...designation, conditional_on_primary: 'c1' },
			],
			/conditional_on_primary c1/,
		],
		['a page that is not there', [{ ...designation, page_number: 1 }], /page_number 1/],
		['a seal of a signer', [{ ...designation, type: 'seal' }], /belongs to the notary/],
		[
			'a group together with optional',
			[
				{
					...designation,
					type: 'checkmark',
					signing_designation_group: { name: 'g' },
					optional: true,
				},
			],
			/exclude each other/,
		],
		[
			'a signature in a group',
			[{ ...designation, signing_designation_group: { name: 'g' } }],
			/type signature can not be in a group/,
		],
		[
			'a group of which more are required than it has',
			[
				{
					...designation,
					type: 'checkmark',
					signing_designation_group: { name: 'g', min_required: 2 },
				},
			],
			/g can't be fulfilled/,
		],
		[
			'a group with several radio buttons to be chosen',
			[
				{
					...designation,
					type: 'radio_checkmark',
					signing_designation_group: { name: 'g', max_required: 2 },
				},
			],
			/at most one radio_checkmark/,
		],
		[
			'an optional designation of the notary',
			[{ ...designation, signer_identifier: 'notary', type: 'seal', optional: true }],
			/notary can not be optional/,
		],
	])('refuses %s', async (_name, signing_designations, expected) => {
		const [status, text] = await add({ signing_designations });
		expect(status).toBe(422);
		expect(text).toMatch(expected);
	});
	test('refuses coordinates with a fraction', async () => {
		const [, text] = await add({ signing_designations: [{ ...designation, x: 72.5 }] });
		expect(text).toMatch(/integer/i);
	});
	test('Signer identifier: a signer without external_id can not have designations, the notary always can', async () => {
		const id = await newDraft(client, { signers: [{ email: 'kim@example.com' }] });
		const resource = base64(await makePdf());
		expect(
			(
				await client.refused('POST', `/transactions/${id}/documents`, {
					resource,
					requirement: 'esign',
					signing_designations: [designation],
				})
			)[0],
		).toBe(422);
		expect(
			(
				await addDocument(client, id, {
					signing_designations: [{ ...designation, signer_identifier: 'notary', type: 'seal' }],
				})
			).signing_designations,
		).toHaveLength(1);
	});
	test('Conditional designations: a dependent one is filled when its trigger was selected', async () => {
		const finished = async (select: string[]) => {
			const signing_designations = [
				{ ...designation, type: 'checkmark', optional: true, primary_designation_identifier: 'c1' },
				{ ...designation, y: 300, type: 'free_text', conditional_on_primary: 'c1' },
			];
			const id = await newSent(client, {}, { signing_designations });
			await sandbox.act.sign(id, { select });
			return sandbox.world.transactions.get(id)!.documents[0].final!.length;
		};
		expect(await finished(['c1'])).toBeGreaterThan(await finished([]));
	});
	test('esign_supervised is for wet_sign only', async () => {
		expect((await add({ requirement: 'esign_supervised' }))[1]).toBe(
			'esign_supervised is for wet_sign only',
		);
		expect((await add({ requirement: 'sing' }))[0]).toBe(422);
	});
	test('Add a document: the resource is the URL of a PDF, or the PDF in base64', async () => {
		const url = `${sandbox.url}/samples/deed-of-trust.pdf`;
		const bytes = base64(Buffer.from(await (await fetch(url)).arrayBuffer()));
		const id = await newDraft(client);
		for (const resource of [url, bytes]) {
			const { id: document } = await addDocument(client, id, { resource });
			expect(
				(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=base64`)).data,
			).toBe(bytes);
		}
	});
	test('Add a document: takes each documented requirement, the flags and designations', async () => {
		const id = await newDraft(client);
		const flags = { notarization_required: true, witness_required: true };
		const signing_designations = [
			{
				signer_identifier: 'notary',
				type: 'seal',
				page_number: 0,
				x: 1,
				y: 1,
				width: 9,
				height: 9,
				hint: 'Here',
			},
		];
		for (const requirement of ['esign', 'notarization', 'readonly'])
			expect(
				await addDocument(client, id, { requirement, ...flags, signing_designations }),
			).toMatchObject({
				requirement,
				notarization_required: true,
				allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'],
				signing_designations,
			});
	});
	test('a non_essential document is neither annotated nor witnessed, when added and when updated', async () => {
		const id = await newDraft(client);
		const flags = { customer_can_annotate: true, witness_required: true };
		const requirement = 'non_essential';
		expect(await addDocument(client, id, { requirement, ...flags })).toMatchObject({
			requirement,
			allowed_actions: [],
		});
		const other = await addDocument(client, id, flags);
		expect(other.allowed_actions).toHaveLength(2);
		expect(await client.ok('PATCH', `/documents/${other.id}`, { requirement })).toMatchObject({
			allowed_actions: [],
		});
	});
	test('notarization_required and identity_confirmation_required exclude each other', async () => {
		const both = { notarization_required: true, identity_confirmation_required: true };
		expect((await add(both))[1]).toMatch(/exclude each other/);
		const { id } = await addDocument(client, await newDraft(client), {
			notarization_required: true,
		});
		expect(
			(
				await client.refused('PATCH', `/documents/${id}`, { identity_confirmation_required: true })
			)[0],
		).toBe(422);
	});
	test('once the transaction is sent, no document can be added', async () => {
		const id = await newSent(client);
		expect(
			await client.refused('POST', `/transactions/${id}/documents`, {
				resource: base64(await makePdf()),
				requirement: 'esign',
			}),
		).toEqual([422, 'Transaction Cannot Be Modified']);
	});
	describe('bookmarked PDFs', () => {
		const bookmarked = async () => ({
			resource: base64(
				await makePdf(2, [
					['Note', 0],
					['Deed', 1],
				]),
			),
			pdf_bookmarked: true,
		});
		test('Bookmarked PDFs: one answers 200 and that the upload is in progress; the new ids come with Retrieve Transaction and take flags by Update Document', async () => {
			const id = await newDraft(client);
			const { status, body } = await client.call('POST', `/transactions/${id}/documents`, {
				...(await bookmarked()),
				requirement: 'esign',
			});
			expect([status, body]).toEqual([200, { message: 'Document upload in progress' }]);
			await sandbox.clock.advance(301_000);
			const { documents } = await client.transaction(id);
			expect(documents).toHaveLength(2);
			for (const document of documents)
				expect(
					await client.ok('PATCH', `/documents/${document.id}`, { notarization_required: true }),
				).toMatchObject({ id: document.id, notarization_required: true });
		});
		test('Bookmarked PDFs: requirement and flags of the upload are not those of its parts', async () => {
			const id = await newDraft(client);
			await client.ok('POST', `/transactions/${id}/documents`, {
				...(await bookmarked()),
				requirement: 'esign',
				witness_required: true,
				tracking_id: 'T-1',
			});
			await sandbox.clock.advance(301_000);
			const { documents } = await client.transaction(id);
			expect(documents).toMatchObject([
				{ document_name: 'Note', requirement: 'notarization' },
				{ document_name: 'Deed', requirement: 'notarization' },
			]);
			for (const { allowed_actions, tracking_id } of documents)
				expect([allowed_actions, tracking_id]).toEqual([['NOTARIZATION_REQUIRED'], undefined]);
		});
		test('the answer can be plain text, also of an update and on real estate', async () => {
			sandbox.world.settings.switches.bookmarkedAnswer = 'text';
			try {
				const id = await newDraft(client);
				const closing = await newClosing(client);
				const { id: document } = await addDocument(client, id);
				for (const [method, path, body] of [
					['POST', `/transactions/${id}/documents`, await bookmarked()],
					['POST', `/mortgage/v2/transactions/${closing}/documents`, await bookmarked()],
					['PATCH', `/documents/${document}`, { pdf_bookmarked: true }],
				] as const) {
					const answer = await client.call(method, path, body);
					expect([answer.status, answer.body]).toEqual([200, 'Document upload in progress']);
					expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
				}
			} finally {
				sandbox.world.settings.switches.bookmarkedAnswer = 'json';
			}
		});
		test('an update splits the document, which its parts replace', async () => {
			const id = await newDraft(client);
			const { resource } = await bookmarked();
			const { id: document } = await addDocument(client, id, { resource });
			await client.ok('PATCH', `/documents/${document}`, { pdf_bookmarked: true });
			await sandbox.clock.advance(301_000);
			expect(
				(await client.transaction(id)).documents.map(({ document_name }: any) => document_name),
			).toEqual(['Note', 'Deed']);
		});
		test('one that can not be read becomes a document that fails', async () => {
			const id = await newDraft(client);
			await client.ok('POST', `/transactions/${id}/documents`, {
				resource: base64('%PDF-1.7 broken'),
				filename: 'Bundle',
				pdf_bookmarked: true,
			});
			await sandbox.clock.advance(302_000);
			const [{ id: document, document_name }] = (await client.transaction(id)).documents;
			expect(document_name).toBe('Bundle');
			expect(
				(await client.ok('GET', `/transactions/${id}/documents/${document}`)).processing_error,
			).toMatch(/can not be read|no pages/);
		});
	});
	test('Conditional designations: the trigger is optional and carries the identifier that the dependent designation names', async () => {
		const place = { signer_identifier: 'kim', page_number: 0, x: 72, width: 180, height: 24 };
		const trigger = {
			...place,
			y: 100,
			type: 'checkmark',
			optional: true,
			primary_designation_identifier: 'c1',
		};
		const dependent = { ...place, y: 300, type: 'free_text', conditional_on_primary: 'c1' };
		const add = async (signing_designations: object[]) =>
			(
				await client.call('POST', `/transactions/${await newDraft(client)}/documents`, {
					resource: base64(await makePdf()),
					requirement: 'esign',
					signing_designations,
				})
			).status;
		expect(await add([trigger, dependent])).toBe(200);
		expect(await add([{ ...trigger, optional: false }, dependent])).toBe(422);
		expect(await add([{ ...trigger, primary_designation_identifier: 'c2' }, dependent])).toBe(422);
	});
});
