/**
 * Update, Delete, Get and Retrieve Document (docs/service/documents.md#update-a-document and the
 * sections after it).
 */

import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newCompleted,
	newDraft,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

const definition = parse(
	readFileSync(new URL('../../../sandbox/openapi.yaml', import.meta.url), 'utf8'),
	{ merge: true },
);

describe('Update and Delete Document', () => {
	test('Update a document: what is sent is what the document has afterwards', async () => {
		const id = await newDraft(client);
		const document = await addDocument(client, id);
		const changed = await client.ok('PATCH', `/documents/${document.id}`, {
			name: 'Renamed',
			requirement: 'readonly',
			signing_designations: [
				{
					signer_identifier: 'notary',
					type: 'seal',
					page_number: 1,
					x: 1,
					y: 1,
					width: 9,
					height: 9,
				},
			],
		});
		expect(changed).toMatchObject({
			id: document.id,
			document_name: 'Renamed',
			requirement: 'readonly',
			signing_designations: [{ type: 'seal' }],
		});
	});
	test('Delete takes it away; neither works once it is sent', async () => {
		const id = await newDraft(client);
		const [first, second] = [await addDocument(client, id), await addDocument(client, id)];
		expect(await client.ok('DELETE', `/documents/${first.id}`)).toEqual({
			message: 'Document deleted',
		});
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		expect(await client.refused('DELETE', `/documents/${second.id}`)).toEqual([
			422,
			'Transaction cannot be edited at this time.',
		]);
		expect(await client.refused('PUT', `/documents/${second.id}`, { name: 'x' })).toEqual([
			422,
			'Transaction cannot be edited at this time.',
		]);
		expect((await client.refused('DELETE', `/documents/${first.id}`))[0]).toBe(404);
	});
	test('Update a document: accepts every attribute that Add Document accepts', async () => {
		const values: Record<string, unknown> = {
			resource: base64(await makePdf(2)),
			requirement: 'readonly',
			bundle_position: 3,
			authorization_header: 'Authorization:Bearer x',
			tracking_id: '7',
			signing_designations: [],
			signing_designation_groups: [],
		};
		const { properties } = definition.components.schemas.NewDocument;
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		for (const [name, { type }] of Object.entries<any>(properties)) {
			// A split replaces the document: it has its own test above.
			if (name === 'pdf_bookmarked') continue;
			const value = values[name] ?? (type === 'boolean' ? true : 'Text');
			expect([
				name,
				(await client.call('PATCH', `/documents/${document}`, { [name]: value })).status,
			]).toEqual([name, 200]);
		}
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
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		expect((await content()).equals(sandbox.world.transactions.get(id)!.documents[0].final!)).toBe(
			true,
		);
		expect(
			(
				await fetch(
					(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=uri`)).uri,
				)
			).status,
		).toBe(200);
	});
	test('Retrieve a document: the binary content of one document', async () => {
		const id = await newCompleted(client);
		const answer = await fetch((await client.transaction(id)).documents[0].final_document_url);
		expect(answer.headers.get('content-type')).toBe('application/pdf');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(
				sandbox.world.transactions.get(id)!.documents[0].final!,
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
