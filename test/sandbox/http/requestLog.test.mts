/** The log of API requests. */

import { describe, expect, test } from '@jest/globals';

import { CLOSING } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

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
