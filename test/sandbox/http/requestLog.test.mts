/** The log of API requests. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { Client, CLOSING } from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('request log', () => {
	test('logs each request with method, path, query, headers as received, body and status', async () => {
		sandbox.requests.clear();
		expect(sandbox.requests).toEqual([]);
		await client.call('POST', '/mortgage/v1/transactions', CLOSING);
		await client.call('GET', '/transactions?limit=3');
		expect(sandbox.requests).toMatchObject([
			{
				method: 'POST',
				path: '/mortgage/v1/transactions',
				headers: { apikey: sandbox.keys.full },
				body: CLOSING,
				bodyBytes: JSON.stringify(CLOSING).length,
				status: 200,
				valid: true,
				operationId: 'createClosing',
			},
			{ method: 'GET', path: '/transactions', query: { limit: '3' }, status: 200 },
		]);
		expect(sandbox.problems).toEqual([]);
	});
});
