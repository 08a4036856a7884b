/**
 * Updating, deleting, sending again, retrieving and listing transactions
 * (docs/service/transactions.md#retrieve-a-transaction and the sections after it).
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	Client,
	CLOSING,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('update', () => {
	test('PUT resets what was not sent, PATCH leaves it', async () => {
		const id = await newDraft(client, { transaction_name: 'First', external_id: 'x-1' });
		expect(
			await client.ok('PATCH', `/transactions/${id}`, { transaction_name: 'Second' }),
		).toMatchObject({ transaction_name: 'Second', external_id: 'x-1' });
		expect(
			await client.ok('PUT', `/transactions/${id}`, {
				signers: [{ email: 'kim@example.com' }],
				transaction_name: 'Third',
			}),
		).toMatchObject({ transaction_name: 'Third', external_id: null });
		expect(
			await client.refused('PUT', `/transactions/${id}`, { transaction_name: 'No signer' }),
		).toEqual([422, 'Need at least 1 signer']);
	});
	test('a signer who stays keeps the id, a corrected email is a new signer', async () => {
		const id = await newDraft(client);
		const [{ id: signer }] = (await client.transaction(id)).signers;
		expect(
			(
				await client.ok('PATCH', `/transactions/${id}`, {
					signers: [{ email: 'kim@example.com', first_name: 'Kim' }],
				})
			).signers[0],
		).toMatchObject({ id: signer, first_name: 'Kim' });
		expect(
			(
				await client.ok('PATCH', `/transactions/${id}`, {
					signers: [{ email: 'kim.doe@example.com' }],
				})
			).signers[0].id,
		).not.toBe(signer);
	});
	test('documents are put in another order', async () => {
		const id = await newDraft(client);
		const [a, b] = [await addDocument(client, id), await addDocument(client, id)];
		const { documents } = await client.ok('PATCH', `/transactions/${id}`, {
			documents: [
				{ id: a.id, bundle_position: 1 },
				{ id: b.id, bundle_position: 0 },
			],
		});
		expect(documents.map((document: any) => document.id)).toEqual([b.id, a.id]);
	});
	test('only a draft can be changed; a closing has no PATCH', async () => {
		expect(
			await client.refused('PATCH', `/transactions/${await newSent(client)}`, {
				transaction_name: 'x',
			}),
		).toEqual([422, 'Transaction cannot be edited at this time.']);
		const id = await newClosing(client, { loan_number: '77' });
		expect((await client.call('PATCH', `/mortgage/v1/transactions/${id}`, {})).status).toBe(404);
		const changed = await client.ok('PUT', `/mortgage/v1/transactions/${id}`, {
			...CLOSING,
			file_number: 'F-2',
		});
		expect(changed.file_number).toBe('F-2');
		expect(changed.loan_number).toBeUndefined();
	});
});

describe('delete, send again', () => {
	test('delete works until a signer has completed', async () => {
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		await sandbox.act.sign(id);
		expect(await client.refused('DELETE', `/transactions/${id}`)).toEqual([
			422,
			'Transaction has already been completed by at least 1 signer.',
		]);
		const draft = await newDraft(client);
		expect(await client.ok('DELETE', `/transactions/${draft}`)).toEqual({
			message: 'Transaction deleted',
		});
		expect((await client.refused('GET', `/transactions/${draft}`))[0]).toBe(404);
	});
	test('email and text message are sent again, once it is sent', async () => {
		const id = await newSent(client);
		expect(
			(await client.ok('POST', `/transactions/${id}/send_email?message_to_signer=Please`)).id,
		).toBe(id);
		expect(
			(
				await client.ok('POST', `/transactions/${id}/send_sms`, {
					phone: { country_code: '1', number: '617 555 0123' },
				})
			).id,
		).toBe(id);
		expect(
			(
				await client.refused('POST', `/transactions/${id}/send_sms`, { phone: { number: 'later' } })
			)[0],
		).toBe(400);
		expect(
			(await client.refused('POST', `/transactions/${await newDraft(client)}/send_email`))[0],
		).toBe(422);
	});
	test('e-signature asked for and nowhere to sign', async () => {
		const text = 'Esign required yet no Signer Designations specified in Document Bundle';
		const id = await newDraft(client);
		await addDocument(client, id, { esign_required: true });
		expect(await client.refused('POST', `/transactions/${id}/notarization_ready`)).toEqual([
			422,
			text,
		]);
		const closing = await newClosing(client);
		await addDocument(client, closing);
		expect(
			await client.refused('POST', `/mortgage/v1/transactions/${closing}/place_order`, {
				skip_closing_ops: true,
			}),
		).toEqual([422, text]);
		expect(
			(await client.ok('POST', `/mortgage/v1/transactions/${closing}/place_order`)).status,
		).toBe('sent');
	});
});

describe('list', () => {
	test('newest first, by status, loan number, dates and organization', async () => {
		const a = await newClosing(client, { loan_number: 'L-1' });
		await sandbox.clock.advance(60_000);
		const between = new Date(sandbox.clock.now()).toISOString();
		await sandbox.clock.advance(60_000);
		const b = await newClosing(client, {
			loan_number: 'L-2',
			organization_id: sandbox.organizations.child,
		});
		const ids = async (query: string) =>
			(await client.ok('GET', `/mortgage/v1/transactions?${query}`)).data.map(({ id }: any) => id);
		expect((await ids('limit=2')).slice(0, 2)).toEqual([b, a]);
		expect(await ids('loan_number=L-1')).toEqual([a]);
		expect(await ids(`created_date_start=${between}`)).toEqual([b]);
		expect(await ids(`created_date_end=${between}`)).toContain(a);
		expect(await ids(`organization_id=${sandbox.organizations.child}`)).toEqual([b]);
		expect(await ids('transaction_status=completed')).toEqual([]);
		expect((await client.refused('GET', '/transactions?limit=1001'))[0]).toBe(422);
	});
});

describe('retrieve', () => {
	test('Retrieve a transaction: links to each finished document and to the audit trail', async () => {
		const id = await newDraft(client);
		for (const filename of ['One', 'Two']) await addDocument(client, id, { filename });
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		expect(await client.transaction(id)).toMatchObject({
			audit_trail_url: null,
			documents: [{ final_document_url: null }, { final_document_url: null }],
		});
		await sandbox.act.sign(id);
		const { audit_trail_url, documents } = await client.transaction(id);
		const links = [
			audit_trail_url,
			...documents.map((document: any) => document.final_document_url),
		];
		expect(new Set(links).size).toBe(3);
		for (const link of links)
			expect(Buffer.from(await (await fetch(link)).arrayBuffer()).toString('latin1', 0, 5)).toBe(
				'%PDF-',
			);
	});
	test('Retrieve a transaction: notarization_record when a notarization took place, not otherwise', async () => {
		const signed = await newSent(client);
		await sandbox.act.sign(signed);
		expect((await client.transaction(signed)).notarization_record).toBeNull();
		expect((await client.transaction(await newCompleted(client))).notarization_record).toMatch(
			/^me_/,
		);
	});
	test('the audit trail as PDF and as base64', async () => {
		const id = await newSent(client);
		expect((await client.refused('GET', `/transactions/${id}/assets/audit_trail`))[0]).toBe(404);
		await sandbox.act.sign(id);
		const bytes = Buffer.from(
			await (
				await fetch(`${sandbox.url}/v1/transactions/${id}/assets/audit_trail`, {
					headers: { ApiKey: sandbox.keys.full },
				})
			).arrayBuffer(),
		);
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(
			(await client.ok('GET', `/transactions/${id}/assets/audit_trail?encoding=base64`)).data,
		).toBe(bytes.toString('base64'));
	});
});
