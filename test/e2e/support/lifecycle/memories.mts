import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import { until } from '../../../support/until.mts';
import type { Situation, TriggerHost } from './triggerHost.mts';

const CREATED = ['transaction.created'];

interface Exported {
	name: string;
	nodes: object[];
	connections: object;
	settings: object;
	staticData: object;
}

const secretOf = (url: string) => new URL(url).searchParams.get('key');
const addressOf = (url: string) => url.split('?')[0];

/** Delivers an event that hasn't been delivered before. Returns the status of the answer. */
async function call(url: string, transactionId: string): Promise<number> {
	const data = { transaction_id: transactionId, date_occurred: new Date().toISOString() };
	const { status } = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: CREATED[0], data }),
	});
	return status;
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
		'the whole instance cloned: the webhook of the original stays untouched, and the clone names it beside its own',
		async (host) => {
			const id = await host.publish(CREATED);
			const [original] = host.ownWebhooks();
			const kept = structuredClone(original);
			await host.n8n.stop();
			await host.besideClone(async (clone) => {
				await host.expectWebhooks(
					[host.summary(CREATED), host.summary(CREATED, 'webhook', clone)],
					clone,
				);
				await until(() => host.warningsAbout(original.id, clone).length > 0);
				await clone.api.workflows.unpublish(id);
				await host.expectWebhooks([host.summary(CREATED)], clone);
			});
			expect(host.ownWebhooks()).toEqual([kept]);
			await host.startN8n();
			await host.expectWebhooks([host.summary(CREATED)]);
			expect(host.ownWebhooks()).toEqual([kept]);
		},
	],
	[
		'a test event listened for between unpublishing and publishing: the missed event comes, and the test event does not',
		async (host) => {
			const id = await host.publish(CREATED);
			host.sandbox.faults.add({ method: 'GET', path: '/transactions/', status: 503, times: 1000 });
			const missed = await createDraftClosing(host.sandbox);
			await until(() => host.sandbox.deliveries.some(({ code }) => code === 503));
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
		'published again within seconds: the webhook stays, with its event records and a new secret, and the secret before is still accepted',
		async (host) => {
			const id = await host.publish(CREATED);
			const [{ id: webhookId, url }] = host.ownWebhooks();
			await createDraftClosing(host.sandbox);
			await host.eventsOf(id, 1);
			await host.changeAndPublish(id, (node) => (node.parameters.events = ['transaction.sent']));
			await host.expectWebhooks([host.summary(['transaction.sent'])]);
			const [{ url: between }] = host.ownWebhooks();
			await host.changeAndPublish(id, (node) => (node.parameters.events = CREATED));
			await host.expectWebhooks([host.summary(CREATED)]);
			const [{ url: now }] = host.ownWebhooks();
			expect(host.ownWebhooks()).toMatchObject([
				{ id: webhookId, events: [{ event: CREATED[0] }] },
			]);
			expect(new Set([url, between, now].map(secretOf)).size).toBe(3);
			expect(new Set([url, between, now].map(addressOf)).size).toBe(1);
			const created = await createDraftClosing(host.sandbox);
			await host.eventsOf(id, 2);
			// The service may still be delivering to the URL before.
			expect(await call(between, created)).toBe(200);
			expect(await host.allEventsOf(id, 3)).toHaveLength(3);
			expect(await call(`${addressOf(now)}?key=${'x'.repeat(43)}`, created)).toBe(401);
		},
	],
];
