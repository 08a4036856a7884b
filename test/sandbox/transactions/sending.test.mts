/**
 * Sending, recalling, reminding and forcing to complete (docs/service/transactions.md#send and the
 * sections after it).
 */

import { afterEach, describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newDraft,
	newSent,
	Receiver,
	stopReceivers,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();
afterEach(() => {
	sandbox.world.settings.missingFeatures = [];
});

/** A closing that is with its signer. @returns its path */
async function newOrdered(more: object = {}): Promise<string> {
	const id = await newClosing(client, more);
	await addDocument(client, id, { requirement: 'notarization' });
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
	return `/mortgage/v1/transactions/${id}`;
}

const story = (id: string) => sandbox.world.transactions.get(id)!.auditLog.join('\n');
const idOf = (path: string) => path.split('/').at(-1)!;

describe('send', () => {
	test('takes its options from the body or from the query, or none', async () => {
		const ids = [];
		for (const [query, body] of [
			['', undefined],
			['?suppress_email=true', undefined],
			['', { suppress_email: true, require_new_signer_verification: false }],
		] as const) {
			const id = await newDraft(client);
			await addDocument(client, id);
			await client.ok('POST', `/transactions/${id}/notarization_ready${query}`, body);
			ids.push(id);
		}
		expect(ids.map((id) => /without an email/.test(story(id)))).toEqual([false, true, true]);
	});
	test('suppress_email is not stored: the next send has to repeat it', async () => {
		const id = await newDraft(client, { suppress_email: true });
		await addDocument(client, id);
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		expect(story(id)).not.toMatch(/without an email/);
	});
	test('skip_closing_ops of place_order, in the body or the query', async () => {
		const manual = await startSandbox({ closingTeam: 'manual' });
		const other = new Client(manual);
		try {
			for (const [query, body, status] of [
				['', undefined, 'sent_to_closing_ops'],
				['?skip_closing_ops=true', undefined, 'sent'],
				['', { skip_closing_ops: true }, 'sent'],
			] as const) {
				const id = await newClosing(other);
				await addDocument(other, id, { requirement: 'notarization' });
				expect(
					(await other.ok('POST', `/mortgage/v1/transactions/${id}/place_order${query}`, body))
						.status,
				).toBe(status);
			}
		} finally {
			await manual.close();
		}
	});
	test('a client-only key may not send: 403', async () => {
		const creator = new Client(sandbox, sandbox.keys.clientOnly);
		const closing = await newClosing(client);
		for (const path of [
			`/transactions/${await newDraft(client)}/notarization_ready`,
			`/mortgage/v1/transactions/${closing}/place_order`,
		]) {
			const { status, body } = await creator.call('POST', path);
			expect([status, body]).toEqual([403, { errors: ['Not allowed to Send Transactions'] }]);
		}
	});
	test('an expired transaction is refused', async () => {
		const id = await newClosing(client);
		await addDocument(client, id);
		await sandbox.act.expire(id);
		const { status, body } = await client.call(
			'POST',
			`/mortgage/v1/transactions/${id}/place_order`,
		);
		expect([status, body]).toEqual([422, { errors: ['Transaction has expired'] }]);
	});
	test('while a document is pending, or has failed, it is refused; without the switch, text tags are lost', async () => {
		const withTags = async () => {
			const id = await newDraft(client);
			await client.ok('POST', `/transactions/${id}/documents`, {
				resource: base64(await makePdf(1, [], '{{signature:kim}}')),
				requirement: 'esign',
				filename: 'Tagged',
				text_tag_syntax: 'any',
			});
			return id;
		};
		const send = async (id: string) =>
			await client.call('POST', `/transactions/${id}/notarization_ready`);
		const designations = async (id: string) =>
			(await client.transaction(id)).documents[0].signing_designations.length;
		const patient = await withTags();
		expect(await client.refused('POST', `/transactions/${patient}/notarization_ready`)).toEqual([
			422,
			'Document Tagged is still being processed',
		]);
		await client.processed();
		expect([(await send(patient)).status, await designations(patient)]).toEqual([200, 1]);
		const failed = await withTags();
		await sandbox.act.failProcessing(failed, { reason: 'it is encrypted' });
		expect((await client.refused('POST', `/transactions/${failed}/notarization_ready`))[1]).toBe(
			'Document Tagged could not be processed: it is encrypted',
		);
		sandbox.world.settings.switches.sendBeforeProcessed = 'losesTextTags';
		const hasty = await withTags();
		expect((await send(hasty)).status).toBe(200);
		await client.processed();
		expect(await designations(hasty)).toBe(0);
	});
	test('the event names the link of the signer', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['transaction.sent']);
		try {
			const id = await newSent(client);
			await sandbox.clock.settled();
			const [{ transaction_access_link }] = (await client.transaction(id)).signers;
			expect(receiver.received.at(-1)!.data).toMatchObject({ transaction_access_link });
		} finally {
			await stopReceivers(client, [hook], receiver);
		}
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

describe('recall', () => {
	test('the reason is kept on the transaction', async () => {
		const id = await newSent(client);
		expect(
			await client.ok('POST', `/transactions/${id}/recall?recall_reason=Wrong%20email`),
		).toMatchObject({
			status: 'started',
			detailed_status: 'recalled',
			recall_reason: 'Wrong email',
		});
	});
	test('a draft, and what a signer has completed, can not be recalled', async () => {
		const signed = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		await sandbox.act.sign(signed);
		for (const id of [await newDraft(client), signed]) {
			const { status, body } = await client.call('POST', `/transactions/${id}/recall`);
			expect([status, body]).toEqual([
				422,
				{ errors: ['Organization Transaction cannot be recalled at this time.'] },
			]);
		}
	});
});

describe('reminders', () => {
	test('the email is sent again, with another message on business only', async () => {
		const id = await newSent(client);
		await client.ok('POST', `/transactions/${id}/send_email?message_to_signer=Please`);
		expect(story(id)).toMatch(/with another message/);
		const closing = await newOrdered();
		await client.ok('POST', `${closing}/send_email?message_to_signer=Please`);
		expect(story(idOf(closing))).toMatch(/email sent again$/);
	});
	test('a transaction that is started can not be reminded of', async () => {
		const { status, body } = await client.call(
			'POST',
			`/transactions/${await newDraft(client)}/send_email`,
		);
		expect([status, body]).toEqual([
			422,
			{ errors: ['Cannot resend email for started transaction.'] },
		]);
	});
	test('business: the number of a text message in the query, or in two parts in the body', async () => {
		const id = await newSent(client);
		const path = `/transactions/${id}/send_sms`;
		for (const [query, body] of [
			['?phone=%2B16175550123', undefined],
			['?phone_number=%2B447700900123', undefined],
			['', { phone: { country_code: '1', number: '617 555 0123' } }],
			// The body of the published schema has the country code alone.
			['?phone=%2B16175550123', { phone: { country_code: '1' } }],
			[
				'?phone=%2B16175550123&phone_number=%2B16175550123',
				{ phone: { country_code: '1', number: '6175550123' } },
			],
		] as const)
			expect((await client.ok('POST', path + query, body)).id).toBe(id);
		for (const [query, body] of [
			['?phone=6175550123', undefined],
			['', { phone: { number: '6175550123' } }],
			['', { phone: { country_code: '1' } }],
			['', { phone: { country_code: '1', number: 'later' } }],
		] as const) {
			const answer = await client.call('POST', path + query, body);
			expect([answer.status, answer.body]).toEqual([
				400,
				{
					errors: [
						'Invalid Phone Number. Please include country code and phone number in e164 format.',
					],
				},
			]);
		}
	});
	test('business: without a number, every signer needs a phone', async () => {
		const bare = await newSent(client);
		const answer = await client.call('POST', `/transactions/${bare}/send_sms`);
		expect([answer.status, answer.body]).toEqual([
			422,
			{ errors: ['Cannot send sms: One or more signers do not have a phone number'] },
		]);
		const id = await newSent(client, {
			signers: [{ email: 'kim@example.com', phone_number: '6175550123' }],
		});
		expect((await client.ok('POST', `/transactions/${id}/send_sms`)).id).toBe(id);
	});
	test('real estate: a text message takes neither parameter nor body; both are ignored', async () => {
		const path = await newOrdered({
			signer: { email: 'jane@example.com', phone_number: '6175550123' },
		});
		for (const [query, body] of [
			['', undefined],
			['?phone=later', { phone: { country_code: '1', number: 'later' } }],
		] as const)
			await client.ok('POST', `${path}/send_sms${query}`, body);
		sandbox.world.settings.missingFeatures = ['sms'];
		const answer = await client.call('POST', `${path}/send_sms`);
		expect([answer.status, answer.body]).toEqual([
			422,
			{ errors: ['Could not send sms: missing_feature'] },
		]);
	});
	test('contacts are sent their email again: all of them, or one', async () => {
		const contacts = [
			{ email: 'agent@example.com', role: 'title_agent' },
			{ email: 'closer@example.com', role: 'closer' },
		];
		const path = await newOrdered({ contacts });
		await client.ok('POST', `${path}/send_contacts_email`);
		expect(story(idOf(path))).toMatch(/contacts: agent@example.com, closer@example.com$/);
		await client.ok('POST', `${path}/send_contacts_email?contact_email=closer@example.com`);
		expect(story(idOf(path))).toMatch(/contacts: closer@example.com$/);
		const unknown = await client.call(
			'POST',
			`${path}/send_contacts_email?contact_email=nobody@example.com`,
		);
		expect([unknown.status, unknown.body]).toEqual([
			404,
			{ errors: ['Contact not found for transaction'] },
		]);
		const draft = await newClosing(client, { contacts });
		const early = await client.call(
			'POST',
			`/mortgage/v1/transactions/${draft}/send_contacts_email`,
		);
		expect([early.status, early.body]).toEqual([
			422,
			{ errors: ['Cannot resend email for inactive transactions.'] },
		]);
	});
});

describe('force complete', () => {
	test('is a tool of test environments: elsewhere 403', async () => {
		const path = await newOrdered();
		sandbox.world.settings.switches.testEnvironment = false;
		const { status, body } = await client.call('POST', `${path}/force_complete`);
		sandbox.world.settings.switches.testEnvironment = true;
		expect([status, body]).toEqual([
			403,
			{ errors: ['Not allowed to Force Complete in this environment'] },
		]);
	});
	test('the answer is not completed yet; a draft can not be forced', async () => {
		for (const path of [await newOrdered(), `/transactions/${await newSent(client)}`]) {
			expect((await client.ok('POST', `${path}/force_complete`)).status).toBe('sent');
			await sandbox.clock.advance(2_000);
			expect((await client.ok('GET', path)).status).toBe('completed');
		}
		const { status, body } = await client.call(
			'POST',
			`/transactions/${await newDraft(client)}/force_complete`,
		);
		expect([status, body]).toEqual([422, { errors: ['Unable to force complete transaction.'] }]);
		expect((await client.call('POST', '/transactions/ot_none/force_complete')).status).toBe(404);
	});
});
