import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	base64,
	Client,
	CLOSING,
	makePdf,
	newDraft,
	newSent,
} from './support/client.mts';

/**
 * interface.md §4, Create Transaction to Update Document, where no other file has a test;
 * rules.test.mts has the whole list.
 */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

const definition = parse(
	readFileSync(new URL('../../sandbox/openapi.yaml', import.meta.url), 'utf8'),
	{ merge: true },
);

describe('all endpoints', () => {
	test('interface §4: every operation needs authentication', async () => {
		const operations = Object.entries<any>(definition.paths).flatMap(([path, item]) =>
			['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
				item[method] ? [[method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')]] : [],
			),
		);
		expect(operations.length).toBeGreaterThanOrEqual(50);
		for (const [method, path] of operations)
			expect([method, path, (await fetch(sandbox.url + path, { method })).status]).toEqual([
				method,
				path,
				401,
			]);
	});
	test('interface §4: bodies and responses are JSON', async () => {
		const { status, headers } = await client.call('POST', '/mortgage/v1/transactions', CLOSING);
		expect([status, headers.get('content-type')]).toEqual([
			200,
			expect.stringMatching(/^application\/json/),
		]);
		expect((await client.call('GET', '/transactions/none')).headers.get('content-type')).toMatch(
			/^application\/json/,
		);
	});
});

describe('Verify Property Address', () => {
	test('interface §4, Verify Property Address: the query is transaction_type and street_address with line1, city and state', async () => {
		const query: Record<string, string> = {
			transaction_type: 'refinance',
			'street_address[line1]': '1 Main',
			'street_address[city]': 'Boston',
			'street_address[state]': 'MA',
		};
		const ask = async (parts: Record<string, string>) =>
			(
				await client.call(
					'GET',
					`/mortgage/v1/transactions/verify_address?${new URLSearchParams(parts)}`,
				)
			).status;
		expect(await ask(query)).toBe(200);
		for (const name of Object.keys(query))
			expect([
				name,
				await ask(Object.fromEntries(Object.entries(query).filter(([other]) => other !== name))),
			]).toEqual([name, 422]);
	});
});

describe('Create Transaction', () => {
	test('interface §4, Create Transaction (real estate): takes every documented parameter', async () => {
		const body = {
			transaction_type: 'refinance',
			transaction_name: 'Refinance, 100 Harbor Street',
			require_secondary_photo_id: 'true',
			file_number: 'F-1',
			loan_number: 'L-1',
			street_address: { ...ADDRESS, line2: 'Unit 2', zip_code: '02110' },
			recording_jurisdiction_id: 'rlboston',
			title_agency_id: 'or_agency_harbor',
			title_underwriter_id: 'or_underwriter_atlantic',
			message_to_signer: 'Please sign',
		};
		const signer = {
			email: 'jane@example.com',
			first_name: 'Jane',
			last_name: 'Borrower',
			phone_number: '16175550123',
		};
		expect(await client.ok('POST', '/mortgage/v1/transactions', { ...body, signer })).toMatchObject(
			{
				...body,
				signer_info: { email: signer.email, first_name: 'Jane', last_name: 'Borrower' },
				signers: [signer],
			},
		);
	});
	test('interface §4, Create Transaction (real estate): a draft by default', async () => {
		expect(await client.ok('POST', '/mortgage/v1/transactions', CLOSING)).toMatchObject({
			detailed_status: 'draft',
		});
	});
	test('interface §4, Create Transaction (business): at /transactions, with and without a slash at the end', async () => {
		for (const path of ['/transactions', '/transactions/'])
			expect(
				(
					await client.ok('POST', path, {
						draft: true,
						signers: [{ email: 'kim@example.com', external_id: 'kim' }],
					})
				).signers[0].external_id,
			).toBe('kim');
	});
	test('interface §4, Create Transaction (business): designations need an external_id of the signer and a draft', async () => {
		const signing_designations = [
			{
				signer_identifier: 'kim',
				type: 'signature',
				page_number: 0,
				x: 72,
				y: 100,
				width: 180,
				height: 24,
			},
		];
		const document = {
			resource: base64(await makePdf()),
			requirement: 'esign',
			signing_designations,
		};
		expect(
			(await client.call('POST', `/transactions/${await newDraft(client)}/documents`, document))
				.status,
		).toBe(200);
		expect(
			(
				await client.refused(
					'POST',
					`/transactions/${await newDraft(client, { signers: [{ email: 'kim@example.com' }] })}/documents`,
					document,
				)
			)[1],
		).toMatch(/external_id/);
		expect(
			await client.refused('POST', `/transactions/${await newSent(client)}/documents`, document),
		).toEqual([422, 'Transaction cannot be edited at this time.']);
	});
});

describe('Add and Update Document', () => {
	test('interface §4, Add Document: the resource is the URL of a PDF, or the PDF in base64', async () => {
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
	test('interface §4, Add Document: takes each documented requirement, the flags and designations', async () => {
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
	test('interface §4, Add Document: a bookmarked PDF answers 200 and that the upload is in progress; the new ids come with Retrieve Transaction and take flags by Update Document', async () => {
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
	test('interface §4.2: the trigger is optional and carries the identifier that the dependent designation names', async () => {
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
	test('interface §4, Update Document: accepts every attribute that Add Document accepts', async () => {
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
