/**
 * What a key, an account and a service let a client do (docs/service/api.md#authentication,
 * docs/service/errors.md#wrong-platform, docs/service/README.md#a-documented-only-service).
 */

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { KEYS } from '../../../sandbox/index.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	B,
	Client,
	CLOSING,
	newClosing,
	newCompleted,
	newDraft,
	R,
	Receiver,
} from '../support/client.mts';
import {
	client,
	sandbox,
	useSandbox,
	withDocumented,
	withSandbox,
} from '../support/useSandbox.mts';

useSandbox();

const DRAFT = { draft: true, signers: [{ email: 'kim@example.com' }] };

describe('keys', () => {
	test('every operation needs the header ApiKey with a key that exists', async () => {
		const operations = Object.entries<any>(loadOpenapi().paths).flatMap(([path, item]) =>
			['get', 'post', 'put', 'patch', 'delete']
				.filter((method) => item[method])
				.map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')]),
		);
		expect(operations.length).toBeGreaterThanOrEqual(50);
		for (const [method, path] of operations)
			expect([method, path, (await fetch(sandbox.url + path, { method })).status]).toEqual([
				method,
				path,
				401,
			]);
		const bearer = { headers: { Authorization: `Bearer ${KEYS.full}` } };
		expect((await fetch(`${sandbox.url}/v2/webhooks`, bearer)).status).toBe(401);
		expect((await new Client(sandbox, 'wrong').call('GET', '/v2/webhooks')).status).toBe(401);
	});
	test('a client-only key may only create; a full one retrieves and archives', async () => {
		const creator = new Client(sandbox, KEYS.clientOnly);
		const hook = { url: 'https://a.example/', subscriptions: ['*'] };
		await creator.refuses('POST', '/v2/webhooks/', hook, 403);
		for (const path of [
			`${B}/${await newDraft(client)}/notarization_ready`,
			`${R}/${await newClosing(creator)}/place_order`,
		])
			await creator.refuses('POST', path, undefined, 403, 'Not allowed to Send Transactions');
		const id = await newCompleted(client);
		const { documents, notarization_record } = await client.transaction(id);
		const paths = [
			`${B}/${id}`,
			`${B}/${id}/documents/${documents[0].id}?encoding=base64`,
			`/notarization_records/${notarization_record.id}`,
		];
		expect(await client.statuses('GET', paths)).toEqual([200, 200, 200]);
		expect(await creator.statuses('GET', paths)).toEqual([403, 403, 403]);
	});
	test('a parent sees the transactions of its child and puts some there, not the other way round', async () => {
		const child = new Client(sandbox, KEYS.childFull);
		const organizations = [];
		for (const id of [
			await newClosing(child),
			await newClosing(client, { organization_id: 'or_harbor_branch' }),
		])
			organizations.push((await client.transaction(id)).organization_id);
		expect(organizations).toEqual(['or_harbor_branch', 'or_harbor_branch']);
		await child.refuses('GET', `${B}/${await newClosing(client)}`, undefined, 404);
		for (const [caller, organization_id] of [
			[child, 'or_harbor'],
			[client, 'or_else'],
		] as const)
			await caller.refuses(
				'POST',
				R,
				{ ...CLOSING, organization_id },
				404,
				'Not Found: Organization',
			);
	});
	test("a parent's webhook hears of its child, a child's of its own only; the parent sees both", async () => {
		const child = new Client(sandbox, KEYS.childFull);
		const childs = await Receiver.on(child, ['transaction.created']);
		const parents = await Receiver.on(client, ['transaction.created']);
		const [a, b] = [await newClosing(client), await newClosing(child)];
		const ids = async (receiver: Receiver) =>
			(await receiver.all()).map(({ data }) => data.transaction_id).sort();
		expect(await ids(parents)).toEqual([a, b].sort());
		expect(await ids(childs)).toEqual([b]);
		const hooks = async (caller: Client) =>
			(await caller.ok('GET', '/v2/webhooks')).map(({ id }: any) => id);
		expect(await hooks(client)).toEqual([childs.hook, parents.hook]);
		expect(await hooks(child)).toEqual([childs.hook]);
		await child.refuses('GET', `/v2/webhooks/${parents.hook}/events`, undefined, 404);
	});
});

describe('the wrong platform', () => {
	test('an account of business alone is 401 on real estate', async () => {
		await withSandbox({ account: 'business' }, async (other) => {
			const text = 'Unauthorized: This organization must use the Business API for transactions';
			await other.refuses('POST', '/mortgage/v2/transactions', CLOSING, 401, text);
			await other.refuses('GET', '/mortgage/v2/webhooks', undefined, 401, text);
			expect(await newDraft(other)).toMatch(/^ot_/);
			expect(await other.statuses('GET', ['/v2/webhooks'])).toEqual([200]);
		});
	});
	test('an account of real estate alone is 422 on business, and has webhooks of its own', async () => {
		await withSandbox({ platforms: 'realEstate' }, async (other) => {
			const text = 'You must use the RealEstate API for real estate transactions';
			await other.refuses('POST', B, DRAFT, 422, text);
			await other.refuses('GET', '/v1/templates', undefined, 422, text);
			const tier = 'Feature not available in current tier';
			await other.refuses('GET', '/v2/webhooks', undefined, 401, tier);
			expect(await other.statuses('GET', ['/mortgage/v2/webhooks'])).toEqual([200]);
			expect(await newClosing(other)).toMatch(/^ot_/);
		});
	});
	test('the look-ups of real estate are not for business accounts', async () => {
		const address =
			'street_address[line1]=1&street_address[city]=Boston&street_address[state]=MA&street_address[postal]=02110';
		const only = 'Only available to lenders and title agencies';
		await withSandbox({ account: 'business', platforms: 'both' }, async (other) => {
			for (const [path, status, text] of [
				[`transactions/verify_address?transaction_type=refinance&${address}`, 422, only],
				[
					'transactions/title_underwriters?transaction_type=refinance&state_abbreviation=MA',
					403,
					only,
				],
				['title_agencies?email=a.example', 403, 'Organization not permitted to use this endpoint'],
			] as const)
				await other.refuses('GET', `/mortgage/v2/${path}`, undefined, status, text);
		});
	});
});

describe('a service of one layout', () => {
	const [DOCUMENTED, CURRENT, FIXED] = [
		['/transactions', '/templates', '/mortgage/v1/transactions'],
		['/v1/transactions', '/v1/templates', '/mortgage/v2/transactions'],
		['/v2/webhooks', '/mortgage/v2/webhooks', '/mortgage/v1/notaries'],
	];
	test.each([
		['documented', DOCUMENTED, CURRENT],
		['current', CURRENT, DOCUMENTED],
	] as const)('%s answers 404 to the paths of the other one', async (layout, own, others) => {
		await withSandbox({ layout }, async (other) => {
			expect(await other.statuses('GET', [...own, ...FIXED])).toEqual(Array(6).fill(200));
			expect(await other.statuses('GET', others)).toEqual([404, 404, 404]);
		});
	});
});

describe('a documented-only service', () => {
	test('answers 404 to what is only published', async () => {
		await withDocumented(async (other) => {
			const id = await newClosing(other);
			await other.refuses('POST', `${R}/${id}/place_order`, undefined, 404);
			const { hook } = await Receiver.on(other, ['*']);
			const paths = [B, `/v2/webhooks/${hook}`, `${R}/${id}`, `${B}/${id}/assets/audit_trail`];
			expect(await other.statuses('GET', paths)).toEqual([404, 404, 404, 404]);
			expect((await other.transaction(id)).id).toBe(id);
		});
	});
	test('answers Create Webhook with nothing, and List Webhooks with identifiers', async () => {
		await withDocumented(async (other, { world }) => {
			expect(await other.ok('GET', '/v2/webhooks')).toEqual([]);
			const hook = { url: 'https://a.example/', subscriptions: ['*'] };
			await forEachCase(Array(2).keys(), async () =>
				expect((await other.call('POST', '/v2/webhooks/', hook)).body).toBeUndefined(),
			);
			expect(await other.ok('GET', '/v2/webhooks')).toEqual([...world.webhooks.keys()]);
		});
	});
	test('serves both platforms under the paths without a prefix', async () => {
		await withSandbox({ profile: 'documented', platforms: 'realEstate' }, async (other) => {
			const id = await newClosing(other);
			expect((await other.transaction(id)).id).toBe(id);
			await other.refuses('POST', B, DRAFT, 422);
		});
	});
});
