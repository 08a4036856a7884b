import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from '@jest/globals';

import { outputJson } from '../../../../host/clients/n8n/executionData.mts';
import { builtInNode } from '../../../../host/clients/n8n/nodes.mts';
import type { ExecutionSummary } from '../../../../host/clients/n8n/types.mts';
import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import type { Situation, TriggerHost } from './triggerHost.mts';

/** A server that workflows ask. The first question stays open. */
class Asked implements AsyncDisposable {
	count = 0;
	readonly #server = createServer((_request, response: ServerResponse) => {
		this.count += 1;
		if (this.count > 1) response.setHeader('content-type', 'application/json').end('{}');
	});

	async start(): Promise<string> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await Promise.resolve();
	}
}

/** Publishes a workflow that asks a server about each event. Returns its ID. */
async function publishAsking(host: TriggerHost, url: string, options: object): Promise<string> {
	const workflow = host.triggerWorkflow(host.newName(), ['transaction.created'], { options });
	workflow.nodes.push(builtInNode('Ask', 'httpRequest', 4.2, { url, options: {} }));
	workflow.connections = { Events: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } };
	const { id } = await host.api.workflows.save(workflow);
	await host.api.workflows.publish(id);
	return id;
}

/** The executions of a workflow, the oldest first. */
async function executionsOf({ api }: TriggerHost, id: string): Promise<ExecutionSummary[]> {
	return (await api.executions.list(id)).sort((one, other) => Number(one.id) - Number(other.id));
}

const statuses = (executions: ExecutionSummary[]) =>
	executions.map(({ status, mode }) => `${mode} ${status}`);

/** n8n is killed while it runs an execution that the trigger has started. */
export const KILLS: Situation[] = (
	[
		['the event log', { eventSource: 'pull' }, 'trigger', 'pull'],
		['a call', {}, 'webhook', 'delivery'],
	] as const
).map(([source, options, mode, by]): Situation => [
	`n8n killed while an event of ${source} was running: the execution shows as crashed, the event isn't emitted again, and a retry passes it`,
	async (host) => {
		await using asked = new Asked();
		const id = await publishAsking(host, await asked.start(), options);
		const event = await createDraftClosing(host.sandbox);
		const { deliveries } = host.sandbox;
		const isAnswered = () =>
			deliveries.some(({ transactionId, code }) => transactionId === event && code === 200);
		await host.waitUntil(() => asked.count === 1 && isAnswered());
		expect(statuses(await executionsOf(host, id))).toEqual([`${mode} running`]);
		const { requests } = host.sandbox;
		await host.restart({ kill: true, meanwhile: () => requests.clear() });
		await host.waitUntil(() => requests.some(({ path }) => /\/webhooks\/[^/]+\/events/.test(path)));
		await host.api.executions.waitForFinished(id);
		await host.settle();
		const [crashed, ...others] = await executionsOf(host, id);
		expect([crashed.status, statuses(others), asked.count]).toEqual(['crashed', [], 1]);

		const retried = await host.api.executions.retry(crashed.id);
		expect(retried.status).toBe('success');
		const passed = { event: 'transaction.created', transaction_id: event, delivery: { by } };
		expect(outputJson(retried, 'Events')).toMatchObject([passed]);

		const next = await createDraftClosing(host.sandbox);
		await host.api.executions.waitForFinished(id, 3);
		await host.settle();
		const all = await executionsOf(host, id);
		expect(statuses(all)).toEqual([`${mode} crashed`, 'retry success', `${mode} success`]);
		const last = await host.api.executions.get(all[2].id);
		expect(outputJson(last, 'Events')).toMatchObject([{ ...passed, transaction_id: next }]);
		expect(asked.count).toBe(3);
	},
]);
