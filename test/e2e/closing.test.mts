import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import {
	CREDENTIAL_TYPE,
	itemsOf,
	PACKAGE,
	whyFailed,
	type WorkflowJson,
} from '../../host/clients/n8nApi.mts';
import { Editor } from '../../host/clients/editor.mts';
import { sandboxCredential, setUpDemo, type Demo } from '../../host/demo/setUp.mts';
import { travel } from '../../host/demo/refinanceClosing.mts';
import { startSandbox } from '../../sandbox/index.mts';
import { id } from '../support/closing.mts';
import { startHost, type Host } from './support/host.mts';
import { findChromium } from '../../scripts/chromium.mts';

/**
 * The packed package in a real n8n: what a back office does, from installing it to the archived
 * closing.
 */

const CANARY = 'canary-71e2b0c94d5f4a66';
let host: Host;
let demo: Demo;
let recording: string;
beforeAll(async () => {
	host = await startHost({
		sandbox: { keys: { full: CANARY, clientOnly: 'only-creates', childFull: 'child-key' } },
	});
	demo = await setUpDemo(host.api, host.sandbox, host.folder);
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

describe('installed', () => {
	test('the package is listed under Community nodes with both nodes', async () => {
		const [listed] = await host.api.packages();
		expect(listed).toMatchObject({ packageName: PACKAGE });
		expect(listed.failedLoading).toBeFalsy();
		expect(listed.installedNodes.map(({ type }) => type).sort()).toEqual([
			`${PACKAGE}.signAndClose`,
			`${PACKAGE}.signAndCloseTrigger`,
		]);
	});
	test('the editor gets nodes and credential with their icons and categories', async () => {
		const types = await host.api.nodeTypes(PACKAGE);
		const node = types.find(({ name }) => name === `${PACKAGE}.signAndClose`)!;
		expect(node).toMatchObject({ displayName: 'Sign and Close' });
		expect((node.codex as any).categories).toContain('Finance & Accounting');
		const icons = node.iconUrl as { light: string; dark: string };
		for (const icon of [icons.light, icons.dark]) {
			const answer = await fetch(`${host.n8n.url}/${icon}`);
			expect(await answer.text()).toContain('<svg');
		}
		expect((await host.api.credentialTypes(CREDENTIAL_TYPE))[0]).toMatchObject({
			displayName: 'Sign and Close API',
		});
	});
	test('the editor gets a preview of an output', async () => {
		const answer = await fetch(
			`${host.n8n.url}/schemas/${PACKAGE}.signAndClose/1.0.0/transaction/get.json`,
			{ headers: { cookie: host.api.session.cookie } },
		);
		expect(await answer.json()).toMatchObject({
			type: 'object',
			properties: { transaction_id: { type: 'string' } },
		});
	});
});

describe('the test of the credential', () => {
	// The wrong path layout asks for what is not there; nothing else does.
	afterAll(() =>
		expect(host.sandbox.problems.splice(0)).toEqual([
			'GET /v9/webhooks: there is no such operation',
		]),
	);
	const ask = async (more: object) =>
		await host.api.testCredential('', 'Test', CREDENTIAL_TYPE, {
			...sandboxCredential(host.sandbox),
			...more,
		});

	test('good', async () => {
		expect(await ask({})).toMatchObject({ status: 'OK' });
		expect(await ask({ baseUrl: ` ${host.sandbox.url}/ `, pathLayout: 'current' })).toMatchObject({
			status: 'OK',
		});
		expect(await ask({ pathLayout: 'custom', webhooksPrefix: 'v2' })).toMatchObject({
			status: 'OK',
		});
	});
	test.each([
		['a wrong key', { apiKey: 'wrong' }, /did not accept 'API Key'/],
		['a key that may only create', { apiKey: 'only-creates' }, /full-access key/],
		[
			'a wrong path layout',
			{ pathLayout: 'custom', webhooksPrefix: '/v9' },
			/'Base URL' and 'Path Layout'/,
		],
		[
			'a base URL that is none',
			{ baseUrl: 'api.example.com' },
			/'Base URL' is not a complete address/,
		],
		[
			'plain http to another machine',
			{ baseUrl: 'http://api.example.com' },
			/must start with https/,
		],
	])('%s', async (_name, more, expected) => {
		const { status, message } = await ask(more);
		expect(status).toBe('Error');
		expect(message).toMatch(expected);
	});
	test("a web page that answers 200 in the service's place, and one that forwards", async () => {
		const page = createServer((request, response) => {
			if (request.url?.startsWith('/forward'))
				response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end();
			else
				response
					.writeHead(200, { 'content-type': 'text/html' })
					.end('<!doctype html><title>Welcome</title>');
		}).listen(0, '127.0.0.1');
		await once(page, 'listening');
		const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
		expect(await ask({ baseUrl: url })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/web page/),
		});
		expect(await ask({ baseUrl: `${url}/forward` })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/forwards elsewhere/),
		});
		page.close();
	});
	test('nothing listens there', async () => {
		const closed = await startSandbox();
		await closed.close();
		expect((await ask({ baseUrl: closed.url })).status).toBe('Error');
	});
});

describe('publishing', () => {
	test('leaves exactly one webhook at the service, unpublishing none, publishing again one', async () => {
		const hooks = () => [...host.sandbox.world.webhooks.values()];
		expect(hooks()).toHaveLength(1);
		expect(hooks()[0].subscriptions).toEqual([
			'transaction.completed',
			'transaction.completed_with_rejections',
		]);
		expect(hooks()[0].url).toMatch(/\/webhook\/.*\?key=[\w-]{43}$/);
		await host.api.unpublish(demo.archive.id);
		expect(hooks()).toHaveLength(0);
		await host.api.publish(demo.archive.id);
		expect(hooks()).toHaveLength(1);
	});
	test('a call without the secret is answered 401 and starts nothing', async () => {
		const [{ url }] = [...host.sandbox.world.webhooks.values()];
		const before = await host.api.executions(demo.archive.id);
		const answer = await fetch(url.split('?')[0], {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"event":"transaction.completed","data":{"transaction_id":"ot_x"}}',
		});
		expect(answer.status).toBe(401);
		expect(await host.api.executions(demo.archive.id)).toHaveLength(before.length);
	});
});

test('"Listen for test event" registers a webhook of its own, shows one event, and leaves the published one alone', async () => {
	const hooks = () =>
		[...host.sandbox.world.webhooks.values()]
			.map(({ url }) => new URL(url).pathname.split('/')[1])
			.sort();
	const production = hooks();
	const before = new Set(
		(await host.api.executions(demo.archive.id)).map((execution) => execution.id),
	);
	// n8n listens now instead of running.
	expect(await host.api.run(demo.archive.id)).toBeUndefined();
	expect(hooks()).toEqual([...production, 'webhook-test'].sort());
	const run = await host.api.runToEnd(demo.closing.id);
	const transactionId = String(itemsOf(run, 'Send closing')[0].json.transaction_id);
	await host.sandbox.act.sign(transactionId);
	await host.sandbox.act.notarize(transactionId);
	// One run in production, one for the person who listens.
	const runs = await host.api.waitForExecutions(demo.archive.id, 2, { except: before });
	expect(runs.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	for (const each of runs) {
		expect(whyFailed(each)).toBe('');
		expect(itemsOf(each, 'When a transaction is completed')[0].json).toMatchObject({
			event: 'transaction.completed',
			transaction_id: transactionId,
		});
	}
	expect(hooks()).toEqual(production);
}, 60_000);

test('both flows run: a closing from address check to archive, every file as the service holds it', async () => {
	const journey = await travel(host.api, host.sandbox.url, demo, () => undefined);
	expect(journey.complaints).toEqual([]);
	expect(journey.files).toHaveLength(9);
	expect(journey.states).toEqual([
		'started (draft)',
		'sent_to_closing_ops (order_placed)',
		'sent (sent_to_signer)',
		'received (viewed)',
		'partially_completed (partially_complete)',
		'active (meeting_in_progress)',
		'completed (complete)',
	]);
	expect(host.sandbox.problems).toEqual([]);
	expect(host.sandbox.deliveries.filter(({ code }) => code !== 200)).toEqual([]);
	recording = join(host.folder, journey.files.find(({ kind }) => kind === 'video')!.name);
}, 120_000);

(findChromium() === undefined ? test.skip : test)(
	'the archived recording plays in a browser',
	async () => {
		const browser = await chromium.launch({
			executablePath: findChromium(),
			args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
		});
		try {
			const page = await browser.newPage();
			await page.setContent(
				`<video muted src="data:video/mp4;base64,${readFileSync(recording).toString('base64')}"></video>`,
			);
			const played = await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
				await video.play();
				await new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
				return { seconds: video.currentTime, width: video.videoWidth };
			});
			expect(played.width).toBe(320);
			expect(played.seconds).toBeGreaterThan(2.5);
		} finally {
			await browser.close();
		}
	},
);

test('a rejected closing starts the archive flow too', async () => {
	const before = new Set(
		(await host.api.executions(demo.archive.id)).map((execution) => execution.id),
	);
	const run = await host.api.runToEnd(demo.closing.id);
	expect(whyFailed(run)).toBe('');
	await host.sandbox.act.reject(String(itemsOf(run, 'Send closing')[0].json.transaction_id));
	const [archived] = await host.api.waitForExecutions(demo.archive.id, 1, { except: before });
	expect(whyFailed(archived)).toBe('');
	expect(itemsOf(archived, 'When a transaction is completed')[0].json).toMatchObject({
		event: 'transaction.completed_with_rejections',
	});
});

test("n8n's HTTP Request node with this credential: the key goes to the service, and nowhere else, redirects included", async () => {
	const seen: Array<string | undefined> = [];
	const elsewhere = createServer((request, response) => {
		seen.push(request.headers.apikey as string | undefined);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(elsewhere, 'listening');
	const foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
	host.sandbox.faults.add({
		path: '/v2/webhooks',
		status: 302,
		headers: { location: foreign },
		skip: 1,
	});
	try {
		const ask = (name: string, url: string, x: number) => ({
			id: name,
			name,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [x, 0] as [number, number],
			parameters: {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
			},
			credentials: host.credentials,
			onError: 'continueRegularOutput',
		});
		const { id: workflowId } = await host.api.saveWorkflow({
			name: 'HTTP Request',
			nodes: [
				{
					id: 'a',
					name: 'Run',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				ask('Service', `${host.sandbox.url}/v2/webhooks`, 200),
				ask('Foreign', foreign, 400),
				ask('Forwarded', `${host.sandbox.url}/v2/webhooks`, 600),
			],
			connections: Object.fromEntries(
				[
					['Run', 'Service'],
					['Service', 'Foreign'],
					['Foreign', 'Forwarded'],
				].map(([from, node]) => [from, { main: [[{ node, type: 'main', index: 0 }]] }]),
			),
			settings: { executionOrder: 'v1' },
		});
		const run = await host.api.runToEnd(workflowId);
		expect(itemsOf(run, 'Service')[0].json).toHaveProperty('subscriptions');
		expect(JSON.stringify(itemsOf(run, 'Foreign')[0].json)).toMatch(/was not sent to/);
		expect(seen.filter((key) => key !== undefined)).toEqual([]);
	} finally {
		host.sandbox.faults.clear();
		elsewhere.close();
	}
});

test('item 2 of 3 fails: the error output of a real run has it, the others are unharmed', async () => {
	const flow: WorkflowJson = {
		name: 'Three items',
		nodes: [
			{
				id: 'a',
				name: 'Run',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'b',
				name: 'Three',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [200, 0],
				parameters: {
					jsCode:
						'return [{ json: { state: "MA" } }, { json: { state: "Massachusetts" } }, { json: { state: "VT" } }];',
				},
			},
			{
				id: 'c',
				name: 'Verify',
				type: `${PACKAGE}.signAndClose`,
				typeVersion: 1,
				position: [400, 0],
				parameters: {
					resource: 'address',
					operation: 'verify',
					transactionType: 'refinance',
					addressLine1: '1 Main St',
					addressCity: 'Boston',
					addressState: '={{ $json.state }}',
					addressZipCode: '02110',
				},
				credentials: host.credentials,
				onError: 'continueErrorOutput',
			},
			{
				id: 'd',
				name: 'Report',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				position: [600, 100],
				parameters: {
					assignments: {
						assignments: [
							{
								id: 'd1',
								name: 'failed',
								type: 'array',
								value: "={{ $('Verify').all(1).map(({ json }) => json.state) }}",
							},
						],
					},
					options: {},
				},
			},
		],
		connections: {
			Run: { main: [[{ node: 'Three', type: 'main', index: 0 }]] },
			Three: { main: [[{ node: 'Verify', type: 'main', index: 0 }]] },
			Verify: { main: [[], [{ node: 'Report', type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
	const { id: workflowId } = await host.api.saveWorkflow(flow);
	const run = await host.api.runToEnd(workflowId);
	expect(itemsOf(run, 'Verify').map(({ json }) => json.state)).toEqual(['MA', 'VT']);
	const [failed] = itemsOf(run, 'Verify', 1);
	expect(failed.json).toEqual({
		state: 'Massachusetts',
		error:
			"'State' is 'MASSACHUSETTS' (item 2 of 3). Enter the two-letter code of the state, e.g. MA",
	});
	// n8n's expressions see nothing of items with an error object in them.
	expect(itemsOf(run, 'Report')[0].json).toEqual({ failed: ['Massachusetts'] });
});

test('a list in the editor: transactions from the service, and the reason when it can not be loaded', async () => {
	const request = {
		node: 'signAndClose',
		method: 'searchTransactions',
		path: 'transactionId',
		parameters: {
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id(''),
		},
	};
	const { results } = await host.api.locator({ ...request, credentials: host.credentials });
	expect(results.length).toBeGreaterThan(0);
	expect(results[0].name).toMatch(/^Refinance 100 Harbor Street · /);
	const wrong = await host.api.saveCredential('Wrong', CREDENTIAL_TYPE, {
		...sandboxCredential(host.sandbox),
		apiKey: 'wrong-key-value',
	});
	await expect(
		host.api.locator({ ...request, credentials: { signAndCloseApi: wrong } }),
	).rejects.toThrow(/did not accept the API key.*'API Key'/);
});

(findChromium() === undefined ? test.skip : test)(
	'by hand in the editor: open the flow, execute it, every node is green',
	async () => {
		const editor = await Editor.open(host.n8n.url);
		try {
			await editor.openWorkflow(demo.closing.id);
			await editor.execute();
			await editor.waitForGreen(
				demo.closing.nodes.filter(({ type }) => !type.endsWith('stickyNote')).length,
			);
			await editor.screenshot(join(host.folder, '..', 'screens', 'refinance-closing.png'));
			expect(editor.complaints).toEqual([]);
		} finally {
			await editor.close();
		}
	},
);

test('the API key is found nowhere: not in the log, not in stored executions, not in files', async () => {
	await host.n8n.stop();
	expect(host.n8n.log()).not.toContain(CANARY);
	const places = [join(host.n8n.userFolder, '.n8n'), host.folder];
	let searched = 0;
	for (const place of places) {
		for (const entry of readdirSync(place, { recursive: true }).map(String)) {
			const file = join(place, entry);
			// The installed package itself can't know it, and is large.
			if (entry.includes('node_modules') || !statSync(file).isFile()) continue;
			searched += 1;
			expect([entry, readFileSync(file).includes(CANARY)]).toEqual([entry, false]);
		}
	}
	expect(searched).toBeGreaterThan(10);
	for (const { headers } of host.sandbox.deliveries as unknown as Array<{ headers?: object }>)
		expect(JSON.stringify(headers ?? {})).not.toContain(CANARY);
	expect(JSON.stringify(host.sandbox.deliveries)).not.toContain(CANARY);
});
