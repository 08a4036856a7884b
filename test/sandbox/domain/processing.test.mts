/** What the service does with documents in the background (docs/service/documents.md#processing). */

import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { afterEach, describe, expect, test } from '@jest/globals';

import {
	loseTextTags,
	unprocessedDocuments,
} from '../../../sandbox/domain/documents/processing.mts';
import { base64, makePdf, newClosing, newDraft, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

const PROCESSING_MS = 60_000;

useSandbox({ processingMs: PROCESSING_MS });
afterEach(() => {
	sandbox.world.settings.processingMs = PROCESSING_MS;
});

/** Adds a document, and does not wait until it is processed. */
async function add(id: string, more: object = {}): Promise<any> {
	return await client.ok('POST', `/transactions/${id}/documents`, {
		resource: base64(await makePdf()),
		requirement: 'esign',
		filename: 'Contract',
		...more,
	});
}

/** What Get Document says about the processing of the only document. */
async function processing(id: string): Promise<[state: string, error: string | null]> {
	const [{ id: document }] = (await client.transaction(id)).documents;
	const found = await client.ok('GET', `/transactions/${id}/documents/${document}`);
	return [found.processing_state, found.processing_error];
}

describe('processing', () => {
	test('a document is pending for a while, then done, which an event tells', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['transaction.document.processed']);
		const id = await newDraft(client);
		const { id: document } = await add(id);
		// The sandbox's clock goes on by itself, and a busy machine needs seconds for a request.
		await sandbox.clock.advance(PROCESSING_MS / 2);
		expect(await processing(id)).toEqual(['pending', null]);
		await sandbox.clock.advance(PROCESSING_MS / 2);
		expect(await processing(id)).toEqual(['done', null]);
		expect(receiver.received.map(({ data }) => data.document)).toEqual([
			{ document_id: document, name: 'Contract' },
		]);
		await client.ok('DELETE', `/v2/webhooks/${hook}`);
		receiver.close();
	});
	test('real estate answers 409 for the content of a pending document, with a text that is no help; business answers the upload', async () => {
		const resource = base64(await makePdf());
		const closing = await newClosing(client);
		const [{ id }] = await client.ok('POST', `/mortgage/v2/transactions/${closing}/documents`, {
			resource,
			requirement: 'esign',
		});
		const path = `/mortgage/v2/transactions/${closing}/documents/${id}`;
		for (const query of ['', '?encoding=base64', '?encoding=uri'])
			expect(await client.refused('GET', path + query)).toEqual([409, 'Document processing: done']);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(await client.ok('GET', path)).toMatchObject({
			processing_state: 'done',
			data: resource,
		});
		const draft = await newDraft(client);
		const added = await add(draft, { resource });
		expect(
			await client.ok('GET', `/transactions/${draft}/documents/${added.id}?encoding=base64`),
		).toMatchObject({ processing_state: 'pending', data: resource });
	});
	test('a test can hold a document pending, and let its processing fail', async () => {
		sandbox.world.settings.processingMs = Infinity;
		const id = await newDraft(client);
		await add(id);
		await sandbox.clock.advance(365 * 86_400_000);
		expect(await processing(id)).toEqual(['pending', null]);
		await sandbox.act.failProcessing(id, { reason: 'The fonts are missing' });
		expect(await processing(id)).toEqual(['failed', 'The fonts are missing']);
		await expect(sandbox.act.failProcessing(id)).rejects.toThrow('No document is being processed');
	});
	test('a document can fail without a reason; business shows the reason in Get Document alone', async () => {
		const [silent, told] = [await newDraft(client), await newDraft(client)];
		await add(silent);
		await add(told);
		await sandbox.act.failProcessing(silent, { reason: '' });
		await sandbox.act.failProcessing(told, { reason: 'The fonts are missing' });
		expect(await processing(silent)).toEqual(['failed', null]);
		expect(await client.refused('POST', `/transactions/${silent}/notarization_ready`)).toEqual([
			422,
			'Document Contract could not be processed',
		]);
		const [document] = (await client.transaction(told)).documents;
		expect(document.processing_state).toBe('failed');
		expect(document).not.toHaveProperty('processing_error');
	});
	test('with the switch, a document that failed is done and has an error', async () => {
		sandbox.world.settings.switches.failedProcessing = 'done';
		const id = await newDraft(client);
		await add(id);
		await sandbox.act.failProcessing(id, { reason: 'The fonts are missing' });
		expect(await processing(id)).toEqual(['done', 'The fonts are missing']);
	});
	test('failProcessing takes the document that it is told', async () => {
		const id = await newDraft(client);
		const [first, second] = [await add(id), await add(id)];
		await sandbox.act.failProcessing(id, { document: second.id });
		await expect(sandbox.act.failProcessing(id, { document: second.id })).rejects.toThrow(
			'This document is not being processed',
		);
		const transaction = sandbox.world.transactions.get(id)!;
		expect(transaction.documents.map(({ id, state }) => [id, state])).toEqual([
			[first.id, 'pending'],
			[second.id, 'failed'],
		]);
		expect(unprocessedDocuments(transaction)).toHaveLength(2);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(unprocessedDocuments(transaction).map(({ id }) => id)).toEqual([second.id]);
	});
	test('a PDF that can not be read is accepted first, and fails later', async () => {
		const locked = await PDFDocument.load(await makePdf());
		locked.encrypt({ userPassword: 'secret' });
		for (const [bytes, error] of [
			['%PDF-1.7 broken', /can not be read|no pages/],
			[Buffer.from(await locked.save()), /encrypted/],
		] as const) {
			const id = await newDraft(client);
			await add(id, { resource: base64(bytes) });
			expect(await processing(id)).toEqual(['pending', null]);
			await sandbox.clock.advance(PROCESSING_MS);
			expect(await processing(id)).toEqual(['failed', expect.stringMatching(error)]);
		}
	});
	test('a deleted document is not processed', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['transaction.document.processed']);
		const { id } = await add(await newDraft(client));
		await client.ok('DELETE', `/documents/${id}`);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(receiver.events).toEqual([]);
		await client.ok('DELETE', `/v2/webhooks/${hook}`);
		receiver.close();
	});
});

describe('text tags', () => {
	/** A PDF with the tags of a signature of kim and of nobody. */
	const tagged = async () => {
		const pdf = await PDFDocument.create();
		const font = await pdf.embedFont(StandardFonts.Helvetica);
		pdf.addPage([612, 792]);
		const page = pdf.addPage([612, 792]);
		page.drawText('Sign here: {{signature:kim}}', { x: 72, y: 160.4, font });
		page.drawText('{{signature:nobody}}', { x: 72, y: 90, font });
		return base64(Buffer.from(await pdf.save()));
	};
	const addTagged = async (more: object) => {
		const id = await newDraft(client);
		await add(id, { resource: await tagged(), ...more });
		return id;
	};
	const placed = async (id: string) =>
		(await client.transaction(id)).documents[0].signing_designations;
	test('they are read while the document is pending, and are designations afterwards', async () => {
		const id = await addTagged({ text_tag_syntax: 'any' });
		expect(await placed(id)).toEqual([]);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(await placed(id)).toEqual([
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
	test('without text_tag_syntax they are text', async () => {
		const id = await addTagged({});
		await sandbox.clock.advance(PROCESSING_MS);
		expect(await placed(id)).toEqual([]);
	});
	test('they are lost when the transaction is sent before they were read', async () => {
		const id = await addTagged({ text_tag_syntax: 'any' });
		loseTextTags(sandbox.world.transactions.get(id)!);
		await sandbox.clock.advance(PROCESSING_MS);
		expect(await placed(id)).toEqual([]);
	});
});
