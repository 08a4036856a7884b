/** Add Document (docs/service/documents.md#add-a-document to #bookmarked-pdfs). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import FormData from 'form-data';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newDraft,
	newSent,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

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
		expect((await add({ resource: base64('%PDF-1.7 broken') }))[1]).toMatch(
			/can not be read|no pages/,
		);
		expect((await add({ resource: 'neither!' }))[1]).toMatch(/neither a URL nor base64/);
	});
	test('a file of more than 30 MB is refused', async () => {
		expect(
			await add({ resource: Buffer.alloc(30 * 1024 * 1024 + 3, 32).toString('base64') }),
		).toEqual([422, 'File is too big (max is 30MB)']);
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
	test('the permalink of a template', async () => {
		const { templates } = await client.ok('GET', '/templates');
		const id = await newDraft(client);
		expect((await addDocument(client, id, { resource: templates[0].permalink })).id).toMatch(
			/^do_/,
		);
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
		const answer = await fetch(`${sandbox.url}/mortgage/v1/transactions/${id}/documents`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, ...form.getHeaders() },
			body: new Uint8Array(form.getBuffer()),
		});
		expect(await answer.json()).toEqual([
			expect.objectContaining({
				document_name: '123',
				witness_required: true,
				signing_designations: [expect.objectContaining({ x: 72 })],
			}),
		]);
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
	test('pending at first, done soon; real estate answers 409 until then', async () => {
		const id = await newClosing(client);
		const [{ id: document, processing_state }] = await client.ok(
			'POST',
			`/mortgage/v1/transactions/${id}/documents`,
			{ resource: base64(await makePdf()), requirement: 'esign' },
		);
		expect(processing_state).toBe('pending');
		expect(
			(
				await client.refused(
					'GET',
					`/mortgage/v1/transactions/${id}/documents/${document}?encoding=base64`,
				)
			)[0],
		).toBe(409);
		await sandbox.clock.advance(1_000);
		expect(
			await client.ok(
				'GET',
				`/mortgage/v1/transactions/${id}/documents/${document}?encoding=base64`,
			),
		).toMatchObject({ processing_state: 'done', data: expect.any(String) });
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
		['coordinates with a fraction', [{ ...designation, x: 72.5 }], /must be integer/],
		[
			'a group together with optional',
			[{ ...designation, signing_designation_group: 'g', optional: true }],
			/group g is not among/,
		],
	])('refuses %s', async (_name, signing_designations, expected) => {
		const [status, text] = await add({ signing_designations });
		expect(status).toBe(422);
		expect(text).toMatch(expected);
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
		const flags = {
			notarization_required: true,
			witness_required: true,
			signing_designations: [
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
			],
		};
		for (const requirement of ['esign', 'notarization', 'readonly', 'non_essential'])
			expect(await addDocument(client, id, { requirement, ...flags })).toMatchObject({
				requirement,
				...flags,
			});
	});
	test('Bookmarked PDFs: one answers 200 and that the upload is in progress; the new ids come with Retrieve Transaction and take flags by Update Document', async () => {
		const id = await newDraft(client);
		const { status, body } = await client.call('POST', `/transactions/${id}/documents`, {
			resource: base64(
				await makePdf(2, [
					['Note', 0],
					['Deed', 1],
				]),
			),
			requirement: 'esign',
			pdf_bookmarked: true,
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
