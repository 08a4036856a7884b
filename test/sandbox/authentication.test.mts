import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { KEYS, startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { refusalBody } from '../../sandbox/domain/refusal.mts';
import {
	Client,
	CLOSING,
	newClosing,
	newCompleted,
	reasonOf,
	Receiver,
} from './support/client.mts';

/** interface.md §5, Authentication, §7, Errors, §9, Versioning; gaps.md §1, §2, §9. */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('keys', () => {
	test('interface §5.1: the key goes in the header ApiKey; none and a wrong one get 401', async () => {
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
	test('interface §5.2, gaps §2: a client-only key may only create', async () => {
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
	test('interface §5.3: a key of the parent sees the transactions of its children, not the other way round', async () => {
		const child = new Client(sandbox, KEYS.childFull);
		const own = await newClosing(child);
		expect((await client.transaction(own)).organization_id).toBe(sandbox.organizations.child);
		expect((await child.refused('GET', `/transactions/${await newClosing(client)}`))[0]).toBe(404);
	});
	test('gaps §2: organization_id puts a transaction into a child; a child can not put one into the parent', async () => {
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
		).toBe(403);
		expect(
			(
				await client.refused('POST', '/mortgage/v1/transactions', {
					...CLOSING,
					organization_id: 'or_else',
				})
			)[0],
		).toBe(403);
	});
	test("interface §5.3: a parent's webhook hears of its children, a child's of its own only; the parent sees both", async () => {
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
});

describe('links', () => {
	const link = async (id: string) =>
		(await client.transaction(id)).documents[0].final_document_url as string;
	test('interface §5.4, §8: a link lives 900 seconds and needs no key; each retrieval gives new ones', async () => {
		const id = await newCompleted(client);
		const first = await link(id);
		expect(await link(id)).not.toBe(first);
		await sandbox.clock.advance(898_000);
		expect((await fetch(first)).status).toBe(200);
		await sandbox.clock.advance(3_000);
		const late = await fetch(first);
		expect([late.status, late.headers.get('content-type')]).toEqual([403, 'application/xml']);
		expect(await late.text()).toMatch(/<Code>AccessDenied<\/Code><Message>Request has expired/);
		expect((await fetch(await link(id))).status).toBe(200);
	});
	test('a key on the way to another origin is a problem, on the own origin it is none', async () => {
		const apart = await startSandbox({ filesOrigin: 'separate' });
		const other = new Client(apart);
		const { documents } = await other.transaction(await newCompleted(other));
		const url = documents[0].final_document_url as string;
		expect(new URL(url).origin).toBe(apart.filesUrl);
		expect(apart.filesUrl).not.toBe(apart.url);
		await fetch(url);
		expect(apart.problems).toEqual([]);
		await fetch(url, { headers: { ApiKey: KEYS.full } });
		expect(apart.problems).toEqual([expect.stringMatching(/ApiKey sent to a signed link/)]);
		await apart.close();
		await fetch(await link(await newCompleted(client)), { headers: { ApiKey: KEYS.full } });
		expect(sandbox.problems).toEqual([]);
	});
});

describe('paths', () => {
	test('gaps §1: both layouts, with and without a slash at the end', async () => {
		const id = await newClosing(client);
		for (const path of ['', '/v1', '/mortgage/v1', '/mortgage/v2'])
			for (const slash of ['', '/'])
				expect((await client.ok('GET', `${path}/transactions/${id}${slash}`)).id).toBe(id);
		for (const slash of ['', '/'])
			expect((await client.call('GET', `/v2/webhooks${slash}`)).status).toBe(200);
	});
	test('interface §9: other versions do not exist', async () => {
		for (const path of [
			'/v3/webhooks',
			'/v2/transactions',
			'/mortgage/v3/transactions',
			'/mortgage/transactions',
		])
			expect((await client.call('GET', path)).status).toBe(404);
		sandbox.problems.length = 0;
	});
	test('gaps §1: a GET with a body is refused with 403', async () => {
		const { hostname, port } = new URL(sandbox.url);
		const status = await new Promise((resolve) => {
			httpRequest(
				{
					hostname,
					port,
					method: 'GET',
					path: '/transactions',
					headers: { ApiKey: KEYS.full, 'content-type': 'application/json', 'content-length': 2 },
				},
				(answer) => resolve(answer.resume().statusCode),
			).end('{}');
		});
		expect(status).toBe(403);
		expect(sandbox.problems.splice(0)).toEqual(['GET /transactions: a GET has a body']);
	});
	test('what openapi.yaml does not know is refused loudly and recorded', async () => {
		expect(
			(await client.refused('POST', '/mortgage/v1/transactions', { ...CLOSING, colour: 'red' }))[1],
		).toMatch(/colour/);
		expect(sandbox.requests.at(-1)).toMatchObject({
			method: 'POST',
			valid: false,
			problem: expect.stringMatching(/colour/),
			status: 422,
		});
		expect((await client.refused('GET', '/transactions?colour=red'))[0]).toBe(422);
		expect(
			(await client.refused('POST', `/transactions/x/notarization_ready`, { colour: 'red' }))[0],
		).toBe(422);
		expect(sandbox.problems.splice(0)).toHaveLength(3);
	});
	test('a body that is no JSON, or says it is something else, gets 400', async () => {
		const send = async (type: string) =>
			await fetch(`${sandbox.url}/transactions`, {
				method: 'POST',
				headers: { ApiKey: KEYS.full, 'content-type': type },
				body: '{"signers":',
			});
		expect((await send('application/json')).status).toBe(400);
		expect((await send('text/plain')).status).toBe(400);
		expect(sandbox.problems.splice(0)).toHaveLength(2);
	});
	test('ids are opaque: encoded ones are decoded once, strange ones are not found', async () => {
		for (const id of ['ot_%2F', '..%2f..', '%E0%A4%A', 'ot_ä'])
			expect((await client.call('GET', `/transactions/${id}`)).status).toBeGreaterThanOrEqual(400);
		sandbox.problems.length = 0;
	});
});

describe('interface §1 to §9 alone: the documented profile', () => {
	test('what is only published answers 404; List Webhooks gives identifiers; Create Webhook answers nothing; deliveries have no signature', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const receiver = await Receiver.start();
		expect(
			(
				await other.call('POST', '/v2/webhooks/', {
					url: receiver.url,
					subscriptions: ['transaction.created'],
				})
			).body,
		).toBeUndefined();
		const [hook] = await other.ok('GET', '/v2/webhooks');
		expect(hook).toMatch(/^wh/);
		const id = await newClosing(other);
		await documented.clock.settled();
		expect(receiver.received).toEqual([
			{
				body: `{"event":"transaction.created","data":{"transaction_id":"${id}"}}`,
				event: 'transaction.created',
				data: { transaction_id: id },
				headers: expect.not.objectContaining({ 'x-signature': expect.anything() }),
			},
		]);
		expect(await other.ok('GET', `/v2/webhooks/${hook}/events`)).toEqual([
			{
				event: 'transaction.created',
				response: { body: 'seen', code: 200, error: '' },
				delivered: expect.any(String),
				payload: receiver.received[0].body,
			},
		]);
		for (const [method, path] of [
			['GET', '/transactions'],
			['POST', `/mortgage/v1/transactions/${id}/place_order`],
			['GET', `/v2/webhooks/${hook}`],
			['GET', `/mortgage/v1/transactions/${id}`],
			['GET', `/transactions/${id}/assets/audit_trail`],
		]) {
			expect((await other.call(method, path)).status).toBe(404);
		}
		expect((await other.transaction(id)).id).toBe(id);
		expect(documented.problems).toEqual([]);
		receiver.close();
		await documented.close();
	});
});

describe('gaps §9: errors', () => {
	test('a client meets all six shapes, each with the text in it', () => {
		const shapes = new Set<string>();
		for (const operation of [
			'createTransaction',
			'createClosing',
			'addDocument',
			'sendTransaction',
			'sendClosing',
			'getTransaction',
			'addEnote',
			'createWebhook',
			'updateDocument',
			'recallTransaction',
			'deleteTransaction',
		]) {
			for (const status of [401, 404, 422]) {
				const body = refusalBody(operation, status, 'the text') as any;
				expect(reasonOf(body)).toContain('the text');
				shapes.add(
					typeof body === 'string'
						? 'string'
						: `${Object.keys(body).join()} ${Array.isArray(body.errors) ? 'list' : JSON.stringify(body.errors ?? '').slice(0, 13)}`,
				);
			}
		}
		expect(shapes.size).toBe(6);
	});
	test('lik: each answer carries a trace header', async () => {
		expect((await client.call('GET', '/transactions/none')).headers.get('x-amz-trace-id')).toMatch(
			/^Root=1-/,
		);
	});
});
