/**
 * Which paths and bodies the API takes, and which it refuses
 * (docs/service/api.md#base-url-and-requests, docs/service/api.md#path-layouts).
 */

import { request as httpRequest } from 'node:http';

import { describe, expect, test } from '@jest/globals';

import { KEYS } from '../../../sandbox/index.mts';
import { CLOSING, newClosing } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('paths', () => {
	test('both layouts, with and without a slash at the end', async () => {
		const id = await newClosing(client);
		for (const path of ['', '/v1', '/mortgage/v1', '/mortgage/v2'])
			for (const slash of ['', '/'])
				expect((await client.ok('GET', `${path}/transactions/${id}${slash}`)).id).toBe(id);
		for (const slash of ['', '/'])
			expect((await client.call('GET', `/v2/webhooks${slash}`)).status).toBe(200);
	});
	test('other versions do not exist', async () => {
		for (const path of [
			'/v3/webhooks',
			'/v2/transactions',
			'/mortgage/v3/transactions',
			'/mortgage/transactions',
		])
			expect((await client.call('GET', path)).status).toBe(404);
		sandbox.problems.length = 0;
	});
	test('strange and badly encoded ids get an error', async () => {
		for (const id of ['ot_%2F', '..%2f..', '%E0%A4%A', 'ot_ä'])
			expect((await client.call('GET', `/transactions/${id}`)).status).toBeGreaterThanOrEqual(400);
		sandbox.problems.length = 0;
	});
});

describe('bodies', () => {
	test('a GET with a body is refused with 403', async () => {
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
	test('what openapi.yaml does not know is refused and recorded as a problem', async () => {
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
	test('with the switch ignore, unknown fields of a body are left out, at any depth', async () => {
		sandbox.world.settings.switches.unknownFields = 'ignore';
		try {
			const made = await client.ok('POST', '/mortgage/v1/transactions', {
				...CLOSING,
				colour: 'red',
				signer: { ...CLOSING.signer, colour: 'red' },
			});
			expect(JSON.stringify(made)).not.toMatch(/colour/);
			expect(made.signer_info.email).toBe(CLOSING.signer.email);
			expect((await client.refused('GET', '/transactions?colour=red'))[0]).toBe(422);
			expect(sandbox.problems.splice(0)).toHaveLength(1);
		} finally {
			sandbox.world.settings.switches.unknownFields = 'refuse';
		}
	});
	test('texts, arrays and objects of another type are 400, on webhooks 422', async () => {
		const answer = async (method: string, path: string, body: object) => {
			const { status, body: refused } = await client.call(method, path, body);
			return [status, refused.errors[0]];
		};
		const id = await newClosing(client);
		expect(await answer('PUT', `/mortgage/v1/transactions/${id}`, { transaction_name: 7 })).toEqual(
			[400, 'Invalid value for transaction_name - expected String'],
		);
		expect(await answer('POST', '/transactions', { signers: { email: 'a@example.com' } })).toEqual([
			400,
			'Invalid value for signers - expected Array',
		]);
		expect(await answer('POST', '/transactions', { signers: [{ email: 7 }] })).toEqual([
			400,
			'Invalid value for email - expected String',
		]);
		expect(
			await answer('POST', `/transactions/${id}/documents`, {
				resource: 'x',
				requirement: 'esign',
				signing_designations: {},
			}),
		).toEqual([400, 'Invalid value for signing_designations - expected Array']);
		for (const subscriptions of ['*', undefined])
			expect(
				await answer('POST', '/v2/webhooks', { url: 'https://a.example/', subscriptions }),
			).toEqual([422, 'Invalid value for required field subscriptions - expected Array']);
		sandbox.problems.length = 0;
	});
	test('a body that is not JSON, or says that it is something else, gets 400', async () => {
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
	test('Base URL and requests: bodies and responses are JSON', async () => {
		const { status, headers } = await client.call('POST', '/mortgage/v1/transactions', CLOSING);
		expect([status, headers.get('content-type')]).toEqual([
			200,
			expect.stringMatching(/^application\/json/),
		]);
		expect((await client.call('GET', '/transactions/none')).headers.get('content-type')).toMatch(
			/^application\/json/,
		);
	});
	test('Base URL and requests: a body goes with Content-Type application/json', async () => {
		const send = async (type: string) =>
			(
				await fetch(`${sandbox.url}/mortgage/v1/transactions`, {
					method: 'POST',
					headers: { ApiKey: sandbox.keys.full, 'content-type': type },
					body: JSON.stringify(CLOSING),
				})
			).status;
		expect(await send('application/json')).toBe(200);
		expect(await send('text/plain')).toBe(400);
		sandbox.problems.length = 0;
	});
});
