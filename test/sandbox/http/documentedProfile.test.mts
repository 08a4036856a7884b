/**
 * The documented profile: a service that offers only the documented interface
 * (docs/service/README.md#a-documented-only-service).
 */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { Client, newClosing, Receiver } from '../support/client.mts';

describe('the documented profile', () => {
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
