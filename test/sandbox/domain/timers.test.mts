/**
 * What happens to transactions as time passes: expiry, activation
 * (docs/service/transactions.md#creation-fields) and splits
 * (docs/service/documents.md#bookmarked-pdfs).
 */

import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from '@jest/globals';

import { base64, makePdf, newClosing, newDraft, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

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
	).toMatchObject({
		requirement: 'notarization',
		allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'],
	});
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
	).toEqual([422, 'Transaction cannot be edited at this time.']);
	await expect(sandbox.act.sign(id)).rejects.toThrow(/expired/);
});

test('an expiry that an update has moved does not end the transaction at its old time', async () => {
	const at = (hours: number) => new Date(sandbox.clock.now() + hours * 3_600_000).toISOString();
	const id = await newDraft(client, { expiry: at(1) });
	await client.ok('PATCH', `/transactions/${id}`, { expiry: at(3) });
	await sandbox.clock.advance(2 * 3_600_000);
	expect((await client.transaction(id)).status).toBe('started');
	await sandbox.clock.advance(2 * 3_600_000);
	expect((await client.transaction(id)).status).toBe('expired');
});

test('a closing ends at the end of the day that its expiration_time names', async () => {
	const day = new Date(sandbox.clock.now() + 2 * 86_400_000).toISOString().slice(0, 10);
	const id = await newClosing(client, { expiration_time: `${day}T01:00:00Z` });
	const moveTo = async (time: string) =>
		await sandbox.clock.advance(Date.parse(`${day}T${time}Z`) - sandbox.clock.now());
	await moveTo('23:50:00');
	expect((await client.transaction(id)).status).toBe('started');
	await moveTo('23:59:59.500');
	expect((await client.transaction(id)).status).toBe('expired');
});

test('before activation_time signers can read, but neither sign nor meet the notary', async () => {
	const id = await newSent(
		client,
		{ activation_time: new Date(sandbox.clock.now() + 3_600_000).toISOString() },
		{ requirement: 'notarization' },
	);
	expect((await client.transaction(id)).status).toBe('sent');
	await sandbox.act.openEmail(id);
	await expect(sandbox.act.sign(id)).rejects.toThrow(/signers can only read/);
	await expect(sandbox.act.notarize(id)).rejects.toThrow(/signers can only read/);
	await sandbox.clock.advance(3_600_000);
	await sandbox.act.complete(id);
	expect((await client.transaction(id)).status).toBe('completed');
});
