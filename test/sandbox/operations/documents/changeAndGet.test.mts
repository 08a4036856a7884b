/**
 * Update, Delete, Get and Retrieve Document (docs/service/documents.md#update-a-document and the
 * sections after it).
 */

import { describe, expect, test } from '@jest/globals';

import { loadOpenapi } from '../../../../sandbox/http/openapi.mts';
import { startSandbox } from '../../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from '../../support/client.mts';
import { client, sandbox, useSandbox } from '../../support/useSandbox.mts';

useSandbox();

const definition = loadOpenapi();

const SEAL = {
	signer_identifier: 'notary',
	type: 'seal',
	page_number: 1,
	x: 1,
	y: 1,
	width: 9,
	height: 9,
};

describe('Update and Delete Document', () => {
	test('Update a document: what is sent is what the document has afterwards', async () => {
		const id = await newDraft(client);
		const document = await addDocument(client, id);
		expect(
			await client.ok('PATCH', `/documents/${document.id}`, {
				name: 'Renamed',
				requirement: 'readonly',
				witness_required: true,
				tracking_id: 'T-1',
			}),
		).toMatchObject({
			id: document.id,
			document_name: 'Renamed',
			requirement: 'readonly',
			allowed_actions: ['WITNESS_REQUIRED'],
			tracking_id: 'T-1',
		});
	});
	test('an update ignores what only Add Document takes: the paper, designations and the rest stay, and the answer is 200', async () => {
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		const [{ uploaded, pages }] = sandbox.world.transactions.get(id)!.documents;
		const changed = await client.ok('PATCH', `/documents/${document}`, {
			resource: base64(await makePdf(5)),
			signing_designations: [SEAL],
			filename: 'Other',
			bundle_position: 7,
			esign_required: false,
			vaulted: true,
			name: 'Renamed',
		});
		expect(changed).toMatchObject({
			document_name: 'Renamed',
			bundle_position: 0,
			signing_designations: [],
			esign_required: true,
			vaulted: false,
		});
		const [stored] = sandbox.world.transactions.get(id)!.documents;
		expect([stored.uploaded, stored.pages]).toEqual([uploaded, pages]);
	});
	test('each platform ignores what only the other takes: pdf_bookmarked is of business', async () => {
		const id = await newClosing(client);
		const [{ id: document }] = await client.ok(
			'POST',
			`/mortgage/v1/transactions/${id}/documents`,
			{
				resource: base64(await makePdf()),
				requirement: 'esign',
			},
		);
		expect(
			await client.ok('PUT', `/mortgage/v1/documents/${document}`, { pdf_bookmarked: true }),
		).toMatchObject({ id: document });
		expect(sandbox.world.transactions.get(id)!.splitting).toBe(0);
	});
	test('the text true passes for a boolean', async () => {
		const { id } = await addDocument(client, await newDraft(client));
		const update = async (value: unknown) =>
			(await client.ok('PATCH', `/documents/${id}`, { witness_required: value })).allowed_actions;
		expect(await update('true')).toEqual(['WITNESS_REQUIRED']);
		expect(await update('false')).toEqual([]);
	});
	test('Delete takes it away; neither works once it is sent', async () => {
		const id = await newDraft(client);
		const [first, second] = [await addDocument(client, id), await addDocument(client, id)];
		expect(await client.ok('DELETE', `/documents/${first.id}`)).toEqual({
			message: `Deleted document ${first.id} successfully`,
		});
		await sandbox.clock.advance(1_000);
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		const notModifiable = [422, 'Transaction Cannot Be Modified'];
		expect(await client.refused('DELETE', `/documents/${second.id}`)).toEqual(notModifiable);
		expect(await client.refused('PUT', `/documents/${second.id}`, { name: 'x' })).toEqual(
			notModifiable,
		);
		expect(await client.refused('DELETE', `/documents/${first.id}`)).toEqual([
			404,
			'Document Not Found',
		]);
	});
	test('business does not delete a document of a closing', async () => {
		const id = await newClosing(client);
		const [{ id: document }] = await client.ok(
			'POST',
			`/mortgage/v1/transactions/${id}/documents`,
			{
				resource: base64(await makePdf()),
				requirement: 'esign',
			},
		);
		expect(await client.refused('DELETE', `/documents/${document}`)).toEqual([
			422,
			'You must use the RealEstate API for real estate transactions',
		]);
		expect(await client.ok('DELETE', `/mortgage/v1/documents/${document}`)).toEqual({
			message: `Deleted document ${document} successfully`,
		});
		const { id: other } = await addDocument(client, await newDraft(client));
		expect(await client.refused('DELETE', `/mortgage/v1/documents/${other}`)).toEqual([
			404,
			'Document Not Found',
		]);
	});
	test('Update a document: accepts every attribute that Add Document accepts', async () => {
		const generous = await startSandbox({ switches: { updateDocument: 'everyAttribute' } });
		const other = new Client(generous);
		const values: Record<string, unknown> = {
			resource: base64(await makePdf(2)),
			document: base64(await makePdf(3)),
			requirement: 'readonly',
			bundle_position: 3,
			authorization_header: 'Authorization:Bearer x',
			notarization_required: false,
			tracking_id: '7',
			signing_designations: [SEAL],
			signing_designation_groups: [],
		};
		const { properties } = definition.components.schemas.NewDocument;
		const id = await newDraft(other);
		const { id: document } = await addDocument(other, id);
		for (const [name, { type }] of Object.entries<any>(properties)) {
			// A split replaces the document, which has tests of its own.
			if (name === 'pdf_bookmarked') continue;
			const value = values[name] ?? (type === 'boolean' ? true : 'Text');
			expect([
				name,
				(await other.call('PATCH', `/documents/${document}`, { [name]: value })).status,
			]).toEqual([name, 200]);
		}
		expect(generous.world.transactions.get(id)!.documents[0]).toMatchObject({
			name: 'Text',
			pages: 3,
			position: 3,
			designations: [SEAL],
			flags: { vaulted: true, esign_required: true },
		});
		await generous.close();
	});
});

describe('Get Document', () => {
	test('Get a document: encoding=base64 answers the content, before and after completion', async () => {
		const uploaded = await makePdf(3);
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id, { resource: base64(uploaded) });
		const content = async () =>
			Buffer.from(
				(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=base64`)).data,
				'base64',
			);
		expect((await content()).equals(uploaded)).toBe(true);
		await sandbox.clock.advance(1_000);
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		expect((await content()).equals(sandbox.world.transactions.get(id)!.documents[0].final!)).toBe(
			true,
		);
	});
	test('encoding=uri answers the link to the finished document and no content', async () => {
		const id = await newSent(client);
		const [{ id: document }] = (await client.transaction(id)).documents;
		const get = async () =>
			await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=uri`);
		expect((await get()).final_document_url).toBeNull();
		await sandbox.act.sign(id);
		const found = await get();
		expect((await fetch(found.final_document_url)).status).toBe(200);
		expect(found).not.toHaveProperty('data');
		expect(found).not.toHaveProperty('uri');
	});
	test('without encoding real estate sends the whole file, business sends none', async () => {
		const resource = base64(await makePdf());
		const id = await newClosing(client);
		const [{ id: document }] = await client.ok(
			'POST',
			`/mortgage/v1/transactions/${id}/documents`,
			{
				resource,
				requirement: 'esign',
			},
		);
		await sandbox.clock.advance(1_000);
		const path = `transactions/${id}/documents/${document}`;
		expect((await client.ok('GET', `/mortgage/v1/${path}`)).data).toBe(resource);
		expect(await client.ok('GET', `/mortgage/v1/${path}?encoding=uri`)).not.toHaveProperty('data');
		const draft = await newDraft(client);
		const { id: other } = await addDocument(client, draft);
		expect(await client.ok('GET', `/transactions/${draft}/documents/${other}`)).not.toHaveProperty(
			'data',
		);
	});
	test('another encoding is refused', async () => {
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		expect(
			await client.refused('GET', `/transactions/${id}/documents/${document}?encoding=hex`),
		).toEqual([400, 'Invalid encoding']);
	});
	test('Retrieve a document: the binary content of one document', async () => {
		const id = await newCompleted(client);
		const answer = await fetch((await client.transaction(id)).documents.at(-1).final_document_url);
		expect(answer.headers.get('content-type')).toBe('application/pdf');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(
				sandbox.world.transactions.get(id)!.documents.at(-1)!.final!,
			),
		).toBe(true);
	});
	test('Get a document: one document, by the id in the transaction', async () => {
		const id = await newDraft(client);
		for (const filename of ['One', 'Two']) await addDocument(client, id, { filename });
		for (const { id: document, document_name } of (await client.transaction(id)).documents)
			expect(await client.ok('GET', `/transactions/${id}/documents/${document}`)).toMatchObject({
				id: document,
				document_name,
			});
		expect((await client.refused('GET', `/transactions/${id}/documents/do_none`))[0]).toBe(404);
	});
});
