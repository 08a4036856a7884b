/**
 * Which signers a request may name, and in which form
 * (docs/service/transactions.md#signer-signers-and-cosigner,
 * docs/service/transactions.md#rules-between-fields).
 */

import { describe, expect, test } from '@jest/globals';

import { CLOSING, newClosing, newDraft, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const [JANE, JOE] = [{ email: 'jane@example.com' }, { email: 'joe@example.com' }];
const EITHER = { errors: ['Use either the signers array or signer/cosigner input fields'] };
const R = '/mortgage/v1/transactions';

describe('signers, signer and cosigner', () => {
	const emails = ({ signers }: any) => signers.map(({ email }: any) => email);
	test('real estate: one or the other; both are 422 at the creation and at an update', async () => {
		const bare = { ...CLOSING, signer: undefined };
		expect(emails(await client.ok('POST', R, { ...bare, signer: JANE }))).toEqual([JANE.email]);
		const { id, ...made } = await client.ok('POST', R, { ...bare, signers: [JANE, JOE] });
		expect(emails(made)).toEqual([JANE.email, JOE.email]);
		for (const both of [
			{ signer: JANE, signers: [JANE, JOE] },
			{ cosigner: { first_name: 'Joe' }, signers: [JANE] },
		])
			for (const [method, path, body] of [
				['POST', R, { ...bare, ...both }],
				['PUT', `${R}/${id}`, both],
			] as const) {
				const answer = await client.call(method, path, body);
				expect([answer.status, answer.body]).toEqual([422, EITHER]);
			}
	});
	test('business: signers alone are enough, and signer alone, too', async () => {
		const make = async (body: object) => await client.call('POST', '/transactions', body);
		for (const body of [{ signers: [JANE] }, { signer: JANE }])
			expect(emails((await make({ draft: true, ...body })).body)).toEqual([JANE.email]);
		expect((await make({ draft: true, signers: [JANE], signer: JANE })).body).toEqual(EITHER);
	});
	test('an update with signer leaves one signer, an update with cosigner gives a second', async () => {
		const id = await newClosing(client, { signer: undefined, signers: [JANE, JOE] });
		expect(emails(await client.ok('PUT', `${R}/${id}`, { signer: JOE }))).toEqual([JOE.email]);
		const { signers } = await client.ok('PUT', `${R}/${id}`, { cosigner: { first_name: 'Ann' } });
		expect(signers).toMatchObject([{ email: JOE.email }, { email: '', first_name: 'Ann' }]);
	});
	test('a cosigner is the second signer, whose email is empty, on both platforms', async () => {
		const cosigner = { first_name: 'Joe', last_name: 'Borrower', signing_requirement: 'esign' };
		const bare = { ...CLOSING, signer: undefined };
		for (const [method, path, body] of [
			['PUT', R, { ...bare, signer: JANE }],
			['PATCH', '/transactions', { draft: true, signer: JANE }],
			['PUT', '/transactions', { draft: true, signer: JANE }],
		] as const) {
			const created = await client.ok('POST', path, { ...body, cosigner });
			const updated = await client.ok(method, `${path}/${created.id}`, {
				signer: JANE,
				cosigner: { ...cosigner, first_name: 'Ann' },
			});
			for (const [answer, first_name] of [
				[created, 'Joe'],
				[updated, 'Ann'],
			]) {
				expect(answer.signers).toHaveLength(2);
				expect(answer.signers[1]).toMatchObject({ ...cosigner, first_name, email: '' });
				expect(answer.cosigner_info).toEqual(answer.signers[1]);
			}
			// The service refuses its own answer.
			expect(
				await client.refused(method, `${path}/${created.id}`, {
					signers: [JANE, { first_name: 'Ann', last_name: 'Borrower', email: '' }],
				}),
			).toEqual([expect.any(Number), expect.stringMatching(/email/i)]);
		}
	});
	test('a cosigner signs after the signer, without an email address', async () => {
		const id = await newSent(client, {
			signers: undefined,
			signer: { ...JANE, external_id: 'jane' },
			cosigner: { first_name: 'Joe', last_name: 'Borrower' },
		});
		await sandbox.act.complete(id);
		expect((await client.transaction(id)).status).toBe('completed');
		expect(sandbox.world.transactions.get(id)!.auditLog.join()).toMatch(/Joe Borrower has signed/);
	});
	test('a group signs that has a shared inbox instead of an email address', async () => {
		const group = { recipient_group: { shared_inbox_email: 'desk@example.com' } };
		const id = await newSent(client, { signers: [group] });
		expect((await client.transaction(id)).signers).toMatchObject([{ email: '', ...group }]);
		await sandbox.act.sign(id);
		expect((await client.transaction(id)).status).toBe('completed');
	});
});

describe('rules between the fields of signers', () => {
	test.each<[string, object[], RegExp]>([
		['no signer at all', [], /Need at least 1 signer/],
		['a signer without email', [{ first_name: 'Kim' }], /Customer email not present/],
		[
			'email together with a group',
			[{ ...JANE, recipient_group: { shared_inbox_email: 'desk@example.com' } }],
			/email and recipient_group exclude/,
		],
		['capacity without entity', [{ ...JANE, capacity: 'Trustee' }], /capacity and entity/],
		['a notary without order', [{ ...JANE, notary_id: 'us_nora_notary' }], /requires order/],
		[
			'one order with two notaries',
			[
				{ ...JANE, order: 1, notary_id: 'us_nora_notary' },
				{ ...JOE, order: 1, notary_id: 'us_oscar_oath' },
			],
			/equal order need the same notary_id/,
		],
		[
			'one of several known to the notary, without a notary',
			[{ ...JANE, personally_known_to_notary: true }, JOE],
			/requires notary_id/,
		],
		[
			'one external_id for two',
			[
				{ ...JANE, external_id: 's1' },
				{ ...JOE, external_id: 's1' },
			],
			/external_id of the signers must differ/,
		],
	])('%s', async (_name, signers, text) => {
		const [status, reason] = await client.refused('POST', '/transactions', {
			draft: true,
			signers,
		});
		expect(status).toBe(422);
		expect(reason).toMatch(text);
	});
	test('authentication_requirement sms needs a phone of every signer', async () => {
		const sms = { authentication_requirement: 'sms' };
		expect(
			(await client.refused('POST', '/transactions', { draft: true, signers: [JANE], ...sms }))[1],
		).toMatch(/phone of every signer/);
		const id = await newDraft(client, {
			signers: [{ ...JANE, phone_number: '+16175550123' }],
			...sms,
		});
		expect((await client.refused('PATCH', `/transactions/${id}`, { signers: [JANE] }))[1]).toMatch(
			/phone of every signer/,
		);
	});
});
