/**
 * How transactions end: online, on paper, with an identity confirmed, with a payment
 * (docs/service/states.md#fixed-behaviours, docs/service/states.md#detailed-status).
 */

import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from '@jest/globals';

import { addDocument, newClosing, newCompleted, newSent, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const state = async (id: string) => {
	const { status, detailed_status } = await client.transaction(id);
	return [status, detailed_status];
};

/** A closing with one document that is with its signer. */
async function ordered(more: object = {}, document: object = {}): Promise<string> {
	const id = await newClosing(client, more);
	await addDocument(client, id, document);
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
	return id;
}

test('where the signer pays, completed comes before the documents are released', async () => {
	const receiver = await Receiver.start();
	await receiver.subscribe(client, ['transaction.completed', 'transaction.released']);
	const id = await newSent(client, { payer: 'signer' });
	await sandbox.act.sign(id);
	await sandbox.clock.settled();
	expect(receiver.events).toEqual(['transaction.completed']);
	const unpaid = await client.transaction(id);
	expect(unpaid).toMatchObject({ status: 'completed', detailed_status: 'awaiting_payment' });
	expect(unpaid).not.toHaveProperty('audit_trail_url');
	expect(unpaid.documents[0]).not.toHaveProperty('final_document_url');
	await sandbox.act.pay(id);
	await sandbox.clock.settled();
	expect(receiver.events).toEqual(['transaction.completed', 'transaction.released']);
	expect((await client.transaction(id)).documents[0].final_document_url).toMatch(/^http/);
	receiver.close();
});

test('a notary completes what the signers have signed', async () => {
	const id = await newClosing(client);
	await addDocument(client, id, { requirement: 'notarization' });
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
	await expect(sandbox.act.notarize(id)).rejects.toThrow(/sign first/);
	await sandbox.act.sign(id);
	expect((await client.transaction(id)).status).toBe('partially_completed');
	await sandbox.act.notarize(id);
	expect(await client.transaction(id)).toMatchObject({
		status: 'completed',
		detailed_status: 'complete',
		notarization_record: { id: expect.stringMatching(/^me_/) },
	});
	await expect(sandbox.act.reject(id)).rejects.toThrow(/completed/);
	await expect(sandbox.act.notarize(await newSent(client))).rejects.toThrow(
		/No document needs a notary/,
	);
});

test('a finished file has the same bytes at each download', async () => {
	const id = await newCompleted(client);
	const bytes = async () =>
		Buffer.from(await (await fetch((await client.added(id))[0].final_document_url)).arrayBuffer());
	expect((await bytes()).equals(await bytes())).toBe(true);
	expect((await PDFDocument.load(await bytes())).getPageCount()).toBe(2);
});

test.each([
	['completed', 'transaction.completed', async (id: string) => await sandbox.act.sign(id)],
	[
		'completed_with_rejections',
		'transaction.completed_with_rejections',
		async (id: string) => await sandbox.act.reject(id, { reason: 'Wrong name' }),
	],
])(
	'Fixed behaviours: in the state %s the documents are ready and %s is sent',
	async (status, event, act) => {
		const receiver = await Receiver.start();
		await receiver.subscribe(client, [event]);
		const id = await newSent(client);
		expect((await client.added(id))[0]).not.toHaveProperty('final_document_url');
		await act(id);
		const {
			status: reached,
			detailed_status,
			documents,
			audit_trail_url,
		} = await client.transaction(id);
		expect([reached, detailed_status]).toEqual([status, status.replace('completed', 'complete')]);
		expect((await fetch(documents[0].final_document_url)).status).toBe(200);
		expect((await fetch(audit_trail_url)).status).toBe(200);
		await sandbox.clock.settled();
		expect(receiver.received).toEqual([
			expect.objectContaining({ event, data: expect.objectContaining({ transaction_id: id }) }),
		]);
		receiver.close();
	},
);

describe('signed on paper', () => {
	test('converted_to_wet_sign and wet_sign_complete: from online to paper', async () => {
		const receiver = await Receiver.start();
		await receiver.subscribe(client, ['transaction.completed', 'transaction.released']);
		const id = await ordered({}, { requirement: 'notarization' });
		await expect(sandbox.act.signOnPaper(id)).rejects.toThrow('Nothing is signed on paper');
		await sandbox.act.convertToPaper(id);
		expect(await state(id)).toEqual(['sent', 'converted_to_wet_sign']);
		await expect(sandbox.act.sign(id)).rejects.toThrow('The closing is signed on paper');
		await expect(sandbox.act.convertToPaper(id)).rejects.toThrow(
			'The closing is signed on paper already',
		);
		await sandbox.act.signOnPaper(id);
		expect(await state(id)).toEqual(['completed', 'wet_sign_complete']);
		const { documents, audit_trail_url, notarization_record, signers } =
			await client.transaction(id);
		expect([notarization_record, signers[0].signing_status]).toEqual([undefined, 'complete']);
		for (const url of [documents[0].final_document_url, audit_trail_url])
			expect((await fetch(url)).status).toBe(200);
		await sandbox.clock.settled();
		expect(receiver.events).toEqual(['transaction.completed', 'transaction.released']);
		receiver.close();
	});
	test('a transaction of type wet_sign ends as wet_sign_complete, on paper or supervised', async () => {
		const [paper, supervised] = [
			await ordered({ transaction_type: 'wet_sign' }),
			await ordered({ transaction_type: 'wet_sign' }, { requirement: 'esign_supervised' }),
		];
		await sandbox.act.signOnPaper(paper);
		await sandbox.act.sign(supervised);
		for (const id of [paper, supervised])
			expect(await state(id)).toEqual(['completed', 'wet_sign_complete']);
	});
	test('esign_complete: of a hybrid closing the rest is signed on paper', async () => {
		const id = await ordered({ transaction_type: 'hybrid_refinance' });
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['partially_completed', 'esign_complete']);
		await sandbox.act.signOnPaper(id);
		expect(await state(id)).toEqual(['completed', 'wet_sign_complete']);
		const other = await ordered(
			{ transaction_type: 'hybrid_other' },
			{ requirement: 'notarization' },
		);
		await sandbox.act.complete(other);
		expect(await state(other)).toEqual(['completed', 'wet_sign_complete']);
	});
	test('a closing that a signer has signed online is not converted; a recall brings it back online', async () => {
		const signed = await ordered({}, { requirement: 'notarization' });
		await sandbox.act.sign(signed);
		await expect(sandbox.act.convertToPaper(signed)).rejects.toThrow('A signer has completed');
		const id = await ordered();
		await sandbox.act.convertToPaper(id);
		await sandbox.act.recall(id);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'complete']);
	});
});

describe('identity only', () => {
	const identity = { requirement: 'identity_confirmation' };
	test('identify_complete_idv_passed: the signer confirms the identity', async () => {
		const id = await newSent(client, {}, identity);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'identify_complete_idv_passed']);
	});
	test('identify_complete_idv_failed: the signer can not', async () => {
		const id = await newSent(client, {}, identity);
		await sandbox.act.failIdentity(id);
		expect(await state(id)).toEqual(['completed_with_rejections', 'identify_complete_idv_failed']);
		const [{ id: document }] = await client.added(id);
		expect(
			(await client.ok('GET', `/transactions/${id}/documents/${document}`)).rejection_reason,
		).toBe('The identity could not be confirmed');
		await expect(sandbox.act.failIdentity(await newSent(client))).rejects.toThrow(
			'No document asks to confirm an identity',
		);
	});
	test('awaiting_payment: after the payment the state is what it was going to be', async () => {
		const id = await newSent(client, { payer: 'signer' }, identity);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'awaiting_payment']);
		await sandbox.act.pay(id);
		expect(await state(id)).toEqual(['completed', 'identify_complete_idv_passed']);
	});
});
