import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer } from '../../support/live/service.mts';
import { hints, sendClosing } from '../../support/operations.mts';

/**
 * Transaction: Send waits until the service has processed the documents, at services that take their
 * time for it. The sandbox's clock runs fast, so that nobody waits for real.
 */

const PROCESSING_MS = 20_000;

let sandbox: Sandbox;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox({ processingMs: PROCESSING_MS, clockSpeed: 50 });
});
afterAll(async () => await sandbox.close());

/** A closing with one document for each of these files. */
async function closingWith(...documents: IDataObject[]): Promise<string> {
	const credential = credentialFor(sandbox.url);
	const transactionId = await createClosing(credential, {
		additionalFields: { paper_note_consent: true },
	});
	for (const more of documents) {
		const parameters = { ...ADD_DOCUMENT, transactionId: id(transactionId), ...more };
		const { error } = await runNode({ credential, parameters, items: [await pdfItem()] });
		if (error) throw error;
	}
	return transactionId;
}

const send = async (transactionId: string, seconds?: number) =>
	await runNode({
		credential: credentialFor(sandbox.url),
		parameters: {
			...sendClosing(id(transactionId)),
			additionalFields: seconds === undefined ? {} : { wait_for_documents: seconds },
		},
	});

const of = (transactionId: string) => sandbox.world.transactions.get(transactionId)!;
const own = (transactionId: string) =>
	of(transactionId).documents.filter(({ isConsentForm }) => !isConsentForm);
/** How often the service was asked to send a transaction. */
const orders = (transactionId: string) =>
	sandbox.requests.filter(({ path }) => path.endsWith(`${transactionId}/place_order`)).length;

describe('documents that take 20 seconds', () => {
	test('are processed before the transaction is sent', async () => {
		const transactionId = await closingWith({}, { documentName: 'Note' });
		expect(own(transactionId).map(({ state }) => state)).toContain('pending');
		const { items, error } = await send(transactionId);
		expect(error).toBeUndefined();
		expect(items[0].json.detailed_status).toBe('sent_to_signer');
		expect(own(transactionId).map(({ state }) => state)).toEqual(['done', 'done']);
		expect(orders(transactionId)).toBe(1);
	});
	test('and of which one fails: it is named with its reason, and nothing is sent', async () => {
		sandbox.world.settings.processingMs = Infinity;
		try {
			const transactionId = await closingWith({}, { documentName: 'Note' });
			const [, note] = own(transactionId);
			await sandbox.act.failProcessing(transactionId, { document: note.id, reason: 'Encrypted' });
			const { error } = await send(transactionId);
			expect(error?.message).toBe("The service can't process 'Note': Encrypted");
			expect(error?.description).toMatch(/^Nothing was sent\. Delete it with 'Document: Delete'/);
			expect(orders(transactionId)).toBe(0);
			expect(of(transactionId).status).toBe('started');
		} finally {
			sandbox.world.settings.processingMs = PROCESSING_MS;
		}
	});
	test('and of which one has failed without a reason: it is named, and nothing is sent', async () => {
		const transactionId = await closingWith({});
		const documents = [{ id: 'do_1', document_name: 'Note', processing_state: 'failed' }];
		const body = { id: transactionId, status: 'started', documents, signers: [] };
		sandbox.faults.add({ method: 'GET', status: 200, body });
		const { error } = await send(transactionId);
		expect(error?.message).toBe("The service can't process 'Note', and doesn't say why");
		expect(orders(transactionId)).toBe(0);
	});
	test('and are never done: the wait ends with its limit, and names them', async () => {
		sandbox.world.settings.processingMs = Infinity;
		try {
			const transactionId = await closingWith({}, { documentName: 'Note' });
			const before = sandbox.requests.length;
			const { error } = await send(transactionId, 1);
			expect(error?.message).toBe("The service is still processing 'Deed of Trust', 'Note'");
			expect(error?.description).toMatch(/It waited \d+ seconds?/);
			expect(orders(transactionId)).toBe(0);
			// The pauses are 0.1, 0.2 and 0.4 seconds; another one would be over the limit.
			expect(sandbox.requests.length - before).toBeLessThanOrEqual(4);
		} finally {
			sandbox.world.settings.processingMs = PROCESSING_MS;
		}
	});
});

describe('a split of five minutes, which no transaction shows', () => {
	const SPLIT = { additionalFields: { pdf_bookmarked: true }, requirement: 'notarization' };

	test('is over before the transaction is sent', async () => {
		const speed = sandbox.clock.speed;
		sandbox.clock.setSpeed(600);
		try {
			const transactionId = await closingWith(SPLIT);
			expect(of(transactionId).splitting).toBe(1);
			const { error } = await send(transactionId);
			expect(error).toBeUndefined();
			expect(own(transactionId).length).toBeGreaterThan(0);
			expect(of(transactionId).status).toBe('sent');
		} finally {
			sandbox.clock.setSpeed(speed);
		}
	});
	test('is named when the limit is over, and nothing is sent', async () => {
		const speed = sandbox.clock.speed;
		sandbox.clock.setSpeed(1);
		try {
			const transactionId = await closingWith(SPLIT);
			const { error } = await send(transactionId, 0);
			expect(error?.message).toBe(
				"The service can't send the transaction yet: A document is still being split",
			);
			expect(error?.description).toMatch(
				/^Nothing was sent\. .*Splitting a PDF takes about 300 seconds\. It waited 0 seconds$/,
			);
			expect(of(transactionId).status).toBe('started');
		} finally {
			sandbox.clock.setSpeed(speed);
		}
	});
});

describe('a service that does not show how far the documents are', () => {
	const unknown = liveDocument();
	delete unknown.processing_state;
	const draft = liveClosing([unknown]);
	const sent = { ...draft, status: 'sent', detailed_status: 'sent_to_signer' };
	const YET: Answer = { status: 422, body: { errors: ['Document Deed is still being processed'] } };
	/** Sends at a service that answers Send like this, one answer after the other. */
	const sendAt = async (answers: Answer[], seconds = 60) =>
		await withService(
			({ method }) =>
				method === 'GET' ? { body: draft } : (answers.shift() ?? { status: 500, body: '' }),
			async ({ credential, requests }) => {
				const outcome = await runNode({
					credential,
					parameters: {
						...sendClosing(id('ot_od4kenk')),
						additionalFields: { wait_for_documents: seconds },
					},
				});
				return { ...outcome, asked: requests.filter(({ method }) => method === 'POST').length };
			},
		);

	test('and takes the transaction: it is sent at once', async () => {
		const outcome = await sendAt([{ body: sent }]);
		expect(outcome.error).toBeUndefined();
		expect(outcome.asked).toBe(1);
		expect(hints(outcome)).not.toMatch(/waited/);
	});
	test('and refuses it as long as it works: it is sent afterwards, once', async () => {
		const outcome = await sendAt([YET, YET, { body: sent }]);
		expect(outcome.error).toBeUndefined();
		expect(outcome.items[0].json.status).toBe('sent');
		expect(outcome.asked).toBe(3);
	});
	test.each([
		'Document Deed could not be processed: encrypted',
		'Need at least 1 document',
		'Transaction cannot be edited at this time.',
	])('and refuses it for good (%s): that is told at once', async (text) => {
		const outcome = await sendAt([{ status: 422, body: { errors: [text] } }]);
		expect(outcome.error?.message).toContain(text.replace(/\.$/, ''));
		expect(outcome.asked).toBe(1);
	});
	test('and never stops refusing it: its words come with the limit', async () => {
		const outcome = await sendAt(Array<Answer>(9).fill(YET), 0);
		expect(outcome.error?.message).toBe(
			"The service can't send the transaction yet: Document Deed is still being processed",
		);
		expect(outcome.asked).toBe(1);
	});
});
