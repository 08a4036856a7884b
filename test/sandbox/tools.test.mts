import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import type { FaultKind } from '../../sandbox/http/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { createOperations } from '../../sandbox/operations/index.mts';
import { ACTION_NAMES } from '../../sandbox/actors/actionNames.mts';
import { Client, CLOSING, newClosing, newCompleted, newSent } from './support/client.mts';

/**
 * What the sandbox has for tests and people: faults, clock, seeds, log, control paths, command
 * line.
 */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterEach(() => sandbox.faults.clear());
afterAll(async () => await sandbox.close());

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

describe('log', () => {
	test('each request with method, path, query, headers as received, body, status', async () => {
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

describe('control paths', () => {
	const control = async (
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	) => {
		const answer = await fetch(sandbox.url + path, {
			method,
			headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
			body: body && JSON.stringify(body),
		});
		return { status: answer.status, body: (await answer.json()) as any };
	};
	test('state, actions with reasons, files', async () => {
		const id = await newSent(client);
		expect((await control('POST', `/sandbox/transactions/${id}/notarize`)).body.message).toBe(
			'No document needs a notary',
		);
		expect((await control('POST', `/sandbox/transactions/${id}/openEmail`)).status).toBe(200);
		expect((await control('POST', `/sandbox/transactions/${id}/sign`)).body.status).toBe(
			'completed',
		);
		expect((await control('POST', `/sandbox/transactions/${id}/dance`)).status).toBe(404);
		const { transactions } = (await control('GET', '/sandbox/state')).body;
		expect(transactions[0]).toMatchObject({
			id,
			status: 'completed',
			why_not: { sign: 'The transaction is completed' },
		});
		const files = (await control('GET', `/sandbox/files/${await newCompleted(client)}`)).body;
		expect(files.map(({ kind }: any) => kind)).toEqual([
			'document',
			'auditTrail',
			'video',
			'identityImage',
			'identityImage',
			'identityImage',
		]);
		expect(files[0]).toMatchObject({
			name: 'Deed',
			bytes: expect.any(Number),
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
	});
	test('clock, speed, faults, requests', async () => {
		const before = sandbox.clock.now();
		await control('POST', '/sandbox/clock/advance', { seconds: 3600 });
		expect(sandbox.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
		await control('POST', '/sandbox/clock/speed', { speed: 60 });
		expect(sandbox.clock.speed).toBe(60);
		await control('POST', '/sandbox/clock/speed', { speed: 1 });
		await control('POST', '/sandbox/faults', { status: 503 });
		expect((await client.call('GET', '/v2/webhooks')).status).toBe(503);
		await control('POST', '/sandbox/faults', { status: 503 });
		await control('DELETE', '/sandbox/faults');
		expect((await client.call('GET', '/v2/webhooks')).status).toBe(200);
		expect((await control('GET', '/sandbox/requests')).body.at(-1)).toMatchObject({
			path: '/v2/webhooks',
			status: 200,
		});
	});
	test('notaries join and are reviewed, a transaction is held and reviewed', async () => {
		const { body: joined } = await control('POST', '/sandbox/notaries', {
			name: 'Ada Attest',
			state: 'TX',
		});
		expect(joined).toMatchObject({ name: 'Ada Attest', compliance: 'created' });
		expect((await control('POST', '/sandbox/notaries')).status).toBe(200);
		for (const compliance of ['needs_review', 'non_compliant', 'compliant']) {
			expect(
				(await control('POST', `/sandbox/notaries/${joined.id}/${compliance}`)).body.compliance,
			).toBe(compliance);
		}
		expect((await control('POST', `/sandbox/notaries/${joined.id}/famous`)).status).toBe(404);
		expect((await control('POST', '/sandbox/notaries/us_nobody/compliant')).status).toBe(404);
		expect(
			(await control('GET', '/sandbox/state')).body.notaries.map(({ name }: any) => name),
		).toContain('Ada Attest');
		const id = await newSent(client);
		expect(
			(await control('POST', `/sandbox/transactions/${id}/holdForReview`, { reason: 'a doubt' }))
				.body,
		).toMatchObject({
			detailed_status: 'held_for_review',
			why_not: { sign: 'The transaction is held for review', review: null },
		});
		expect((await control('POST', `/sandbox/transactions/${id}/review`)).body.detailed_status).toBe(
			'sent_to_signer',
		);
	});
	test('the console has a button for every action', async () => {
		const script = await (await fetch(`${sandbox.url}/console/actions.mjs`)).text();
		expect(ACTION_NAMES.filter((name) => !new RegExp(`\\b${name}(:|')`).test(script))).toEqual([]);
	});
	test('the console is there; a page of another site can not play', async () => {
		expect(await (await fetch(`${sandbox.url}/console`)).text()).toMatch(/Sandbox console/);
		for (const file of ['page.css', 'cards.css', 'console.mjs', 'transactions.mjs'])
			expect((await fetch(`${sandbox.url}/console/${file}`)).status).toBe(200);
		expect(
			(
				await control(
					'POST',
					'/sandbox/clock/advance',
					{ seconds: 1 },
					{ 'sec-fetch-site': 'cross-site' },
				)
			).status,
		).toBe(403);
	});
});

test('a run repeats: the same seed gives the same ids, another seed others', async () => {
	const ids = [];
	for (const seed of ['same', 'same', 'other']) {
		const seeded = await startSandbox({ seed });
		ids.push(await newClosing(new Client(seeded)));
		await seeded.close();
	}
	expect(ids[0]).toBe(ids[1]);
	expect(ids[0]).not.toBe(ids[2]);
});

test('time can run faster', async () => {
	const fast = await startSandbox({ clockSpeed: 10_000 });
	const before = fast.clock.now();
	await fetch(fast.url);
	expect(fast.clock.now() - before).toBeGreaterThan(1000);
	await fast.close();
});

test('every operation of openapi.yaml has a mark and a function, and every function an operation', () => {
	const { paths } = parse(
		readFileSync(new URL('../../sandbox/openapi.yaml', import.meta.url), 'utf8'),
		{ merge: true },
	);
	const operations = Object.values<any>(paths).flatMap((path) =>
		['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
			path[method] ? [path[method]] : [],
		),
	);
	expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
		Object.keys(createOperations(sandbox.world)).sort(),
	);
	for (const operation of operations)
		expect(['doc', 'pub', 'lik', 'def']).toContain(operation['x-mark']);
});

describe('command line', () => {
	const run = promisify(execFile);
	const main = new URL('../../sandbox/main.mts', import.meta.url).pathname;
	test('a port in use is named', async () => {
		const failed = await run(process.execPath, [main, '--port', String(sandbox.port)]).catch(
			(thrown) => thrown,
		);
		expect([failed.code, failed.stderr]).toEqual([
			1,
			expect.stringMatching(new RegExp(`Port ${sandbox.port} is in use`)),
		]);
	});
	test('prints address, console, key and organization, and closes on Ctrl-C', async () => {
		const child = execFile(process.execPath, [main, '--port', '0']);
		let text = '';
		for await (const chunk of child.stdout!) {
			text += chunk;
			if (text.includes('Ctrl-C')) child.kill('SIGINT');
		}
		expect(text).toMatch(
			/http:\/\/127\.0\.0\.1:\d+\/console[\s\S]*demo-full-access-key[\s\S]*or_harbor/,
		);
		expect(child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))).toBe(0);
	});
});
