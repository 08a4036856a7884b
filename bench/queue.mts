import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { builtInNode, inARow } from '../host/clients/n8n/nodes.mts';
import { startQueueMode } from '../host/run/queueMode.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startLimitedService } from './limitedService.mts';
import { readNode, saveCredential, transactionRows } from './parts.mts';
import { median } from './statistics.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures how long many runs take in queue mode with one worker and with two: from the first call
 * of the workflow to the last read at the service. Needs Redis and PostgreSQL. Run: node
 * bench/queue.mts [--rounds 5] [--runs 20] [--reads 500] [--latency 50], after npm start has
 * installed everything.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		runs: { type: 'string', default: '20' },
		reads: { type: 'string', default: '500' },
		latency: { type: 'string', default: '50' },
	},
});
const [rounds, runs, reads, latency] = [
	values.rounds,
	values.runs,
	values.reads,
	values.latency,
].map(Number);
const POLL_MS = 50;

/** Seconds for all runs, in each round. */
async function measure(workers: number, folder: string): Promise<number[]> {
	const queueMode = await startQueueMode(folder, join(RUN_DIR, 'package.tgz'), { workers });
	const { api, url } = queueMode.n8n;
	try {
		await using service = await startLimitedService(() => ({ accepted: true, headers: {} }), {
			answerMs: latency,
		});
		const credentials = await saveCredential(queueMode.n8n, service.url);
		const { id } = await api.workflows.save(
			inARow('Reads', [
				{
					...builtInNode('Call', 'webhook', 2, { httpMethod: 'POST', path: 'reads' }),
					webhookId: 'reads',
				},
				...transactionRows(reads),
				readNode(credentials),
			]),
		);
		await api.workflows.publish(id);
		const seconds: number[] = [];
		// The first round only warms up.
		for (let round = 0; round <= rounds; round++) {
			const before = service.requests.length;
			const began = performance.now();
			await Promise.all(
				Array.from({ length: runs }, async () => {
					const { status } = await fetch(`${url}/webhook/reads`, { method: 'POST' });
					if (status !== 200) throw new Error(`n8n answered ${status}`);
				}),
			);
			while (service.requests.length < before + runs * reads) await sleep(POLL_MS);
			if (round > 0) seconds.push((performance.now() - began) / 1000);
		}
		return seconds;
	} finally {
		await queueMode.stop();
	}
}

const [one, two] = [
	median(await inTemporaryFolder(async (folder) => await measure(1, folder))),
	median(await inTemporaryFolder(async (folder) => await measure(2, folder))),
];
process.stdout.write(
	`${runs} runs of ${reads} reads, medians of ${rounds} rounds: ${one.toFixed(1)} s with one worker, ` +
		`${two.toFixed(1)} s with two: ${(two / one).toFixed(2)} of the time\n`,
);
