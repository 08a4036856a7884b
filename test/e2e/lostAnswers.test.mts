import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { Execution } from '../../host/clients/n8n/types.mts';
import { startHost, type Host } from './support/host.mts';

/** Executions with a lost answer are retried in a real n8n. */

let host: Host;
beforeAll(async () => void (host = await startHost()), 300_000);
afterEach(() => host.sandbox.faults.clear());
afterAll(async () => await host?.stop(), 60_000);

/** Saves a workflow that creates a transaction for each of three names. */
async function saveWorkflow(name: string): Promise<string> {
	const create = ourNode(host, 'Create', {
		resource: 'transaction',
		operation: 'create',
		transactionName: '={{ $json.name }}',
		signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
		documents: {},
		additionalFields: {},
	});
	const { id } = await host.api.workflows.save({
		...workflowInARow(name, [create]),
		pinData: { Start: namesFor(name).map((item) => ({ json: { name: item } })) },
	});
	return id;
}

const namesFor = (name: string) => ['one', 'two', 'three'].map((item) => `${name}: ${item}`);

/** The names of the transactions that a workflow has made at the service. */
const made = (name: string) =>
	[...host.sandbox.world.transactions.values()]
		.map(({ fields }) => String(fields.transaction_name))
		.filter((made) => made.startsWith(`${name}: `))
		.sort();

const creates = () =>
	host.sandbox.requests.filter(
		({ method, path }) => method === 'POST' && path.endsWith('/transactions'),
	).length;

/** Runs the workflow; the answer to its second create is lost, and nobody can look it up. */
async function inDoubt(workflowId: string, kind: 'cutBefore' | 'cutAfter'): Promise<Execution> {
	host.sandbox.faults.add({ method: 'POST', path: '/transactions', skip: 1, kind });
	host.sandbox.faults.add({ method: 'GET', path: '/transactions', status: 403, times: Infinity });
	const execution = await host.api.executions.runToEnd(workflowId);
	const reason = failureReason(execution);
	expect(reason).toMatch(/outcome is unknown/);
	expect(reason).toMatch(/set the filter 'External ID' of 'Transaction: Get Many' to n8n-/);
	return execution;
}

test('a retry sends nothing in doubt as long as nobody can look, with either workflow', async () => {
	const workflowId = await saveWorkflow('Undecided');
	const execution = await inDoubt(workflowId, 'cutBefore');
	const sent = creates();
	for (const workflow of ['saved', 'original'] as const) {
		const retried = await host.api.executions.retry(execution.id, workflow);
		expect(failureReason(retried)).toBe(failureReason(execution));
	}
	expect(creates()).toBe(sent);
});

test('a retry finds what was done by its reference, and goes on', async () => {
	const name = 'Done';
	const execution = await inDoubt(await saveWorkflow(name), 'cutAfter');
	host.sandbox.faults.clear();
	const retried = await host.api.executions.retry(execution.id);
	expect(failureReason(retried)).toBe('');
	const output = outputJson(retried, 'Create');
	expect(output.map((json) => json.transaction_name)).toEqual(namesFor(name));
	// It's nobody's External ID.
	expect(output.map((json) => json.external_id)).toEqual([null, null, null]);
	expect(made(name)).toEqual(namesFor(name).sort());
});
