import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { finishedFiles } from '../../../sandbox/domain/finishedFiles.mts';
import {
	ADD_DOCUMENT,
	completedClosing,
	createClosing,
	id,
	pdfItem,
} from '../../support/closing.mts';
import { readFile, useBinaryMode, type BinaryMode } from '../../support/engine.mts';
import { ownDocuments, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Files that go in and come out, in both of n8n's binary modes. */

useSandbox();

describe.each<BinaryMode>(['filesystem', 'default'])('files in binary mode %s', (mode) => {
	beforeAll(async () => await useBinaryMode(mode));
	afterAll(async () => await useBinaryMode('filesystem'));

	test('Document: Add streams three different files with their own names and requirements', async () => {
		const transactionId = await createClosing(credential());
		const items = [
			await pdfItem('deed-of-trust', 'Deed of Trust.pdf', { requirement: 'notarization' }),
			await pdfItem('closing-disclosure', 'Closing Disclosure.pdf', { requirement: 'readonly' }),
			await pdfItem('borrower-affidavit', 'Affidavit "Übertrag".pdf', { requirement: 'esign' }),
		];
		const outcome = await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				requirement: '={{ $json.requirement }}',
			},
			{ items },
		);
		expect(
			outcome.items.map(({ json }) => [json.transaction_id, json.document_name, json.requirement]),
		).toEqual([
			[transactionId, 'Deed of Trust', 'notarization'],
			[transactionId, 'Closing Disclosure', 'readonly'],
			[transactionId, 'Affidavit "Übertrag"', 'esign'],
		]);
		const documents = ownDocuments(transactionId);
		expect(documents.map(({ id: documentId }) => documentId)).toEqual(
			outcome.items.map(({ json }) => json.document_id),
		);
		expect(documents[0].uploaded.equals((await samplePdf('deed-of-trust'))!)).toBe(true);
		expect(documents[2].uploaded.equals((await samplePdf('borrower-affidavit'))!)).toBe(true);
	});

	test('downloads give what the service holds, with name and type', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const transaction = sandbox.world.transactions.get(transactionId)!;
		const held = finishedFiles(sandbox.world, transaction);
		const [document] = ownDocuments(transactionId);
		const base = {
			platform: 'realEstate',
			transactionId: id(transactionId),
			recordId: id(transaction.recordId!),
			binaryPropertyName: 'file',
		};
		const pdf = (
			await run({
				...base,
				resource: 'document',
				operation: 'download',
				documentId: id(document.id),
			})
		).items[0];
		expect(pdf.binary!.file).toMatchObject({
			fileName: 'Deed of Trust.pdf',
			mimeType: 'application/pdf',
			fileExtension: 'pdf',
		});
		expect((await readFile(pdf.binary!.file)).equals(document.final!)).toBe(true);
		const audit = (await run({ ...base, resource: 'transaction', operation: 'getAuditTrail' }))
			.items[0];
		expect((await readFile(audit.binary!.file)).equals(transaction.auditTrail!)).toBe(true);
		const video = (
			await run({ ...base, resource: 'notarizationRecord', operation: 'downloadVideo' })
		).items[0];
		expect(video.binary!.file).toMatchObject({ mimeType: 'video/mp4', fileExtension: 'mp4' });
		expect(video.json.bytes).toBe(held.find(({ kind }) => kind === 'video')!.bytes);
	});
});
