/**
 * The states of a transaction and how it gets from one to the next: by people and as time passes
 * (docs/service/states.md, docs/service/webhooks.md#events-of-transactions).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	B,
	newClosing,
	newDraft,
	newOrdered,
	newSent,
	Receiver,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const TWO = { signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };
const NOTARIZED = { requirement: 'notarization' };
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(sandbox.clock.now() + hours * HOUR_MS).toISOString();

type Step = [act: string, state: string] | [act: string, state: string, refused: string];

/** Plays acts one after the other. Each leads to a state, or is refused and leads nowhere. */
async function play(id: string, steps: Step[]): Promise<void> {
	const { act } = sandbox as { act: any };
	await forEachCase(steps, async ([name, state, refused]) => {
		if (refused === undefined) await act[name](id);
		else await expect(act[name](id)).rejects.toThrow(refused);
		expect([name, await client.state(id)]).toEqual([name, state]);
	});
}
const manual = () => (sandbox.world.settings.closingTeam = 'manual');

describe('drafts and sending', () => {
	test('the closing team takes an order, prepares it, and then sends it to the signer', async () => {
		manual();
		const id = await newOrdered(client);
		expect(await client.state(id)).toBe('sent_to_closing_ops order_placed');
		await play(id, [
			['sign', 'sent_to_closing_ops order_placed', 'closing team'],
			['prepareForReview', 'sent_to_closing_ops ready_for_review'],
			['review', 'sent_to_closing_ops order_placed'],
			['sendToTitleAgency', 'sent_to_title_agency sent_to_title_agent'],
			['sendToSigner', 'sent sent_to_signer'],
			['prepareForReview', 'sent sent_to_signer', 'not with the closing team'],
		]);
	});
	test('it can send a draft, which is how a documented-only service gets one to the signer', async () => {
		await withDocumented(async (other, { act }) => {
			const id = await newClosing(other);
			await expect(act.sendToSigner(id)).rejects.toThrow(/Need at least 1 document/);
			await addDocument(other, id);
			await act.sendToSigner(id);
			expect((await other.transaction(id)).status).toBe('sent');
		});
	});
});

describe('signing', () => {
	test('signing_status is absent in a draft, then incomplete, in_progress, complete', async () => {
		const id = await newDraft(client, TWO);
		await addDocument(client, id);
		const statuses = async () =>
			(await client.transaction(id)).signers.map(({ signing_status }: any) => signing_status);
		expect(await statuses()).toStrictEqual([undefined, undefined]);
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		expect(await statuses()).toEqual(['incomplete', 'incomplete']);
		await sandbox.act.openEmail(id);
		expect(await statuses()).toEqual(['in_progress', 'incomplete']);
		await sandbox.act.sign(id);
		expect(await statuses()).toEqual(['complete', 'incomplete']);
		expect((await client.transaction(id)).status).toBe('partially_completed');
		await sandbox.act.sign(id, { signer: 1 });
		expect(await client.state(id)).toBe('completed complete');
		expect((await client.transaction(id)).signer_info.signing_status).toBe('complete');
	});
	test('a notary completes what the signers have signed; a meeting that failed can be tried again', async () => {
		const receiver = await Receiver.on(client, ['transaction.meeting.failed']);
		const id = await newSent(client, {}, NOTARIZED);
		await play(id, [
			['notarize', 'sent sent_to_signer', 'sign first'],
			['failMeeting', 'sent sent_to_signer', 'sign first'],
			['sign', 'partially_completed partially_complete'],
			['failMeeting', 'partially_completed attempted'],
		]);
		expect(await receiver.all()).toMatchObject([
			{ data: { transaction_id: id, transaction_detailed_status: 'attempted' } },
		]);
		expect((await client.transaction(id)).notarization_records).toEqual([]);
		await play(id, [
			['notarize', 'completed complete'],
			['reject', 'completed complete', 'completed'],
		]);
		expect((await client.transaction(id)).notarization_records).toHaveLength(1);
	});
	test('where the signer pays, completed comes before the documents are released', async () => {
		const names = ['transaction.completed', 'transaction.released'];
		const receiver = await Receiver.on(client, names);
		const id = await newSent(client, { payer: 'signer' });
		await play(id, [['sign', 'completed awaiting_payment']]);
		expect(await receiver.events()).toEqual([names[0]]);
		const unpaid = await client.transaction(id);
		expect(unpaid).not.toHaveProperty('audit_trail_url');
		expect(unpaid.documents[0]).not.toHaveProperty('final_document_url');
		await play(id, [['pay', 'completed complete']]);
		expect(await receiver.events()).toEqual(names);
		expect((await client.transaction(id)).documents[0].final_document_url).toMatch(/^http/);
	});
});

test('an order that was turned to paper is signed there', async () => {
	await play(await newOrdered(client), [
		['convertToPaper', 'sent converted_to_wet_sign'],
		['signOnPaper', 'completed wet_sign_complete'],
	]);
});

describe('identities', () => {
	const identity = { requirement: 'identity_confirmation' };

	test('a document that confirms an identity: passed, failed, and passed before a payment', async () => {
		const passed = 'completed identify_complete_idv_passed';
		await play(await newSent(client, {}, identity), [['sign', passed]]);
		await play(await newSent(client, { payer: 'signer' }, identity), [
			['sign', 'completed awaiting_payment'],
			['pay', passed],
		]);
		const id = await newSent(client, {}, identity);
		await play(id, [['failIdentity', 'completed_with_rejections identify_complete_idv_failed']]);
		const [document] = client.stored(id).documents;
		expect((await client.document(id, document.id)).rejection_reason).toBe(
			'The identity could not be confirmed',
		);
		const text = 'No document asks to confirm an identity';
		await play(await newSent(client), [['failIdentity', 'sent sent_to_signer', text]]);
	});
});

describe('holds, reviews and ends without a signature', () => {
	const EDIT = 'Transaction cannot be edited at this time.';
	const CHANGE = { transaction_name: 'x' };

	test('declined: the signer declines and nobody can do anything any more', async () => {
		const receiver = await Receiver.on(client, ['transaction.declined']);
		const id = await newSent(client);
		await play(id, [
			['decline', 'received declined'],
			['sign', 'received declined', 'The signer has declined'],
		]);
		expect(await receiver.all()).toMatchObject([
			{ data: { transaction_id: id, signers: [{ external_id: 'kim' }] } },
		]);
		for (const [method, call, body, text] of [
			['POST', '/recall', undefined, 'Organization Transaction cannot be recalled at this time.'],
			['POST', '/send_email', undefined, 'The signer has declined'],
			['PATCH', '', CHANGE, EDIT],
		] as const)
			await client.refuses(method, `${B}/${id}${call}`, body, 422, text);
	});
});

describe('as time passes', () => {
	test('an expiry that an update has moved does not end it at its old time', async () => {
		const id = await newDraft(client, { expiry: inHours(1) });
		await client.ok('PATCH', `${B}/${id}`, { expiry: inHours(3) });
		await sandbox.clock.advance(2 * HOUR_MS);
		expect((await client.transaction(id)).status).toBe('started');
		await sandbox.clock.advance(2 * HOUR_MS);
		expect((await client.transaction(id)).status).toBe('expired');
	});
});
