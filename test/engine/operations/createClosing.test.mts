import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { borrowers, CLOSING, createClosing, id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import {
	BUSINESS,
	complaint,
	hints,
	lastBody,
	run,
	transaction,
	JANE,
	UPDATE_CLOSING,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Create Closing, and the identity checks of its signers. */

useSandbox();

describe('Transaction: Create Closing', () => {
	test('sends the documented fields, phone without punctuation, zip code under both names', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: {
				addressLine2: 'Unit 4',
				loan_number: '77',
				file_number: 'F-1',
				message_to_signer: 'Hello',
				require_secondary_photo_id: true,
				sendReference: false,
			},
		});
		expect(sandbox.requests.at(-1)?.path).toBe('/mortgage/v1/transactions');
		expect(sandbox.requests.at(-1)?.body).toEqual({
			transaction_type: 'refinance',
			transaction_name: 'Refinance 100 Harbor Street',
			signer: {
				email: 'jane.borrower@example.com',
				first_name: 'Jane',
				last_name: 'Borrower',
				phone_number: '6175550123',
				external_id: 'borrower-1',
			},
			street_address: {
				line1: '100 Harbor Street',
				line2: 'Unit 4',
				city: 'Boston',
				state: 'MA',
				zip_code: '02110',
				postal: '02110',
			},
			recording_jurisdiction_id: 'rlboston',
			title_agency_id: 'or_agency_harbor',
			title_underwriter_id: 'or_underwriter_atlantic',
			file_number: 'F-1',
			loan_number: '77',
			message_to_signer: 'Hello',
			require_secondary_photo_id: true,
		});
		expect(sandbox.world.transactions.get(transactionId)?.detailedStatus).toBe('draft');
	});
	test('with identity checks goes to /mortgage/v2 with transaction_type null, in every layout', async () => {
		for (const pathLayout of ['documented', 'current']) {
			const { items, error } = await runNode({
				credential: credential({ pathLayout }),
				parameters: {
					...CLOSING,
					signers: borrowers({ identityChecks: ['selfie', 'knowledge', 'sms'] }),
					output: 'raw',
				},
			});
			expect(error).toBeUndefined();
			const { path, body } = sandbox.requests.at(-1)!;
			expect(path).toBe('/mortgage/v2/transactions');
			expect((body as any).transaction_type).toBeNull();
			expect((body as any).signer.assurance_requirement).toEqual({
				id_verification: { selfie: true },
				knowledge_based_authentication: true,
				multi_factor_authentication: { type: 'sms' },
			});
			expect(items[0].json.transaction_type).toBeNull();
		}
	});
	test.each([
		[['sms'], { multi_factor_authentication: { type: 'sms' } }],
		[['selfie'], { id_verification: { selfie: true } }],
	])(
		'only the selected identity checks %j are sent; that there are no questions is said',
		async (identityChecks, expected) => {
			await createClosing(credential(), { signers: borrowers({ identityChecks }) });
			expect((sandbox.requests.at(-1)!.body as any).signer.assurance_requirement).toEqual({
				knowledge_based_authentication: false,
				...expected,
			});
		},
	);
	describe('the consent to a jurisdiction, which is a text to the service', () => {
		const consent = async (value: unknown) => {
			// The answer comes before the sandbox compares the request with its own description.
			sandbox.faults.add({ method: 'POST', status: 200, body: { id: 'ot_1' } });
			await run({ ...CLOSING, additionalFields: { jurisdiction_eligibility_consent: value } });
			return lastBody().jurisdiction_eligibility_consent;
		};
		test.each([
			[true, 'true'],
			['={{ true }}', 'true'],
			['={{ "I agree " }}', 'I agree'],
			[false, undefined],
			['={{ "no" }}', undefined],
			['={{ "" }}', undefined],
		])('%j is sent as %j', async (value, expected) => {
			expect(await consent(value)).toBe(expected);
		});
	});
	test("the credential's organization is sent", async () => {
		await runNode({
			credential: credential({ organizationId: 'or_harbor_branch' }),
			parameters: CLOSING,
		});
		expect((sandbox.requests.at(-1)!.body as any).organization_id).toBe('or_harbor_branch');
	});
	test('simplified: ten fields and two lists; raw: the fields of the service, and the transaction ID', async () => {
		const { items } = await run(CLOSING);
		expect(Object.keys(items[0].json)).toHaveLength(12);
		expect(items[0].json.detailed_status).toBe('draft');
		const raw = await run({ ...CLOSING, output: 'raw' });
		expect(raw.items[0].json.transaction_id).toBe(raw.items[0].json.id);
		expect(raw.items[0].json.loan_number).toBe('7001234');
	});
});

describe('identity checks', () => {
	const closing = (identityChecks: string[], ...others: IDataObject[]) => ({
		...CLOSING,
		signers: borrowers({ identityChecks }, ...others),
	});
	test('all three reach IAL2: sent to /mortgage/v2 with the type null, and no hint', async () => {
		const outcome = await run(closing(['selfie', 'knowledge', 'sms']));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect(lastBody()).toMatchObject({
			transaction_type: null,
			signer: {
				assurance_requirement: {
					id_verification: { selfie: true },
					knowledge_based_authentication: true,
					multi_factor_authentication: { type: 'sms' },
				},
			},
		});
		expect(hints(outcome)).not.toMatch(/IAL2/);
	});
	test('with fewer, a hint says that IAL2 is not reached', async () => {
		expect(hints(await run(closing(['sms'])))).toMatch(/don't reach IAL2/);
	});
	test("a co-signer's checks count as well", async () => {
		await run(closing([], { email: 'joe@example.com', identityChecks: ['selfie'] }));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect(lastBody()).toMatchObject({
			transaction_type: null,
			signers: [{ email: 'jane.borrower@example.com' }, { email: 'joe@example.com' }],
		});
	});
	describe('with documents', () => {
		const deed = { source: 'url', requirement: 'notarization' };
		const hint = async (...documents: IDataObject[]) =>
			hints(
				await run({
					...BUSINESS,
					signers: {
						row: [
							{
								...JANE,
								phone_number: '6175550123',
								identityChecks: ['selfie', 'knowledge', 'sms'],
							},
						],
					},
					documents: {
						row: documents.map((row) => ({
							...row,
							fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
						})),
					},
				}),
			);
		test('for a signer who performs a notarization they have no effect, as a hint says', async () => {
			const expected = /no effect for a signer who meets a notary/;
			expect(await hint(deed)).toMatch(expected);
			expect(await hint(deed, { ...deed, requirement: 'readonly' })).toMatch(expected);
		});
		test('the consent form that the service adds to a closing is no such document', async () => {
			const closing = {
				id: 'ot_1',
				status: 'started',
				loan_number: '1',
				street_address: { line1: '1 Main St', city: 'Boston', state: 'MA' },
				signers: [
					{
						email: 'jane@example.com',
						assurance_requirement: { knowledge_based_authentication: true },
					},
				],
				documents: [
					{ document_name: 'eSign Consent Form - Signer 1', requirement: 'esign' },
					{ document_name: 'Deed', requirement: 'notarization' },
				],
			};
			sandbox.faults.add({ path: /ot_1$/, status: 200, body: closing, times: Infinity });
			const update = { ...UPDATE_CLOSING, transactionId: id('ot_1') };
			expect(hints(await run({ ...update, updateFields: { loan_number: '1' } }))).toMatch(
				/no effect for a signer who meets a notary/,
			);
		});
		test('with an e-signature document among them they have', async () => {
			expect(await hint(deed, { ...deed, requirement: 'esign' })).not.toMatch(/no effect/);
		});
	});
	test('the chosen type is sent where the service refuses null by name, and only then', async () => {
		const types = () =>
			sandbox.requests
				.filter(({ method }) => method === 'POST')
				.map(({ body }) => (body as IDataObject).transaction_type);
		sandbox.requests.length = 0;
		await run(closing(['sms']));
		expect(types()).toEqual([null]);
		sandbox.world.settings.switches.assuredType = 'named';
		try {
			sandbox.requests.length = 0;
			const { json } = await run(closing(['sms']));
			expect(types()).toEqual([null, 'refinance']);
			expect(transaction(json.transaction_id).fields.transaction_type).toBe('refinance');
			sandbox.requests.length = 0;
			sandbox.faults.add({ method: 'POST', status: 422, body: { errors: ['Not now'] } });
			expect(await complaint(closing(['sms']))).toMatch(/Not now/);
			expect(types()).toEqual([null]);
		} finally {
			sandbox.world.settings.switches.assuredType = 'null';
		}
	});
	test('an update of a closing with checks goes to /mortgage/v2 and keeps them', async () => {
		const { json } = await run(closing(['sms']));
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(String(json.transaction_id)),
			updateFields: { loan_number: '9' },
			settingsNotShown: 'none',
		});
		expect(sandbox.requests.at(-1)!.path).toMatch(/^\/mortgage\/v2\/transactions\//);
		expect(transaction(json.transaction_id).signers[0]).toHaveProperty('assurance_requirement');
	});
});
