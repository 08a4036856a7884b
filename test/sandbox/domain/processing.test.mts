/** What the service does with documents in the background (docs/service/documents.md#processing). */

import { degrees, PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { forEachCase } from '../../support/forEachCase.mts';

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
	await forEachCase(
		[
			['%PDF-1.7 broken', /can not be read|no pages/],
			[Buffer.from(await locked.save()), /encrypted/],
		] as const,
		async ([bytes, error]) => {
			const ids = await add({ resource: base64(bytes) });
			expect(await processing(ids)).toEqual(['pending', null]);
			await sandbox.clock.advance(PROCESSING_MS);
			expect(await processing(ids)).toEqual(['failed', expect.stringMatching(error)]);
		},
	);
});

test('it fails for every document where the sandbox is told so', async () => {
	sandbox.world.settings.processing = 'fails';
	const ids = await add();
	await sandbox.clock.advance(PROCESSING_MS);
	expect(await processing(ids)).toEqual(['failed', 'The file could not be processed']);
});

describe('text tags', () => {
	/** A PDF with tags on its second page. */
	const tagged = async () => {
		const pdf = await PDFDocument.load(await makePdf(2));
		const page = pdf.getPage(1);
		page.setFont(await pdf.embedFont(StandardFonts.Courier));
		page.setFontSize(10);
		page.drawText('Sign here: {{signature:kim}}', { x: 72, y: 160.4, color: rgb(1, 1, 1) });
		page.drawText('{{signature:nobody}}', { x: 72, y: 90 });
		page.drawText('{{seal:kim}} {{not a tag}}', { x: 72, y: 60 });
		page.drawText('{{se', { x: 300, y: 160 });
		page.drawText('al:not', { x: 324, y: 160, color: rgb(1, 0, 0), size: 10.1 });
		page.drawText('ary}}', { x: 360.4, y: 160 });
		page.drawText('{{dob:kim}}', { x: 500, y: 300, rotate: degrees(90) });
		return base64(Buffer.from(await pdf.save()));
	};
	const PLACED = [
		// A letter of Courier is 6 points wide.
		['kim', 'signature', 72 + 11 * 6, 160, 180, 24],
		['notary', 'seal', 300, 160, 160, 48],
		['kim', 'dob', 500, 300, 180, 24],
	].map(([signer_identifier, type, x, y, width, height]) => ({
		...{ signer_identifier, type, page_number: 1, x, y, width, height },
	}));
	const designationsOf = async (id: string) =>
		(await client.transaction(id)).documents[0].signing_designations;
	/** The designations of the tagged PDF in a draft, once it is processed. */
	const placed = async (more: object = {}) => {
		const [id] = await add({ resource: await tagged(), ...more });
		expect(await designationsOf(id)).toEqual([]);
		await sandbox.clock.advance(PROCESSING_MS);
		return await designationsOf(id);
	};
	test.each(['standard', 'standard_hidden'])('of %s become designations', async (syntax) => {
		expect(await placed({ text_tag_syntax: syntax })).toEqual(PLACED);
	});
	test('are read where the document or the account says so, and they are enabled', async () => {
		const { settings } = sandbox.world;
		expect(await placed()).toEqual([]);
		settings.defaultTextTagSyntax = 'standard';
		expect(await placed()).toEqual(PLACED);
		const { default_text_tag_syntax: syntax } = await client.transaction(await newDraft(client));
		expect(syntax).toBe('standard');
		settings.missingFeatures = ['text_tags'];
		expect(await placed({ text_tag_syntax: 'standard' })).toEqual([]);
	});
	test('of nobody and of the wrong person are left out, which the audit log says', async () => {
		const [id] = await add({ resource: await tagged(), text_tag_syntax: 'standard' });
		await sandbox.clock.advance(PROCESSING_MS);
		const lines = client.stored(id).auditLog.filter((line) => line.includes('text tag'));
		expect(lines.map((line) => line.slice(line.indexOf('text tag')))).toEqual([
			'text tag not placed: Contract, page 2: signer_identifier nobody is not the external_id of a signer',
			'text tag not placed: Contract, page 2: A designation of type seal belongs to the notary',
		]);
	});
	test.each([
		['deed-of-trust', 4],
		['closing-disclosure', 2],
		['borrower-affidavit', 4],
	])('of the sample %s are counted on real estate, too, with an ID', async (sample, count) => {
		const closing = await newClosing(client);
		const resource = `${sandbox.url}/samples/${sample}-tagged.pdf`;
		const body = await newDocument({ resource, text_tag_syntax: 'standard' });
		await client.ok('POST', `${R}/${closing}/documents`, body);
		await sandbox.clock.advance(PROCESSING_MS);
		const { documents } = await client.ok('GET', `${R}/${closing}`);
		const shown = documents.flatMap((document: any) => document.signing_designations);
		expect(shown).toHaveLength(count);
		// Real estate shows no more of a designation.
		const [id, more] = [expect.stringMatching(/^ad/), null];
		expect(shown[0]).toEqual({ id, designation_group_id: more, primary_designation: more });
	});
	test('have no other syntax', async () => {
		const body = await newDocument({ text_tag_syntax: 'any' });
		await client.refuses('POST', `${B}/${await newDraft(client)}/documents`, body, 422);
	});
});
