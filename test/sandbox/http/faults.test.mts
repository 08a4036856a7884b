/** Faults on demand. */

import { expect, test } from '@jest/globals';

import type { FaultKind } from '../../../sandbox/http/faults.mts';
import { CLOSING, R } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const ask = async (more: object = {}, path = '/v2/webhooks') =>
	await fetch(sandbox.url + path, { headers: { ApiKey: sandbox.keys.full }, ...more });

test.each<[FaultKind, number]>([
	['cutBefore', 0],
	['cutAfter', 1],
	['cutMidBody', 0],
])('%s hangs up; work done: %i', async (kind, done) => {
	sandbox.faults.add({ method: 'POST', path: '/transactions', kind });
	const before = sandbox.world.transactions.size;
	const cut = client.call('POST', R, CLOSING);
	await expect(cut).rejects.toThrow(/fetch failed|terminated/);
	expect(sandbox.world.transactions.size - before).toBe(done);
	expect((await client.call('POST', R, CLOSING)).status).toBe(200);
});

test('respond, with skip, times, headers and a pattern', async () => {
	const body = { error: 'Slow down' };
	const headers = { 'retry-after': '7' };
	sandbox.faults.add({ path: /webhooks$/, skip: 1, times: 2, status: 429, headers, body });
	const answers = [];
	for (let index = 0; index < 4; index++) answers.push(await client.call('GET', '/v2/webhooks'));
	expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
	expect([answers[1].headers.get('retry-after'), answers[1].body]).toEqual(['7', body]);
});

test('notJson answers 200 with a page', async () => {
	sandbox.faults.add({ kind: 'notJson' });
	const { status, headers } = await ask();
	expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
});

test('earlyRefusal answers before the body is read', async () => {
	const errors = ['Too late'];
	sandbox.faults.add({ kind: 'earlyRefusal', status: 422, body: { errors } });
	let sent = 0;
	const body = new ReadableStream({
		async pull(controller) {
			if (sent++ > 2) return await new Promise(() => undefined);
			controller.enqueue(Buffer.alloc(1024));
		},
	});
	const headers = { ApiKey: sandbox.keys.full, 'content-type': 'application/json' };
	const answer = await ask(
		{ method: 'POST', headers, body, duplex: 'half' },
		'/transactions/x/documents',
	);
	expect([answer.status, await answer.json()]).toEqual([422, { errors }]);
});

test('stall answers the head and never the end', async () => {
	sandbox.faults.add({ kind: 'stall' });
	const answer = ask({ signal: AbortSignal.timeout(150) });
	await expect(answer.then(async (head) => await head.text())).rejects.toThrow(/abort|timeout/i);
});
