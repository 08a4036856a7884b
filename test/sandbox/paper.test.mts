import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { addDocument, ADDRESS, Client, newClosing, newSent, Receiver } from './support/client.mts';

/**
 * gaps.md §5: closings on paper, identity only, who pays; gaps.md §7: witnesses and cosigner in
 * records.
 */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

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

describe('signed on paper', () => {
	test('gaps §5, converted_to_wet_sign and wet_sign_complete: from online to paper', async () => {
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
		expect([notarization_record, signers[0].signing_status]).toEqual([null, 'complete']);
		for (const url of [documents[0].final_document_url, audit_trail_url])
			expect((await fetch(url)).status).toBe(200);
		await sandbox.clock.settled();
		expect(receiver.events).toEqual(['transaction.completed', 'transaction.released']);
		receiver.close();
	});
	test('gaps §3: a transaction of type wet_sign ends as wet_sign_complete, on paper or supervised', async () => {
		const [paper, supervised] = [
			await ordered({ transaction_type: 'wet_sign' }),
			await ordered({ transaction_type: 'wet_sign' }, { requirement: 'esign_supervised' }),
		];
		await sandbox.act.signOnPaper(paper);
		await sandbox.act.sign(supervised);
		for (const id of [paper, supervised])
			expect(await state(id)).toEqual(['completed', 'wet_sign_complete']);
	});
	test('gaps §5, esign_complete: of a hybrid closing the rest is signed on paper', async () => {
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
	test('gaps §5, identify_complete_idv_passed: the signer confirms the identity', async () => {
		const id = await newSent(client, {}, identity);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'identify_complete_idv_passed']);
	});
	test('gaps §5, identify_complete_idv_failed: the signer can not', async () => {
		const id = await newSent(client, {}, identity);
		await sandbox.act.failIdentity(id);
		expect(await state(id)).toEqual(['completed_with_rejections', 'identify_complete_idv_failed']);
		expect((await client.transaction(id)).documents[0].rejection_reason).toBe(
			'The identity could not be confirmed',
		);
		await expect(sandbox.act.failIdentity(await newSent(client))).rejects.toThrow(
			'No document asks to confirm an identity',
		);
	});
	test('gaps §5, awaiting_payment: after the payment the state is what it was going to be', async () => {
		const id = await newSent(client, { payer: 'signer' }, identity);
		await sandbox.act.sign(id);
		expect(await state(id)).toEqual(['completed', 'awaiting_payment']);
		await sandbox.act.pay(id);
		expect(await state(id)).toEqual(['completed', 'identify_complete_idv_passed']);
	});
});

describe('records', () => {
	const record = async (id: string) =>
		await client.ok(
			'GET',
			`/notarization_records/${(await client.transaction(id)).notarization_record}`,
		);
	test('gaps §7, witnesses: those whom witness_required and the designations ask for', async () => {
		const seal = { type: 'signature', page_number: 0, x: 72, y: 100, width: 180, height: 24 };
		const none = await ordered({}, { requirement: 'notarization' });
		const one = await ordered({}, { requirement: 'notarization', witness_required: true });
		const two = await ordered(
			{},
			{
				requirement: 'notarization',
				signing_designations: [{ ...seal, signer_identifier: 'witness2' }],
			},
		);
		for (const id of [none, one, two]) await sandbox.act.complete(id);
		const emails = async (id: string) =>
			(await record(id)).witnesses.map(({ email }: any) => email);
		expect(await emails(none)).toEqual([]);
		expect(await emails(one)).toEqual(['walter@witnesses.example']);
		expect(await emails(two)).toEqual(['walter@witnesses.example', 'wilma@witnesses.example']);
		expect((await record(one)).witnesses[0]).toMatchObject({
			first_name: 'Walter',
			last_name: 'Witness',
		});
	});
	test('gaps §7, cosigner_info: the second signer; none where there is one signer', async () => {
		const id = await newSent(
			client,
			{
				signers: [
					{ email: 'a@example.com' },
					{ email: 'b@example.com', first_name: 'Bo', last_name: 'Borrower' },
				],
			},
			{ requirement: 'notarization' },
		);
		await sandbox.act.complete(id);
		expect((await record(id)).cosigner_info).toMatchObject({
			email: 'b@example.com',
			first_name: 'Bo',
		});
		const alone = await ordered({ street_address: ADDRESS }, { requirement: 'notarization' });
		await sandbox.act.complete(alone);
		expect((await record(alone)).cosigner_info).toBeNull();
	});
	test('a documented-only record has neither', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const id = await newClosing(other);
		await addDocument(other, id, { requirement: 'notarization', witness_required: true });
		await documented.act.sendToSigner(id);
		await documented.act.complete(id);
		const found = await other.ok(
			'GET',
			`/notarization_records/${(await other.transaction(id)).notarization_record}`,
		);
		expect(found).not.toHaveProperty('witnesses');
		expect(found).not.toHaveProperty('cosigner_info');
		await documented.close();
	});
});
