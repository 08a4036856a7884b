import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { builtInNode, triggerNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowNode } from '../../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { bareTrigger, bareTriggerUrl, installBareTrigger } from './bareTrigger.mts';
import { eventBody, postEvent, signatureOf } from './deliveries.mts';
import { publish } from './publish.mts';

/**
 * Measures how long many events take from the first call until the last execution has ended: with the
 * trigger, which confirms each event and adds its transaction, and with n8n's Webhook node followed by
 * an HTTP Request node that retrieves the transaction. n8n sets up a sandbox for expressions on each
 * call, except for its own Webhook node, so a package's trigger that does nothing shows how fast any
 * package's trigger can be. They take turns in one n8n, so that other load on the machine affects all
 * alike. With --lazy, n8n sets up sandboxes only where there's an expression. Run: node
 * bench/trigger/throughput.mts [--events 1000] [--connections 16] [--rounds 5] [--lazy], after npm start
 * has installed everything.
 */

const { values } = parseArgs({
	options: {
		events: { type: 'string', default: '1000' },
		connections: { type: 'string', default: '16' },
		rounds: { type: 'string', default: '5' },
		lazy: { type: 'boolean', default: false },
	},
});
const events = Number(values.events);
const connections = Number(values.connections);
const WARM_UP_EVENTS = 50;
const POLL_MS = 50;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Candidate {
	name: string;
	workflowId: string;
	/** Sends an event with this number, and throws unless it's answered 200. */
	send: (count: number) => Promise<void>;
	seconds: number[];
	cpuSeconds: number[];
}

async function makeCandidates(n8n: RunningN8n, sandbox: Sandbox): Promise<Candidate[]> {
	const { api, url } = n8n;
	const credentials = {
		[CREDENTIAL_TYPE]: await api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		),
	};
	const transactionId = await createDraftClosing(sandbox);
	const trigger = triggerNode(
		{ credentials },
		{ events: ['transaction.updated'], output: 'raw', options: {} },
	);
	const triggerId = await publish(api, 'Trigger', [trigger]);
	const [webhook] = [...sandbox.world.webhooks.values()];
	const path = randomUUID();
	/** @param place where the event's data is in the item */
	const retrieve = (place: string): WorkflowNode => ({
		...builtInNode('HTTP Request', 'httpRequest', 4.2, {
			url: `=${sandbox.url}/mortgage/v1/transactions/{{ $json.${place}.transaction_id }}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			options: {},
		}),
		credentials,
	});
	const bareId = await publish(api, 'Bare trigger and HTTP Request', [
		bareTrigger,
		retrieve('data'),
	]);
	const webhookId = await publish(api, 'Webhook and HTTP Request', [
		{
			...builtInNode('Webhook', 'webhook', 2, {
				httpMethod: 'POST',
				path,
				responseMode: 'onReceived',
				options: {},
			}),
			webhookId: path,
		},
		retrieve('body.data'),
	]);
	const measured = { seconds: [], cpuSeconds: [] };
	return [
		{
			name: 'Sign and Close Trigger',
			workflowId: triggerId,
			...structuredClone(measured),
			send: async (count) => {
				const body = eventBody(transactionId, count);
				await postEvent(webhook.url, body, signatureOf(body, webhook.signingKey!));
			},
		},
		{
			name: "n8n's Webhook and HTTP Request",
			workflowId: webhookId,
			...structuredClone(measured),
			send: async (count) =>
				await postEvent(`${url}/webhook/${path}`, eventBody(transactionId, count)),
		},
		{
			name: 'A trigger that does nothing and HTTP Request',
			workflowId: bareId,
			...structuredClone(measured),
			send: async (count) => await postEvent(bareTriggerUrl(url), eventBody(transactionId, count)),
		},
	];
}

/** Sends events and waits until all of their executions have ended. */
async function run(
	n8n: RunningN8n,
	{ workflowId, send }: Candidate,
	first: number,
	count: number,
): Promise<{ seconds: number; cpuSeconds: number }> {
	const cpuBefore = n8n.cpuMs();
	const begin = performance.now();
	let next = first;
	const worker = async () => {
		while (next < first + count) await send(next++);
	};
	await Promise.all(Array.from({ length: connections }, worker));
	const isRunning = async () =>
		(await n8n.api.executions.list(workflowId, ['running', 'new'])).length > 0;
	while (await isRunning()) await sleep(POLL_MS);
	const seconds = (performance.now() - begin) / 1000;
	return { seconds, cpuSeconds: (n8n.cpuMs() - cpuBefore) / 1000 };
}

await inTemporaryFolder(async (userFolder) => {
	const sandbox = await startSandbox();
	const n8n = await startN8n({
		userFolder,
		tarball: join(RUN_DIR, 'package.tgz'),
		env: {
			N8N_LOG_LEVEL: 'warn',
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(values.lazy),
			...installBareTrigger(userFolder),
		},
	});
	try {
		const candidates = await makeCandidates(n8n, sandbox);
		let sent = 0;
		for (const candidate of candidates) {
			await run(n8n, candidate, sent, WARM_UP_EVENTS);
			sent += WARM_UP_EVENTS;
		}
		for (let round = 0; round < Number(values.rounds); round++)
			for (const candidate of candidates) {
				const { seconds, cpuSeconds } = await run(n8n, candidate, sent, events);
				sent += events;
				candidate.seconds.push(seconds);
				candidate.cpuSeconds.push(cpuSeconds);
			}
		for (const { name, workflowId, seconds, cpuSeconds } of candidates) {
			const failed = await n8n.api.executions.list(workflowId, ['error', 'crashed']);
			print(
				`${name}: median ${median(seconds).toFixed(1)} s for ${events} events at ${connections} connections, ${(events / median(seconds)).toFixed(0)} in a second, ${median(cpuSeconds).toFixed(1)} s of CPU time, ${failed.length} failed`,
			);
		}
		const [own, ...others] = candidates;
		for (const other of others) {
			const ratio = (what: 'cpuSeconds' | 'seconds') =>
				(median(own[what]) / median(other[what])).toFixed(2);
			print(
				`Ours / ${other.name}: ${ratio('seconds')} of the time, ${ratio('cpuSeconds')} of the CPU time`,
			);
		}
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
});
