import { setTimeout as sleep } from 'node:timers/promises';

import { workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { RunningN8n } from '../../host/run/n8n.mts';
import { startLimitedService } from '../../bench/limitedService.mts';
import { readNode, saveCredential, transactionRows } from '../../bench/parts.mts';

const READS = 5_000;
const ANSWER_MS = 50;
/** Requests that have come when it's stopped. */
const STOPPED_AT = 300;
const POLL_MS = 10;
/** Without a request for so long, none comes any more. */
const QUIET_MS = 3_000;

/** What came after a run was stopped. Times are milliseconds after the stop. */
export interface Stopped {
	/** Of the reads that the run would have made. */
	shareRead: number;
	lastRequestMs: number;
	/** When n8n showed the execution as canceled. */
	canceledMs: number;
}

/** Stops a run of many reads after some of them, and waits until no request comes any more. */
export async function stopRun(n8n: RunningN8n): Promise<Stopped> {
	await using service = await startLimitedService(() => ({ accepted: true, headers: {} }), {
		answerMs: ANSWER_MS,
	});
	const credentials = await saveCredential(n8n, service.url);
	const { id } = await n8n.api.workflows.save(
		workflowInARow('Reads', [...transactionRows(READS), readNode(credentials)]),
	);
	const execution = (await n8n.api.executions.run(id)) ?? '';
	const { requests } = service;
	while (requests.length < STOPPED_AT) await sleep(POLL_MS);
	const stopped = Date.now();
	await n8n.api.executions.stop(execution);
	while ((await n8n.api.executions.get(execution)).status !== 'canceled') await sleep(POLL_MS);
	const canceledMs = Date.now() - stopped;
	while (Date.now() - (requests.at(-1)?.at ?? 0) < QUIET_MS) await sleep(POLL_MS);
	return {
		shareRead: requests.length / READS,
		lastRequestMs: Math.max(0, (requests.at(-1)?.at ?? 0) - stopped),
		canceledMs,
	};
}
