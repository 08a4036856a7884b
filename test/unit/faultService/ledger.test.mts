import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from '@jest/globals';

import { readAnswer, until } from './support/clients.mts';
import { call, service, useFaultService } from './support/useFaultService.mts';

/** What a test can learn of requests and effects. */

useFaultService({ interval: 3, slowMs: 30 });

const body = (external_id: string) => ({
	draft: true,
	external_id,
	signers: [{ email: 'ann@example.com' }],
});

test('an effect tells its request, its input and the id that was made', async () => {
	await call('GET', '/templates');
	const { json } = await call('POST', '/transactions', body('order 1'));
	expect(service.effects).toEqual([
		{
			kind: 'transaction.created',
			id: json.id,
			at: expect.any(Number),
			requestNumber: 2,
			marker: 'order 1',
		},
	]);
	expect(service.requests[1]).toMatchObject({
		number: 2,
		host: 'api',
		method: 'POST',
		path: '/transactions',
		endpoint: 'POST B/transactions',
		write: true,
		applied: true,
		answered: true,
		honest: true,
		aborted: false,
		status: 200,
		size: JSON.stringify(body('order 1')).length,
	});
	expect(service.requests[1].headers).toMatchObject({ apikey: service.key });
	service.forget();
	expect([service.effects, service.requests]).toEqual([[], []]);
	expect((await call('GET', '/transactions')).json.total_count).toBe(1);
});

test('a lost answer after the work leaves an effect, one before it does not', async () => {
	for (const when of ['before', 'after']) {
		service.inject({ fault: `network:reset-before-headers/${when}` });
		await expect(call('POST', '/transactions', body(when))).rejects.toThrow();
	}
	expect(service.effects.map(({ marker }) => marker)).toEqual(['after']);
	expect(service.requests).toMatchObject([
		{ applied: false, answered: false, honest: false },
		{ applied: true, answered: false, honest: false },
	]);
});

test('a client that gives up is seen', async () => {
	service.inject({ fault: 'time:stalled-headers/after' });
	const headers = { ApiKey: service.key, 'Content-Type': 'application/json' };
	const url = `${service.url}/transactions`;
	const sent = { method: 'POST', url, headers, body: JSON.stringify(body('stalled')) };
	expect(await readAnswer(sent, 100)).toBeUndefined();
	await until(() => service.openSockets() === 0);
	expect(service.requests[0]).toMatchObject({ applied: true, answered: false, aborted: true });
});

test('a body that is cut is not carried out', async () => {
	const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
	socket.on('error', () => {});
	await once(socket, 'connect');
	expect(service.openSockets()).toBe(1);
	socket.write(
		`POST /transactions HTTP/1.1\r\nHost: x\r\nApiKey: ${service.key}\r\n` +
			'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"draft":true',
	);
	await until(() => service.requests.length > 0);
	socket.destroy();
	await until(() => service.requests[0].aborted);
	expect(service.requests[0]).toMatchObject({ applied: false, answered: false });
	expect(service.effects).toEqual([]);
});

test('the key that follows a redirect to another origin is seen there', async () => {
	service.inject({ fault: 'redirect:307-elsewhere/before' });
	const headers = { ApiKey: service.key, 'content-type': 'application/json' };
	const answer = await fetch(`${service.url}/transactions?limit=1`, { headers });
	expect(await answer.json()).toEqual({ id: 'ot_elsewhere' });
	const there = service.requests.filter(({ host }) => host === 'elsewhere');
	// fetch keeps headers of one's own: this client would leak its key.
	expect(there).toMatchObject([
		{ path: '/transactions?limit=1', headers: { apikey: service.key } },
	]);
});

test('a redirect loop goes on until the client has had enough', async () => {
	service.inject({ fault: 'redirect:302-loop/before' });
	await expect(call('GET', '/transactions')).rejects.toThrow('fetch failed');
	expect(service.requests.length).toBeGreaterThan(10);
});

test('changed queries change the page, not the state', async () => {
	for (let number = 1; number <= 4; number++)
		await call('POST', '/transactions', body(`t${number}`));
	const names = async (fault: string, query: string) => {
		service.inject({ fault: `lists:${fault}/after` });
		const { json } = await call('GET', `/transactions?${query}`);
		return json.data.map((one: any) => one.external_id);
	};
	expect(await names('first-page-for-ever', 'limit=2&offset=2')).toEqual(['t4', 't3']);
	expect(await names('pages-overlap', 'limit=2&offset=2')).toEqual(['t3', 't2']);
	expect(await names('pages-short', 'limit=3')).toEqual(['t4']);
	expect(await names('limit-ignored', 'limit=1')).toHaveLength(4);
	expect(await names('filters-ignored', 'transaction_status=sent')).toHaveLength(4);
	expect(await names('entries-oldest-first', 'limit=2')).toEqual(['t3', 't4']);
	const hook = { url: 'https://example.com', subscriptions: ['*'] };
	const { json } = await call('POST', '/v2/webhooks', hook);
	await call('POST', '/transactions', body('t5'));
	service.inject({ fault: 'lists:first-events-for-ever/after' });
	expect((await call('GET', `/v2/webhooks/${json.id}/events?offset=1`)).json).toHaveLength(1);
});
