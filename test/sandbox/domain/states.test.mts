/** The states of a transaction and how it gets from one to the next (docs/service/states.md). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newDraft,
	newSent,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

test('Fixed behaviours: a closing is created as a draft, whatever `draft` says', async () => {
	expect(await client.transaction(await newClosing(client, { draft: false }))).toMatchObject({
		status: 'started',
		detailed_status: 'draft',
	});
});

test('Closing team: it takes an order, prepares it, and then sends it to the signer', async () => {
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

test('Closing team: it can send a draft, which is how a documented-only service gets one to the signer', async () => {
	const documented = await startSandbox({ profile: 'documented' });
	const other = new Client(documented);
	const id = await newClosing(other);
	await expect(documented.act.sendToSigner(id)).rejects.toThrow(/Need at least 1 document/);
	await addDocument(other, id);
	await documented.act.sendToSigner(id);
	expect((await other.transaction(id)).status).toBe('sent');
	await documented.close();
});

test('Fixed behaviours: a business draft stays a draft and takes documents afterwards', async () => {
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

test('without draft a transaction is sent at once', async () => {
	const made = await client.ok('POST', '/transactions', {
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
	});
	expect(made).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
});

test('signing_status is absent in a draft, then incomplete, in_progress, complete', async () => {
	const id = await newDraft(client, {
		signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
	});
	await addDocument(client, id);
	const statuses = async () =>
		(await client.transaction(id)).signers.map(({ signing_status }: any) => signing_status);
	expect(await statuses()).toStrictEqual([undefined, undefined]);
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

test('signers with an order sign in that order', async () => {
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

test('recall makes it a draft again, until a signer has completed', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
	});
	expect(
		await client.ok('POST', `/transactions/${id}/recall?recall_reason=Wrong%20email`),
	).toMatchObject({ status: 'started', detailed_status: 'recalled' });
	await client.ok('PATCH', `/transactions/${id}`, { transaction_name: 'Corrected' });
	await client.ok('POST', `/transactions/${id}/notarization_ready`);
	await sandbox.act.sign(id);
	expect(await client.refused('POST', `/transactions/${id}/recall`)).toEqual([
		422,
		'Organization Transaction cannot be recalled at this time.',
	]);
});

describe('names of states', () => {
	test('Documented states: they are completed, completed_with_rejections, complete and draft', async () => {
		const draft = await newDraft(client);
		expect((await client.transaction(draft)).detailed_status).toBe('draft');
		const [signed, rejected] = [await newSent(client), await newSent(client)];
		await sandbox.act.sign(signed);
		await sandbox.act.reject(rejected);
		expect(await client.transaction(signed)).toMatchObject({
			status: 'completed',
			detailed_status: 'complete',
			signer_info: { signing_status: 'complete' },
			signers: [{ signing_status: 'complete' }],
		});
		expect((await client.transaction(rejected)).status).toBe('completed_with_rejections');
	});
});
