import { samplePdf } from '../../../sandbox/data/samples.mts';
import { startSandbox } from '../../../sandbox/index.mts';
import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { credentialFor, readFile, runNode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	attempt,
	complaint,
	hints,
	run,
	sendClosing,
	ownDocuments,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Document: Add, Download, Update and Delete. */

useSandbox();

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
	test('an expression can give the designations as an array', async () => {
		const transactionId = await createClosing(credential());
		await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				designationsJson: '={{ $json.places }}',
			},
			{ items: [await pdfItem('deed-of-trust', 'a.pdf', { places: [designation] as never })] },
		);
		expect(ownDocuments(transactionId)[0].designations).toHaveLength(1);
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
		expect(ownDocuments(transactionId).map(({ name, pages }) => [name, pages])).toEqual([
			['By URL', 2],
			['By base64', 1],
		]);
	});
	test("a service with only the documented endpoints: a document is added to a closing, which can't be sent", async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const own = credentialFor(documented.url);
		const transactionId = await createClosing(own);
		const { items, error } = await runNode({
			credential: own,
			// It has this call on business alone, also for closings.
			parameters: { ...ADD_DOCUMENT, platform: 'business', transactionId: id(transactionId) },
			items: [await pdfItem()],
		});
		expect(error).toBeUndefined();
		expect(items[0].json.document_id).toMatch(/^do_/);
		const sent = await runNode({
			credential: own,
			parameters: sendClosing(id(transactionId)),
		});
		expect(sent.error?.message).toMatch(/was not found/);
		await documented.close();
	});
});

describe('versions and headers', () => {
	test('the uploaded file before completion, on request; else a sentence that says how', async () => {
		const transactionId = await createClosing(credential());
		const { json } = await run(
			{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
			{ items: [await pdfItem()] },
		);
		await sandbox.clock.advance(1000);
		const download = {
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(String(json.document_id)),
			binaryPropertyName: 'data',
		};
		const refused = await attempt({ ...download, version: 'final' });
		expect(`${refused.error?.message}. ${refused.error?.description}`).toMatch(
			/'Deed of Trust' isn't finished .*'Final or Uploaded' in 'Version'/,
		);
		const outcome = await run({ ...download, version: 'current' });
		expect(outcome.json).toMatchObject({ version: 'uploaded', file_name: 'Deed of Trust.pdf' });
		expect(
			(await readFile(outcome.items[0].binary!.data)).equals(
				ownDocuments(transactionId)[0].uploaded,
			),
		).toBe(true);
		expect(hints(outcome)).toMatch(/isn't finished yet/);
	});
	test('the header for fetching a file reaches the service and is not in the message', async () => {
		const transactionId = await createClosing(credential());
		const { error } = await attempt({
			...ADD_DOCUMENT,
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/nothing.pdf`,
			additionalFields: { authorization_header: 'Authorization: Bearer s3same-open' },
		});
		expect(sandbox.requests.at(-1)!.body).toMatchObject({
			authorization_header: 'Authorization:Bearer s3same-open',
		});
		expect(`${error?.message}. ${error?.description}`).not.toContain('s3same');
	});
});

describe('what is refused', () => {
	test('an update without a transaction and with a file that is none is told both at once', async () => {
		const said = await complaint({
			resource: 'document',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id('={{ $json.none }}'),
			documentId: id('do_1'),
			replaceFile: true,
			source: 'binary',
			binaryPropertyName: 'none',
		});
		expect(said).toMatch(/\(1\) 'Transaction' is empty/);
		expect(said).toMatch(/\(2\) The item has no files, so 'Input Binary Field' finds none/);
	});
	test('a document of another transaction is neither deleted, updated nor downloaded', async () => {
		const [mine, other] = [await createClosing(credential()), await createClosing(credential())];
		const {
			json: { document_id: documentId },
		} = await run({ ...ADD_DOCUMENT, transactionId: id(other) }, { items: [await pdfItem()] });
		await forEachCase(['delete', 'update', 'download'], async (operation) =>
			expect(
				await complaint({
					resource: 'document',
					operation,
					platform: 'realEstate',
					transactionId: id(mine),
					documentId: id(String(documentId)),
					updateFields: { name: 'X' },
					binaryPropertyName: 'data',
				}),
			).toMatch(/isn't in this transaction/),
		);
		expect(ownDocuments(other)).toHaveLength(1);
	});
});
