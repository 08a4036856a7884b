import { expect } from '@jest/globals';

import { CREDENTIAL_TYPE } from '../../../../host/clients/n8n/names.mts';
import { createDraftClosing, sandboxCredential } from '../../../../host/clients/sandboxApi.mts';
import { COMPLETED, type Situation, type TriggerHost } from './triggerHost.mts';

const CREATED = ['transaction.created'];

interface Exported {
	name: string;
	nodes: object[];
	connections: object;
	settings: object;
	staticData: object;
}

/** A workflow as n8n's public API exports it, with what its trigger has stored, to be imported. */
async function exportOf(host: TriggerHost, id: string): Promise<Exported> {
	const { nodes, connections, settings, staticData } = await host.callPublicApi<
		Exported & { settings: { executionOrder: string } }
	>('GET', `/workflows/${id}`);
	const { executionOrder } = settings;
	return { name: host.newName(), nodes, connections, settings: { executionOrder }, staticData };
}

/** What n8n has stored of a webhook is older than the webhook, another one's, or a test's. */
export const MEMORIES: Situation[] = [
	[
		'the webhook mended, and the database restored from before that: the mended webhook stays',
		async (host) => {
			await host.publish();
			const [{ url }] = host.ownWebhooks();
			await host.n8n.stop();
			const restore = host.keepDatabase();
			host.sandbox.world.webhooks.delete(host.ownWebhooks()[0].id);
			await host.startN8n();
			await host.expectWebhooks([host.summary()]);
			const [{ id }] = host.ownWebhooks();
			await host.n8n.stop();
			restore();
			await host.startN8n();
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()).toMatchObject([{ id, url }]);
		},
	],
	[
		'exported and imported into the same instance, with what was stored: each has its own webhook',
		async (host) => {
			const id = await host.publish();
			const [original] = host.ownWebhooks();
			const { url } = original;
			const exported = await exportOf(host, id);
			expect(JSON.stringify(exported.staticData)).toContain(original.id);
			const copy = await host.callPublicApi<{ id: string }>('POST', '/workflows', {
				...exported,
				nodes: exported.nodes.map((node) =>
					'webhookId' in node ? { ...node, webhookId: crypto.randomUUID() } : node,
				),
			});
			await host.callPublicApi('POST', `/workflows/${copy.id}/activate`);
			await host.expectWebhooks([host.summary(), host.summary()]);
			expect(original.url).toBe(url);
			await host.callPublicApi('POST', `/workflows/${copy.id}/deactivate`);
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()).toEqual([original]);
		},
	],
	[
		'exported and imported into another instance, with what was stored: each has its own webhook',
		async (host) => {
			const id = await host.publish();
			const [original] = host.ownWebhooks();
			const { url } = original;
			const exported = await exportOf(host, id);
			await host.beside(false, async (other) => {
				const data = sandboxCredential(host.sandbox);
				const credential = await other.api.credentials.save('Lifecycle', CREDENTIAL_TYPE, data);
				const copy = await host.callPublicApi<{ id: string }>(
					'POST',
					'/workflows',
					{
						...exported,
						nodes: exported.nodes.map((node) =>
							'credentials' in node
								? { ...node, credentials: { [CREDENTIAL_TYPE]: credential } }
								: node,
						),
					},
					other,
				);
				await other.api.workflows.publish(copy.id);
				await host.expectWebhooks([host.summary(), host.summary(COMPLETED, 'webhook', other)]);
				expect(original.url).toBe(url);
				await other.api.workflows.unpublish(copy.id);
				await host.expectWebhooks([host.summary()]);
			});
			expect(host.ownWebhooks()).toEqual([original]);
		},
	],
	[
		'the whole instance cloned, while the original answers its webhook: it stays there, the clone warns and has its own',
		async (host) => {
			const id = await host.publish(CREATED);
			await createDraftClosing(host.sandbox);
			await host.eventsOf(id, 1);
			const [{ id: webhookId, url }] = host.ownWebhooks();
			await host.n8n.stop();
			await host.beside(true, async (clone) => {
				await host.expectWebhooks([host.summary(CREATED), host.summary(CREATED, 'webhook', clone)]);
				expect(host.ownWebhooks().find((webhook) => webhook.id === webhookId)?.url).toBe(url);
				expect(clone.log()).toMatch(/It stays there, and this workflow gets a webhook of its own/);
				await clone.api.workflows.unpublish(id);
				await host.expectWebhooks([host.summary(CREATED)]);
			});
			await host.startN8n();
			await host.expectWebhooks([host.summary(CREATED)]);
			expect(host.ownWebhooks()).toMatchObject([{ id: webhookId, url }]);
		},
	],
	[
		'a test event listened for between unpublishing and publishing: the missed event comes, and the test event does not',
		async (host) => {
			const id = await host.publish(CREATED);
			host.sandbox.faults.add({ method: 'GET', path: '/transactions/', status: 503, times: 1000 });
			const missed = await createDraftClosing(host.sandbox);
			await host.waitUntil(() => host.sandbox.deliveries.some(({ code }) => code === 503));
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([]);
			host.sandbox.faults.clear();
			await host.api.executions.run(id);
			await host.expectWebhooks([host.summary(CREATED, 'webhook-test')]);
			await host.api.session.send('DELETE', `/rest/test-webhook/${id}`);
			await host.expectWebhooks([]);
			await host.api.workflows.publish(id);
			expect(await host.eventsOf(id, 1)).toMatchObject([{ transaction_id: missed }]);
		},
	],
	[
		'published again within seconds: the webhook stays, with its event records',
		async (host) => {
			const id = await host.publish();
			const [{ id: webhookId, url }] = host.ownWebhooks();
			await host.changeAndPublish(id, (node) => (node.parameters.events = ['transaction.sent']));
			await host.expectWebhooks([host.summary(['transaction.sent'])]);
			await host.changeAndPublish(id, (node) => (node.parameters.events = COMPLETED));
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()).toMatchObject([{ id: webhookId, url }]);
		},
	],
];

/** The key or the event records are refused for a while. */
export const REFUSALS: Situation[] = [
	[
		'the key rejected for two minutes: no event is passed on before it works, and all are afterwards',
		async (host) => {
			const row = [{ field: 'external_id', comparison: 'startsWith', value: 'case-' }];
			const id = await host.publish(CREATED, { onlyRunIf: { row } });
			host.sandbox.faults.add({
				method: 'GET',
				path: '/transactions/',
				status: 401,
				times: 1000,
				body: { error: 'no' },
			});
			await createDraftClosing(host.sandbox, { external_id: 'other-1' });
			const wanted = await createDraftClosing(host.sandbox, { external_id: 'case-1' });
			await host.waitUntil(
				() => host.sandbox.deliveries.filter(({ code }) => code === 503).length === 2,
			);
			await host.sandbox.clock.advance(120_000);
			expect(await host.api.executions.list(id)).toEqual([]);
			host.sandbox.faults.clear();
			await host.sandbox.clock.advance(3_600_000);
			expect(await host.eventsOf(id, 1)).toMatchObject([
				{ transaction_id: wanted, confirmed: true },
			]);
		},
	],
	[
		'event records that can not be read while unpublishing: the webhook stays, is named in the log, and is used again',
		async (host) => {
			const id = await host.publish();
			const [{ id: webhookId }] = host.ownWebhooks();
			host.sandbox.faults.add({
				path: `/v2/webhooks/${webhookId}/events`,
				status: 401,
				times: 1000,
				body: { error: 'no' },
			});
			await host.api.workflows.unpublish(id);
			await host.waitUntil(() =>
				host.n8n.log().includes(`the webhook ${webhookId} stays in the service`),
			);
			host.sandbox.faults.clear();
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()).toMatchObject([{ id: webhookId }]);
		},
	],
];
