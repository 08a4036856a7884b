import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { inARow, triggerNode } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { queueModeInstallHint, startQueueMode, type QueueMode } from '../../host/run/queueMode.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { TARBALL } from '../support/tarball.mts';
import { until } from '../support/until.mts';

/**
 * n8n in queue mode, with two webhook processes, two workers, Redis and PostgreSQL. No event is
 * lost in either delivery mode, and none is doubled in pull mode.
 */

const EVENTS = 120;
const REPEATS = 60;
const PARALLEL_CLOSINGS = 10;
const WEBHOOK_PROCESSES = 2;
const POLL_MS = 500;
/** States of executions that haven't ended. */
const OPEN = new Set(['running', 'new', 'waiting']);
/** The service repeats soon what a busy machine didn't answer in time. */
const RETRY_SCHEDULE_SECONDS = Array.from({ length: 30 }, () => 5);
const installHint = queueModeInstallHint();
if (installHint !== undefined)
	process.stdout.write(`Queue mode can't be tested on this machine. To test it: ${installHint}\n`);

(installHint === undefined ? describe : describe.skip)('queue mode', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	let queueMode: QueueMode;
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ webhookRetryScheduleSeconds: RETRY_SCHEDULE_SECONDS });
		queueMode = await startQueueMode(folder, TARBALL);
	});
	afterAll(async () => {
		await queueMode?.stop();
		await sandbox?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	/**
	 * Waits until every webhook process knows a webhook: each gets a call in turn, and answers 401 to
	 * one without the secret, but 404 as long as it doesn't know the webhook.
	 */
	async function waitUntilKnown(url: string): Promise<void> {
		let known = 0;
		await until(async () => {
			const { status } = await fetch(url.split('?')[0], { method: 'POST' });
			known = status === 401 ? known + 1 : 0;
			return known === WEBHOOK_PROCESSES;
		}, POLL_MS);
	}

	/**
	 * Publishes a workflow, makes the service deliver events and repeat half of the deliveries, and
	 * counts for each transaction how often its event passed the trigger.
	 */
	async function countPassed(eventSource: 'push' | 'pull'): Promise<Map<string, number>> {
		const { api } = queueMode.n8n;
		const credential = await api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const { id } = await api.workflows.save(
			inARow(`Events by ${eventSource}`, [
				triggerNode(
					{ credentials: { [CREDENTIAL_TYPE]: credential } },
					{ events: ['transaction.created'], options: { eventSource } },
				),
			]),
		);
		const webhooks = sandbox.world.webhooks.size;
		await api.workflows.publish(id);
		// n8n publishes in the background: an event before the webhook stands goes to nobody.
		await until(() => sandbox.world.webhooks.size > webhooks, POLL_MS);
		// That of the workflow before may not be deleted yet.
		const webhook = [...sandbox.world.webhooks.values()].at(-1)!;
		await waitUntilKnown(webhook.url);
		const counts = new Map<string, number>();
		for (let count = 0; count < EVENTS; count += PARALLEL_CLOSINGS)
			for (const transactionId of await Promise.all(
				Array.from({ length: PARALLEL_CLOSINGS }, async () => await createDraftClosing(sandbox)),
			))
				counts.set(transactionId, 0);
		const repeated = sandbox.deliveries
			.filter((one) => one.webhookId === webhook.id && counts.has(one.transactionId))
			.slice(0, REPEATS);
		await Promise.all(
			repeated.map(async ({ id: deliveryId }) => await sandbox.act.redeliver(deliveryId)),
		);
		await sandbox.clock.settled();
		const unsuccessful: string[] = [];
		const read = new Set<string>();
		/** Counts the events of executions that have ended since the last time. An event log gives several to one. */
		const countEnded = async () => {
			let open = 0;
			for (const { id: executionId } of await api.executions.listAll(id)) {
				if (read.has(executionId)) continue;
				const execution = await api.executions.get(executionId);
				if (OPEN.has(execution.status)) {
					open++;
					continue;
				}
				read.add(executionId);
				if (execution.status !== 'success')
					unsuccessful.push(`${executionId} ${execution.status}: ${failureReason(execution)}`);
				for (const event of outputJson(execution, 'Events')) {
					const transactionId = String(event.transaction_id);
					if (!counts.has(transactionId))
						unsuccessful.push(`${executionId} passed something else: ${JSON.stringify(event)}`);
					counts.set(transactionId, (counts.get(transactionId) ?? 0) + 1);
				}
			}
			const isDelivered = sandbox.deliveries
				.filter((one) => one.webhookId === webhook.id && counts.has(one.transactionId))
				.every(({ code }) => code === 200);
			const isPassed =
				eventSource === 'push'
					? read.size >= EVENTS + REPEATS
					: [...counts.values()].every((count) => count > 0);
			return isDelivered && isPassed && open === 0;
		};
		await until(countEnded, POLL_MS);
		// A further event comes after whatever else would.
		const further = await createDraftClosing(sandbox);
		counts.set(further, 0);
		await until(async () => (await countEnded()) && counts.get(further)! > 0, POLL_MS);
		counts.delete(further);
		expect(unsuccessful).toEqual([]);
		await api.workflows.unpublish(id);
		return counts;
	}

	test('push mode loses no event', async () => {
		const passed = await countPassed('push');
		expect(passed.size).toBe(EVENTS);
		expect([...passed.values()].filter((count) => count === 0)).toEqual([]);
		const doubled = [...passed.values()].filter((count) => count > 1).length;
		process.stdout.write(
			`  queue mode, push: ${EVENTS} events, ${REPEATS} delivered twice, none lost, ${doubled} doubled\n`,
		);
	});

	test('pull mode loses no event and doubles none', async () => {
		const passed = await countPassed('pull');
		expect(passed.size).toBe(EVENTS);
		expect([...passed.values()].filter((count) => count !== 1)).toEqual([]);
	});
});
