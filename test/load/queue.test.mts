import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { CREDENTIAL_TYPE, itemsOf, PACKAGE } from '../../host/clients/n8nApi.mts';
import { makeClosing, sandboxCredential } from '../../host/demo/setUp.mts';
import { missingForQueue, startQueue, type Queue } from '../../host/run/queueMode.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { TARBALL } from '../e2e/support/host.mts';

/**
 * Queue mode: two webhook processes, two workers, Redis and PostgreSQL. Nothing is lost in either
 * mode, and in pull mode nothing is doubled.
 */

const EVENTS = 120;
const REPEATS = 60;
const missing = missingForQueue();
if (missing !== undefined)
	process.stdout.write(`Queue mode is not tested on this machine: ${missing}\n`);

(missing === undefined ? describe : describe.skip)('queue mode', () => {
	const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	let queue: Queue;
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
		queue = await startQueue(place, TARBALL);
	}, 300_000);
	afterAll(async () => {
		await queue?.stop();
		await sandbox?.close();
		rmSync(place, { recursive: true, force: true });
	}, 60_000);

	/**
	 * Publishes a flow, lets events be delivered and half of them again at once, and counts by
	 * transaction what passed.
	 */
	async function passedBy(deliveryMode: 'push' | 'pull'): Promise<Map<string, number>> {
		const { api } = queue.n8n;
		const credential = await api.saveCredential(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const { id } = await api.saveWorkflow({
			name: `Events by ${deliveryMode}`,
			nodes: [
				{
					id: deliveryMode,
					name: 'Events',
					type: `${PACKAGE}.signAndCloseTrigger`,
					typeVersion: 1,
					position: [0, 0],
					webhookId: `7f3c0d0e-0000-4000-8000-00000000000${deliveryMode.length}${deliveryMode === 'push' ? 1 : 2}`,
					parameters: { events: ['transaction.created'], deliveryMode, retrieveTransaction: false },
					credentials: { [CREDENTIAL_TYPE]: credential },
				} as never,
			],
			connections: {},
			settings: { executionOrder: 'v1' },
		});
		await api.publish(id);
		// n8n tells its webhook processes of what was published.
		await wait(1500);
		const wanted = new Map<string, number>();
		for (let count = 0; count < EVENTS; count += 10)
			for (const transactionId of await Promise.all(
				Array.from({ length: 10 }, async () => await makeClosing(sandbox)),
			))
				wanted.set(transactionId, 0);
		const own = sandbox.deliveries
			.filter(({ transactionId }) => wanted.has(transactionId))
			.slice(0, REPEATS);
		await Promise.all(
			own.map(async ({ id: deliveryId }) => await sandbox.act.repeatDelivery(deliveryId)),
		);
		await sandbox.clock.settled();
		// Until nothing is under way for some seconds: what the records bring comes with a look every
		// 20 seconds.
		const end = Date.now() + 120_000;
		const runsWanted = deliveryMode === 'push' ? EVENTS + REPEATS : EVENTS;
		for (let quiet = 0; quiet < 6 && Date.now() < end; await wait(500)) {
			const busy = await api.executions(id, ['running', 'new', 'waiting']);
			quiet =
				busy.length === 0 && (await api.allExecutions(id)).length >= runsWanted ? quiet + 1 : 0;
		}
		const runs = await api.allExecutions(id);
		expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
		for (const run of runs)
			for (const { json } of itemsOf(await api.execution(run.id), 'Events'))
				wanted.set(String(json.transaction_id), (wanted.get(String(json.transaction_id)) ?? 0) + 1);
		await api.unpublish(id);
		return wanted;
	}

	test('from the calls: nothing is lost; what several workers let through twice is counted', async () => {
		const passed = await passedBy('push');
		expect(passed.size).toBe(EVENTS);
		expect([...passed.values()].filter((count) => count === 0)).toEqual([]);
		const doubled = [...passed.values()].filter((count) => count > 1).length;
		process.stdout.write(
			`  queue mode, from the calls: ${EVENTS} events, ${REPEATS} delivered twice, none lost, ${doubled} doubled\n`,
		);
	}, 180_000);

	test('from the event records: nothing is lost and nothing is doubled', async () => {
		const passed = await passedBy('pull');
		expect(passed.size).toBe(EVENTS);
		expect([...passed.values()].filter((count) => count !== 1)).toEqual([]);
	}, 180_000);
});
