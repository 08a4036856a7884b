/**
 * Create, list, change and delete webhooks (docs/service/webhooks.md#create-a-webhook and the
 * sections after it).
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { Client, newClosing, Receiver, stopReceivers } from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
beforeEach(async () => {
	receiver = await Receiver.start();
});
afterEach(async () => {
	receiver.close();
	for (const { id } of await client.ok('GET', '/v2/webhooks'))
		await client.ok('DELETE', `/v2/webhooks/${id}`);
});
afterAll(async () => await sandbox.close());

describe('webhooks', () => {
	test('an event that does not exist is refused', async () => {
		for (const name of ['transaction.renamed', 'transaction', 'notary.*.created', '']) {
			expect(
				await client.refused('POST', '/v2/webhooks/', { url: receiver.url, subscriptions: [name] }),
			).toEqual([422, 'Invalid subscription passed']);
		}
	});
	test('get, update, delete, and what can be subscribed to', async () => {
		const id = await receiver.subscribe(client, ['transaction.created'], {
			signing_key: 'k',
			header: 'X-A:1',
		});
		const webhook = await client.ok('GET', `/v2/webhooks/${id}`);
		expect(webhook).toEqual({
			id,
			url: receiver.url,
			subscriptions: ['transaction.created'],
			enabled: true,
			header: 'X-A:1',
			headers: [],
		});
		expect(
			await client.ok('PUT', `/v2/webhooks/${id}`, {
				url: receiver.url,
				subscriptions: ['transaction.deleted'],
			}),
		).toEqual({ updated: true });
		expect((await client.ok('GET', `/v2/webhooks/${id}`)).subscriptions).toEqual([
			'transaction.deleted',
		]);
		const all = await client.ok('GET', '/v2/webhooks/subscriptions');
		expect(all.transaction).toContain('transaction.completed_with_rejections');
		expect(all.notary).toContain('notary.signer_ready');
		expect(await client.ok('DELETE', `/v2/webhooks/${id}`)).toEqual({ deleted: true });
		expect((await client.refused('GET', `/v2/webhooks/${id}`))[0]).toBe(404);
	});
	test('Create a webhook: POST /v2/webhooks/ with url and subscriptions', async () => {
		const body = { url: 'https://flows.example/hook', subscriptions: ['transaction.completed'] };
		for (const name of ['url', 'subscriptions'])
			expect(
				(await client.refused('POST', '/v2/webhooks/', { ...body, [name]: undefined }))[0],
			).toBe(422);
		const { id, ...made } = await client.ok('POST', '/v2/webhooks/', body);
		expect(made).toMatchObject(body);
		await client.ok('DELETE', `/v2/webhooks/${id}`);
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
			response: { code: 200, body: 'seen', error: '' },
			delivered: expect.stringMatching(/Z$/),
			payload: one.received[0].body,
		};
		expect(await client.ok('GET', `/v2/webhooks/${hooks[0]}/events`)).toMatchObject([record]);
		expect(await client.ok('GET', `/v2/webhooks/${hooks[1]}/events`)).toEqual([]);
		await stopReceivers(client, hooks, one, two);
	});
});
