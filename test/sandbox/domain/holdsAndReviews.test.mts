/**
 * Risks, holds, reviews, failed meetings, and ends without a signature
 * (docs/service/states.md#detailed-status, docs/service/webhooks.md#events-of-transactions).
 */

import { describe, expect, test } from '@jest/globals';

import { addDocument, newClosing, newDraft, newSent } from '../support/client.mts';
import { client, receiver, sandbox, useReceiver } from '../support/useSandbox.mts';

useReceiver({ closingTeam: 'manual' });

describe('holds and reviews', () => {
	const last = async (event: string) => {
		await sandbox.clock.settled();
		return receiver.received.filter((entry) => entry.event === event).at(-1)!.data;
	};
	const state = async (id: string) => {
		const { status, detailed_status } = await client.transaction(id);
		return [status, detailed_status];
	};
	test('declined: the signer declines and nobody can do anything any more', async () => {
		const id = await newSent(client);
		await sandbox.act.decline(id, { reason: 'Wrong amount' });
		expect(await state(id)).toEqual(['received', 'declined']);
		expect(await last('transaction.declined')).toMatchObject({
			transaction_id: id,
			signers: [{ external_id: 'kim' }],
		});
		await expect(sandbox.act.sign(id)).rejects.toThrow('The signer has declined');
		expect(await client.refused('POST', `/transactions/${id}/recall`)).toEqual([
			422,
			'Organization Transaction cannot be recalled at this time.',
		]);
		expect(await client.refused('POST', `/transactions/${id}/send_email`)).toEqual([
			422,
			'The signer has declined',
		]);
		expect(await client.refused('PATCH', `/transactions/${id}`, { transaction_name: 'x' })).toEqual(
			[422, 'Transaction cannot be edited at this time.'],
		);
	});
	test('canceled: it shows as expired, with another reason', async () => {
		const id = await newSent(client);
		await sandbox.act.cancel(id);
		expect(await state(id)).toEqual(['expired', 'expired']);
		await expect(sandbox.act.expire(id)).rejects.toThrow('The transaction has been canceled');
		expect(await client.refused('PATCH', `/transactions/${id}`, { transaction_name: 'x' })).toEqual(
			[422, 'Transaction cannot be edited at this time.'],
		);
		await expect(sandbox.act.cancel(await newDraft(client))).rejects.toThrow(/draft/);
	});
	test('signer.high_risk_detected: the signer waits for a review; medium risk goes on', async () => {
		const id = await newSent(client);
		await sandbox.act.detectMediumRisk(id);
		expect(await state(id)).toEqual(['received', 'viewed']);
		await sandbox.act.detectHighRisk(id);
		expect(await state(id)).toEqual(['received', 'held_for_review']);
		expect(await last('transaction.signer.high_risk_detected')).toMatchObject({
			transaction_id: id,
			signers: [{ external_id: 'kim' }],
		});
		await expect(sandbox.act.sign(id)).rejects.toThrow('The transaction is held for review');
		await expect(sandbox.act.resume(id)).rejects.toThrow('The transaction is not on hold');
		await sandbox.act.review(id);
		expect(await state(id)).toEqual(['received', 'viewed']);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'complete']);
	});
	test('held_for_review and reviewed: a review lets it go on where it was', async () => {
		const id = await newSent(client);
		await expect(sandbox.act.review(id)).rejects.toThrow('Nothing waits for a review');
		await sandbox.act.holdForReview(id);
		expect(await state(id)).toEqual(['sent', 'held_for_review']);
		expect((await last('transaction.held_for_review')).transaction_id).toBe(id);
		await sandbox.act.review(id);
		expect(await state(id)).toEqual(['sent', 'sent_to_signer']);
		expect((await last('transaction.reviewed')).transaction_id).toBe(id);
	});
	test('on_hold: put on hold and resumed; a recall ends the hold', async () => {
		const id = await newSent(client);
		await sandbox.act.putOnHold(id);
		expect(await state(id)).toEqual(['sent', 'on_hold']);
		await expect(sandbox.act.openEmail(id)).rejects.toThrow('The transaction is on hold');
		await sandbox.act.resume(id);
		expect(await state(id)).toEqual(['sent', 'sent_to_signer']);
		await sandbox.act.putOnHold(id);
		await sandbox.act.recall(id);
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'complete']);
	});
	test('ready_for_review: what the closing team has prepared is reviewed before it is sent', async () => {
		const id = await newClosing(client);
		await addDocument(client, id);
		await expect(sandbox.act.prepareForReview(id)).rejects.toThrow(/not with the closing team/);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		await sandbox.act.prepareForReview(id);
		expect(await state(id)).toEqual(['sent_to_closing_ops', 'ready_for_review']);
		await sandbox.act.review(id);
		expect(await state(id)).toEqual(['sent_to_closing_ops', 'order_placed']);
		await sandbox.act.sendToSigner(id);
		expect(await state(id)).toEqual(['sent', 'sent_to_signer']);
	});
	test('meeting.failed: the meeting can be tried again', async () => {
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await expect(sandbox.act.failMeeting(id)).rejects.toThrow(/sign first/);
		await sandbox.act.sign(id);
		await sandbox.act.failMeeting(id, { reason: 'no camera' });
		expect(await state(id)).toEqual(['partially_completed', 'attempted']);
		expect(await last('transaction.meeting.failed')).toMatchObject({
			transaction_id: id,
			transaction_detailed_status: 'attempted',
		});
		expect((await client.transaction(id)).notarization_records).toEqual([]);
		await sandbox.act.notarize(id);
		expect(await state(id)).toEqual(['completed', 'complete']);
	});
	test('underwriter.not_available: a draft stays one, an order waits', async () => {
		const id = await newClosing(client);
		await addDocument(client, id);
		await sandbox.act.reportNoUnderwriter(id);
		expect(await state(id)).toEqual(['started', 'draft']);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		await sandbox.act.reportNoUnderwriter(id);
		expect(await state(id)).toEqual(['sent_to_closing_ops', 'on_hold']);
		await expect(sandbox.act.sendToSigner(id)).rejects.toThrow('The transaction is on hold');
		await sandbox.act.resume(id);
		await sandbox.act.sendToSigner(id);
		await expect(sandbox.act.reportNoUnderwriter(id)).rejects.toThrow(
			'The closing is with the signer',
		);
		await expect(sandbox.act.reportNoUnderwriter(await newSent(client))).rejects.toThrow(
			/Only a closing/,
		);
	});
	test('import.processed and import.failed: a document comes, or nothing does', async () => {
		const id = await newClosing(client);
		await sandbox.act.failImport(id);
		expect(await client.added(id)).toEqual([]);
		await sandbox.act.importDocument(id);
		expect(await client.added(id)).toMatchObject([
			{ document_name: 'Closing Disclosure (imported)', requirement: 'readonly' },
		]);
		expect((await last('transaction.import.processed')).transaction_id).toBe(id);
	});
});
