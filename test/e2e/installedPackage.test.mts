import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { outputJson } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE, PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { id } from '../support/closing.mts';
import { startHost, type Host } from './support/host.mts';

/** The packed package in a real n8n: what the editor gets, the credential, and single nodes. */

const API_KEY = 'canary-71e2b0c94d5f4a66';
let host: Host;
beforeAll(async () => {
	host = await startHost({
		sandbox: { keys: { full: API_KEY, clientOnly: 'only-creates', childFull: 'child-key' } },
	});
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

/** Registers a webhook at the service, without n8n. */
async function registerWebhook(): Promise<void> {
	await fetch(`${host.sandbox.url}/v2/webhooks/`, {
		method: 'POST',
		headers: { ApiKey: API_KEY, 'content-type': 'application/json' },
		body: JSON.stringify({ url: 'https://other.example.com/hook', subscriptions: ['*'] }),
	});
}

describe('after installation', () => {
	test('the package is listed under Community nodes with both nodes', async () => {
		const [listed] = await host.api.packages.list();
		expect(listed).toMatchObject({ packageName: PACKAGE_NAME });
		expect(listed.failedLoading).toBeFalsy();
		expect(listed.installedNodes.map(({ type }) => type).sort()).toEqual([
			`${PACKAGE_NAME}.signAndClose`,
			`${PACKAGE_NAME}.signAndCloseTrigger`,
		]);
	});
	test('the editor gets the node with its category and icons, and the credential', async () => {
		const types = await host.api.packages.nodeTypes(PACKAGE_NAME);
		const node = types.find(({ name }) => name === `${PACKAGE_NAME}.signAndClose`)!;
		expect(node).toMatchObject({ displayName: 'Sign and Close' });
		expect((node.codex as any).categories).toContain('Finance & Accounting');
		const icons = node.iconUrl as { light: string; dark: string };
		for (const icon of [icons.light, icons.dark]) {
			expect(await host.api.session.send('GET', `/${icon}`)).toContain('<svg');
		}
		expect((await host.api.packages.credentialTypes(CREDENTIAL_TYPE))[0]).toMatchObject({
			displayName: 'Sign and Close API',
		});
	});
	test('the editor gets the output schema of an operation', async () => {
		const path = `/schemas/${PACKAGE_NAME}.signAndClose/1.0.0/transaction/get.json`;
		expect(await host.api.session.send('GET', path)).toMatchObject({
			type: 'object',
			properties: { transaction_id: { type: 'string' }, signers: { type: 'array' } },
		});
	});
});

describe('the credential test', () => {
	const testCredential = async (data: object) =>
		await host.api.credentials.test(CREDENTIAL_TYPE, {
			...sandboxCredential(host.sandbox),
			...data,
		});

	test('accepts a valid credential of an account without transactions, in all three path layouts', async () => {
		expect(host.sandbox.world.transactions.size).toBe(0);
		expect(await testCredential({})).toMatchObject({ status: 'OK' });
		expect(
			await testCredential({ baseUrl: ` ${host.sandbox.url}/ `, pathLayout: 'current' }),
		).toMatchObject({
			status: 'OK',
		});
		expect(await testCredential({ pathLayout: 'custom', businessPrefix: 'v1' })).toMatchObject({
			status: 'OK',
		});
		expect(await testCredential({ testPlatform: 'realEstate' })).toMatchObject({ status: 'OK' });
	});
	test('refuses a wrong key', async () => {
		const { status, message } = await testCredential({ apiKey: 'wrong' });
		expect(status).toBe('Error');
		expect(message).toMatch(/didn't accept 'API Key'/);
	});
	test('a base URL that answers with a web page, and one that redirects', async () => {
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
		expect(await testCredential({ baseUrl: url })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/web page/),
		});
		expect(await testCredential({ baseUrl: `${url}/forward` })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/redirects to another address/),
		});
		page.close();
	});
});

test("n8n's HTTP Request node sends the API key to the service only, not to another host or to the target of a redirect", async () => {
	const receivedKeys: Array<string | undefined> = [];
	const otherServer = createServer((request, response) => {
		receivedKeys.push(request.headers.apikey as string | undefined);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(otherServer, 'listening');
	const otherUrl = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
	// The list of webhooks has to return an item for the next node.
	await registerWebhook();
	host.sandbox.faults.add({
		path: '/v2/webhooks',
		status: 302,
		headers: { location: otherUrl },
		skip: 1,
	});
	const requestNode = (name: string, url: string) => ({
		...builtInNode(name, 'httpRequest', 4.2, {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
		}),
		credentials: host.credentials,
		onError: 'continueRegularOutput',
	});
	try {
		const { id: workflowId } = await host.api.workflows.save(
			workflowInARow('HTTP Request', [
				requestNode('Service', `${host.sandbox.url}/v2/webhooks`),
				requestNode('Other host', otherUrl),
				requestNode('Redirect', `${host.sandbox.url}/v2/webhooks`),
			]),
		);
		const execution = await host.api.executions.runToEnd(workflowId);
		expect(outputJson(execution, 'Service')[0]).toHaveProperty('subscriptions');
		expect(JSON.stringify(outputJson(execution, 'Other host')[0])).toMatch(/wasn't sent to/);
		expect(receivedKeys.filter((key) => key !== undefined)).toEqual([]);
	} finally {
		host.sandbox.faults.clear();
		otherServer.close();
	}
});

test('item 2 of 3 fails: the error output has it, the other items pass', async () => {
	const threeItems = builtInNode('Three items', 'code', 2, {
		jsCode:
			'return [{ json: { state: "MA" } }, { json: { state: "Bay State" } }, { json: { state: "VT" } }];',
	});
	const verify = {
		...ourNode(host, 'Verify', {
			resource: 'address',
			operation: 'verify',
			transactionType: 'refinance',
			addressLine1: '1 Main St',
			addressCity: 'Boston',
			addressState: '={{ $json.state }}',
			addressZipCode: '02110',
		}),
		onError: 'continueErrorOutput',
	};
	const report = builtInNode('Report', 'set', 3.4, {
		assignments: {
			assignments: [
				{
					id: 'failed',
					name: 'failed',
					type: 'array',
					value: "={{ $('Verify').all(1).map(({ json }) => json.state) }}",
				},
			],
		},
		options: {},
	});
	const workflow = workflowInARow('Three items', [threeItems, verify, report]);
	// The report belongs to the error output, which is the second one.
	workflow.connections.Verify = { main: [[], [{ node: 'Report', type: 'main', index: 0 }]] };
	const { id: workflowId } = await host.api.workflows.save(workflow);
	const execution = await host.api.executions.runToEnd(workflowId);
	expect(outputJson(execution, 'Verify').map(({ state }) => state)).toEqual(['MA', 'VT']);
	expect(outputJson(execution, 'Verify', 1)[0]).toEqual({
		state: 'Bay State',
		error:
			"'State' is 'Bay State', which isn't a state (item 2 of 3). Enter the name or the two-letter code of the state, e.g. MA",
	});
	// Expressions can't see items that carry an error object.
	expect(outputJson(execution, 'Report')[0]).toEqual({ failed: ['Bay State'] });
});

test('a list shows transactions of the service, or with a wrong key the reason why not', async () => {
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
	await createDraftClosing(host.sandbox, { transaction_name: 'Refinance 100 Harbor Street' });
	const { results } = await host.api.nodeParameters.searchList({
		...request,
		credentials: host.credentials,
	});
	expect(results.length).toBeGreaterThan(0);
	expect(results[0].name).toMatch(/^Refinance 100 Harbor Street · /);
	const wrong = await host.api.credentials.save('Wrong', CREDENTIAL_TYPE, {
		...sandboxCredential(host.sandbox),
		apiKey: 'wrong-key-value',
	});
	await expect(
		host.api.nodeParameters.searchList({ ...request, credentials: { signAndCloseApi: wrong } }),
	).rejects.toThrow(/didn't accept the API key.*'API Key'/);
});
