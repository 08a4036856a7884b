/** Verify Property Address (docs/service/closings.md#verify-an-address). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { Client } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

let documented: Sandbox;
let documentedClient: Client;
beforeAll(async () => {
	documented = await startSandbox({ profile: 'documented' });
	documentedClient = new Client(documented);
});
afterAll(async () => await documented.close());

const POSTAL = '&street_address[postal]=02110';
const verify = (city: string, state = 'MA', { type = 'refinance', more = POSTAL } = {}) =>
	`/mortgage/v2/transactions/verify_address?transaction_type=${type}&street_address[line1]=1%20Main&street_address[city]=${city}&street_address[state]=${state}${more}`;

describe('Verify Property Address', () => {
	test('some addresses return several recording jurisdictions', async () => {
		const found = await client.ok('GET', verify('Springfield'));
		expect(found.map(({ id }: any) => id)).toEqual(['rlhampden', 'rlhampshire']);
	});
	test('agencies carry their eligible underwriters, and their address as one text; Hawaii has none', async () => {
		const [place] = await client.ok('GET', verify('Boston'));
		expect(place.eligible_title_agencies[0]).toEqual({
			id: 'or_agency_harbor',
			name: 'Harbor Title & Escrow',
			alta_id: '1004471',
			address: '2 Long Wharf, Boston, MA 02110',
			eligible_underwriters: [
				{ id: 'or_underwriter_atlantic', name: 'Atlantic Title Insurance' },
				{ id: 'or_underwriter_summit', name: 'Summit National Title' },
			],
			company_notaries: true,
		});
		expect(await client.ok('GET', verify('Hilo', 'HI'))).toEqual([]);
	});
	test('supported (electronic recording) and eligible (the closing) are independent, and recording types come in any case', async () => {
		const facts = async (...query: Parameters<typeof verify>) =>
			(await client.ok('GET', verify(...query))).map(
				({ supported, eligible, recording_type }: any) => [supported, eligible, recording_type],
			);
		expect(await facts('Boston')).toEqual([[true, true, 'electronic']]);
		expect(await facts('Nantucket')).toEqual([[false, true, 'PAPER']]);
		expect(await facts('Springfield')).toEqual([
			[true, true, 'electronic'],
			[true, true, 'ELECTRONIC'],
		]);
		expect(await facts('Austin', 'TX', { type: 'heloc' })).toEqual([[true, false, 'electronic']]);
		expect(await facts('Mentone', 'TX', { type: 'heloc' })).toEqual([[false, false, 'NONE']]);
	});
	test('live services require the postal code, on either path', async () => {
		const path = verify('Boston', 'MA', { more: '' });
		for (const asked of [path, path.replace('/v2/', '/v1/')])
			expect(await client.refused('GET', asked)).toEqual([
				400,
				'street_address[postal] is missing',
			]);
	});
	test('an unknown type is refused; hybrid_heloc is one of look-ups', async () => {
		expect(await client.refused('GET', verify('Boston', 'MA', { type: 'gift' }))).toEqual([
			400,
			'Transaction type is invalid',
		]);
		expect(await client.ok('GET', verify('Boston', 'MA', { type: 'hybrid_heloc' }))).toHaveLength(
			1,
		);
	});
	test('an unknown organization is refused', async () => {
		const more = (id: string) => ({ more: `${POSTAL}&organization_id=${id}` });
		expect(await client.refused('GET', verify('Boston', 'MA', more('or_none')))).toEqual([
			404,
			'Not Found: Organization',
		]);
		const { child } = sandbox.organizations;
		expect(await client.ok('GET', verify('Boston', 'MA', more(child)))).toHaveLength(1);
	});
	test('Verify an address: line1, city and state are enough on the documented path', async () => {
		const path = verify('Springfield', 'MA', { more: '' }).replace('/v2/', '/v1/');
		expect(await documentedClient.ok('GET', path)).toMatchObject({
			supported: true,
			eligible_title_agencies: [{ id: 'or_agency_harbor' }, { id: 'or_agency_beacon' }],
		});
	});
	test('a documented-only service answers an object', async () => {
		expect(await documentedClient.ok('GET', verify('Hilo', 'HI', { more: '' }))).toEqual({
			supported: false,
			eligible_title_agencies: [],
		});
	});
	test('Verify an address: the query is transaction_type and street_address with line1, city and state', async () => {
		const query: Record<string, string> = {
			transaction_type: 'refinance',
			'street_address[line1]': '1 Main',
			'street_address[city]': 'Boston',
			'street_address[state]': 'MA',
		};
		const ask = async (parts: Record<string, string>) =>
			(
				await documentedClient.call(
					'GET',
					`/mortgage/v1/transactions/verify_address?${new URLSearchParams(parts)}`,
				)
			).status;
		expect(await ask(query)).toBe(200);
		for (const name of Object.keys(query)) {
			const rest = Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));
			const status = await ask(rest);
			expect([name, status === 400 || status === 422]).toEqual([name, true]);
		}
	});
});
