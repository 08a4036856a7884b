/** The console, and the paths that its buttons call. */

import { ACTION_NAMES } from '../../../sandbox/actors/actionNames.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	newClosing,
	newDocument,
	newDraft,
	newOrdered,
	newSent,
	R,
} from '../support/client.mts';
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

/** Transactions in the states that differ in what people can do. */
const SCENES: Record<string, () => Promise<string>> = {
	'a draft': async () => await newDraft(client),
	'a closing without documents': async () => await newClosing(client),
	'a closing whose document is being processed': async () => {
		sandbox.world.settings.processingMs = 3_600_000;
		const id = await newClosing(client);
		await client.ok('POST', `${R}/${id}/documents`, await newDocument());
		return id;
	},
	'a closing that can be sent': async () => {
		const id = await newClosing(client);
		await addDocument(client, id);
		return id;
	},
	'a closing that lacks its eNote': async () => {
		const id = await newClosing(client, { paper_note_consent: false });
		await addDocument(client, id);
		return id;
	},
	'an order': async () => {
		sandbox.world.settings.closingTeam = 'manual';
		return await newOrdered(client);
	},
	'a sent closing': async () => await newOrdered(client),
	'one that is to be signed': async () => await newSent(client),
	'one that was signed': async () => {
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.sign(id);
		return id;
	},
	'one that is held': async () => {
		const id = await newSent(client);
		await sandbox.act.putOnHold(id);
		return id;
	},
	'one that was recalled': async () => {
		const id = await newSent(client);
		await sandbox.act.recall(id);
		return id;
	},
	'one that is to be paid': async () => {
		const id = await newSent(client, { payer: 'signer' });
		await sandbox.act.sign(id);
		return id;
	},
};

test.each(Object.entries(SCENES))('%s: what is offered is not refused', async (_name, build) => {
	const offered = async (id: string) => {
		const { transactions } = (await control('GET', '/state')).body;
		const { why_not: why } = transactions.find((one: any) => one.id === id);
		return ACTION_NAMES.filter((name) => why[name] === null);
	};
	const actions = await offered(await build());
	await forEachCase(actions, async (action) => {
		const id = await build();
		expect(await offered(id)).toEqual(actions);
		const { status, body } = await control('POST', `/transactions/${id}/${action}`);
		expect([action, status, body.message]).toEqual([action, 200, undefined]);
	});
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
	await forEachCase(['page.css', 'cards.css', 'console.mjs', 'transactions.mjs'], async (file) =>
		expect((await fetch(`${sandbox.url}/console/${file}`)).status).toBe(200),
	);
	const script = await get('/console/actions.mjs');
	expect(ACTION_NAMES.filter((name) => !new RegExp(`\\b${name}(:|')`).test(script))).toEqual([]);
	const foreign = { 'sec-fetch-site': 'cross-site' };
	expect((await control('POST', '/clock/advance', { seconds: 1 }, foreign)).status).toBe(403);
});
