import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	ADDRESS,
	base64,
	Client,
	CLOSING,
	IAL2,
	makePdf,
	newClosing,
	newDraft,
} from './support/client.mts';

/** interface.md §4, Verify Property Address and Create Transaction; gaps.md §3. */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

const verify = (city: string, state = 'MA', more = '') =>
	`transactions/verify_address?transaction_type=refinance&street_address[line1]=1%20Main&street_address[city]=${city}&street_address[state]=${state}${more}`;

describe('Verify Property Address', () => {
	test('interface §4: line1, city and state are enough on the documented path', async () => {
		expect(
			(await client.ok('GET', `/mortgage/v1/${verify('Boston')}`)).map(({ id }: any) => id),
		).toEqual(['rlboston']);
	});
	test('interface §2: some addresses return several recording jurisdictions', async () => {
		expect(
			(await client.ok('GET', `/mortgage/v1/${verify('Springfield')}`)).map(({ id }: any) => id),
		).toEqual(['rlhampden', 'rlhampshire']);
	});
	test('interface §2: agencies carry their eligible underwriters; a place that is not supported has none', async () => {
		const [place] = await client.ok('GET', `/mortgage/v1/${verify('Boston')}`);
		expect(place.eligible_title_agencies[0]).toMatchObject({
			id: 'or_agency_harbor',
			eligible_underwriters: [{ id: 'or_underwriter_atlantic' }, { id: 'or_underwriter_summit' }],
		});
		expect(await client.ok('GET', `/mortgage/v1/${verify('Hilo', 'HI')}`)).toEqual([]);
	});
	test('gaps §1: live services require the postal code', async () => {
		expect(await client.refused('GET', `/mortgage/v2/${verify('Boston')}`)).toEqual([
			400,
			'street_address[postal] is missing',
		]);
		expect(
			await client.ok(
				'GET',
				`/mortgage/v2/${verify('Boston', 'MA', '&street_address[postal]=02110')}`,
			),
		).toHaveLength(1);
	});
	test('interface §2: a documented-only service answers an object', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		expect(await other.ok('GET', `/mortgage/v1/${verify('Springfield')}`)).toMatchObject({
			supported: true,
			eligible_title_agencies: [{ id: 'or_agency_harbor' }, { id: 'or_agency_beacon' }],
		});
		expect(await other.ok('GET', `/mortgage/v1/${verify('Hilo', 'HI')}`)).toEqual({
			supported: false,
			eligible_title_agencies: [],
		});
		await documented.close();
	});
});

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
	])('interface §4: refuses %s', async (_name, more, text) => {
		expect(
			await client.refused('POST', '/mortgage/v1/transactions', { ...CLOSING, ...more }),
		).toEqual([422, text]);
	});
	test('interface §2, §9: identity assurance needs /mortgage/v2 and transaction_type null', async () => {
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
	test('interface §2: any check can be left out, the object itself is checked', async () => {
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
	test('the wire name of the assurance object is a setting', async () => {
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
	test('interface §2: require_secondary_photo_id as a boolean, and as the text true of the sample', async () => {
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
	test('interface §2: of several jurisdictions the client chooses one; gaps §3: a lender names an agency', async () => {
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
});

describe('Create Transaction (business)', () => {
	const body = async (more: object = {}) => ({
		signers: [{ email: 'kim@example.com' }],
		documents: [{ resource: base64(await makePdf()), requirement: 'esign' }],
		...more,
	});
	test('interface §4: one signer with an e-mail and one document are the minimum', async () => {
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
	test('interface §2: a single signer is accepted too', async () => {
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
	test('interface §4: a draft can leave the documents out', async () => {
		expect((await client.transaction(await newDraft(client))).documents).toEqual([]);
	});
	test('interface §4: designations can not be supplied here', async () => {
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
			'gaps §2: eleven signers',
			{ signers: Array.from({ length: 11 }, (_, index) => ({ email: `s${index}@example.com` })) },
		],
		[
			'gaps §2: a name of 31 characters',
			{ signers: [{ email: 'kim@example.com', first_name: 'x'.repeat(31) }] },
		],
		['a field nobody knows', { colour: 'red' }],
		['a notary nobody knows', { notary_id: 'us_nobody' }],
	])('refuses %s', async (_name, more) => {
		expect((await client.call('POST', '/transactions', await body(more))).status).toBe(422);
	});
	test('gaps §9: a typo in the domain is found', async () => {
		expect(
			(
				await client.refused(
					'POST',
					'/transactions',
					await body({ signers: [{ email: 'kim@gmial.com' }] }),
				)
			)[1],
		).toBe('Typo in domain name. Did you mean kim@gmail.com?');
	});
});
