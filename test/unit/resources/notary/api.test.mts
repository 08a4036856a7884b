import { listNotaries } from '../../../../nodes/SignAndClose/resources/notary/api.ts';
import { inTurn, withClient } from '../../../support/live/client.mts';
import type { AskedFor } from '../../../support/live/service.mts';

/** Which notaries are listed. */

describe('the notaries', () => {
	const NOTARIES = [
		{ id: 'no_1', us_state_abbr: 'MA' },
		{ id: 'no_2', us_state_abbr: 'tx' },
		{ id: 'no_3' },
		{ id: 'no_4', us_state_abbr: 'ma' },
	];
	type Query = Parameters<typeof listNotaries>[1];
	/** The IDs that are listed, and what the service was asked for. */
	const list = async (query: Query) =>
		await withClient(inTurn(NOTARIES), async (service, { requests }) => ({
			ids: (await listNotaries(service, query)).map(({ id }) => id),
			requests,
		}));
	const onRealEstate = ({ path }: AskedFor) => path.includes('mortgage');

	test('of an organization and a state are asked for on business', async () => {
		const { ids, requests } = await list({
			platform: 'business',
			organizationId: 'or_1',
			state: 'MA',
		});
		expect(requests.map(({ query }) => query)).toEqual([
			{ organization_id: 'or_1', us_state_abbr: 'MA' },
		]);
		expect(ids).toEqual(['no_1', 'no_3', 'no_4']);
	});
	test('of any state are all that the service lists', async () => {
		const { ids, requests } = await list({ platform: 'business' });
		expect(requests.map(({ query }) => query)).toEqual([{}]);
		expect(ids).toEqual(['no_1', 'no_2', 'no_3', 'no_4']);
	});
	test('of a state are chosen here, where real estate takes no query', async () => {
		const { ids, requests } = await list({ platform: 'realEstate', state: 'TX' });
		expect(requests.map(({ query }) => query)).toEqual([{}]);
		expect(onRealEstate(requests[0])).toBe(true);
		expect(ids).toEqual(['no_2', 'no_3']);
	});
});
