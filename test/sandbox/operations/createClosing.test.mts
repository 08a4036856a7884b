/** Create Transaction (real estate) (docs/service/transactions.md#create-a-closing). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	base64,
	Client,
	CLOSING,
	IAL2,
	makePdf,
	newClosing,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('Create Transaction (real estate)', () => {
	test.each([
		['an unknown type', { transaction_type: 'barter' }, 'Invalid Value for transaction_type'],
		[
			'a jurisdiction of another address',
			{ recording_jurisdiction_id: 'rlhampden' },
			'recording_jurisdiction_id does not belong to the address',
		],
		[
			'an agency of another state',
			{ title_agency_id: 'or_agency_prairie' },
			'title_agency_id is not eligible for the address',
		],
		[
			'an underwriter of another agency',
			{ title_agency_id: 'or_agency_beacon', title_underwriter_id: 'or_underwriter_atlantic' },
			'title_underwriter_id is not eligible for the title agency',
		],
		[
			'an address that can not be closed online',
			{ street_address: { ...ADDRESS, state: 'HI' } },
			'The address can not be closed online',
		],
	])('Create a closing: refuses %s', async (_name, more, text) => {
		expect(
			await client.refused('POST', '/mortgage/v1/transactions', { ...CLOSING, ...more }),
		).toEqual([422, text]);
	});
	test('identity assurance needs /mortgage/v2 and transaction_type null', async () => {
		const body = {
			...CLOSING,
			transaction_type: null,
			signer: { email: 'a@example.com', assurance_requirement: IAL2 },
		};
		expect(
			(await client.ok('POST', '/mortgage/v2/transactions', body)).transaction_type,
		).toBeNull();
		expect(await client.refused('POST', '/mortgage/v1/transactions', body)).toEqual([
			422,
			'Identity assurance needs version 2 of this endpoint',
		]);
		expect(
			await client.refused('POST', '/mortgage/v2/transactions', {
				...body,
				transaction_type: 'refinance',
			}),
		).toEqual([422, 'Invalid Value for transaction_type']);
	});
	test('with the switch named, null is refused by name and a type is taken, at the creation and by PUT', async () => {
		sandbox.world.settings.switches.assuredType = 'named';
		const signer = { email: 'a@example.com', assurance_requirement: IAL2 };
		const body = { ...CLOSING, transaction_type: null, signer };
		const refusal = [422, 'Invalid Value for transaction_type'];
		const path = '/mortgage/v2/transactions';
		expect(await client.refused('POST', path, body)).toEqual(refusal);
		expect(await client.refused('POST', path, { ...body, transaction_type: undefined })).toEqual(
			refusal,
		);
		const made = await client.ok('POST', path, { ...body, transaction_type: 'refinance' });
		expect(made.transaction_type).toBe('refinance');
		expect(await client.refused('PUT', `${path}/${made.id}`, { transaction_type: null })).toEqual(
			refusal,
		);
		expect(await client.ok('PUT', `${path}/${made.id}`, { loan_number: '77' })).toMatchObject({
			transaction_type: 'refinance',
			loan_number: '77',
		});
		// Any other closing still may have none.
		expect(await client.ok('POST', path, { ...CLOSING, transaction_type: null })).toMatchObject({
			transaction_type: null,
		});
	});
	test('with the switch missing, no answer has the type of a closing with identity checks', async () => {
		sandbox.world.settings.switches.assuredTypeAnswer = 'missing';
		const signer = { email: 'a@example.com', assurance_requirement: IAL2 };
		const path = '/mortgage/v2/transactions';
		for (const [assuredType, transaction_type] of [
			['null', null],
			['named', 'refinance'],
		] as const) {
			sandbox.world.settings.switches.assuredType = assuredType;
			const made = await client.ok('POST', path, { ...CLOSING, transaction_type, signer });
			expect(made).not.toHaveProperty('transaction_type');
			expect(await client.ok('GET', `${path}/${made.id}`)).not.toHaveProperty('transaction_type');
		}
		expect((await client.ok('POST', path, CLOSING)).transaction_type).toBe('refinance');
	});
	test('any check can be left out, the object itself is checked', async () => {
		const made = (assurance: object) => ({
			...CLOSING,
			transaction_type: null,
			signer: { email: 'a@example.com', assurance_requirement: assurance },
		});
		for (const assurance of [
			{ knowledge_based_authentication: true },
			{ id_verification: { selfie: true } },
			{ multi_factor_authentication: { type: 'sms' } },
		]) {
			expect((await client.call('POST', '/mortgage/v2/transactions', made(assurance))).status).toBe(
				200,
			);
		}
		expect(
			(
				await client.call(
					'POST',
					'/mortgage/v2/transactions',
					made({ multi_factor_authentication: { type: 'pigeon' } }),
				)
			).status,
		).toBe(422);
	});
	test('the API name of the assurance object is a setting', async () => {
		const named = await startSandbox({ assuranceField: 'acme_requirement' });
		const other = new Client(named);
		const body = (field: string) => ({
			...CLOSING,
			transaction_type: null,
			signer: { email: 'a@example.com', [field]: IAL2 },
		});
		expect(
			(await other.call('POST', '/mortgage/v2/transactions', body('acme_requirement'))).status,
		).toBe(200);
		expect(
			(await other.call('POST', '/mortgage/v2/transactions', body('assurance_requirement'))).status,
		).toBe(422);
		await named.close();
	});
	test('require_secondary_photo_id as a boolean, and as the text true of the sample', async () => {
		for (const flag of [true, 'true'])
			expect(
				(
					await client.call('POST', '/mortgage/v1/transactions', {
						...CLOSING,
						require_secondary_photo_id: flag,
					})
				).status,
			).toBe(200);
		expect(
			(
				await client.call('POST', '/mortgage/v1/transactions', {
					...CLOSING,
					require_secondary_photo_id: 'maybe',
				})
			).status,
		).toBe(422);
	});
	test('a lender names an agency, or a contact who is a title agent', async () => {
		const bare = await newClosing(client, { title_agency_id: undefined });
		await addDocument(client, bare);
		expect(
			(await client.refused('POST', `/mortgage/v1/transactions/${bare}/place_order`))[1],
		).toMatch(/title_agency_id or a contact/);
		const contact = await newClosing(client, {
			title_agency_id: undefined,
			contacts: [{ role: 'title_agent', email: 't@example.com' }],
		});
		await addDocument(client, contact);
		expect(
			(await client.ok('POST', `/mortgage/v1/transactions/${contact}/place_order`)).status,
		).toBe('sent');
	});
	test('Create a closing: takes every documented parameter', async () => {
		const body = {
			transaction_type: 'refinance',
			transaction_name: 'Refinance, 100 Harbor Street',
			require_secondary_photo_id: 'true',
			file_number: 'F-1',
			loan_number: 'L-1',
			street_address: { ...ADDRESS, line2: 'Unit 2', zip_code: '02110' },
			recording_jurisdiction_id: 'rlboston',
			title_agency_id: 'or_agency_harbor',
			title_underwriter_id: 'or_underwriter_atlantic',
			message_to_signer: 'Please sign',
		};
		const signer = {
			email: 'jane@example.com',
			first_name: 'Jane',
			last_name: 'Borrower',
			phone_number: '16175550123',
		};
		expect(await client.ok('POST', '/mortgage/v1/transactions', { ...body, signer })).toMatchObject(
			{
				transaction_type: 'refinance',
				transaction_name: 'Refinance, 100 Harbor Street',
				require_secondary_photo_id: true,
				file_number: 'F-1',
				loan_number: 'L-1',
				street_address: { ...ADDRESS, line2: 'Unit 2', postal: '02110' },
				recording_jurisdiction: { id: 'rlboston' },
				title_agency: { name: 'Harbor Title & Escrow' },
				title_underwriter: { name: 'Atlantic Title Insurance' },
				message_to_signer: 'Please sign',
				signer_info: { email: signer.email, first_name: 'Jane', last_name: 'Borrower' },
				signers: [{ email: signer.email, phone: { number: '16175550123' } }],
			},
		);
	});
	test('nothing has to be there at the creation; place_order asks for a signer', async () => {
		const { id, signers } = await client.ok('POST', '/mortgage/v1/transactions', {});
		expect(signers).toEqual([]);
		await addDocument(client, id, { requirement: 'notarization' });
		expect(await client.refused('POST', `/mortgage/v1/transactions/${id}/place_order`)).toEqual([
			422,
			'Need at least 1 signer',
		]);
	});
	test('a closing of type wet_sign needs no signers', async () => {
		const { id } = await client.ok('POST', '/mortgage/v1/transactions', {
			...CLOSING,
			transaction_type: 'wet_sign',
			signer: undefined,
		});
		await addDocument(client, id, { requirement: 'readonly' });
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		await sandbox.act.complete(id);
		expect((await client.transaction(id)).detailed_status).toBe('wet_sign_complete');
	});
	test('the type can be null without identity assurance, and hybrid_heloc as in the look-ups', async () => {
		for (const transaction_type of [null, 'hybrid_heloc'])
			expect(
				(await client.ok('POST', '/mortgage/v1/transactions', { ...CLOSING, transaction_type }))
					.transaction_type,
			).toBe(transaction_type);
	});
	test('an organization that does not exist is 404', async () => {
		const { status, body } = await client.call('POST', '/mortgage/v1/transactions', {
			...CLOSING,
			organization_id: 'or_nobody',
		});
		expect([status, body]).toEqual([404, { errors: ['Not Found: Organization'] }]);
	});
	test('documents of a create have name and document, and may have designations', async () => {
		const { documents } = await client.ok('POST', '/mortgage/v1/transactions', {
			...CLOSING,
			documents: [
				{
					name: 'Deed',
					document: base64(await makePdf()),
					requirement: 'esign',
					signing_designations: [
						{
							signer_identifier: 'borrower-1',
							type: 'signature',
							page_number: 0,
							x: 72,
							y: 100,
							width: 180,
							height: 24,
						},
					],
				},
			],
		});
		expect(documents.map(({ document_name }: any) => document_name)).toEqual([
			'eSign Consent Form - Signer 1',
			'Deed',
		]);
		expect(documents[1].signing_designations).toHaveLength(1);
	});
	test('an eSign consent form for each signer is first in the bundle, and follows the signers', async () => {
		const forms = async (id: string) =>
			(await client.ok('GET', `/mortgage/v1/transactions/${id}`)).documents.map(
				({ document_name, requirement, bundle_position }: any) =>
					`${bundle_position} ${document_name} (${requirement})`,
			);
		const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		const id = await newClosing(client, { signer: undefined, signers });
		await addDocument(client, id);
		expect(await forms(id)).toEqual([
			'0 eSign Consent Form - Signer 1 (esign)',
			'1 eSign Consent Form - Signer 2 (esign)',
			'2 Contract (esign)',
		]);
		await client.ok('PUT', `/mortgage/v1/transactions/${id}`, { signer: signers[0] });
		expect(await forms(id)).toEqual([
			'0 eSign Consent Form - Signer 1 (esign)',
			'1 Contract (esign)',
		]);
		sandbox.world.settings.switches.consentForms = false;
		expect(await forms(await newClosing(client))).toEqual([]);
	});
	test('Create a closing: a draft by default', async () => {
		expect(await client.ok('POST', '/mortgage/v1/transactions', CLOSING)).toMatchObject({
			detailed_status: 'draft',
		});
	});
});
