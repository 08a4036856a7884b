/** Verify Property Address (docs/service/closings.md#verify-an-address). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { Client } from '../support/client.mts';

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
	test('Verify an address: line1, city and state are enough on the documented path', async () => {
		expect(
			(await client.ok('GET', `/mortgage/v1/${verify('Boston')}`)).map(({ id }: any) => id),
		).toEqual(['rlboston']);
	});
	test('some addresses return several recording jurisdictions', async () => {
		expect(
			(await client.ok('GET', `/mortgage/v1/${verify('Springfield')}`)).map(({ id }: any) => id),
		).toEqual(['rlhampden', 'rlhampshire']);
	});
	test('agencies carry their eligible underwriters; a place that is not supported has none', async () => {
		const [place] = await client.ok('GET', `/mortgage/v1/${verify('Boston')}`);
		expect(place.eligible_title_agencies[0]).toMatchObject({
			id: 'or_agency_harbor',
			eligible_underwriters: [{ id: 'or_underwriter_atlantic' }, { id: 'or_underwriter_summit' }],
		});
		expect(await client.ok('GET', `/mortgage/v1/${verify('Hilo', 'HI')}`)).toEqual([]);
	});
	test('live services require the postal code', async () => {
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
	test('a documented-only service answers an object', async () => {
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
	test('Verify an address: the query is transaction_type and street_address with line1, city and state', async () => {
		const query: Record<string, string> = {
			transaction_type: 'refinance',
			'street_address[line1]': '1 Main',
			'street_address[city]': 'Boston',
			'street_address[state]': 'MA',
		};
		const ask = async (parts: Record<string, string>) =>
			(
				await client.call(
					'GET',
					`/mortgage/v1/transactions/verify_address?${new URLSearchParams(parts)}`,
				)
			).status;
		expect(await ask(query)).toBe(200);
		for (const name of Object.keys(query))
			expect([
				name,
				await ask(Object.fromEntries(Object.entries(query).filter(([other]) => other !== name))),
			]).toEqual([name, 422]);
	});
});
