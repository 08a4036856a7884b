/** The console, and the paths that its buttons call. */

import { expect, test } from 'vitest';

import { ACTION_NAMES } from '../../../sandbox/actors/actionNames.mts';
import { newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

async function control(method: string, path: string, body?: object, more: object = {}) {
	const headers = { ...(body && { 'content-type': 'application/json' }), ...more };
	const answer = await fetch(`${sandbox.url}/sandbox${path}`, {
		method,
		headers,
		body: body && JSON.stringify(body),
	});
	return { status: answer.status, body: (await answer.json()) as any };
}

test('actions, with the reason where they are refused, and the state of all', async () => {
	const id = await newSent(client);
	const act = async (name: string) => await control('POST', `/transactions/${id}/${name}`);
	expect((await act('notarize')).body.message).toBe('No document needs a notary');
	expect((await act('openEmail')).status).toBe(200);
	expect((await act('sign')).body.status).toBe('completed');
	expect((await act('dance')).status).toBe(404);
	expect((await control('GET', '/state')).body.transactions[0]).toMatchObject({
		id,
		status: 'completed',
		why_not: { sign: 'The transaction is completed' },
	});
	const held = await newSent(client);
	const reason = { reason: 'a doubt' };
	expect((await control('POST', `/transactions/${held}/holdForReview`, reason)).body).toMatchObject(
		{
			detailed_status: 'held_for_review',
			why_not: { sign: 'The transaction is held for review', review: null },
		},
	);
});

test('clock, speed, faults and the request log', async () => {
	const before = sandbox.clock.now();
	await control('POST', '/clock/advance', { seconds: 3600 });
	expect(sandbox.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
	await control('POST', '/clock/speed', { speed: 60 });
	expect(sandbox.clock.speed).toBe(60);
	await control('POST', '/clock/speed', { speed: 1 });
	await control('POST', '/faults', { status: 503 });
	expect(await client.statuses('GET', ['/v2/webhooks'])).toEqual([503]);
	await control('POST', '/faults', { status: 503 });
	await control('DELETE', '/faults');
	expect(await client.statuses('GET', ['/v2/webhooks'])).toEqual([200]);
	expect((await control('GET', '/requests')).body.at(-1)).toMatchObject({
		path: '/v2/webhooks',
		status: 200,
	});
});

test('the console is served, names every action, and no page of another site can use its paths', async () => {
	const get = async (path: string) => await (await fetch(sandbox.url + path)).text();
	const page = await get('/console');
	expect(page).toMatch(/Sandbox console/);
	for (const file of ['page.css', 'cards.css', 'console.mjs', 'transactions.mjs'])
		expect((await fetch(`${sandbox.url}/console/${file}`)).status).toBe(200);
	const script = await get('/console/actions.mjs');
	expect(ACTION_NAMES.filter((name) => !new RegExp(`\\b${name}(:|')`).test(script))).toEqual([]);
	const foreign = { 'sec-fetch-site': 'cross-site' };
	expect((await control('POST', '/clock/advance', { seconds: 1 }, foreign)).status).toBe(403);
});
