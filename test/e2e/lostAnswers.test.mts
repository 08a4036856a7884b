import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { Execution } from '../../host/clients/n8n/types.mts';
import { startHost, type Host } from './support/host.mts';

/** What a person does about a create whose answer was lost, in a real n8n: retries the execution. */

let host: Host;
beforeAll(async () => void (host = await startHost()), 300_000);
afterEach(() => host.sandbox.faults.clear());
afterAll(async () => await host?.stop(), 60_000);

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
	for (const workflow of ['saved', 'original'] as const) {
		const retried = await host.api.executions.retry(execution.id, workflow);
		expect(failureReason(retried)).toBe(failureReason(execution));
	}
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
