/**
 * Status codes and shapes of errors (docs/service/errors.md#statuses,
 * docs/service/errors.md#error-bodies).
 */

import { describe, expect, test } from '@jest/globals';

import { refusalBody } from '../../../sandbox/domain/refusal.mts';
import { Client, newSent, reasonOf } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('errors', () => {
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
				shapes.add(JSON.stringify(body));
			}
		}
		expect(shapes.size).toBe(6);
	});
	test('a refusal whose shape is published has that shape', async () => {
		const wrong = new Client(sandbox, 'wrong');
		expect((await wrong.call('GET', '/v2/webhooks')).body).toEqual({
			message: 'Invalid authentication credentials',
			errors: ['Invalid authentication credentials'],
		});
		expect((await client.call('GET', '/transactions/ot_none')).body).toEqual({
			errors: ['Transaction Not Found'],
		});
		expect((await client.call('GET', '/v2/webhooks/wh1/events')).body).toEqual({
			errors: { request: 'resource not found' },
		});
	});
	test('lik: each answer carries a trace header', async () => {
		expect((await client.call('GET', '/transactions/none')).headers.get('x-amz-trace-id')).toMatch(
			/^Root=1-/,
		);
	});
});

test('Statuses: errors are indicated by HTTP status codes', async () => {
	const id = await newSent(client);
	const statuses = [
		(await new Client(sandbox, 'wrong').call('GET', '/v2/webhooks')).status,
		(await new Client(sandbox, sandbox.keys.clientOnly).call('GET', '/v2/webhooks')).status,
		(await client.call('GET', '/transactions/ot_none')).status,
		(await client.call('POST', `/transactions/${id}/send_sms`, { phone: { number: 'later' } }))
			.status,
		(
			await client.call('POST', `/transactions/${id}/documents`, {
				resource: 'x',
				requirement: 'esign',
			})
		).status,
	];
	expect(statuses).toEqual([401, 403, 404, 400, 422]);
});
