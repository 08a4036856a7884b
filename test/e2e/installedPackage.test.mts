import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Editor } from '../../host/clients/editor.mts';
import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE, PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { Execution } from '../../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { saveDropdownWorkflow } from '../../host/demo/dropdownWorkflow.mts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { id } from '../support/closing.mts';
import { forEachCase } from '../support/forEachCase.mts';
import { startHost, type Host } from './support/host.mts';
import { describeInBrowser } from './support/inBrowser.mts';

/** The packed package in a real n8n: what the editor gets and shows, the credential, and single nodes. */

let host: Host;
beforeAll(async () => void (host = await startHost({ editor: true })));
afterAll(async () => await host?.stop());

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
		await forEachCase([icons.light, icons.dark], async (icon) =>
			expect(await host.api.session.send('GET', `/${icon}`)).toContain('<svg'),
		);
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
});

test("n8n's HTTP Request node sends the API key to the service only, not to another host or to the target of a redirect", async () => {
	const receivedKeys: Array<string | undefined> = [];
	const otherServer = createServer((request, response) => {
		receivedKeys.push(request.headers.apikey as string | undefined);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(otherServer, 'listening');
	const otherUrl = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
	host.sandbox.faults.add({
		path: '/organization',
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
				requestNode('Service', `${host.sandbox.url}/organization`),
				requestNode('Other host', otherUrl),
				requestNode('Redirect', `${host.sandbox.url}/organization`),
			]),
		);
		const execution = await host.api.executions.runToEnd(workflowId);
		expect(outputJson(execution, 'Service')[0]).toHaveProperty('logo_s3_link');
		expect(JSON.stringify(outputJson(execution, 'Other host')[0])).toMatch(/wasn't sent to/);
		expect(receivedKeys.filter((key) => key !== undefined)).toEqual([]);
	} finally {
		host.sandbox.faults.clear();
		otherServer.close();
	}
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

/** What a person does about a create whose answer was lost: retries the execution. */
describe('a create whose answer was lost', () => {
	afterEach(() => host.sandbox.faults.clear());

	const creates = () =>
		host.sandbox.requests.filter(
			({ method, path }) => method === 'POST' && path.endsWith('/transactions'),
		);
	const namesFor = (name: string) => ['one', 'two', 'three'].map((item) => `${name}: ${item}`);
	/** The names of the transactions that a workflow has made at the service. */
	const made = (name: string) =>
		[...host.sandbox.world.transactions.values()]
			.map(({ fields }) => String(fields.transaction_name))
			.filter((made) => made.startsWith(`${name}: `))
			.sort();

	/** Saves a workflow that creates a transaction for each of three names, in these nodes. */
	async function saveWorkflow(name: string, ...nodes: string[]): Promise<string> {
		const parameters = {
			resource: 'transaction',
			operation: 'create',
			transactionName: "={{ $('Start').item.json.name }}",
			signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
			documents: {},
			additionalFields: {},
		};
		const { id } = await host.api.workflows.save({
			...workflowInARow(
				name,
				nodes.map((node) => ourNode(host, node, parameters)),
			),
			pinData: { Start: namesFor(name).map((item) => ({ json: { name: item } })) },
		});
		return id;
	}

	/** Runs the workflow; the answer to its second create is lost, and the list isn't shown. */
	async function inDoubt(workflowId: string): Promise<Execution> {
		host.sandbox.faults.add({ method: 'POST', path: '/transactions', skip: 1, kind: 'cutAfter' });
		host.sandbox.faults.add({ method: 'GET', path: '/transactions', status: 403, times: Infinity });
		const execution = await host.api.executions.runToEnd(workflowId);
		expect(failureReason(execution)).toMatch(
			/outcome is unknown.*set the filter 'External ID' of 'Transaction: Get Many' to n8n-.*Or wait two minutes/,
		);
		return execution;
	}

	test('the service does not show it: a retry sends nothing in doubt, with either workflow', async () => {
		const execution = await inDoubt(await saveWorkflow('Not shown', 'Create'));
		const sent = creates().length;
		await forEachCase(['saved', 'original'] as const, async (workflow) => {
			const retried = await host.api.executions.retry(execution.id, workflow);
			expect(failureReason(retried)).toBe(failureReason(execution));
		});
		expect(creates()).toHaveLength(sent);
	});

	test('a retry finds it, and makes each transaction once; another retry makes none', async () => {
		const name = 'Found';
		const execution = await inDoubt(await saveWorkflow(name, 'Create'));
		host.sandbox.faults.clear();
		const retried = await host.api.executions.retry(execution.id);
		expect(failureReason(retried)).toBe('');
		const created = outputJson(retried, 'Create');
		expect(created.map((json) => json.transaction_name)).toEqual(namesFor(name));
		expect(new Set(created.map((json) => json.transaction_id)).size).toBe(3);
		expect(made(name)).toEqual(namesFor(name).sort());
		await host.api.executions.retry(execution.id);
		expect(made(name)).toEqual(namesFor(name).sort());
	});

	test('no two items and no two nodes of an execution have the same reference', async () => {
		host.sandbox.requests.length = 0;
		const workflowId = await saveWorkflow('Two nodes', 'Create', 'Create again');
		expect(failureReason(await host.api.executions.runToEnd(workflowId))).toBe('');
		const references = creates().map(({ body }) => (body as Record<string, unknown>).external_id);
		expect(new Set(references).size).toBe(6);
	});
});

describeInBrowser('dropdown lists and actions in the editor', () => {
	let editor: Editor;
	let workflowId: string;
	beforeAll(async () => {
		workflowId = (await saveDropdownWorkflow(host.api, host.sandbox)).id;
		editor = await Editor.open(host.n8n.url, { width: 1600, height: 1300 });
	});
	beforeEach(async () => await editor.openWorkflow(workflowId));
	afterEach(() => expect(editor.pageErrors).toEqual([]));
	afterAll(async () => await editor?.close(), 60_000);

	test('a recording jurisdiction narrows the title agencies, an agency narrows the underwriters', async () => {
		await editor.openNode('Create closing');
		await editor.selectFromList('recordingJurisdictionId', 'Hampshire County');
		await editor.openList('titleAgencyId');
		expect(await editor.listEntries()).toEqual([
			'Beacon Settlement Services · 18 Beacon Street, Springfield, MA 01103',
		]);
		await editor.pressEscape();
		await editor.selectFromList('titleAgencyId', 'Beacon');
		await editor.openList('titleUnderwriterId');
		expect(await editor.listEntries()).toEqual(['Summit National Title']);
		await editor.closeNode();
	});

	test('an address from an expression without data gives a message, with data it gives a list', async () => {
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect((await editor.listEntries()).join()).toMatch(
			/'City' uses an expression that has no data yet. Execute the nodes before this one/,
		);
		await editor.closeNode();
		await editor.execute();
		await editor.waitForSuccess(3);
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listEntries()).toEqual(['Hampden County · MA', 'Hampshire County · MA']);
		await editor.closeNode();
	});

	test('the signers of a designation, and the recording jurisdictions of an existing closing', async () => {
		await editor.openNode('Add document');
		expect(await editor.openDropdown('signer_identifier')).toEqual([
			'Jane Borrower · jane.borrower@example.com',
			'Joe Borrower · joe.borrower@example.com',
			'Notary',
			'Witness 1',
			'Witness 2',
		]);
		await editor.closeNode();
		await editor.openNode('Update');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listEntries()).toEqual(['Boston County · MA']);
		await editor.closeNode();
	});

	test('every operation is listed as an action', async () => {
		await editor.showActions('Sign and Close');
		await forEachCase(operations, async ({ action }) =>
			expect(await editor.page.getByText(action, { exact: true }).count()).toBeGreaterThan(0),
		);
	});
});
