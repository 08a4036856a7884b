import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { outputJson } from '../../../../host/clients/n8n/executionData.mts';
import { builtInNode } from '../../../../host/clients/n8n/nodes.mts';
import type { ExecutionSummary } from '../../../../host/clients/n8n/types.mts';
import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { until } from '../../../support/until.mts';
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

/** n8n is killed while it runs executions that the trigger has started. */
export const KILLS: Situation[] = [
	[
		"n8n killed while an event of a call and one of the event log were running: each shows as crashed, isn't emitted again, and a retry passes it",
		async (host) => {
			await using askedByCall = new Asked();
			await using askedByLog = new Asked();
			const start = async (asked: Asked, options: object, mode: string, by: string) => {
				const id = await publishAsking(host, await asked.start(), options);
				return { asked, id, mode, by };
			};
			const started = [
				await start(askedByCall, {}, 'webhook', 'delivery'),
				await start(askedByLog, { eventSource: 'pull' }, 'trigger', 'pull'),
			];
			const event = await createDraftClosing(host.sandbox);
			const { deliveries, requests } = host.sandbox;
			await until(
				() =>
					started.every(({ asked }) => asked.count === 1) &&
					deliveries.filter((one) => one.transactionId === event && one.code === 200).length === 2,
			);
			await forEachCase(started, async ({ id, mode }) =>
				expect(statuses(await executionsOf(host, id))).toEqual([`${mode} running`]),
			);
			await host.restart({ kill: true, meanwhile: () => requests.clear() });
			await until(() => requests.some(({ path }) => /\/webhooks\/[^/]+\/events/.test(path)));
			await forEachCase(started, async ({ id, by }) => {
				const [crashed] = await host.api.executions.waitForFinished(id);
				expect(crashed.status).toBe('crashed');
				const retried = await host.api.executions.retry(crashed.id);
				expect(retried.status).toBe('success');
				expect(outputJson(retried, 'Events')).toMatchObject([
					{ event: 'transaction.created', transaction_id: event, delivery: { by } },
				]);
			});
			// An event that was emitted again would come before the next one.
			const next = await createDraftClosing(host.sandbox);
			for (const { id } of started) await host.api.executions.waitForFinished(id, 3);
			await forEachCase(started, async ({ asked, id, mode }) => {
				const all = await executionsOf(host, id);
				expect(statuses(all)).toEqual([`${mode} crashed`, 'retry success', `${mode} success`]);
				const last = await host.api.executions.get(all[2].id);
				expect(outputJson(last, 'Events')).toMatchObject([{ transaction_id: next }]);
				expect(asked.count).toBe(3);
			});
		},
	],
];
