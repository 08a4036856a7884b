/** Faults on demand. */

import { describe, expect, test } from '@jest/globals';

import type { FaultKind } from '../../../sandbox/http/faults.mts';
import { CLOSING } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('faults', () => {
	const count = () => sandbox.world.transactions.size;
	test.each<[FaultKind, number]>([
		['cutBefore', 0],
		['cutAfter', 1],
		['cutMidBody', 0],
	])('%s hangs up; work done: %i', async (kind, done) => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind });
		const before = count();
		await expect(client.call('POST', '/mortgage/v1/transactions', CLOSING)).rejects.toThrow(
			/fetch failed|terminated/,
		);
		expect(count() - before).toBe(done);
		expect((await client.call('POST', '/mortgage/v1/transactions', CLOSING)).status).toBe(200);
	});
	test('respond, with skip, times, headers and a pattern', async () => {
		sandbox.faults.add({
			path: /webhooks$/,
			skip: 1,
			times: 2,
			status: 429,
			headers: { 'retry-after': '7' },
			body: { error: 'Slow down' },
		});
		const answers = [];
		for (let index = 0; index < 4; index++) answers.push(await client.call('GET', '/v2/webhooks'));
		expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
		expect([answers[1].headers.get('retry-after'), answers[1].body]).toEqual([
			'7',
			{ error: 'Slow down' },
		]);
	});
	test('notJson answers 200 with a page', async () => {
		sandbox.faults.add({ kind: 'notJson' });
		const answer = await fetch(`${sandbox.url}/v2/webhooks`, {
			headers: { ApiKey: sandbox.keys.full },
		});
		expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html']);
	});
	test('earlyRefusal answers before the body is read', async () => {
		sandbox.faults.add({ kind: 'earlyRefusal', status: 422, body: { errors: ['Too late'] } });
		let sent = 0;
		const slow = new ReadableStream({
			async pull(controller) {
				if (sent++ > 2) return await new Promise(() => undefined);
				controller.enqueue(Buffer.alloc(1024));
			},
		});
		const answer = await fetch(`${sandbox.url}/transactions/x/documents`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: slow,
			duplex: 'half',
		} as RequestInit);
		expect([answer.status, await answer.json()]).toEqual([422, { errors: ['Too late'] }]);
	});
	test('stall answers the head and never the end', async () => {
		sandbox.faults.add({ kind: 'stall' });
		await expect(
			fetch(`${sandbox.url}/v2/webhooks`, {
				headers: { ApiKey: sandbox.keys.full },
				signal: AbortSignal.timeout(150),
			}).then(async (answer) => await answer.text()),
		).rejects.toThrow(/abort|timeout/i);
	});
});
