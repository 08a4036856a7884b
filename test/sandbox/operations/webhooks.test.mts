/**
 * Create, list, change and delete webhooks (docs/service/webhooks.md#create-a-webhook and the
 * sections after it).
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { Client, newClosing, Receiver, stopReceivers } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

let receiver: Receiver;
beforeEach(async () => {
	receiver = await Receiver.start();
});
afterEach(async () => {
	receiver.close();
	for (const { id } of await client.ok('GET', '/v2/webhooks'))
		await client.ok('DELETE', `/v2/webhooks/${id}`);
});

/** Every path of webhooks; both lists are one. */
const PATHS = ['/v2/webhooks', '/mortgage/v2/webhooks'];

describe.each(PATHS)('%s', (path) => {
	test('create, get, list, update, delete', async () => {
		const body = { url: receiver.url, subscriptions: ['transaction.created'] };
		const webhook = await client.ok('POST', `${path}/`, body);
		expect(webhook).toEqual({
			...body,
			id: expect.stringMatching(/^wh/),
			enabled: true,
			header: '',
			headers: [],
			request_id_header_name: 'X-Request-Id',
			request_id_header_value_template: null,
			oauth: { enabled: false },
		});
		expect(await client.ok('GET', `${path}/${webhook.id}`)).toEqual(webhook);
		for (const other of PATHS) expect(await client.ok('GET', other)).toEqual([webhook]);
		const changed = { ...body, subscriptions: ['transaction.deleted'] };
		expect(await client.ok('PUT', `${path}/${webhook.id}`, changed)).toEqual({ updated: true });
		expect(await client.ok('GET', `${path}/${webhook.id}`)).toEqual({ ...webhook, ...changed });
		expect(await client.ok('DELETE', `${path}/${webhook.id}`)).toEqual({ deleted: true });
		for (const [method, more, sent] of [
			['GET', ''],
			['PUT', '', body],
			['DELETE', ''],
			['GET', '/events'],
		] as const) {
			const answer = await client.call(method, `${path}/${webhook.id}${more}`, sent);
			expect([answer.status, answer.body]).toEqual([
				404,
				{ errors: { request: 'resource not found' } },
			]);
		}
	});
	test('an event that does not exist is refused for the whole call, when created and when updated', async () => {
		const refusal = [422, 'Invalid subscription passed'];
		const { id } = await client.ok('POST', path, { url: receiver.url, subscriptions: ['*'] });
		for (const name of [
			'transaction.canceled',
			'transaction.renamed',
			'transaction',
			'notary.*.created',
			'',
		]) {
			const body = { url: receiver.url, subscriptions: ['transaction.created', name] };
			expect(await client.refused('POST', path, body)).toEqual(refusal);
			expect(await client.refused('PUT', `${path}/${id}`, body)).toEqual(refusal);
		}
		expect((await client.ok('GET', path)).map(({ subscriptions }: any) => subscriptions)).toEqual([
			['*'],
		]);
	});
	test('subscriptions that are no list', async () => {
		expect(await client.refused('POST', path, { url: receiver.url, subscriptions: '*' })).toEqual([
			422,
			'Invalid value for required field subscriptions - expected Array',
		]);
	});
	test('an update needs url and subscriptions', async () => {
		const body = { url: receiver.url, subscriptions: ['*'] };
		const { id } = await client.ok('POST', path, body);
		for (const name of Object.keys(body))
			expect(
				(await client.refused('PUT', `${path}/${id}`, { ...body, [name]: undefined }))[0],
			).toBe(422);
	});
	test('what can be subscribed to: two names repeat the prefix, and there is no wildcard', async () => {
		const { transaction, notary } = await client.ok('GET', `${path}/subscriptions`);
		expect(transaction).toContain('transaction.completed_with_rejections');
		for (const end of ['passed', 'failed'])
			expect(transaction).toContain(
				`transaction.transaction.automated_identity_verification_by_idv_service_${end}`,
			);
		expect(notary).toContain('notary.signer_ready');
		expect([...transaction, ...notary].filter((name) => name.includes('*'))).toEqual([]);
		const all = { url: receiver.url, subscriptions: [...transaction, ...notary, 'notary.*'] };
		await client.ok('POST', path, all);
	});
});

describe('webhooks', () => {
	test('real estate has them under version 2 only', async () => {
		expect((await client.call('GET', '/mortgage/v1/webhooks')).status).toBe(404);
	});
	test('a header alone comes back in both, headers disable it', async () => {
		const make = async (more: object) => {
			const body = { url: receiver.url, subscriptions: ['*'], ...more };
			const { header, headers } = await client.ok('POST', '/v2/webhooks', body);
			return [header, headers];
		};
		expect(await make({ header: 'X-A:1' })).toEqual(['X-A:1', ['X-A:1']]);
		expect(await make({ header: 'X-A:1', headers: ['X-B:2', 'X-C:3'] })).toEqual([
			'',
			['X-B:2', 'X-C:3'],
		]);
		expect(await make({ header: null, headers: null })).toEqual(['', []]);
	});
	test('a secret that an update leaves out is kept, and none is ever answered', async () => {
		const body = { url: receiver.url, subscriptions: ['transaction.created'] };
		const oauth_config = {
			oauth_token_url: 'https://login.example/token',
			client_id: 'flows',
			client_secret: 'oauth secret',
		};
		const { id } = await client.ok('POST', '/v2/webhooks', {
			...body,
			signing_key: 'signing secret',
			oauth_config,
		});
		await client.ok('PUT', `/v2/webhooks/${id}`, body);
		expect(sandbox.world.webhooks.get(id)).toMatchObject({
			signingKey: 'signing secret',
			oauth: oauth_config,
		});
		const found = await client.ok('GET', `/v2/webhooks/${id}`);
		expect(found.oauth).toEqual({
			enabled: true,
			token_url: 'https://login.example/token',
			client_id: 'flows',
		});
		expect(JSON.stringify(found)).not.toMatch(/secret"/);
		await client.ok('PUT', `/v2/webhooks/${id}`, {
			...body,
			signing_key: null,
			oauth_config: null,
		});
		expect(sandbox.world.webhooks.get(id)).toMatchObject({
			signingKey: undefined,
			oauth: undefined,
		});
	});
	test('Create a webhook: POST /v2/webhooks/ with url and subscriptions', async () => {
		const body = { url: 'https://flows.example/hook', subscriptions: ['transaction.completed'] };
		for (const name of ['url', 'subscriptions'])
			expect(
				(await client.refused('POST', '/v2/webhooks/', { ...body, [name]: undefined }))[0],
			).toBe(422);
		expect(await client.ok('POST', '/v2/webhooks/', body)).toMatchObject(body);
	});
	test('List webhooks: the identifiers of the webhooks that are set up', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		expect(await other.ok('GET', '/v2/webhooks')).toEqual([]);
		for (const path of ['a', 'b'])
			await other.call('POST', '/v2/webhooks/', {
				url: `https://flows.example/${path}`,
				subscriptions: ['*'],
			});
		expect(await other.ok('GET', '/v2/webhooks')).toEqual([...documented.world.webhooks.keys()]);
		await documented.close();
	});
});

describe('event records', () => {
	test('Event records: for one webhook an array of them with their delivery result', async () => {
		const [one, two] = [await Receiver.start(), await Receiver.start()];
		const hooks = [
			await one.subscribe(client, ['transaction.created']),
			await two.subscribe(client, ['transaction.deleted']),
		];
		await newClosing(client);
		await sandbox.clock.settled();
		const record = {
			event: 'transaction.created',
			// The headers of the receiver, and no description of the failure.
			response: { code: 200, body: 'seen', headers: expect.objectContaining({}) },
			delivered: expect.stringMatching(/Z$/),
			payload: one.received[0].body,
		};
		for (const path of PATHS) {
			expect(await client.ok('GET', `${path}/${hooks[0]}/events`)).toEqual([record]);
			expect(await client.ok('GET', `${path}/${hooks[1]}/events`)).toEqual([]);
		}
		const [{ response }] = await client.ok('GET', `/v2/webhooks/${hooks[0]}/events`);
		expect(response.headers).toHaveProperty('date');
		await stopReceivers(client, hooks, one, two);
	});
	test('limit and offset are of /v2 only', async () => {
		const hook = await receiver.subscribe(client, ['transaction.created']);
		for (let index = 0; index < 21; index++) await newClosing(client);
		await sandbox.clock.settled();
		const count = async (path: string, query = '') =>
			(await client.ok('GET', `${path}/${hook}/events${query}`)).length;
		expect(await count('/v2/webhooks')).toBe(20);
		expect(await count('/v2/webhooks', '?limit=5')).toBe(5);
		expect(await count('/v2/webhooks', '?limit=5&offset=20')).toBe(1);
		expect(await count('/mortgage/v2/webhooks')).toBe(21);
	});
});
