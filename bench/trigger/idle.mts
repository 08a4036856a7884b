import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { triggerNode } from '../../host/clients/n8n/nodes.mts';
import { sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { startSandbox } from '../../sandbox/index.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { publish } from './publish.mts';

/**
 * Counts what many published workflows ask the service while nothing happens, and how their requests
 * are spread over the time. Run: node bench/trigger/idle.mts [--workflows 100] [--source push]
 * [--minutes 60], after npm start has installed everything. --source is push, pull or changes. Fewer
 * minutes than 15 don't show all checks.
 */

const { values } = parseArgs({
	options: {
		workflows: { type: 'string', default: '100' },
		source: { type: 'string', default: 'push' },
		minutes: { type: 'string', default: '60' },
	},
});
const workflows = Number(values.workflows);
const minutes = Number(values.minutes);

/** The first checks of all workflows, which come with their publishing, are over by then. */
const SETTLING_MS = 30_000;
const MINUTE_MS = 60_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

/** The most requests in a period of this length. */
function most(times: readonly number[], lengthMs: number): number {
	const counts = new Map<number, number>();
	for (const time of times) {
		const period = Math.floor(time / lengthMs);
		counts.set(period, (counts.get(period) ?? 0) + 1);
	}
	return Math.max(0, ...counts.values());
}

await inTemporaryFolder(async (userFolder) => {
	const sandbox = await startSandbox();
	const n8n = await startN8n({
		userFolder,
		tarball: join(RUN_DIR, 'package.tgz'),
		env: { N8N_LOG_LEVEL: 'warn' },
	});
	try {
		const credential = await n8n.api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		for (let count = 1; count <= workflows; count++) {
			const trigger = triggerNode(
				{ credentials: { [CREDENTIAL_TYPE]: credential } },
				{ events: ['group:finished'], options: { eventSource: values.source } },
			);
			await publish(n8n.api, `Idle ${count}`, [trigger]);
		}
		print(`${workflows} workflows are published, ${sandbox.world.webhooks.size} webhooks`);
		await sleep(SETTLING_MS);
		sandbox.requests.clear();
		const cpuBefore = n8n.cpuMs();
		const begin = Date.now();
		const times: number[] = [];
		for (const end = begin + minutes * MINUTE_MS; Date.now() < end;) {
			await sleep(100);
			times.push(...sandbox.requests.map(() => Date.now() - begin));
			sandbox.requests.clear();
		}
		const hours = minutes / 60;
		const cpuSeconds = (n8n.cpuMs() - cpuBefore) / 1000;
		print(`${times.length} requests in ${minutes} minutes`);
		print(`${Math.round(times.length / hours)} in an hour`);
		print(`${(times.length / hours / workflows).toFixed(1)} in an hour for each workflow`);
		print(`${most(times, MINUTE_MS)} in the busiest minute, ${most(times, 1000)} in a second`);
		print(`${(cpuSeconds / hours).toFixed(0)} s of n8n's CPU time in an hour`);
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
});
