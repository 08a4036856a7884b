/**
 * The states of a transaction and how it gets from one to the next: by people and as time passes
 * (docs/service/states.md, docs/service/webhooks.md#events-of-transactions).
 */

import { describe, expect, test } from '@jest/globals';

import {
	addDocument,
	B,
	download,
	IAL2,
	newClosing,
	newDraft,
	newOrdered,
	newSent,
	R,
	Receiver,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const KIM = { email: 'kim@example.com' };
const TWO = { signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };
const NOTARIZED = { requirement: 'notarization' };
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(sandbox.clock.now() + hours * HOUR_MS).toISOString();

type Step = [act: string, state: string] | [act: string, state: string, refused: string];

/** Plays acts one after the other. Each leads to a state, or is refused and leads nowhere. */
async function play(id: string, steps: Step[]): Promise<void> {
	const { act } = sandbox as { act: any };
	for (const [name, state, refused] of steps) {
		if (refused === undefined) await act[name](id);
		else await expect(act[name](id)).rejects.toThrow(refused);
		expect([name, await client.state(id)]).toEqual([name, state]);
	}
}
const manual = () => (sandbox.world.settings.closingTeam = 'manual');

describe('drafts and sending', () => {
	test('a business draft stays a draft and takes documents afterwards', async () => {
		const id = await newDraft(client);
		expect(await client.state(id)).toBe('started draft');
		await addDocument(client, id);
		await sandbox.clock.advance(HOUR_MS);
		expect(await client.state(id)).toBe('started draft');
	});
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
	test('signers with an order sign in that order', async () => {
		const [a, b] = TWO.signers;
		const signers = [
			{ ...a, order: 2 },
			{ ...b, order: 1 },
		];
		const id = await newSent(client, { signers });
		await expect(sandbox.act.sign(id, { signer: 0 })).rejects.toThrow(/turn of b@example.com/);
		await sandbox.act.sign(id);
		await sandbox.act.sign(id, { signer: 0 });
		expect((await client.transaction(id)).status).toBe('completed');
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
	test.each([
		['completed complete', 'sign'],
		['completed_with_rejections complete_with_rejections', 'reject'],
	] as const)(
		'in the state %s the documents are ready and the event is sent',
		async (state, act) => {
			const event = `transaction.${state.split(' ')[0]}`;
			const receiver = await Receiver.on(client, [event]);
			const id = await newSent(client);
			expect((await client.added(id))[0]).not.toHaveProperty('final_document_url');
			await play(id, [[act, state]]);
			const { documents, audit_trail_url } = await client.transaction(id);
			for (const url of [documents[0].final_document_url, audit_trail_url])
				expect((await download(url)).status).toBe(200);
			expect(await receiver.all()).toMatchObject([{ event, data: { transaction_id: id } }]);
		},
	);
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

describe('on paper', () => {
	test('converted_to_wet_sign and wet_sign_complete: from online to paper', async () => {
		const names = ['transaction.completed', 'transaction.released'];
		const receiver = await Receiver.on(client, names);
		const id = await newOrdered(client);
		await play(id, [
			['signOnPaper', 'sent sent_to_signer', 'Nothing is signed on paper'],
			['convertToPaper', 'sent converted_to_wet_sign'],
			['sign', 'sent converted_to_wet_sign', 'The closing is signed on paper'],
			['convertToPaper', 'sent converted_to_wet_sign', 'The closing is signed on paper already'],
			['signOnPaper', 'completed wet_sign_complete'],
		]);
		const { documents, audit_trail_url, ...rest } = await client.transaction(id);
		expect(rest).not.toHaveProperty('notarization_record');
		expect(rest.signers[0].signing_status).toBe('complete');
		for (const url of [documents[0].final_document_url, audit_trail_url])
			expect((await download(url)).status).toBe(200);
		expect(await receiver.events()).toEqual(names);
	});
	test.each<[string, string, Step[]]>([
		['wet_sign', 'readonly', [['signOnPaper', 'completed wet_sign_complete']]],
		['wet_sign', 'esign_supervised', [['sign', 'completed wet_sign_complete']]],
		[
			'hybrid_refinance',
			'esign',
			[
				['sign', 'partially_completed esign_complete'],
				['signOnPaper', 'completed wet_sign_complete'],
			],
		],
		['hybrid_other', 'notarization', [['complete', 'completed wet_sign_complete']]],
		[
			'other',
			'notarization',
			[
				['sign', 'partially_completed partially_complete'],
				['convertToPaper', 'partially_completed partially_complete', 'A signer has completed'],
			],
		],
	])(
		'a closing of type %s with a document for %s',
		async (transaction_type, requirement, steps) => {
			await play(await newOrdered(client, { transaction_type }, { requirement }), steps);
		},
	);
	test('a recall brings it back online', async () => {
		const id = await newOrdered(client, {}, { requirement: 'esign' });
		await play(id, [
			['convertToPaper', 'sent converted_to_wet_sign'],
			['recall', 'started recalled'],
		]);
		await client.ok('POST', `${R}/${id}/place_order`);
		await play(id, [['sign', 'completed complete']]);
	});
});

describe('identities', () => {
	const identity = { requirement: 'identity_confirmation' };
	const assured = { signers: [{ ...KIM, assurance_requirement: IAL2 }] };
	const HELD = 'received held_for_review';
	const VIEWED = 'received viewed';
	const REFEREE = 'trusted referee';

	test('a signer may retake a failed selfie twice, the third failure goes to a trusted referee', async () => {
		await play(await newSent(client, assured), [
			['failSelfie', VIEWED],
			['failSelfie', VIEWED],
			['failSelfie', HELD],
			['sign', HELD, REFEREE],
			['failSelfie', HELD, REFEREE],
			['passReferee', VIEWED],
			['sign', 'completed complete'],
		]);
		await play(await newSent(client, assured), [
			['failSelfie', VIEWED],
			['failSelfie', VIEWED],
			['sign', 'completed complete'],
		]);
	});
	test('checks apply to e-signature documents, not to a notarization', async () => {
		const id = await newSent(client, assured, NOTARIZED);
		await expect(sandbox.act.failSelfie(id)).rejects.toThrow(/No selfie is asked/);
	});
	test('only all three checks reach IAL2', async () => {
		const logOf = async (assurance_requirement: object) => {
			const id = await newSent(client, { signers: [{ ...KIM, assurance_requirement }] });
			await sandbox.act.sign(id);
			return client.stored(id).auditLog.join('\n');
		};
		expect(await logOf(IAL2)).toMatch(
			/selfie, knowledge-based questions, code by text message \(IAL2\)/,
		);
		const sms = await logOf({ multi_factor_authentication: { type: 'sms' } });
		expect(sms).toMatch(/code by text message/);
		expect(sms).not.toMatch(/IAL2|selfie|questions/);
	});
	test('e-signature authentication records: what was failed last, then that all was passed', async () => {
		const id = await newSent(client, assured);
		const records = async () =>
			(await client.transaction(id)).signers[0].esign_authentication_records;
		expect(await records()).toBeUndefined();
		await sandbox.act.failSelfie(id);
		await sandbox.act.failKnowledge(id);
		expect(await records()).toMatchObject([
			{ status: 'failure', verified: false, failure_reasons: [{ category: 'kba_mismatch' }] },
			{ status: 'failure', failure_reasons: [{ verification_type: 'selfie', required: true }] },
		]);
		await sandbox.act.sign(id);
		expect(await records()).toMatchObject([{ status: 'success', verified: true }]);
	});
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
	/** The transaction ids of events. */
	const ids = async (receiver: Receiver) =>
		(await receiver.all()).map(({ data }) => data.transaction_id);

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
	test('canceled: it shows as expired, with another reason', async () => {
		const id = await newSent(client);
		await play(id, [
			['cancel', 'expired expired'],
			['expire', 'expired expired', 'The transaction has been canceled'],
		]);
		await client.refuses('PATCH', `${B}/${id}`, CHANGE, 422, EDIT);
		await play(await newDraft(client), [['cancel', 'started draft', 'draft']]);
	});
	test('signer.high_risk_detected: the signer waits for a review; medium risk goes on', async () => {
		const receiver = await Receiver.on(client, ['transaction.signer.high_risk_detected']);
		const id = await newSent(client);
		const held = 'received held_for_review';
		await play(id, [
			['detectMediumRisk', 'received viewed'],
			['detectHighRisk', held],
			['sign', held, 'The transaction is held for review'],
			['resume', held, 'The transaction is not on hold'],
			['review', 'received viewed'],
			['sign', 'completed complete'],
		]);
		expect(await receiver.all()).toMatchObject([
			{ data: { transaction_id: id, signers: [{ external_id: 'kim' }] } },
		]);
	});
	test('held_for_review and reviewed: a review lets it go on where it was', async () => {
		const receiver = await Receiver.on(client, [
			'transaction.held_for_review',
			'transaction.reviewed',
		]);
		const id = await newSent(client);
		await play(id, [
			['review', 'sent sent_to_signer', 'Nothing waits for a review'],
			['holdForReview', 'sent held_for_review'],
			['review', 'sent sent_to_signer'],
		]);
		expect(await ids(receiver)).toEqual([id, id]);
	});
	test('on_hold: put on hold and resumed; a recall ends the hold', async () => {
		const id = await newSent(client);
		await play(id, [
			['putOnHold', 'sent on_hold'],
			['openEmail', 'sent on_hold', 'The transaction is on hold'],
			['resume', 'sent sent_to_signer'],
			['putOnHold', 'sent on_hold'],
			['recall', 'started recalled'],
		]);
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		await play(id, [['sign', 'completed complete']]);
	});
	test('underwriter.not_available: a draft stays one, an order waits', async () => {
		manual();
		const id = await newClosing(client);
		await addDocument(client, id);
		await play(id, [['reportNoUnderwriter', 'started draft']]);
		await client.ok('POST', `${R}/${id}/place_order`);
		const held = 'sent_to_closing_ops on_hold';
		await play(id, [
			['reportNoUnderwriter', held],
			['sendToSigner', held, 'The transaction is on hold'],
			['resume', 'sent_to_closing_ops order_placed'],
			['sendToSigner', 'sent sent_to_signer'],
			['reportNoUnderwriter', 'sent sent_to_signer', 'The closing is with the signer'],
		]);
		const business = await newSent(client);
		await play(business, [['reportNoUnderwriter', 'sent sent_to_signer', 'Only a closing']]);
	});
});

describe('as time passes', () => {
	test('a transaction expires', async () => {
		const id = await newSent(client, { expiry: inHours(1) });
		await sandbox.clock.advance(HOUR_MS + 1_000);
		expect(await client.state(id)).toBe('expired expired');
		const text = 'Transaction cannot be edited at this time.';
		await client.refuses('PATCH', `${B}/${id}`, { transaction_name: 'Late' }, 422, text);
		await expect(sandbox.act.sign(id)).rejects.toThrow(/expired/);
	});
	test('an expiry that an update has moved does not end it at its old time', async () => {
		const id = await newDraft(client, { expiry: inHours(1) });
		await client.ok('PATCH', `${B}/${id}`, { expiry: inHours(3) });
		await sandbox.clock.advance(2 * HOUR_MS);
		expect((await client.transaction(id)).status).toBe('started');
		await sandbox.clock.advance(2 * HOUR_MS);
		expect((await client.transaction(id)).status).toBe('expired');
	});
	test('a closing ends at the end of the day that its expiration_time names', async () => {
		const day = inHours(48).slice(0, 10);
		const id = await newClosing(client, { expiration_time: `${day}T01:00:00Z` });
		for (const [time, status] of [
			['23:50:00', 'started'],
			['23:59:59.500', 'expired'],
		]) {
			await sandbox.clock.advance(Date.parse(`${day}T${time}Z`) - sandbox.clock.now());
			expect((await client.transaction(id)).status).toBe(status);
		}
	});
	test('before activation_time signers can read, but neither sign nor meet the notary', async () => {
		const id = await newSent(client, { activation_time: inHours(1) }, NOTARIZED);
		const text = 'signers can only read';
		await play(id, [
			['openEmail', 'received viewed'],
			['sign', 'received viewed', text],
			['notarize', 'received viewed', text],
		]);
		await sandbox.clock.advance(HOUR_MS);
		await play(id, [['complete', 'completed complete']]);
	});
});
