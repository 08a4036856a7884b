/**
 * Sending, recalling, reminding and forcing to complete (docs/service/transactions.md#send and the
 * sections after it).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	B,
	base64,
	makePdf,
	newClosing,
	newDocument,
	newDraft,
	newOrdered,
	newSent,
	R,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const storyOf = (id: string) => client.stored(id).auditLog.join('\n');
const TWO = { signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };

describe('send', () => {
	test('an expired transaction is refused', async () => {
		const id = await newClosing(client);
		await addDocument(client, id);
		await sandbox.act.expire(id);
		const path = `${R}/${id}/place_order`;
		await client.refuses('POST', path, undefined, 422, 'Transaction has expired');
	});
	test('while a document is pending, or has failed, it is refused; with the switch, text tags are lost', async () => {
		const tagged = await newDocument({
			resource: base64(await makePdf(1, [], '{{signature:kim}}')),
			filename: 'Tagged',
			text_tag_syntax: 'standard',
		});
		const withTags = async () => {
			const id = await newDraft(client);
			await client.ok('POST', `${B}/${id}/documents`, tagged);
			return id;
		};
		const refused = async (id: string, text: string) =>
			await client.refuses('POST', `${B}/${id}/notarization_ready`, undefined, 422, text);
		const send = async (id: string) => await client.ok('POST', `${B}/${id}/notarization_ready`);
		const patient = await withTags();
		await refused(patient, 'Document Tagged is still being processed');
		await client.processed();
		expect((await send(patient)).documents[0].signing_designations).toHaveLength(1);
		for (const [reason, text] of [
			['it is encrypted', 'Document Tagged could not be processed: it is encrypted'],
			['', 'Document Tagged could not be processed'],
		]) {
			const failed = await withTags();
			await sandbox.act.failProcessing(failed, { reason });
			await refused(failed, text);
		}
		sandbox.world.settings.switches.sendBeforeProcessed = 'losesTextTags';
		const hasty = await withTags();
		await send(hasty);
		await client.processed();
		expect((await client.transaction(hasty)).documents[0].signing_designations).toEqual([]);
	});
	test('e-signature asked for and nowhere to sign', async () => {
		const text = 'Esign required yet no Signer Designations specified in Document Bundle';
		const id = await newDraft(client);
		await addDocument(client, id, { esign_required: true });
		await client.refuses('POST', `${B}/${id}/notarization_ready`, undefined, 422, text);
		const closing = await newClosing(client);
		await addDocument(client, closing);
		const path = `${R}/${closing}/place_order`;
		await client.refuses('POST', path, { skip_closing_ops: true }, 422, text);
		expect((await client.ok('POST', path)).status).toBe('sent');
	});
});

describe('recall', () => {
	test('is refused for a draft, and for what a signer has completed', async () => {
		const signed = await newSent(client, TWO);
		await sandbox.act.sign(signed);
		const text = 'Organization Transaction cannot be recalled at this time.';
		for (const id of [await newDraft(client), signed])
			await client.refuses('POST', `${B}/${id}/recall`, undefined, 422, text);
	});
});

describe('reminders', () => {
	test('a transaction that is started can not be reminded of', async () => {
		const path = `${B}/${await newDraft(client)}/send_email`;
		const text = 'Cannot resend email for started transaction.';
		await client.refuses('POST', path, undefined, 422, text);
	});
	test('business: the number of a text message in the query, or in two parts in the body', async () => {
		const path = `${B}/${await newSent(client)}/send_sms`;
		const number = '6175550123';
		const plus = '%2B16175550123';
		for (const [query, phone] of [
			[`?phone=${plus}`],
			['?phone_number=%2B447700900123'],
			['', { country_code: '1', number: '617 555 0123' }],
			// The body of the published schema has the country code alone.
			[`?phone=${plus}`, { country_code: '1' }],
			[`?phone=${plus}&phone_number=${plus}`, { country_code: '1', number }],
		] as const)
			await client.ok('POST', path + query, phone && { phone });
		const text =
			'Invalid Phone Number. Please include country code and phone number in e164 format.';
		for (const [query, phone] of [
			[`?phone=${number}`],
			['', { number }],
			['', { country_code: '1' }],
			['', { country_code: '1', number: 'later' }],
		] as const)
			await client.refuses('POST', path + query, phone && { phone }, 400, text);
	});
	test('business: without a number, every signer needs a phone', async () => {
		const bare = `${B}/${await newSent(client)}/send_sms`;
		const text = 'Cannot send sms: One or more signers do not have a phone number';
		await client.refuses('POST', bare, undefined, 422, text);
		const signers = [{ email: 'kim@example.com', phone_number: '6175550123' }];
		await client.ok('POST', `${B}/${await newSent(client, { signers })}/send_sms`);
	});
	test('real estate: a text message takes neither parameter nor body; both are ignored', async () => {
		const signer = { email: 'jane@example.com', phone_number: '6175550123' };
		const path = `${R}/${await newOrdered(client, { signer })}/send_sms`;
		await client.ok('POST', path);
		await client.ok('POST', `${path}?phone=later`, {
			phone: { country_code: '1', number: 'later' },
		});
		sandbox.world.settings.missingFeatures = ['sms'];
		await client.refuses('POST', path, undefined, 422, 'Could not send sms: missing_feature');
	});
	test('contacts are sent their email again: all of them, or one', async () => {
		const contacts = [
			{ email: 'agent@example.com', role: 'title_agent' },
			{ email: 'closer@example.com', role: 'closer' },
		];
		const id = await newOrdered(client, { contacts });
		const path = `${R}/${id}/send_contacts_email`;
		await client.ok('POST', path);
		expect(storyOf(id)).toMatch(/contacts: agent@example.com, closer@example.com$/);
		await client.ok('POST', `${path}?contact_email=closer@example.com`);
		expect(storyOf(id)).toMatch(/contacts: closer@example.com$/);
		const nobody = `${path}?contact_email=nobody@example.com`;
		await client.refuses('POST', nobody, undefined, 404, 'Contact not found for transaction');
		const draft = `${R}/${await newClosing(client, { contacts })}/send_contacts_email`;
		const text = 'Cannot resend email for inactive transactions.';
		await client.refuses('POST', draft, undefined, 422, text);
	});
});

describe('force complete', () => {
	test('is a tool of test environments: elsewhere 403', async () => {
		sandbox.world.settings.switches.testEnvironment = false;
		const path = `${R}/${await newOrdered(client)}/force_complete`;
		const text = 'Not allowed to Force Complete in this environment';
		await client.refuses('POST', path, undefined, 403, text);
	});
	test('the answer is not completed yet; a draft can not be forced', async () => {
		await forEachCase(
			[`${R}/${await newOrdered(client)}`, `${B}/${await newSent(client)}`],
			async (path) => {
				expect((await client.ok('POST', `${path}/force_complete`)).status).toBe('sent');
				await sandbox.clock.advance(2_000);
				expect((await client.ok('GET', path)).status).toBe('completed');
			},
		);
		const draft = `${B}/${await newDraft(client)}/force_complete`;
		const text = 'Unable to force complete transaction.';
		await client.refuses('POST', draft, undefined, 422, text);
		await client.refuses('POST', `${B}/ot_none/force_complete`, undefined, 404);
	});
});
