import { createDraftClosing } from '../../host/clients/sandboxApi.mts';
import { KILLS } from './support/lifecycle/kills.mts';
import { MEMORIES } from './support/lifecycle/memories.mts';
import { PUBLISHING } from './support/lifecycle/publishing.mts';
import { RESTARTS } from './support/lifecycle/restarts.mts';
import { TriggerHost } from './support/lifecycle/triggerHost.mts';
import { TWO_PROCESSES } from './support/lifecycle/twoProcesses.mts';

/**
 * The trigger's webhooks in a real n8n. After each situation, the service has exactly the webhooks
 * that the situation states, and somebody else's webhook is untouched.
 */

let host: TriggerHost;
beforeAll(async () => {
	host = await TriggerHost.start();
});
afterAll(async () => await host?.stop());
beforeEach(async () => await host.reset());

test.each([...PUBLISHING, ...RESTARTS, ...MEMORIES, ...KILLS, ...TWO_PROCESSES])(
	'%s',
	async (_name, run) => {
		await run(host);
		host.expectForeignWebhookUntouched();
		expect(host.sandbox.problems).toEqual([]);
	},
);

// n8n evaluates the expressions of a trigger's parameters only while the trigger starts.
test('pull mode with an expression in a condition delivers the matching event', async () => {
	const id = await host.publish(['transaction.created'], {
		onlyRunIf: {
			row: [{ field: 'external_id', comparison: 'startsWith', value: "={{ 'case' }}-" }],
		},
		options: { eventSource: 'pull' },
	});
	await createDraftClosing(host.sandbox, { external_id: 'other-1' });
	const matching = await createDraftClosing(host.sandbox, { external_id: 'case-1' });
	expect(await host.eventsOf(id, 1)).toMatchObject([
		{ transaction_id: matching, delivery: { by: 'pull' } },
	]);
});
