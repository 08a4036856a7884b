/** API keys, organizations and what each key may do (docs/service/api.md#authentication). */

import { describe, expect, test } from '@jest/globals';

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { KEYS } from '../../../sandbox/index.mts';
import { Client, CLOSING, newClosing, newCompleted, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const definition = loadOpenapi();

describe('keys', () => {
	test('API key: it goes in the header ApiKey; none and a wrong one get 401', async () => {
		expect((await fetch(`${sandbox.url}/v2/webhooks`)).status).toBe(401);
		expect(
			(
				await fetch(`${sandbox.url}/v2/webhooks`, {
					headers: { Authorization: `Bearer ${KEYS.full}` },
				})
			).status,
		).toBe(401);
		expect((await new Client(sandbox, 'wrong').call('GET', '/v2/webhooks')).status).toBe(401);
		expect((await client.call('GET', '/v2/webhooks')).status).toBe(200);
	});
	test('Kinds of keys: a client-only key may only create', async () => {
		const creator = new Client(sandbox, KEYS.clientOnly);
		const id = await newClosing(creator);
		expect((await creator.refused('GET', `/transactions/${id}`))[0]).toBe(403);
		expect(
			(
				await creator.refused('POST', '/v2/webhooks/', {
					url: 'https://a.example/',
					subscriptions: ['*'],
				})
			)[0],
		).toBe(403);
	});
	test('Keys and organizations: a key of the parent sees the transactions of its children, not the other way round', async () => {
		const child = new Client(sandbox, KEYS.childFull);
		const own = await newClosing(child);
		expect((await client.transaction(own)).organization_id).toBe(sandbox.organizations.child);
		expect((await child.refused('GET', `/transactions/${await newClosing(client)}`))[0]).toBe(404);
	});
	test('organization_id puts a transaction into a child; a child can not put one into the parent', async () => {
		expect(
			(await client.transaction(await newClosing(client, { organization_id: 'or_harbor_branch' })))
				.organization_id,
		).toBe('or_harbor_branch');
		expect(
			(
				await new Client(sandbox, KEYS.childFull).refused('POST', '/mortgage/v1/transactions', {
					...CLOSING,
					organization_id: 'or_harbor',
				})
			)[0],
		).toBe(404);
		expect(
			(
				await client.refused('POST', '/mortgage/v1/transactions', {
					...CLOSING,
					organization_id: 'or_else',
				})
			)[0],
		).toBe(404);
	});
	test("Keys and organizations: a parent's webhook hears of its children, a child's of its own only; the parent sees both", async () => {
		const [parents, childs] = [await Receiver.start(), await Receiver.start()];
		const child = new Client(sandbox, KEYS.childFull);
		const hook = await childs.subscribe(child, ['transaction.created']);
		const other = await parents.subscribe(client, ['transaction.created']);
		const [a, b] = [await newClosing(client), await newClosing(child)];
		await sandbox.clock.settled();
		expect(parents.received.map(({ data }) => data.transaction_id).sort()).toEqual([a, b].sort());
		expect(childs.received.map(({ data }) => data.transaction_id)).toEqual([b]);
		expect((await client.ok('GET', '/v2/webhooks')).map(({ id }: any) => id)).toEqual(
			expect.arrayContaining([hook, other]),
		);
		expect((await child.ok('GET', '/v2/webhooks')).map(({ id }: any) => id)).toEqual([hook]);
		expect((await child.refused('GET', `/v2/webhooks/${other}/events`))[0]).toBe(404);
		await client.ok('DELETE', `/v2/webhooks/${hook}`);
		await client.ok('DELETE', `/v2/webhooks/${other}`);
		parents.close();
		childs.close();
	});
	test('Base URL and requests: every operation needs authentication', async () => {
		const operations = Object.entries<any>(definition.paths).flatMap(([path, item]) =>
			['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
				item[method] ? [[method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')]] : [],
			),
		);
		expect(operations.length).toBeGreaterThanOrEqual(50);
		for (const [method, path] of operations)
			expect([method, path, (await fetch(sandbox.url + path, { method })).status]).toEqual([
				method,
				path,
				401,
			]);
	});
	test('Kinds of keys: a full access key retrieves and archives', async () => {
		const id = await newCompleted(client);
		const limited = new Client(sandbox, sandbox.keys.clientOnly);
		for (const path of [
			`/transactions/${id}`,
			`/transactions/${id}/documents/${(await client.transaction(id)).documents[0].id}?encoding=base64`,
			`/notarization_records/${(await client.transaction(id)).notarization_record.id}`,
		]) {
			expect((await client.call('GET', path)).status).toBe(200);
			expect((await limited.call('GET', path)).status).toBe(403);
		}
	});
});
