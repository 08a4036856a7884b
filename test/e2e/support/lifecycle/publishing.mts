import { expect } from '@jest/globals';

import { COMPLETED, type Situation } from './triggerHost.mts';

/** Publishing and changing workflows while nothing goes wrong. */
export const PUBLISHING: Situation[] = [
	[
		'published',
		async (host) => {
			await host.publish();
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'published and unpublished',
		async (host) => {
			await host.api.workflows.unpublish(await host.publish());
			await host.expectWebhooks([]);
		},
	],
	[
		'published, unpublished and published again',
		async (host) => {
			const id = await host.publish();
			const [{ url }] = host.ownWebhooks();
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([]);
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()[0].url).not.toBe(url);
		},
	],
	[
		'published again while published',
		async (host) => {
			const id = await host.publish();
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'events changed while published',
		async (host) => {
			await host.changeAndPublish(
				await host.publish(),
				(node) => (node.parameters.events = ['transaction.sent']),
			);
			await host.expectWebhooks([host.summary(['transaction.sent'])]);
		},
	],
	[
		"an event that the service doesn't have makes publishing fail",
		async (host) => {
			await expect(
				host.publish(['transaction.renamed']),
			).rejects.toThrow();
			await host.expectWebhooks([]);
		},
	],
	[
		'the trigger node disabled while published',
		async (host) => {
			await host.changeAndPublish(await host.publish(), (node) => (node.disabled = true));
			await host.expectWebhooks([]);
		},
	],
	[
		'the trigger node deleted while published',
		async (host) => {
			await host.changeAndPublish(await host.publish(), (_node, workflow) =>
				workflow.nodes.shift(),
			);
			await host.expectWebhooks([]);
		},
	],
	[
		'the trigger node renamed while published',
		async (host) => {
			await host.changeAndPublish(await host.publish(), (node) => (node.name = 'Renamed'));
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'the workflow deleted while published',
		async (host) => {
			await host.api.workflows.delete(await host.publish());
			await host.expectWebhooks([]);
		},
	],
	[
		'two workflows on one credential, one of them unpublished',
		async (host) => {
			const first = await host.publish();
			await host.publish(['transaction.sent']);
			expect(host.summaries()).toEqual([host.summary(), host.summary(['transaction.sent'])]);
			await host.api.workflows.unpublish(first);
			await host.expectWebhooks([host.summary(['transaction.sent'])]);
		},
	],
	[
		'two triggers in one workflow',
		async (host) => {
			const workflow = host.triggerWorkflow(host.newName());
			workflow.nodes.push({
				...host.triggerWorkflow('', ['transaction.sent']).nodes[0],
				name: 'More events',
			});
			const { id } = await host.api.workflows.save(workflow);
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary(), host.summary(['transaction.sent'])]);
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([]);
		},
	],
	[
		'a duplicate of the workflow published and unpublished',
		async (host) => {
			await host.publish();
			const [{ url }] = host.ownWebhooks();
			const copy = await host.publish();
			expect(host.summaries()).toEqual([host.summary(), host.summary()]);
			await host.api.workflows.unpublish(copy);
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()[0].url).toBe(url);
		},
	],
	[
		'a copy with the same webhook ID published: the first webhook stays the only one',
		async (host) => {
			const workflow = host.triggerWorkflow(host.newName());
			const { id } = await host.api.workflows.save(workflow);
			await host.api.workflows.publish(id);
			const copy = await host.api.workflows.save({ ...workflow, name: host.newName() });
			await host.api.workflows.publish(copy.id).catch(() => undefined);
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'a workflow imported as active stays unpublished',
		async (host) => {
			await host.api.session.send('POST', '/rest/workflows', {
				...host.triggerWorkflow(host.newName()),
				active: true,
			});
			await host.expectWebhooks([]);
		},
	],
	[
		"activated and deactivated through n8n's public API",
		async (host) => {
			const { rawApiKey } = await host.api.session.send<{ rawApiKey: string }>(
				'POST',
				'/rest/api-keys',
				{
					label: host.newName(),
					expiresAt: null,
					scopes: ['workflow:activate', 'workflow:deactivate', 'workflow:read', 'workflow:update'],
				},
			);
			const { id } = await host.api.workflows.save(host.triggerWorkflow(host.newName()));
			const ask = async (step: 'activate' | 'deactivate') => {
				const answer = await fetch(`${host.n8n.url}/api/v1/workflows/${id}/${step}`, {
					method: 'POST',
					headers: { 'x-n8n-api-key': rawApiKey },
				});
				expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
			};
			await ask('activate');
			await host.expectWebhooks([host.summary()]);
			await ask('deactivate');
			await host.expectWebhooks([]);
		},
	],
	[
		'listening for a test event while published, and cancelled',
		async (host) => {
			const id = await host.publish();
			await host.api.executions.run(id);
			expect(host.summaries()).toEqual([host.summary(), host.summary(COMPLETED, 'webhook-test')]);
			await host.api.session.send('DELETE', `/rest/test-webhook/${id}`);
			await host.expectWebhooks([host.summary()]);
		},
	],
];
