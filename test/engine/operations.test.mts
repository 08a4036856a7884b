import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { heldFiles } from '../../sandbox/http/files.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { samplePdf } from '../../sandbox/data/samples.mts';
import {
	ADD_DOCUMENT,
	CLOSING,
	completedClosing,
	createClosing,
	id,
	pdfItem,
} from '../support/closing.mts';
import {
	credentialFor,
	readFile,
	runNode,
	useBinaryMode,
	type BinaryMode,
} from '../support/engine.mts';

let sandbox: Sandbox;
const credential = () => credentialFor(sandbox.url);
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox({ separateFiles: true });
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	// Signed links lie on another origin: the key must never go there.
	for (const headers of sandbox.fileRequests) expect(Object.keys(headers)).not.toContain('apikey');
	sandbox.faults.clear();
});

const run = async (parameters: IDataObject, more: object = {}) => {
	const outcome = await runNode({ credential: credential(), parameters, ...more });
	if (outcome.error) throw outcome.error;
	return outcome;
};

describe('Address: Verify', () => {
	const verify = {
		resource: 'address',
		operation: 'verify',
		transactionType: 'refinance',
		addressLine1: '1 Main St',
		addressLine2: '',
		addressCity: '={{ $json.city }}',
		addressState: '={{ $json.state ?? "MA" }}',
		addressZipCode: '01101',
	};
	test('gives one item for each recording jurisdiction, paired with its address', async () => {
		const { items } = await run(verify, {
			items: [{ json: { city: 'Boston' } }, { json: { city: 'Springfield' } }],
		});
		expect(
			items.map(({ json, pairedItem }) => [
				json.recording_jurisdiction_id,
				(pairedItem as any).item,
			]),
		).toEqual([
			['rlboston', 0],
			['rlhampden', 1],
			['rlhampshire', 1],
		]);
		expect((items[0].json.eligible_title_agencies as any)[0].eligible_underwriters[0].id).toBe(
			'or_underwriter_atlantic',
		);
	});
	test('a property that can not be closed online is an item that says so', async () => {
		const { items } = await run(verify, { items: [{ json: { city: 'Hilo', state: 'HI' } }] });
		expect(items[0].json).toEqual({ supported: false, eligible_title_agencies: [] });
	});
	test('the object of a documented-only service is one item', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { items } = await runNode({
			credential: credentialFor(documented.url),
			parameters: verify,
			items: [{ json: { city: 'Springfield' } }],
		});
		expect(items).toHaveLength(1);
		expect(items[0].json.supported).toBe(true);
		await documented.close();
	});
});

describe('Transaction: Create Closing', () => {
	test('sends the documented fields, phone without punctuation, zip code under both names', async () => {
		const transactionId = await createClosing(credential(), {
			addressLine2: 'Unit 4',
			additionalFields: {
				loan_number: '77',
				file_number: 'F-1',
				message_to_signer: 'Hello',
				require_secondary_photo_id: true,
			},
		});
		expect(sandbox.requests.at(-1)?.path).toBe('/mortgage/v1/transactions');
		expect(sandbox.requests.at(-1)?.body).toEqual({
			transaction_type: 'refinance',
			transaction_name: 'Refinance 100 Harbor Street',
			signer: {
				email: 'jane.borrower@example.com',
				first_name: 'Jane',
				last_name: 'Borrower',
				phone_number: '6175550123',
				external_id: 'borrower-1',
			},
			street_address: {
				line1: '100 Harbor Street',
				line2: 'Unit 4',
				city: 'Boston',
				state: 'MA',
				zip_code: '02110',
				postal: '02110',
			},
			recording_jurisdiction_id: 'rlboston',
			title_agency_id: 'or_agency_harbor',
			title_underwriter_id: 'or_underwriter_atlantic',
			file_number: 'F-1',
			loan_number: '77',
			message_to_signer: 'Hello',
			require_secondary_photo_id: true,
		});
		expect(sandbox.world.transactions.get(transactionId)?.detailedStatus).toBe('draft');
	});
	test('with identity checks goes to /mortgage/v2 with transaction_type null, in every layout', async () => {
		for (const pathLayout of ['documented', 'current']) {
			const { items, error } = await runNode({
				credential: credentialFor(sandbox.url, { pathLayout }),
				parameters: { ...CLOSING, identityChecks: ['selfie', 'knowledge', 'sms'] },
			});
			expect(error).toBeUndefined();
			const { path, body } = sandbox.requests.at(-1)!;
			expect(path).toBe('/mortgage/v2/transactions');
			expect((body as any).transaction_type).toBeNull();
			expect((body as any).signer.assurance_requirement).toEqual({
				id_verification: { selfie: true },
				knowledge_based_authentication: true,
				multi_factor_authentication: { type: 'sms' },
			});
			expect(items[0].json.transaction_type).toBeNull();
		}
	});
	test('a check that is left out is left out', async () => {
		await createClosing(credential(), { identityChecks: ['sms'] });
		expect((sandbox.requests.at(-1)!.body as any).signer.assurance_requirement).toEqual({
			multi_factor_authentication: { type: 'sms' },
		});
	});
	test("the credential's organization is sent", async () => {
		await runNode({
			credential: credentialFor(sandbox.url, { organizationId: 'or_harbor_branch' }),
			parameters: CLOSING,
		});
		expect((sandbox.requests.at(-1)!.body as any).organization_id).toBe('or_harbor_branch');
	});
	test('simplified: ten fields, ids in front; raw: everything', async () => {
		const { items } = await run(CLOSING);
		expect(Object.keys(items[0].json)).toHaveLength(10);
		expect(items[0].json.detailed_status).toBe('draft');
		const raw = await run({ ...CLOSING, simplify: false });
		expect(raw.items[0].json.transaction_id).toBe(raw.items[0].json.id);
		expect(raw.items[0].json.loan_number).toBe('7001234');
	});
});

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
		const { documents } = sandbox.world.transactions.get(transactionId)!;
		expect(documents.map(({ id: documentId }) => documentId)).toEqual(
			outcome.items.map(({ json }) => json.document_id),
		);
		expect(documents[0].uploaded.equals((await samplePdf('deed-of-trust'))!)).toBe(true);
		expect(documents[2].uploaded.equals((await samplePdf('borrower-affidavit'))!)).toBe(true);
	});

	test('downloads give what the service holds, with name and type', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const transaction = sandbox.world.transactions.get(transactionId)!;
		const held = heldFiles(sandbox.world, transaction);
		const [document] = transaction.documents;
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
		expect(pdf.json).toEqual({
			transaction_id: transactionId,
			document_id: document.id,
			document_name: 'Deed of Trust',
			version: 'final',
			file_name: 'Deed of Trust.pdf',
			mime_type: 'application/pdf',
			bytes: document.final!.length,
		});
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
		const images = (
			await run({ ...base, resource: 'notarizationRecord', operation: 'downloadIdentityImages' })
		).items;
		expect(images.map(({ json }) => [json.signer, json.side, json.mime_type])).toEqual([
			[1, 'primary_front', 'image/png'],
			[1, 'primary_back', 'image/png'],
			[1, 'secondary_front', 'image/png'],
		]);
		const record = (
			await run({ ...base, resource: 'notarizationRecord', operation: 'get', simplify: true })
		).items[0].json;
		expect(record).toMatchObject({
			notarization_record_id: transaction.recordId,
			notary_name: 'Nora Notary',
			has_video: true,
		});
		expect(Object.keys(record)).toHaveLength(10);
	});
});

describe('Document: Add', () => {
	const designation = {
		signer_identifier: 'borrower-1',
		type: 'signature',
		page_number: 1,
		x: 72.4,
		y: 180,
		width: 200,
		height: 28,
	};
	test('places designations, rounded to whole points', async () => {
		const transactionId = await createClosing(credential());
		const designations = [
			designation,
			{ ...designation, signer_identifier: 'notary', type: 'seal', y: 90 },
		];
		await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				designationsJson: JSON.stringify(designations),
			},
			{ items: [await pdfItem()] },
		);
		expect(sandbox.world.transactions.get(transactionId)!.documents[0].designations).toEqual(
			designations.map((place) => ({ ...place, x: 72 })),
		);
	});
	test('an expression may give the designations as an array', async () => {
		const transactionId = await createClosing(credential());
		await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				designationsJson: '={{ $json.places }}',
			},
			{ items: [await pdfItem('deed-of-trust', 'a.pdf', { places: [designation] as never })] },
		);
		expect(sandbox.world.transactions.get(transactionId)!.documents[0].designations).toHaveLength(
			1,
		);
	});
	test('from a URL and from base64', async () => {
		const transactionId = await createClosing(credential());
		await run({
			...ADD_DOCUMENT,
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
			documentName: 'By URL',
		});
		const text = (await samplePdf('closing-disclosure'))!.toString('base64');
		await run({
			...ADD_DOCUMENT,
			transactionId: id(transactionId),
			source: 'base64',
			fileBase64: `data:application/pdf;base64,${text}`,
			documentName: 'By base64',
		});
		expect(
			sandbox.world.transactions
				.get(transactionId)!
				.documents.map(({ name, pages }) => [name, pages]),
		).toEqual([
			['By URL', 2],
			['By base64', 1],
		]);
	});
	test('whose answer was lost is looked up and not added again', async () => {
		const transactionId = await createClosing(credential());
		sandbox.faults.add({ method: 'POST', path: '/documents', kind: 'cutAfter' });
		const { items } = await run(
			{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
			{ items: [await pdfItem()] },
		);
		const { documents } = sandbox.world.transactions.get(transactionId)!;
		expect(documents).toHaveLength(1);
		expect(items[0].json.document_id).toBe(documents[0].id);
	});
	test('on the documented paths alone: a closing takes documents too', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const own = credentialFor(documented.url);
		const transactionId = await createClosing(own);
		const { items, error } = await runNode({
			credential: own,
			parameters: { ...ADD_DOCUMENT, transactionId: id(transactionId) },
			items: [await pdfItem()],
		});
		expect(error).toBeUndefined();
		expect(items[0].json.document_id).toMatch(/^do_/);
		const sent = await runNode({
			credential: own,
			parameters: {
				resource: 'transaction',
				operation: 'send',
				platform: 'realEstate',
				transactionId: id(transactionId),
				additionalFields: {},
				simplify: true,
			},
		});
		expect(sent.error?.message).toMatch(/was not found/);
		await documented.close();
	});
});

describe('Document: Download', () => {
	const download = (transactionId: string, documentId: string) => ({
		resource: 'document',
		operation: 'download',
		platform: 'realEstate',
		transactionId: id(transactionId),
		documentId: id(documentId),
		binaryPropertyName: 'data',
	});
	test('an expired link is renewed once by retrieving the transaction again', async () => {
		const short = await startSandbox({ linkLifetimeSeconds: 900 });
		const own = credentialFor(short.url);
		const transactionId = await completedClosing(short, own);
		const { id: documentId } = short.world.transactions.get(transactionId)!.documents[0];
		// The link dies between being given and being used.
		short.world.clock.stop();
		let links = 0;
		const { now } = short.clock;
		short.clock.now = () => (links++ === 0 ? now() - 2_000_000 : now());
		const { items, error } = await runNode({
			credential: own,
			parameters: download(transactionId, documentId),
		});
		expect(error).toBeUndefined();
		expect(items[0].json.bytes).toBeGreaterThan(1000);
		await short.close();
	});
	test('before completion says what state the transaction is in', async () => {
		const transactionId = await createClosing(credential());
		const added = await run(
			{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
			{ items: [await pdfItem()] },
		);
		const { error } = await runNode({
			credential: credential(),
			parameters: download(transactionId, String(added.items[0].json.document_id)),
		});
		expect(error?.message).toBe("'Deed of Trust' is not finished yet (the transaction is draft)");
		expect(error?.description).toMatch(/Sign and Close Trigger/);
	});
	test('a document of another transaction is not found in this one', async () => {
		const transactionId = await createClosing(credential());
		const { error } = await runNode({
			credential: credential(),
			parameters: download(transactionId, 'do_other'),
		});
		expect(error?.message).toBe("'Document' do_other is not in this transaction");
	});
});

describe('eNote: Add and Transaction: Send', () => {
	const enote = (transactionId: string) => ({
		resource: 'enote',
		operation: 'add',
		transactionId: id(transactionId),
		source: 'url',
		fileUrl: `${sandbox.url}/samples/enote.xml`,
		enoteType: 'ENOTE',
		borrowers: {
			row: [{ first_name: 'Jane', last_name: 'Borrower', middle_name: '', ssn: '078-05-1120' }],
		},
	});
	const send = (transactionId: string) => ({
		resource: 'transaction',
		operation: 'send',
		platform: 'realEstate',
		transactionId: id(transactionId),
		additionalFields: {},
		simplify: true,
	});
	test('a refinance without eNote is refused with the remedy, with eNote it is sent; the social security number is shown nowhere', async () => {
		const transactionId = await createClosing(credential());
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		const { error } = await runNode({ credential: credential(), parameters: send(transactionId) });
		expect(error?.message).toBe('The service refused this: eNote Required');
		expect(error?.description).toMatch(/'eNote: Add'/);
		const added = await run(enote(transactionId));
		expect(added.items[0].json).toMatchObject({ transaction_id: transactionId, is_enote: true });
		expect(JSON.stringify(added.items)).not.toContain('078-05-1120');
		const sent = await run(send(transactionId));
		expect(sent.items[0].json).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
	});
	test('a send whose answer was lost is looked up and not repeated', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { paper_note_consent: true },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		sandbox.faults.add({ method: 'POST', path: 'place_order', kind: 'cutAfter' });
		const { items } = await run(send(transactionId));
		expect(items[0].json.detailed_status).toBe('sent_to_signer');
		expect(
			sandbox.requests.filter(({ path }) => path.includes(`${transactionId}/place_order`)),
		).toHaveLength(1);
	});
});
