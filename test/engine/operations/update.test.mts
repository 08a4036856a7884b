import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { borrowers, createClosing, id } from '../../support/closing.mts';
import {
	attempt,
	run,
	shownClosing,
	transaction,
	UPDATE_CLOSING,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Update and Webhook: Update. */

useSandbox();

describe('updates at a service whose PUT resets what is not sent', () => {
	beforeAll(() => void (sandbox.world.settings.switches.put = 'replace'));
	afterAll(() => void (sandbox.world.settings.switches.put = 'merge'));

	test('a closing keeps what is not changed', async () => {
		const transactionId = await createClosing(credential(), {
			signers: borrowers({}, { email: 'joe@example.com', external_id: 'co' }),
			additionalFields: {
				loan_number: '77',
				file_number: 'F-1',
				paper_note_consent: true,
				contacts: { row: [{ role: 'title_agent', email: 'a@title.example' }] },
			},
		});
		const before = await shownClosing(transactionId);
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(transactionId),
			updateFields: { loan_number: '78', street_address: { row: { zipCode: '02111' } } },
			settingsNotShown: 'none',
		});
		const { street_address: address, ...after } = await shownClosing(transactionId);
		const { street_address: oldAddress, ...kept } = before;
		expect(after).toEqual({ ...kept, loan_number: '78' });
		const parts = ({ full_address: _whole, ...rest }: IDataObject) => rest;
		expect(parts(address as IDataObject)).toEqual({
			...parts(oldAddress as IDataObject),
			postal: '02111',
		});
		expect(after.signers).toMatchObject([
			{ email: 'jane.borrower@example.com', external_id: 'borrower-1' },
			{ email: 'joe@example.com', external_id: 'co' },
		]);
	});
	test('line 2 of the address stays when it is left empty, and can be removed', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { addressLine2: 'Unit 4' },
		});
		const update = async (row: IDataObject) => {
			await run({
				...UPDATE_CLOSING,
				transactionId: id(transactionId),
				updateFields: { street_address: { row } },
			});
			return (await shownClosing(transactionId)).street_address;
		};
		expect(await update({ line1: '1 Harbor Street', line2: '', removeLine2: false })).toMatchObject(
			{
				line1: '1 Harbor Street',
				line2: 'Unit 4',
			},
		);
		const removed = (await update({ removeLine2: true })) as IDataObject;
		expect(removed).toMatchObject({ line1: '1 Harbor Street', city: 'Boston' });
		expect(removed.line2 ?? '').toBe('');
		const put = sandbox.requests.filter(({ method }) => method === 'PUT').at(-1);
		expect(put?.body).toMatchObject({ street_address: { line2: '' } });
		const { error } = await attempt({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: { street_address: { row: { line2: 'Unit 5', removeLine2: true } } },
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Address: Remove Line 2' is on together with 'Street Address Line 2'/,
		);
	});
	test('a new name alone leaves jurisdiction, agency, underwriter, contacts and redirect', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: {
				loan_number: '77',
				file_number: 'F-1',
				paper_note_consent: true,
				contacts: {
					row: [{ role: 'title_agent', email: 'a@title.example', phone_number: '6175550100' }],
				},
				additionalJson: JSON.stringify({
					redirect: { url: 'https://lender.example/done', message: 'Thank you' },
					require_secondary_photo_id: true,
				}),
			},
		});
		const before = await shownClosing(transactionId);
		await run({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: { transaction_name: 'Another name' },
		});
		expect(await shownClosing(transactionId)).toEqual({
			...before,
			transaction_name: 'Another name',
		});
		expect(before).toMatchObject({
			recording_jurisdiction: { id: 'rlboston' },
			title_agency: { name: expect.any(String) },
			title_underwriter: { name: expect.any(String) },
			redirect: { redirect_url: 'https://lender.example/done' },
			contacts: [{ email: 'a@title.example' }],
		});
		// No answer shows it, so it can't be sent back; the form says so.
		expect(transaction(transactionId).fields.paper_note_consent).toBeUndefined();
	});
	test('an update without a change is refused', async () => {
		const { error } = await attempt({
			resource: 'transaction',
			operation: 'update',
			platform: 'business',
			transactionId: id('ot_x'),
			updateFields: {},
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
		expect(transaction(transactionId).fields.contacts).toMatchObject([
			{ role: 'title_agent', email: 'a@title.example', phone_number: '6175550100' },
		]);
	});
});
