import type { Situation } from './triggerHost.mts';

/** Publishing and changing workflows while nothing goes wrong. */
export const PUBLISHING: Situation[] = [
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
		"an event that the service doesn't have makes publishing fail",
		async (host) => {
			await expect(host.publish(['transaction.renamed'])).rejects.toThrow();
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
		'the workflow deleted while published',
		async (host) => {
			await host.api.workflows.delete(await host.publish());
			await host.expectWebhooks([]);
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
];
