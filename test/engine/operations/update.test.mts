import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing, id } from '../../support/closing.mts';
import { attempt, run, transaction, UPDATE_CLOSING } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Update and Webhook: Update. */

useSandbox();

describe('updates', () => {
	test('a closing keeps what is not changed, although its PUT resets what is not sent', async () => {
		const transactionId = await createClosing(credential(), {
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
			additionalFields: {
				loan_number: '77',
				file_number: 'F-1',
				paper_note_consent: true,
				contacts: { row: [{ role: 'title_agent', email: 'a@title.example' }] },
			},
		});
		const before = structuredClone(transaction(transactionId).fields);
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(transactionId),
			updateFields: { loan_number: '78', street_address: { row: { zipCode: '02111' } } },
			simplify: true,
		});
		expect(transaction(transactionId).fields).toEqual({
			...before,
			organization_id: 'or_harbor',
			loan_number: '78',
			street_address: {
				...(before.street_address as IDataObject),
				zip_code: '02111',
				postal: '02111',
			},
		});
		expect(
			transaction(transactionId).signers.map(({ email, external_id: external }) => [
				email,
				external,
			]),
		).toEqual([
			['jane.borrower@example.com', 'borrower-1'],
			['joe@example.com', 'co'],
		]);
	});
	test('an update without a change is refused', async () => {
		const { error } = await attempt({
			resource: 'transaction',
			operation: 'update',
			platform: 'business',
			transactionId: id('ot_x'),
			updateFields: {},
			simplify: true,
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Update Fields' is empty.*at least one field/,
		);
	});
	test('the headers of a webhook stay, and their values are masked in the output', async () => {
		const made = await run({
			resource: 'webhook',
			operation: 'create',
			url: 'https://example.com/a',
			events: ['*'],
			additionalFields: {
				headers: { row: [{ name: 'Authorization', value: 'Bearer s3same-open' }] },
			},
		});
		const changed = await run({
			resource: 'webhook',
			operation: 'update',
			webhookId: id(String(made.json.webhook_id)),
			updateFields: { events: ['transaction.completed'] },
		});
		expect(changed.json).toMatchObject({
			url: 'https://example.com/a',
			subscriptions: ['transaction.completed'],
			headers: ['Authorization: ***'],
		});
		expect(sandbox.world.webhooks.get(String(made.json.webhook_id))!.headers).toEqual([
			'Authorization:Bearer s3same-open',
		]);
		expect(JSON.stringify([made.run, changed.run.data.resultData])).not.toContain(
			'"headers":["Authorization:Bearer',
		);
	});
});

describe('what an update leaves alone', () => {
	test('a list that was added without a row removes nothing', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: {
				contacts: {
					row: [{ role: 'title_agent', email: 'a@title.example', phone_number: 6175550100 }],
				},
			},
		});
		await run({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: { loan_number: '1', contacts: {}, signers: {}, documents: {} },
		});
		expect(transaction(transactionId).fields.contacts).toEqual([
			{ role: 'title_agent', email: 'a@title.example', phone_number: '6175550100' },
		]);
	});
	test('an update keeps fields that the node does not know', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { additionalJson: '{"require_secondary_id": true}' },
		});
		await run({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: { loan_number: '1' },
		});
		expect(transaction(transactionId).fields.require_secondary_id).toBe(true);
	});
});
