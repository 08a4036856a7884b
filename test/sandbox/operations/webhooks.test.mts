/**
 * Create, list, change and delete webhooks (docs/service/webhooks.md#create-a-webhook and the
 * sections after it).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import { newClosing, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

/** Every path of webhooks; both lists are one. */
const PATHS = ['/v2/webhooks', '/mortgage/v2/webhooks'];
const BODY = { url: 'https://flows.example/hook', subscriptions: ['transaction.created'] };

describe.each(PATHS)('%s', (path) => {
	test('create, get, list, update, delete', async () => {
		const webhook = await client.ok('POST', `${path}/`, BODY);
		expect(webhook).toEqual({
			...BODY,
			id: expect.stringMatching(/^wh/),
			enabled: true,
			header: '',
			headers: [],
			request_id_header_name: 'X-Request-Id',
			request_id_header_value_template: null,
			oauth: { enabled: false },
		});
		const own = `${path}/${webhook.id}`;
		expect(await client.ok('GET', own)).toEqual(webhook);
		await forEachCase(PATHS, async (other) =>
			expect(await client.ok('GET', other)).toEqual([webhook]),
		);
		const changed = { ...BODY, subscriptions: ['transaction.deleted'] };
		expect(await client.ok('PUT', own, changed)).toEqual({ updated: true });
		expect(await client.ok('GET', own)).toEqual({ ...webhook, ...changed });
		expect(await client.ok('DELETE', own)).toEqual({ deleted: true });
		for (const [method, more, body] of [
			['GET', ''],
			['PUT', '', BODY],
			['DELETE', ''],
			['GET', '/events'],
		] as const)
			await client.refuses(method, own + more, body, 404, 'resource not found');
	});
	test.each(['transaction.renamed', 'transaction', 'notary.*.created', ''])(
		'the event "%s", which does not exist, is refused for the whole call',
		async (name) => {
			const { id } = await client.ok('POST', path, BODY);
			const wrong = { ...BODY, subscriptions: ['transaction.deleted', name] };
			const text = 'Invalid subscription passed';
			await client.refuses('POST', path, wrong, 422, text);
			await client.refuses('PUT', `${path}/${id}`, wrong, 422, text);
			expect(await client.ok('GET', path)).toMatchObject([BODY]);
		},
	);
	test('url and subscriptions are required, when it is created and when it is updated', async () => {
		const { id } = await client.ok('POST', path, BODY);
		for (const name of Object.keys(BODY)) {
			const without = { ...BODY, [name]: undefined };
			await client.refuses('POST', path, without, 422);
			await client.refuses('PUT', `${path}/${id}`, without, 422);
		}
	});
	test('what can be subscribed to: two names repeat the prefix, and there is no wildcard', async () => {
		const { transaction, notary } = await client.ok('GET', `${path}/subscriptions`);
		expect(transaction).toEqual(
			expect.arrayContaining([
				'transaction.completed_with_rejections',
				'transaction.transaction.automated_identity_verification_by_idv_service_passed',
				'transaction.transaction.automated_identity_verification_by_idv_service_failed',
			]),
		);
		expect(notary).toContain('notary.signer_ready');
		const all = [...transaction, ...notary];
		expect(all.filter((name) => name.includes('*'))).toEqual([]);
		await client.ok('POST', path, { ...BODY, subscriptions: [...all, 'notary.*'] });
	});
});

test('a secret that an update leaves out is kept, and none is ever answered', async () => {
	const oauth_config = {
		oauth_token_url: 'https://login.example/token',
		client_id: 'flows',
		client_secret: 'oauth secret',
	};
	const secrets = { signing_key: 'signing secret', oauth_config };
	const { id } = await client.ok('POST', '/v2/webhooks', { ...BODY, ...secrets });
	const update = async (more: object = {}) => {
		await client.ok('PUT', `/v2/webhooks/${id}`, { ...BODY, ...more });
		return sandbox.world.webhooks.get(id);
	};
	expect(await update()).toMatchObject({ signingKey: 'signing secret', oauth: oauth_config });
	const found = await client.ok('GET', `/v2/webhooks/${id}`);
	const { oauth_token_url: token_url, client_id } = oauth_config;
	expect(found.oauth).toEqual({ enabled: true, token_url, client_id });
	expect(JSON.stringify(found)).not.toMatch(/secret"/);
	const none = { signing_key: null, oauth_config: null };
	expect(await update(none)).toMatchObject({ signingKey: undefined, oauth: undefined });
});

describe('event records', () => {
	test('are of one webhook, with the result of the delivery', async () => {
		const one = await Receiver.on(client, ['transaction.created']);
		const two = await Receiver.on(client, ['transaction.deleted']);
		await newClosing(client);
		const [{ body }] = await one.all();
		await forEachCase(PATHS, async (path) => {
			expect(await client.ok('GET', `${path}/${one.hook}/events`)).toEqual([
				{
					event: 'transaction.created',
					// The headers of the receiver, and no description of the failure.
					response: { code: 200, body: 'seen', headers: expect.objectContaining({}) },
					delivered: expect.stringMatching(/Z$/),
					payload: body,
				},
			]);
			expect(await client.ok('GET', `${path}/${two.hook}/events`)).toEqual([]);
		});
		expect((await one.records())[0].response.headers).toHaveProperty('date');
	});
	test('limit and offset are of /v2 only', async () => {
		const receiver = await Receiver.on(client, ['transaction.created']);
		for (let index = 0; index < 21; index++) await newClosing(client);
		await forEachCase(
			[
				['', 20],
				['?limit=5', 5],
				['?limit=5&offset=20', 1],
			] as const,
			async ([query, count]) => expect(await receiver.records(query)).toHaveLength(count),
		);
		const path = `/mortgage/v2/webhooks/${receiver.hook}/events`;
		expect(await client.ok('GET', path)).toHaveLength(21);
	});
});
