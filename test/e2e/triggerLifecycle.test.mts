import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { outputJson } from '../../host/clients/n8n/executionData.mts';
import { createDraftClosing } from '../../host/clients/sandboxApi.mts';
import { DISRUPTIONS } from './support/lifecycle/disruptions.mts';
import { GAPS } from './support/lifecycle/gaps.mts';
import { KILLS } from './support/lifecycle/kills.mts';
import { MEMORIES, REFUSALS } from './support/lifecycle/memories.mts';
import { PUBLISHING } from './support/lifecycle/publishing.mts';
import { RESTARTS } from './support/lifecycle/restarts.mts';
import { TriggerHost } from './support/lifecycle/triggerHost.mts';
import { TWO_PROCESSES } from './support/lifecycle/twoProcesses.mts';

/**
 * The trigger's webhooks in a real n8n. After each situation, the service has exactly the webhooks
 * that the situation states, and somebody else's webhook is untouched.
 */

const EVENT_TIMEOUT_MS = 60_000;
let host: TriggerHost;
beforeAll(async () => {
	host = await TriggerHost.start();
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);
beforeEach(async () => await host.reset());

const SITUATIONS = [
	...PUBLISHING,
	...DISRUPTIONS,
	...RESTARTS,
	...MEMORIES,
	...REFUSALS,
	...GAPS,
	...KILLS,
	...TWO_PROCESSES,
];

test.each(SITUATIONS)(
	'%s',
	async (_name, run) => {
		await run(host);
		host.expectForeignWebhookUntouched();
		expect(host.sandbox.problems).toEqual([]);
	},
	180_000,
);

/** The events of the first finished execution. */
async function waitForEvents(workflowId: string): Promise<Array<Record<string, unknown>>> {
	const executions = await host.api.executions.waitForFinished(workflowId, 1, {
		timeoutMs: EVENT_TIMEOUT_MS,
	});
	return executions.flatMap((execution) => outputJson(execution, 'Events'));
}

const OF_A_CASE = { field: 'external_id', comparison: 'startsWith' };

// n8n evaluates the expressions of a trigger's parameters only while the trigger starts.
test('pull mode with an expression in a condition delivers the matching event', async () => {
	const id = await host.publish(['transaction.created'], {
		onlyRunIf: { row: [{ ...OF_A_CASE, value: "={{ 'case' }}-" }] },
		options: { eventSource: 'pull' },
	});
	await createDraftClosing(host.sandbox, { external_id: 'other-1' });
	const matching = await createDraftClosing(host.sandbox, { external_id: 'case-1' });
	expect(await waitForEvents(id)).toMatchObject([
		{ transaction_id: matching, delivery: { by: 'pull' } },
	]);
}, 180_000);

test('an event that was answered 503 comes after the changed workflow is published', async () => {
	const id = await host.publish(['transaction.created']);
	host.sandbox.faults.add({ method: 'GET', path: '/transactions/', status: 503, times: Infinity });
	const created = await createDraftClosing(host.sandbox, { external_id: 'case-2' });
	const isRefused = () =>
		host.sandbox.deliveries.some(
			({ transactionId, code }) => transactionId === created && code === 503,
		);
	const deadline = Date.now() + EVENT_TIMEOUT_MS;
	while (Date.now() < deadline && !isRefused())
		await new Promise((resolve) => setTimeout(resolve, 50));
	host.sandbox.faults.clear();
	await host.changeAndPublish(id, (trigger) => (trigger.parameters.output = 'raw'));
	expect(await waitForEvents(id)).toMatchObject([
		{ transaction_id: created, confirmed: true, delivery: { by: 'recovery' } },
	]);
}, 180_000);
