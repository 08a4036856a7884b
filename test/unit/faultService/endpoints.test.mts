import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import { call, service, useFaultService } from './support/useFaultService.mts';

useFaultService();

const draft = (more = {}) => ({ draft: true, signers: [{ email: 'ann@example.com' }], ...more });

describe('lists', () => {
	test('have pages, a count and filters, the newest first', async () => {
		for (let number = 1; number <= 12; number++)
			await call('POST', '/transactions', draft({ external_id: `t${number}` }));
		const names = ({ json }: any) => json.data.map((one: any) => one.external_id);
		const first = await call('GET', '/transactions');
		expect(first.json).toMatchObject({ total_count: 12, count: 10 });
		expect(names(first).slice(0, 2)).toEqual(['t12', 't11']);
		expect(names(await call('GET', '/transactions?limit=5&offset=10'))).toEqual(['t2', 't1']);
		const sent = await call('GET', '/transactions?transaction_status=sent');
		expect(sent.json).toEqual({ total_count: 0, count: 0, data: [] });
		const since = first.json.data[1].date_created;
		expect(names(await call('GET', `/transactions?created_date_start=${since}`))).toHaveLength(2);
		expect((await call('GET', '/transactions?limit=1001')).status).toBe(400);
		expect((await call('GET', '/mortgage/v1/transactions')).json.total_count).toBe(0);
	});
});

describe('webhooks', () => {
	const url = 'https://example.com/hook';
	test('are created, listed, changed and deleted, on both paths', async () => {
		const secret = { url, subscriptions: ['transaction.*'], signing_key: 's', header: 'A:b' };
		const made = await call('POST', '/v2/webhooks/', secret);
		expect(made.json).toMatchObject({ url, header: 'A:b', headers: ['A:b'], enabled: true });
		expect(made.json).not.toHaveProperty('signing_key');
		const path = `/webhooks/${made.json.id}`;
		expect((await call('GET', '/mortgage/v2/webhooks')).json).toEqual([made.json]);
		const change = { url: `${url}/2`, subscriptions: ['transaction.created'] };
		expect((await call('PUT', `/v2${path}`, change)).json).toEqual({ updated: true });
		expect((await call('GET', `/v2${path}`)).json).toMatchObject(change);
		for (let number = 1; number <= 3; number++) await call('POST', '/transactions', draft());
		const events = await call('GET', `/v2${path}/events?limit=2&offset=1`);
		expect(events.json).toHaveLength(2);
		expect(events.json[0]).toMatchObject({ event: 'transaction.created', response: { code: 200 } });
		expect((await call('GET', `/mortgage/v2${path}/events?limit=2`)).json).toHaveLength(3);
		expect((await call('GET', '/v2/webhooks/subscriptions')).json.transaction).toContain(
			'transaction.completed',
		);
		expect((await call('DELETE', `/v2${path}`)).json).toEqual({ deleted: true });
		expect((await call('DELETE', `/v2${path}`)).status).toBe(404);
		expect(service.effects.filter(({ kind }) => kind.startsWith('webhook'))).toMatchObject([
			{ kind: 'webhook.created', marker: url },
			{ kind: 'webhook.updated', marker: `${url}/2` },
			{ kind: 'webhook.deleted' },
		]);
	});
	test('are called with a signature if they are to be', async () => {
		service.options.deliver = true;
		const received = new Promise<[any, string]>((done) => {
			const receiver = createServer((request, response) => {
				const chunks: Buffer[] = [];
				request.on('data', (chunk) => chunks.push(chunk));
				request.on('end', () => {
					response.end();
					receiver.close();
					done([request.headers, Buffer.concat(chunks).toString()]);
				});
			});
			receiver.listen(0, '127.0.0.1', async () => {
				const { port } = receiver.address() as AddressInfo;
				const hook = { url: `http://127.0.0.1:${port}`, subscriptions: ['*'] };
				await call('POST', '/v2/webhooks', hook);
				await call('POST', '/transactions', draft());
			});
		});
		const [headers, body] = await received;
		expect(headers).toMatchObject({ 'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(JSON.parse(body)).toMatchObject({ event: 'transaction.created' });
	});
});

describe('notaries', () => {
	test('are added, found and deleted with 204', async () => {
		const nora = { email: 'n@example.com', first_name: 'N', last_name: 'O', us_state_abbr: 'tx' };
		const { json } = await call('POST', '/notaries', nora);
		expect(json).toMatchObject({ status: 'not_compliant', us_state_abbr: 'TX' });
		expect((await call('GET', '/notaries/?us_state_abbr=TX')).json).toEqual([json]);
		expect((await call('GET', `/notaries/${json.id}`)).json).toEqual(json);
		expect((await call('DELETE', `/notaries/${json.id}`)).status).toBe(204);
		expect((await call('DELETE', `/notaries/${json.id}`)).json).toEqual({ errors: ['Not Found'] });
	});
});

describe('refusals', () => {
	test.each([
		['POST', '/transactions', { draft: true }, 422, 'Need at least 1 signer'],
		['POST', '/transactions', { draft: true, signers: [{}] }, 422, 'Customer email not present'],
		[
			'POST',
			'/transactions',
			draft({ signers: {} }),
			400,
			'Invalid value for signers - expected Array',
		],
		['POST', '/transactions', draft({ signers: [{ email: 'x' }] }), 400, 'Invalid email format.'],
		[
			'POST',
			'/v2/webhooks',
			{ url: 'https://a.b' },
			422,
			'Invalid value for required field subscriptions - expected Array',
		],
		[
			'POST',
			'/v2/webhooks',
			{ url: 'https://a.b', subscriptions: ['x'] },
			422,
			'Invalid subscription passed',
		],
		[
			'POST',
			'/mortgage/v1/transactions',
			{ signer: {}, signers: [] },
			422,
			'Use either the signers array or signer/cosigner input fields',
		],
		['DELETE', '/documents/do_1', undefined, 404, 'Document Not Found'],
		['GET', '/mortgage/v1/recording_locations', undefined, 400, 'Transaction type is invalid'],
	])('%s %s with %j is %i "%s"', async (method, path, body, status, text) => {
		expect(await call(method, path, body)).toEqual({ status, json: { errors: [text] } });
		expect(service.effects).toEqual([]);
		expect(service.requests[0]).toMatchObject({ applied: false, answered: true, honest: true });
	});
	test('a wrong key, an unknown path, a GET with a body, broken JSON and broken base64', async () => {
		const headers = { ApiKey: service.key, 'content-type': 'application/json' };
		const wrong = await fetch(`${service.url}/transactions`, { headers: { ApiKey: 'x' } });
		expect([wrong.status, await wrong.json()]).toEqual([
			401,
			{
				message: 'Invalid authentication credentials',
				errors: ['Invalid authentication credentials'],
			},
		]);
		expect((await call('GET', '/nothing')).json).toEqual({
			errors: { request: 'resource not found' },
		});
		expect((await call('POST', '/mortgage/v1/webhooks', {})).status).toBe(404);
		const broken = { method: 'POST', headers, body: '{' };
		expect((await fetch(`${service.url}/transactions`, broken)).status).toBe(400);
		const { json } = await call('POST', '/transactions', draft());
		const bad = { resource: 'JVBERi0x=LjQK' };
		expect((await call('POST', `/transactions/${json.id}/documents`, bad)).status).toBe(400);
		const wrongPlatform = await call('DELETE', `/documents/${(await closingDocument()).id}`);
		expect(wrongPlatform.json).toEqual({
			errors: ['You must use the RealEstate API for real estate transactions'],
		});
	});
	const closingDocument = async () => {
		const body = { signer: { email: 'a@example.com' } };
		return (await call('POST', '/mortgage/v1/transactions', body)).json.documents[0];
	};
});
