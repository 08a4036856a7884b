/** What the service does with documents in the background (docs/service/documents.md#processing). */

import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';

import {
	B,
	base64,
	makePdf,
	newClosing,
	newDocument,
	newDraft,
	R,
	Receiver,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

const PROCESSING_MS = 60_000;

useSandbox({ processingMs: PROCESSING_MS });

/** Adds a document to a new draft, and does not wait until it is processed. @returns both ids */
async function add(more: object = {}): Promise<[transaction: string, document: string]> {
	const id = await newDraft(client);
	const body = await newDocument({ filename: 'Contract', ...more });
	return [id, (await client.ok('POST', `${B}/${id}/documents`, body)).id];
}

/** What Get Document says about the processing. */
async function processing(ids: [string, string]): Promise<[state: string, error: string | null]> {
	const found = await client.document(...ids);
	return [found.processing_state, found.processing_error];
}

const PROCESSED = ['transaction.document.processed'];

test('a document is pending for a while, then done, which an event says', async () => {
	const receiver = await Receiver.on(client, PROCESSED);
	const ids = await add();
	// The sandbox's clock goes on by itself, and a busy machine needs seconds for a request.
	await sandbox.clock.advance(PROCESSING_MS / 2);
	expect(await processing(ids)).toEqual(['pending', null]);
	await sandbox.clock.advance(PROCESSING_MS / 2);
	expect(await processing(ids)).toEqual(['done', null]);
	const document = { document_id: ids[1], name: 'Contract' };
	expect(await receiver.all()).toMatchObject([{ data: { document } }]);
});

test('real estate answers 409 for the content of a pending document; business answers the upload', async () => {
	const resource = base64(await makePdf());
	const body = await newDocument({ resource });
	const closing = await newClosing(client);
	const [{ id }] = await client.ok('POST', `${R}/${closing}/documents`, body);
	const path = `${R}/${closing}/documents/${id}`;
	// The text is no help, but it's the service's.
	for (const query of ['', '?encoding=base64', '?encoding=uri'])
		await client.refuses('GET', path + query, undefined, 409, 'Document processing: done');
	await sandbox.clock.advance(PROCESSING_MS);
	expect(await client.ok('GET', path)).toMatchObject({ processing_state: 'done', data: resource });
	expect(await client.document(...(await add({ resource })), '?encoding=base64')).toMatchObject({
		processing_state: 'pending',
		data: resource,
	});
});

test.each([
	['failed', 'The fonts are missing'],
	['done', 'The fonts are missing'],
	['failed', ''],
] as const)('it can fail: as %s, with the reason "%s"', async (failedProcessing, reason) => {
	sandbox.world.settings.switches.failedProcessing = failedProcessing;
	sandbox.world.settings.processingMs = Infinity;
	const ids = await add();
	await sandbox.clock.advance(365 * 86_400_000);
	expect(await processing(ids)).toEqual(['pending', null]);
	await sandbox.act.failProcessing(ids[0], { document: ids[1], reason });
	expect(await processing(ids)).toEqual([failedProcessing, reason || null]);
	// Business shows the reason in Get Document alone.
	const [document] = (await client.transaction(ids[0])).documents;
	expect(document.processing_state).toBe(failedProcessing);
	expect(document).not.toHaveProperty('processing_error');
	const again = sandbox.act.failProcessing(ids[0]);
	await expect(again).rejects.toThrow('No document is being processed');
	await client.ok('POST', `${B}/${ids[0]}/documents`, await newDocument());
	const failed = sandbox.act.failProcessing(ids[0], { document: ids[1] });
	await expect(failed).rejects.toThrow('This document is not being processed');
});

test('a PDF that can not be read is accepted first, and fails later', async () => {
	const locked = await PDFDocument.load(await makePdf());
	locked.encrypt({ userPassword: 'secret' });
	for (const [bytes, error] of [
		['%PDF-1.7 broken', /can not be read|no pages/],
		[Buffer.from(await locked.save()), /encrypted/],
	] as const) {
		const ids = await add({ resource: base64(bytes) });
		expect(await processing(ids)).toEqual(['pending', null]);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(await processing(ids)).toEqual(['failed', expect.stringMatching(error)]);
	}
});

describe('text tags', () => {
	/** The designations of a PDF with the tags of a signature of kim and of nobody. */
	const placed = async (more: object) => {
		const pdf = await PDFDocument.load(await makePdf(2));
		pdf.getPage(1).drawText('Sign here: {{signature:kim}}', { x: 72, y: 160.4 });
		pdf.getPage(1).drawText('{{signature:nobody}}', { x: 72, y: 90 });
		const [id] = await add({ resource: base64(Buffer.from(await pdf.save())), ...more });
		const designations = async () =>
			(await client.transaction(id)).documents[0].signing_designations;
		expect(await designations()).toEqual([]);
		await sandbox.clock.advance(PROCESSING_MS);
		return await designations();
	};
	test('are read while the document is pending, and are designations afterwards', async () => {
		expect(await placed({ text_tag_syntax: 'any' })).toEqual([
			{
				signer_identifier: 'kim',
				type: 'signature',
				page_number: 1,
				x: 72,
				y: 160,
				width: 180,
				height: 24,
			},
		]);
	});
});
