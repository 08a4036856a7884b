/**
 * Agencies, underwriters, recording locations, templates, notaries
 * (docs/service/closings.md#recording-locations, docs/service/documents.md#templates,
 * docs/service/notarization.md#list-notaries).
 */

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

describe('lookups', () => {
	test('agencies, underwriters, recording locations, templates, notaries', async () => {
		expect(
			(await client.ok('GET', '/mortgage/v1/title_agencies?email=orders@harbor-title.example')).map(
				({ id }: any) => id,
			),
		).toEqual(['or_agency_harbor']);
		expect((await client.refused('GET', '/mortgage/v1/title_agencies'))[0]).toBe(400);
		expect(
			await client.ok(
				'GET',
				'/mortgage/v1/transactions/title_underwriters?title_agent_email=orders@harbor-title.example',
			),
		).toMatchObject({ title_agent_found: true, eligible_title_underwriters: [{}, {}] });
		expect(
			await client.ok(
				'GET',
				'/mortgage/v2/recording_locations?transaction_type=heloc&street_address[line1]=1&street_address[city]=Austin&street_address[state]=TX',
			),
		).toMatchObject([{ id: 'rlaustin', eligible: false }]);
		expect(await client.ok('GET', '/templates?limit=1&offset=1')).toMatchObject({
			total_count: 2,
			templates: [{ id: 'od_affidavit' }],
		});
		expect(await client.ok('GET', '/notaries?us_state_abbr=TX')).toMatchObject([
			{ id: 'us_oscar_oath' },
		]);
	});
});
