import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	IAL2,
	makePdf,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
	Receiver,
} from './support/client.mts';

/** interface.md §3, States and transitions; gaps.md §5. */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

test('interface §3.1: a closing is created as a draft, whatever `draft` says', async () => {
	expect(await client.transaction(await newClosing(client, { draft: false }))).toMatchObject({
		status: 'started',
		detailed_status: 'draft',
	});
});

test('interface §3.1: the closing team takes an order, prepares it, and then sends it to the signer', async () => {
	const manual = await startSandbox({ closingTeam: 'manual' });
	const other = new Client(manual);
	const id = await newClosing(other);
	await addDocument(other, id);
	expect(await other.ok('POST', `/mortgage/v1/transactions/${id}/place_order`, {})).toMatchObject({
		status: 'sent_to_closing_ops',
		detailed_status: 'order_placed',
	});
	await expect(manual.act.sign(id)).rejects.toThrow(/closing team/);
	await manual.act.sendToTitleAgency(id);
	expect(await other.transaction(id)).toMatchObject({
		status: 'sent_to_title_agency',
		detailed_status: 'sent_to_title_agent',
	});
	await manual.act.sendToSigner(id);
	expect(await other.transaction(id)).toMatchObject({
		status: 'sent',
		detailed_status: 'sent_to_signer',
	});
	await manual.close();
});

test('interface §3.1: the closing team can send a draft, which is how a documented-only service gets one to the signer', async () => {
	const documented = await startSandbox({ profile: 'documented' });
	const other = new Client(documented);
	const id = await newClosing(other);
	await expect(documented.act.sendToSigner(id)).rejects.toThrow(/Need at least 1 document/);
	await addDocument(other, id);
	await documented.act.sendToSigner(id);
	expect((await other.transaction(id)).status).toBe('sent');
	await documented.close();
});

test('interface §3.2: a business draft stays a draft and takes documents afterwards', async () => {
	const id = await newDraft(client);
	expect(await client.transaction(id)).toMatchObject({
		status: 'started',
		detailed_status: 'draft',
		documents: [],
	});
	await addDocument(client, id);
	await sandbox.clock.advance(3_600_000);
	expect((await client.transaction(id)).detailed_status).toBe('draft');
});

test('gaps §5: without draft a transaction is sent at once', async () => {
	const made = await client.ok('POST', '/transactions', {
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
	});
	expect(made).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
});

test.each([
	['completed', 'transaction.completed', async (id: string) => await sandbox.act.sign(id)],
	[
		'completed_with_rejections',
		'transaction.completed_with_rejections',
		async (id: string) => await sandbox.act.reject(id, { reason: 'Wrong name' }),
	],
])(
	'interface §3.3: in the state %s the documents are ready and %s is sent',
	async (status, event, act) => {
		const receiver = await Receiver.start();
		await receiver.subscribe(client, [event]);
		const id = await newSent(client);
		expect((await client.transaction(id)).documents[0].final_document_url).toBeNull();
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

test('interface §3.4, §7, §8: a signer may retake a failed selfie twice, the third failure goes to a trusted referee', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
	});
	await sandbox.act.failSelfie(id);
	await sandbox.act.failSelfie(id);
	expect((await client.transaction(id)).detailed_status).toBe('viewed');
	await sandbox.act.failSelfie(id);
	expect((await client.transaction(id)).detailed_status).toBe('held_for_review');
	await expect(sandbox.act.sign(id)).rejects.toThrow(/trusted referee/);
	await expect(sandbox.act.failSelfie(id)).rejects.toThrow(/trusted referee/);
	await sandbox.act.passReferee(id);
	await sandbox.act.sign(id);
	expect((await client.transaction(id)).status).toBe('completed');
});

test('interface §3.4: a signer who fails twice can still pass', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
	});
	await sandbox.act.failSelfie(id);
	await sandbox.act.failSelfie(id);
	await sandbox.act.sign(id);
	expect((await client.transaction(id)).status).toBe('completed');
});

test('interface §3.5, §8: a bookmarked PDF is split in about five minutes; its documents can be set only afterwards', async () => {
	const id = await newDraft(client);
	const before = await client.ok('POST', `/transactions/${id}/documents`, {
		resource: base64(
			await makePdf(5, [
				['Note', 1],
				['Deed of Trust', 2],
				['Disclosure', 4],
			]),
		),
		requirement: 'esign',
		pdf_bookmarked: true,
	});
	expect(before.id).toBeUndefined();
	expect(before.message).toMatch(/in progress/);
	await sandbox.clock.advance(299_000);
	expect((await client.transaction(id)).documents).toEqual([]);
	expect(await client.refused('POST', `/transactions/${id}/notarization_ready`)).toEqual([
		422,
		'A document is still being split',
	]);
	await sandbox.clock.advance(2_000);
	const { documents } = await client.transaction(id);
	expect(documents.map(({ document_name }: any) => document_name)).toEqual([
		'Note',
		'Deed of Trust',
		'Disclosure',
	]);
	// The page before the first bookmark stays with the first document.
	const pages = [];
	for (const document of documents) {
		const { data } = await client.ok(
			'GET',
			`/transactions/${id}/documents/${document.id}?encoding=base64`,
		);
		pages.push((await PDFDocument.load(Buffer.from(data, 'base64'))).getPageCount());
	}
	expect(pages).toEqual([2, 2, 1]);
	expect(
		await client.ok('PUT', `/documents/${documents[1].id}`, {
			requirement: 'notarization',
			witness_required: true,
		}),
	).toMatchObject({ requirement: 'notarization', witness_required: true });
});

test('gaps §5: signing_status is absent in a draft, then incomplete, in_progress, complete', async () => {
	const id = await newDraft(client, {
		signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
	});
	await addDocument(client, id);
	const statuses = async () =>
		(await client.transaction(id)).signers.map(({ signing_status }: any) => signing_status);
	expect(await statuses()).toEqual([undefined, undefined]);
	await client.ok('POST', `/transactions/${id}/notarization_ready`);
	expect(await statuses()).toEqual(['incomplete', 'incomplete']);
	await sandbox.act.openEmail(id);
	expect(await statuses()).toEqual(['in_progress', 'incomplete']);
	await sandbox.act.sign(id);
	expect(await statuses()).toEqual(['complete', 'incomplete']);
	expect((await client.transaction(id)).status).toBe('partially_completed');
	await sandbox.act.sign(id, { signer: 1 });
	expect((await client.transaction(id)).status).toBe('completed');
});

test('gaps §3: signers with an order sign in that order', async () => {
	const id = await newSent(client, {
		signers: [
			{ email: 'a@example.com', order: 2 },
			{ email: 'b@example.com', order: 1 },
		],
	});
	await expect(sandbox.act.sign(id, { signer: 0 })).rejects.toThrow(/turn of b@example.com/);
	await sandbox.act.sign(id);
	await sandbox.act.sign(id, { signer: 0 });
	expect((await client.transaction(id)).status).toBe('completed');
});

test('gaps §5: recall makes it a draft again, until a signer has completed', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
	});
	expect(
		await client.ok('POST', `/transactions/${id}/recall?recall_reason=Wrong%20e-mail`),
	).toMatchObject({ status: 'started', detailed_status: 'recalled' });
	await client.ok('PATCH', `/transactions/${id}`, { transaction_name: 'Corrected' });
	await client.ok('POST', `/transactions/${id}/notarization_ready`);
	await sandbox.act.sign(id);
	expect(await client.refused('POST', `/transactions/${id}/recall`)).toEqual([
		422,
		'Transaction has already been completed by at least 1 signer.',
	]);
});

test('gaps §5: where the signer pays, completed comes before the documents are released', async () => {
	const receiver = await Receiver.start();
	await receiver.subscribe(client, ['transaction.completed', 'transaction.released']);
	const id = await newSent(client, { payer: 'signer' });
	await sandbox.act.sign(id);
	await sandbox.clock.settled();
	expect(receiver.events).toEqual(['transaction.completed']);
	expect(await client.transaction(id)).toMatchObject({
		status: 'completed',
		detailed_status: 'awaiting_payment',
		audit_trail_url: null,
		documents: [{ final_document_url: null }],
	});
	await sandbox.act.pay(id);
	await sandbox.clock.settled();
	expect(receiver.events).toEqual(['transaction.completed', 'transaction.released']);
	expect((await client.transaction(id)).documents[0].final_document_url).toMatch(/^http/);
	receiver.close();
});

test('gaps §3: a transaction expires with the clock', async () => {
	const id = await newSent(client, {
		expiry: new Date(sandbox.clock.now() + 3_600_000).toISOString(),
	});
	await sandbox.clock.advance(3_601_000);
	expect(await client.transaction(id)).toMatchObject({
		status: 'expired',
		detailed_status: 'expired',
	});
	expect(
		await client.refused('PATCH', `/transactions/${id}`, { transaction_name: 'Late' }),
	).toEqual([422, 'Transaction has expired']);
	await expect(sandbox.act.sign(id)).rejects.toThrow(/expired/);
});

test('gaps §3: activation_time holds a transaction back', async () => {
	const body = {
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
		activation_time: new Date(sandbox.clock.now() + 60_000).toISOString(),
	};
	const { id, status } = await client.ok('POST', '/transactions', body);
	expect(status).toBe('started');
	await sandbox.clock.advance(61_000);
	expect((await client.transaction(id)).status).toBe('sent');
});

test('interface §1: a notary completes what the signers have signed', async () => {
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
		notarization_record: expect.stringMatching(/^me_/),
	});
	await expect(sandbox.act.reject(id)).rejects.toThrow(/completed/);
	await expect(sandbox.act.notarize(await newSent(client))).rejects.toThrow(
		/No document needs a notary/,
	);
});

test('interface §1: identity checks apply to e-signature documents, not to a notarization', async () => {
	const { id } = await client.ok('POST', '/mortgage/v2/transactions', {
		transaction_type: null,
		signer: { email: 'a@example.com', assurance_requirement: IAL2 },
		street_address: { line1: '1', city: 'Boston', state: 'MA' },
		title_agency_id: 'or_agency_harbor',
	});
	await addDocument(client, id, { requirement: 'notarization' });
	await client.ok('POST', `/mortgage/v2/transactions/${id}/place_order`, {});
	await expect(sandbox.act.failSelfie(id)).rejects.toThrow(/No selfie is asked/);
});

test('interface §2: only all three checks reach IAL2', async () => {
	const level = async (assurance: object) => {
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com', assurance_requirement: assurance }],
		});
		await sandbox.act.sign(id);
		return sandbox.world.transactions.get(id)!.auditLog.join('\n');
	};
	expect(await level(IAL2)).toMatch(
		/selfie, knowledge-based questions, code by text message \(IAL2\)/,
	);
	const sms = await level({ multi_factor_authentication: { type: 'sms' } });
	expect(sms).toMatch(/code by text message/);
	expect(sms).not.toMatch(/IAL2|selfie|questions/);
});

test('a finished file has the same bytes at each download', async () => {
	const id = await newCompleted(client);
	const bytes = async () =>
		Buffer.from(
			await (
				await fetch((await client.transaction(id)).documents[0].final_document_url)
			).arrayBuffer(),
		);
	expect((await bytes()).equals(await bytes())).toBe(true);
	expect((await PDFDocument.load(await bytes())).getPageCount()).toBe(2);
});
