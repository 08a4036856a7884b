/**
 * Agencies, underwriters, recording locations, templates, the organization of the key
 * (docs/service/closings.md#recording-locations, docs/service/documents.md#templates,
 * docs/service/api.md#endpoints-of-templates-and-organizations).
 */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { Client } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const idsOf = (found: any[]) => found.map(({ id }) => id);

describe('recording locations', () => {
	const ask = async (query: string) =>
		await client.ok('GET', `/mortgage/v2/recording_locations?transaction_type=heloc${query}`);
	test('of an address, without a postal code', async () => {
		expect(
			await ask('&street_address[line1]=1&street_address[city]=Austin&street_address[state]=TX'),
		).toMatchObject([{ id: 'rlaustin', supported: true, eligible: false }]);
	});
	test('only the type is required', async () => {
		expect(idsOf(await ask('&street_address[state]=MA'))).toEqual([
			'rlboston',
			'rlhampden',
			'rlhampshire',
			'rlnantucket',
		]);
		expect((await ask('')).length).toBeGreaterThan(4);
		expect(
			await client.refused('GET', '/mortgage/v2/recording_locations?transaction_type=gift'),
		).toEqual([400, 'Transaction type is invalid']);
	});
});

describe('title agencies', () => {
	const ask = async (query: string) =>
		await client.ok('GET', `/mortgage/v1/title_agencies?${query}`);
	test('by an email address, by a bare domain, or by parts of the address', async () => {
		expect(idsOf(await ask('email=Orders@harbor-title.example'))).toEqual(['or_agency_harbor']);
		expect(idsOf(await ask('email=harbor-title.example'))).toEqual(['or_agency_harbor']);
		expect(idsOf(await ask('address[state]=MA'))).toEqual(['or_agency_harbor', 'or_agency_beacon']);
		expect(idsOf(await ask('address[city]=omaha&address[country]=US'))).toEqual([
			'or_agency_prairie',
		]);
		expect(await ask('email=nobody@example.com')).toEqual([]);
	});
	test('the address is one text, company_notaries a boolean, and the email is not answered', async () => {
		expect(Object.keys((await ask('address[state]=NE'))[0]).sort()).toEqual([
			'address',
			'alta_id',
			'company_notaries',
			'eligible_underwriters',
			'id',
			'name',
		]);
		expect((await ask('address[state]=NE'))[0]).toMatchObject({
			address: '400 Main Street, Omaha, NE 68102',
			company_notaries: false,
		});
	});
	test('neither email nor address', async () => {
		expect(await client.refused('GET', '/mortgage/v1/title_agencies')).toEqual([
			400,
			'Email or address is required',
		]);
	});
});

describe('title underwriters', () => {
	const path = (query: string) => `/mortgage/v2/transactions/title_underwriters?${query}`;
	test('of a state and a type, narrowed by a known agent', async () => {
		const query = 'transaction_type=refinance&state_abbreviation=ma';
		expect(await client.ok('GET', path(query))).toMatchObject({
			title_agent_found: false,
			eligible_title_underwriters: [{}, {}, {}],
		});
		expect(
			await client.ok('GET', path(`${query}&title_agent_email=orders@harbor-title.example`)),
		).toMatchObject({ title_agent_found: true, eligible_title_underwriters: [{}, {}] });
	});
	test('state and type are required, and must exist', async () => {
		const type = 'transaction_type=refinance';
		expect(await client.refused('GET', path(`${type}&state_abbreviation=XX`))).toEqual([
			422,
			'Invalid state code: XX',
		]);
		expect(
			await client.refused('GET', path('transaction_type=gift&state_abbreviation=MA')),
		).toEqual([400, 'Transaction type is invalid']);
		for (const query of [type, 'state_abbreviation=MA'])
			expect([400, 422]).toContain((await client.call('GET', path(query))).status);
	});
});

test('the look-ups of real estate are not for business accounts', async () => {
	const business = await startSandbox({ account: 'business', platforms: 'both' });
	const other = new Client(business);
	const address =
		'street_address[line1]=1&street_address[city]=Boston&street_address[state]=MA&street_address[postal]=02110';
	const only = 'Only available to lenders and title agencies';
	for (const [path, answer] of [
		[`transactions/verify_address?transaction_type=refinance&${address}`, [422, only]],
		[
			'transactions/title_underwriters?transaction_type=refinance&state_abbreviation=MA',
			[403, only],
		],
		['title_agencies?email=a.example', [403, 'Organization not permitted to use this endpoint']],
	] as const)
		expect(await other.refused('GET', `/mortgage/v2/${path}`)).toEqual(answer);
	await business.close();
});

describe('templates', () => {
	test('their permalinks are slugs, not URLs', async () => {
		expect(await client.ok('GET', '/templates?limit=1&offset=1')).toEqual({
			total_count: 2,
			templates: [
				{
					id: 'od_affidavit',
					name: 'General affidavit',
					permalink: expect.stringMatching(/^[a-z0-9-]+$/),
					created_at: expect.any(String),
					updated_at: expect.any(String),
				},
			],
		});
		expect((await client.ok('GET', '/templates?limit=1000')).templates).toHaveLength(2);
	});
	test('pages of the wrong size are refused', async () => {
		for (const limit of ['0', '1001']) {
			const { status, body } = await client.call('GET', `/templates?limit=${limit}`);
			expect([status, body]).toEqual([
				400,
				{ errors: { request: ['invalid request parameters'] } },
			]);
		}
	});
});

describe('the organization of the key', () => {
	test('id, name, email and logo; only on business', async () => {
		expect(await client.ok('GET', '/organization')).toEqual({
			id: sandbox.organizations.parent,
			name: 'Harbor Lending',
			email: 'office@harbor-lending.example',
			logo_s3_link: expect.stringMatching(/^https:/),
		});
		const child = new Client(sandbox, sandbox.keys.childFull);
		expect(await child.ok('GET', '/v1/organization')).toMatchObject({
			id: sandbox.organizations.child,
			logo_s3_link: null,
		});
		expect((await client.call('GET', '/mortgage/v2/organization')).status).toBe(404);
	});
});
