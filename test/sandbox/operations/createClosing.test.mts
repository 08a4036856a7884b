/** Create Transaction (real estate) (docs/service/transactions.md#create-a-closing). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	Client,
	CLOSING,
	IAL2,
	newClosing,
	newDraft,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

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
	test('of several jurisdictions the client chooses one; a lender names an agency', async () => {
		const several = await newClosing(client, {
			street_address: { ...ADDRESS, city: 'Springfield' },
		});
		await addDocument(client, several);
		expect(
			(await client.refused('POST', `/mortgage/v1/transactions/${several}/place_order`))[1],
		).toMatch(/lies in several jurisdictions/);
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
				...body,
				signer_info: { email: signer.email, first_name: 'Jane', last_name: 'Borrower' },
				signers: [signer],
			},
		);
	});
	test('Create a closing: a draft by default', async () => {
		expect(await client.ok('POST', '/mortgage/v1/transactions', CLOSING)).toMatchObject({
			detailed_status: 'draft',
		});
	});
	test('real estate needs a lender or title account', async () => {
		const business = await startSandbox({ account: 'business' });
		const other = new Client(business);
		expect((await other.refused('POST', '/mortgage/v1/transactions', CLOSING))[0]).toBe(401);
		expect(await newDraft(other)).toMatch(/^ot_/);
		await business.close();
	});
});
