/**
 * Addresses, recording locations, agencies, underwriters, templates, notaries and the organization
 * of the key (docs/service/closings.md#verify-an-address,
 * docs/service/closings.md#recording-locations, docs/service/documents.md#templates,
 * docs/service/notarization.md#list-notaries,
 * docs/service/api.md#endpoints-of-templates-and-organizations).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import { B, Client, newClosing, newDraft, R, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const R2 = '/mortgage/v2';
const idsOf = (found: any[]) => found.map(({ id }) => id);

describe('verify an address', () => {
	const pathOf = (city: string, more: object = {}, version = 'v2') =>
		`/mortgage/${version}/transactions/verify_address?${new URLSearchParams({
			transaction_type: 'refinance',
			'street_address[line1]': '1 Main',
			'street_address[city]': city,
			'street_address[state]': 'MA',
			'street_address[postal]': '02110',
			...more,
		})}`;
	const TEXAS = { 'street_address[state]': 'TX', transaction_type: 'heloc' };
	// Supported is the electronic recording, eligible the closing; types come in any case.
	test.each<[string, object, unknown[][]]>([
		['Boston', {}, [['rlboston', true, true, 'electronic']]],
		['Nantucket', {}, [['rlnantucket', false, true, 'PAPER']]],
		[
			'Springfield',
			{},
			[
				['rlhampden', true, true, 'electronic'],
				['rlhampshire', true, true, 'ELECTRONIC'],
			],
		],
		['Austin', TEXAS, [['rlaustin', true, false, 'electronic']]],
		['Mentone', TEXAS, [[expect.any(String), false, false, 'NONE']]],
		['Hilo', { 'street_address[state]': 'HI' }, []],
	])('%s %j', async (city, more, places) => {
		const found = await client.ok('GET', pathOf(city, more));
		expect(
			found.map(({ id, supported, eligible, recording_type }: any) => [
				id,
				supported,
				eligible,
				recording_type,
			]),
		).toEqual(places);
	});
	test('live services require the postal code, a type and an organization that exist', async () => {
		const postal = 'street_address[postal]';
		for (const version of ['v1', 'v2']) {
			const path = pathOf('Boston', {}, version).replace(/&[^&]*postal[^&]*/, '');
			await client.refuses('GET', path, undefined, 400, `${postal} is missing`);
		}
		for (const [more, status, text] of [
			[{ transaction_type: 'gift' }, 400, 'Transaction type is invalid'],
			[{ organization_id: 'or_none' }, 404, 'Not Found: Organization'],
		] as const)
			await client.refuses('GET', pathOf('Boston', more), undefined, status, text);
		await forEachCase(
			[{ transaction_type: 'hybrid_heloc' }, { organization_id: sandbox.organizations.child }],
			async (more) => expect(await client.ok('GET', pathOf('Boston', more))).toHaveLength(1),
		);
	});
	test('a documented-only service takes type, line1, city and state, and answers an object', async () => {
		await withDocumented(async (other) => {
			const [path, query] = pathOf('Springfield', {}, 'v1').split('?');
			const parts = query.split('&').filter((part) => !part.includes('postal'));
			expect(await other.ok('GET', `${path}?${parts.join('&')}`)).toMatchObject({
				supported: true,
				eligible_title_agencies: [{ id: 'or_agency_harbor' }, { id: 'or_agency_beacon' }],
			});
			await forEachCase(parts, async (missing) => {
				const rest = parts.filter((part) => part !== missing).join('&');
				expect([400, 422]).toContain((await other.call('GET', `${path}?${rest}`)).status);
			});
			const hawaii = pathOf('Hilo', { 'street_address[state]': 'HI' }, 'v1');
			expect(await other.ok('GET', hawaii.replace(/&[^&]*postal[^&]*/, ''))).toEqual({
				supported: false,
				eligible_title_agencies: [],
			});
		});
	});
});

test.each<[string, unknown[]]>([
	['&street_address[line1]=1&street_address[city]=Austin&street_address[state]=TX', ['rlaustin']],
	['&street_address[state]=MA', ['rlboston', 'rlhampden', 'rlhampshire', 'rlnantucket']],
	['', expect.arrayContaining(['rlboston', 'rlaustin']) as any],
])('recording locations of %s: only the type is required', async (query, ids) => {
	const path = `${R2}/recording_locations?transaction_type=`;
	expect(idsOf(await client.ok('GET', `${path}heloc${query}`))).toEqual(ids);
	await client.refuses('GET', `${path}gift`, undefined, 400, 'Transaction type is invalid');
});

test('title agencies are found by an email or an address, one of which is required', async () => {
	const path = '/mortgage/v1/title_agencies';
	const found = await client.ok('GET', `${path}?email=Orders@harbor-title.example`);
	expect(idsOf(found)).toEqual(['or_agency_harbor']);
	await client.refuses('GET', path, undefined, 400, 'Email or address is required');
});

test('title underwriters of a state and a type, narrowed by a known agent', async () => {
	const path = (query: string) => `${R2}/transactions/title_underwriters?${query}`;
	const type = 'transaction_type=refinance';
	const query = `${type}&state_abbreviation=ma`;
	const agent = '&title_agent_email=orders@harbor-title.example';
	await forEachCase(
		[
			['', false, [{}, {}, {}]],
			[agent, true, [{}, {}]],
		] as const,
		async ([more, title_agent_found, eligible_title_underwriters]) =>
			expect(await client.ok('GET', path(query + more))).toMatchObject({
				title_agent_found,
				eligible_title_underwriters,
			}),
	);
	for (const [wrong, status, text] of [
		[`${type}&state_abbreviation=XX`, 422, 'Invalid state code: XX'],
		['transaction_type=gift&state_abbreviation=MA', 400, 'Transaction type is invalid'],
		[type, 422, /state_abbreviation/],
		['state_abbreviation=MA', 422, /transaction_type/],
	] as const)
		await client.refuses('GET', path(wrong), undefined, status, text);
});

describe('notaries', () => {
	const ADA = {
		email: 'ada@notaries.example',
		first_name: 'Ada',
		middle_name: 'Mae',
		last_name: 'Attest',
		us_state_abbr: 'tx',
	};
	test.each(['/notaries', '/v1/notaries', '/mortgage/v1/notaries'])(
		'%s: add, get, list and delete',
		async (path) => {
			const receiver = await Receiver.on(client, ['notary.created']);
			const added = await client.ok('POST', `${path}/`, ADA);
			expect(added).toEqual({
				...ADA,
				id: expect.stringMatching(/^us_/),
				us_state_abbr: 'TX',
				status: 'not_compliant',
				status_description: 'Notary is missing required documentation.',
			});
			const [{ data }] = await receiver.all();
			expect(data).toEqual({ notary_id: added.id, date_occurred: expect.any(String) });
			expect(await client.ok('GET', `${path}/${added.id}`)).toEqual(added);
			const ids = ['us_nora_notary', 'us_oscar_oath', added.id];
			expect(idsOf(await client.ok('GET', `${path}/`))).toEqual(ids);
			const deleted = await client.call('DELETE', `${path}/${added.id}`);
			expect([deleted.status, deleted.body]).toEqual([204, undefined]);
			for (const method of ['GET', 'DELETE'])
				await client.refuses(method, `${path}/${added.id}`, undefined, 404, 'Not Found');
			for (const wrong of [{ email: 'nora@notaries.example' }, { us_state_abbr: 'XX' }])
				await client.refuses('POST', path, { ...ADA, ...wrong }, 422, 'Notary cannot be added');
		},
	);
	test('business lists by state and by child organization', async () => {
		expect(idsOf(await client.ok('GET', '/notaries?us_state_abbr=tx'))).toEqual(['us_oscar_oath']);
		const branch = new Client(sandbox, sandbox.keys.childFull);
		const { id } = await branch.ok('POST', '/notaries', { ...ADA, email: 'b@notaries.example' });
		const ofChild = `/notaries?organization_id=${sandbox.organizations.child}`;
		expect(idsOf(await client.ok('GET', ofChild))).toEqual([id]);
		expect(idsOf(await client.ok('GET', '/notaries'))).not.toContain(id);
		expect(idsOf(await branch.ok('GET', '/notaries'))).toEqual([id]);
		await branch.refuses('GET', '/notaries/us_nora_notary', undefined, 404);
	});
	test('those of a transaction are those who can take its meeting', async () => {
		const waiting = sandbox.act.addNotary({ name: 'Cid Clerk' });
		await forEachCase(
			[`${B}/${await newDraft(client)}`, `${R}/${await newClosing(client)}`],
			async (path) => {
				const found = await client.ok('GET', `${path}/notaries`);
				expect(idsOf(found)).toEqual(['us_nora_notary', 'us_oscar_oath']);
				expect(found[0]).toMatchObject({ status: 'compliant', first_name: 'Nora' });
			},
		);
		const none = `${B}/ot_none/notaries`;
		await client.refuses('GET', none, undefined, 404, 'Transaction Not Found');
		await client.call('DELETE', `/notaries/${waiting}`);
	});
});
