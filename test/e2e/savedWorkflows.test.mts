import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import type { WorkflowJson } from '../../host/clients/n8n/types.mts';
import { readExample } from '../../host/demo/exampleWorkflows.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import { startHost, type Host } from './support/host.mts';

/**
 * Workflows as version 0.1.0 saved them, in a real n8n with this package: their nodes stay in
 * version 1, run, and give what they gave.
 */

const RELEASED = join(ROOT, 'test', 'fixtures', 'released-0.1.0');
/** The simplified transaction of 0.1.0. */
const TEN_FIELDS = (
	'transaction_id transaction_name transaction_type status detailed_status organization_id ' +
	'date_created date_updated notarization_record_id documents'
).split(' ');

let host: Host;
beforeAll(async () => {
	host = await startHost();
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

/** Reads a workflow of 0.1.0 and saves it in n8n. */
async function save(name: string): Promise<string> {
	const workflow: WorkflowJson = readExample(
		name,
		{ sandboxUrl: host.sandbox.url, archiveFolder: host.folder },
		host.credentials as never,
		RELEASED,
	);
	const versions = workflow.nodes
		.filter(({ type }) => type.includes('sign-and-close'))
		.map(({ typeVersion }) => typeVersion);
	expect(new Set(versions)).toEqual(new Set([1]));
	return (await host.api.workflows.save(workflow)).id;
}

test('a closing is created and sent, and its completion starts the archive, with the fields of 0.1.0', async () => {
	const [closing, archive] = [
		await save('refinance-closing'),
		await save('archive-completed-transactions'),
	];
	await host.api.workflows.publish(archive);
	const run = await host.api.executions.runToEnd(closing);
	expect(failureReason(run)).toBe('');
	for (const node of ['Create closing', 'Send closing'])
		expect(Object.keys(outputJson(run, node)[0])).toEqual(TEN_FIELDS);
	const [{ transaction_id: transactionId }] = outputJson(run, 'Send closing');
	await host.sandbox.act.complete(String(transactionId));
	const [execution] = await host.api.executions.waitForFinished(archive, 1);
	expect(failureReason(execution)).toBe('');
	const [event] = outputJson(execution, 'When a transaction is completed');
	expect(event).toMatchObject({ transaction_id: transactionId, confirmed: true });
	expect(Object.keys(event.transaction as object)).toEqual(TEN_FIELDS);
	await host.api.workflows.unpublish(archive);
});
