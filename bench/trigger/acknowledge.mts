import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { N8nClient } from '../../host/clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { builtInNode, triggerNode } from '../../host/clients/n8n/nodes.mts';
import type { CredentialReference } from '../../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { bareTrigger, bareTriggerUrl, installBareTrigger } from './bareTrigger.mts';
import { eventBody, postEvent, signatureOf } from './deliveries.mts';
import { publish } from './publish.mts';

/**
 * Measures how long a delivery waits for its answer, compared with n8n's own Webhook node and with a
 * trigger that does nothing, in the same n8n under the same load. The candidates take turns, so that
 * other load on the machine affects all of them alike. Run: node bench/trigger/acknowledge.mts
 * [--rounds 12] [--calls 25] [--engine vm], after npm start has installed everything.
 *
 * n8n 2 creates an isolate for expressions on every call, except for its own Webhook node when that
 * has only fixed values. Two more candidates show what this costs: the Webhook node with one
 * expression, and a trigger that does nothing. --engine legacy measures everything without isolates.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '12' },
		calls: { type: 'string', default: '25' },
		engine: { type: 'string', default: 'vm' },
	},
});
const PARALLEL_CALLS = 2;
const WARM_UP_CALLS = 20;
const SERVICE_CALLS = 50;

interface Candidate {
	name: string;
	/** Sends a delivery with this number. Returns its duration in milliseconds. */
	call: (count: number) => Promise<number>;
	durations: number[];
}

/** Posts a delivery. Returns the time until its answer in milliseconds. */
async function measurePost(...call: Parameters<typeof postEvent>): Promise<number> {
	const startTime = performance.now();
	await postEvent(...call);
	return performance.now() - startTime;
}

async function triggerCandidate(
	api: N8nClient,
	sandbox: Sandbox,
	transactionId: string,
	confirm: boolean,
	credential: CredentialReference,
): Promise<Candidate> {
	const name = confirm ? 'Trigger, confirming with the service' : 'Trigger, without confirming';
	const before = new Set(sandbox.world.webhooks.keys());
	const node = triggerNode(
		{ credentials: { [CREDENTIAL_TYPE]: credential } },
		{ events: ['transaction.updated'], options: { confirm } },
	);
	await publish(api, name, [node]);
	const { url, signingKey } = [...sandbox.world.webhooks.values()].find(
		({ id }) => !before.has(id),
	)!;
	return {
		name,
		durations: [],
		call: async (count) => {
			const body = eventBody(transactionId, count);
			return await measurePost(url, body, signatureOf(body, signingKey!));
		},
	};
}

async function webhookCandidate(
	api: N8nClient,
	baseUrl: string,
	name: string,
	id: number,
	withExpression: boolean,
): Promise<Candidate> {
	const path = `plain-webhook-${id}`;
	const options = withExpression ? { responseData: "={{ 'ok' }}" } : {};
	await publish(api, name, [
		{
			...builtInNode('Webhook', 'webhook', 2, {
				httpMethod: 'POST',
				path,
				responseMode: 'onReceived',
				options,
			}),
			webhookId: `7f3c0d0e-0000-4000-8000-00000000000${id}`,
		},
	]);
	return {
		name,
		durations: [],
		call: async (count) =>
			await measurePost(`${baseUrl}/webhook/${path}`, eventBody('ot_1', count)),
	};
}

async function bareCandidate(api: N8nClient, baseUrl: string): Promise<Candidate> {
	await publish(api, 'Bare trigger', [bareTrigger]);
	return {
		name: 'A trigger that does nothing',
		durations: [],
		call: async (count) => await measurePost(bareTriggerUrl(baseUrl), eventBody('ot_1', count)),
	};
}

/** Waits until all executions have ended, so that the next candidate isn't slowed down. */
async function waitUntilIdle(api: N8nClient): Promise<void> {
	while ((await api.executions.list(undefined, ['running', 'new'])).length > 0)
		await new Promise((resolve) => setTimeout(resolve, 100));
}

async function measureCandidates(api: N8nClient, candidates: Candidate[]): Promise<void> {
	let count = 0;
	for (const { call } of candidates)
		for (let done = 0; done < WARM_UP_CALLS; done++) await call(count++);
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const { call, durations } of candidates) {
			for (let done = 0; done < Number(values.calls); done += PARALLEL_CALLS) {
				const calls = Array.from({ length: PARALLEL_CALLS }, async () => await call(count++));
				durations.push(...(await Promise.all(calls)));
			}
			await waitUntilIdle(api);
		}
	}
}

/** How long the service takes to answer the request that confirms an event. */
async function measureService(sandbox: Sandbox, transactionId: string): Promise<number> {
	const durations: number[] = [];
	for (let done = 0; done < SERVICE_CALLS; done++) {
		const startTime = performance.now();
		const response = await fetch(`${sandbox.url}/mortgage/v1/transactions/${transactionId}`, {
			headers: { ApiKey: sandbox.keys.full },
		});
		await response.arrayBuffer();
		durations.push(performance.now() - startTime);
	}
	return median(durations);
}

await inTemporaryFolder(async (folder) => {
	const sandbox = await startSandbox();
	const n8n = await startN8n({
		userFolder: folder,
		tarball: join(RUN_DIR, 'package.tgz'),
		env: {
			N8N_LOG_LEVEL: 'warn',
			...installBareTrigger(folder),
			N8N_EXPRESSION_ENGINE: values.engine,
		},
	});
	try {
		const { api, url } = n8n;
		const credential = await api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const transactionId = await createDraftClosing(sandbox);
		const candidates = [
			await webhookCandidate(api, url, "n8n's Webhook node", 3, false),
			await webhookCandidate(api, url, "n8n's Webhook node with an expression", 4, true),
			await bareCandidate(api, url),
			await triggerCandidate(api, sandbox, transactionId, false, credential),
			await triggerCandidate(api, sandbox, transactionId, true, credential),
		];
		await measureCandidates(api, candidates);
		const serviceMs = await measureService(sandbox, transactionId);
		process.stdout.write(`One request to the service: median ${serviceMs.toFixed(1)} ms\n`);
		const [webhookMs, , bareMs] = candidates.map(({ durations }) => median(durations));
		for (const { name, durations } of candidates) {
			const ms = median(durations);
			const times = (other: number) => `${(ms / other).toFixed(2)} times`;
			process.stdout.write(
				`${name}: median ${ms.toFixed(1)} ms of ${durations.length} calls, ${times(webhookMs)} n8n's Webhook node, ${times(bareMs)} a trigger that does nothing\n`,
			);
		}
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
});
