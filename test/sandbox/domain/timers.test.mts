/**
 * What happens to transactions as time passes: expiry, activation
 * (docs/service/transactions.md#creation-fields) and splits
 * (docs/service/documents.md#bookmarked-pdfs).
 */

import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { base64, Client, makePdf, newDraft, newSent } from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

test('Bookmarked PDFs, limits: the split takes about five minutes; its documents can be set only afterwards', async () => {
	const id = await newDraft(client);
	const before = await client.ok('POST', `/transactions/${id}/documents`, {
		resource: base64(
			await makePdf(5, [
				['Note', 1],
				['Deed of Trust', 2],
				['Disclosure', 4],
			]),
		),
		requirement: 'esign',
		pdf_bookmarked: true,
	});
	expect(before.id).toBeUndefined();
	expect(before.message).toMatch(/in progress/);
	// The clock also runs in real time, so this leaves a slow machine a minute.
	await sandbox.clock.advance(240_000);
	expect((await client.transaction(id)).documents).toEqual([]);
	expect(await client.refused('POST', `/transactions/${id}/notarization_ready`)).toEqual([
		422,
		'A document is still being split',
	]);
	await sandbox.clock.advance(61_000);
	const { documents } = await client.transaction(id);
	expect(documents.map(({ document_name }: any) => document_name)).toEqual([
		'Note',
		'Deed of Trust',
		'Disclosure',
	]);
	// The page before the first bookmark stays with the first document.
	const pages = [];
	for (const document of documents) {
		const { data } = await client.ok(
			'GET',
			`/transactions/${id}/documents/${document.id}?encoding=base64`,
		);
		pages.push((await PDFDocument.load(Buffer.from(data, 'base64'))).getPageCount());
	}
	expect(pages).toEqual([2, 2, 1]);
	expect(
		await client.ok('PUT', `/documents/${documents[1].id}`, {
			requirement: 'notarization',
			witness_required: true,
		}),
	).toMatchObject({ requirement: 'notarization', witness_required: true });
});

test('a transaction expires with the clock', async () => {
	const id = await newSent(client, {
		expiry: new Date(sandbox.clock.now() + 3_600_000).toISOString(),
	});
	await sandbox.clock.advance(3_601_000);
	expect(await client.transaction(id)).toMatchObject({
		status: 'expired',
		detailed_status: 'expired',
	});
	expect(
		await client.refused('PATCH', `/transactions/${id}`, { transaction_name: 'Late' }),
	).toEqual([422, 'Transaction has expired']);
	await expect(sandbox.act.sign(id)).rejects.toThrow(/expired/);
});

test('activation_time holds a transaction back', async () => {
	const body = {
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
		activation_time: new Date(sandbox.clock.now() + 60_000).toISOString(),
	};
	const { id, status } = await client.ok('POST', '/transactions', body);
	expect(status).toBe('started');
	await sandbox.clock.advance(61_000);
	expect((await client.transaction(id)).status).toBe('sent');
});
