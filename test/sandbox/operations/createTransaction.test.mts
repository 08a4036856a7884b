/** Create Transaction (business) (docs/service/transactions.md#create-a-business-transaction). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { base64, Client, makePdf, newDraft, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('Create Transaction (business)', () => {
	const body = async (more: object = {}) => ({
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
		...more,
	});
	test('Create a business transaction: one signer with an email and one document are the minimum', async () => {
		expect((await client.call('POST', '/transactions/', await body())).status).toBe(200);
		expect(await client.refused('POST', '/transactions', await body({ signers: [] }))).toEqual([
			422,
			'Need at least 1 signer',
		]);
		expect(
			await client.refused(
				'POST',
				'/transactions',
				await body({ signers: [{ first_name: 'Kim' }] }),
			),
		).toEqual([422, 'Customer email not present']);
		expect(await client.refused('POST', '/transactions', await body({ documents: [] }))).toEqual([
			422,
			'Need at least 1 document',
		]);
	});
	test('a single signer is accepted too', async () => {
		expect(
			(
				await client.ok(
					'POST',
					'/transactions',
					await body({ signers: undefined, signer: { email: 'kim@example.com' } }),
				)
			).signer_info.email,
		).toBe('kim@example.com');
	});
	test('Create a business transaction: a draft can leave the documents out', async () => {
		expect((await client.transaction(await newDraft(client))).documents).toEqual([]);
	});
	test('Create a business transaction: designations can not be supplied here', async () => {
		const documents = [
			{ resource: base64(await makePdf()), requirement: 'esign', signing_designations: [] },
		];
		expect((await client.refused('POST', '/transactions', await body({ documents })))[1]).toMatch(
			/signing_designations/,
		);
	});
	test('a create that is refused leaves nothing behind', async () => {
		const count = sandbox.world.transactions.size;
		await client.refused(
			'POST',
			'/transactions',
			await body({ documents: [{ resource: base64('no pdf'), requirement: 'esign' }] }),
		);
		expect(sandbox.world.transactions.size).toBe(count);
	});
	test.each([
		[
			'eleven signers',
			{ signers: Array.from({ length: 11 }, (_, index) => ({ email: `s${index}@example.com` })) },
		],
		[
			'a name of 31 characters',
			{ signers: [{ email: 'kim@example.com', first_name: 'x'.repeat(31) }] },
		],
		['a field nobody knows', { colour: 'red' }],
		['a notary nobody knows', { notary_id: 'us_nobody' }],
	])('refuses %s', async (_name, more) => {
		expect((await client.call('POST', '/transactions', await body(more))).status).toBe(422);
	});
	test('a typo in the domain of an email, and what is no email, are 400', async () => {
		const refusal = async (email: string) => {
			const answer = await client.call(
				'POST',
				'/transactions',
				await body({ signers: [{ email }] }),
			);
			return [answer.status, answer.body];
		};
		expect(await refusal('kim@gmial.com')).toEqual([
			400,
			{ errors: ['Typo in domain name. Did you mean: kim@gmail.com?'] },
		]);
		expect(await refusal('kim')).toEqual([400, { errors: ['Invalid email format.'] }]);
	});
	test('a document can be a bare text: it gets a name, is notarized, and takes own marks of the signer', async () => {
		const { documents } = await client.ok(
			'POST',
			'/transactions',
			await body({ documents: [base64(await makePdf())] }),
		);
		expect(documents).toMatchObject([
			{
				document_name: 'Document 1',
				requirement: 'notarization',
				allowed_actions: ['NOTARIZATION_REQUIRED', 'CUSTOMER_CAN_ANNOTATE'],
			},
		]);
	});
	test('activation_time does not delay the sending', async () => {
		const activation_time = new Date(sandbox.clock.now() + 3_600_000).toISOString();
		expect(await client.ok('POST', '/transactions', await body({ activation_time }))).toMatchObject(
			{ status: 'sent', activation_time },
		);
	});
	test('notary_instructions are 403 for an organization that has no access to them', async () => {
		const other = await startSandbox({ missingFeatures: ['notary_instructions'] });
		const made = await body({ notary_instructions: [{ notary_note: 'Ring twice' }] });
		try {
			const { status, body: refused } = await new Client(other).call('POST', '/transactions', made);
			expect([status, refused]).toEqual([
				403,
				{ errors: ['Organization does not have access to notary_instructions'] },
			]);
		} finally {
			await other.close();
		}
		expect((await client.ok('POST', '/transactions', made)).notary_instructions).toEqual([
			{ notary_note: 'Ring twice' },
		]);
	});
	test('Create a business transaction: at /transactions, with and without a slash at the end', async () => {
		for (const path of ['/transactions', '/transactions/'])
			expect(
				(
					await client.ok('POST', path, {
						draft: true,
						signers: [{ email: 'kim@example.com', external_id: 'kim' }],
					})
				).signers[0].external_id,
			).toBe('kim');
	});
	test('Create a business transaction: designations need an external_id of the signer and a draft', async () => {
		const signing_designations = [
			{
				signer_identifier: 'kim',
				type: 'signature',
				page_number: 0,
				x: 72,
				y: 100,
				width: 180,
				height: 24,
			},
		];
		const document = {
			resource: base64(await makePdf()),
			requirement: 'esign',
			signing_designations,
		};
		expect(
			(await client.call('POST', `/transactions/${await newDraft(client)}/documents`, document))
				.status,
		).toBe(200);
		expect(
			(
				await client.refused(
					'POST',
					`/transactions/${await newDraft(client, { signers: [{ email: 'kim@example.com' }] })}/documents`,
					document,
				)
			)[1],
		).toMatch(/external_id/);
		expect(
			await client.refused('POST', `/transactions/${await newSent(client)}/documents`, document),
		).toEqual([422, 'Transaction Cannot Be Modified']);
	});
});
