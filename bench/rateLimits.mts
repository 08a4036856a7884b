import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { failureReason } from '../host/clients/n8n/executionData.mts';
import { workflowInARow } from '../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../host/clients/n8n/types.mts';
import { startN8n, type RunningN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startLimitedService, type LimitedRequest } from './limitedService.mts';
import { fixedWindow, LIMITERS, type Hint, type Limiter } from './limiters.mts';
import { readNode, saveCredential, transactionRows } from './parts.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures how long many reads take at services with rate limits, and how many requests they refuse.
 * The workflow runs in a real n8n, once for each limiter, or as several workflows at once that share
 * a key. A quota that is used up for a minute comes last. Run: node bench/rateLimits.mts [--reads
 * 1000] [--perSecond 20] [--answerMs 50] [--workflows 1] [--only noBurst] [--hint none] [--status
 * 503], after npm start has installed everything.
 */

const { values } = parseArgs({
	options: {
		reads: { type: 'string', default: '1000' },
		perSecond: { type: 'string', default: '20' },
		answerMs: { type: 'string', default: '50' },
		workflows: { type: 'string', default: '1' },
		only: { type: 'string' },
		hint: { type: 'string' },
		status: { type: 'string' },
	},
});
const [reads, perSecond, answerMs, workflows] = [
	values.reads,
	values.perSecond,
	values.answerMs,
	values.workflows,
].map(Number);

const TIMEOUT_MS = 600_000;
/** How long a request or an answer is under way, at most. */
const ON_THE_WAY_MS = 20;

interface Case {
	limiter: string;
	hint: Hint;
	status: 429 | 503;
	make: () => Limiter;
	reads: number;
}

/** What refusals say of the time to wait. */
const HINTS: Record<Case['status'], Hint[]> = {
	429: ['none', 'retryAfter', 'zero', 'past', 'usedUp'],
	503: ['none', 'retryAfter', 'zero'],
};

const CASES: Case[] = [
	...(Object.keys(LIMITERS) as Array<keyof typeof LIMITERS>).flatMap((limiter) =>
		([429, 503] as const).flatMap((status) =>
			HINTS[status].map((hint): Case => ({
				limiter,
				hint,
				status,
				make: () => LIMITERS[limiter]({ count: perSecond, windowMs: 1000, hint }),
				reads,
			})),
		),
	),
	...(['retryAfter', 'none'] as const).map((hint): Case => ({
		limiter: 'quota',
		hint,
		status: 429,
		make: () => fixedWindow({ count: 50, windowMs: 60_000, hint }),
		reads: 80,
	})),
];

const workflow = (count: number, credentials: WorkflowNode['credentials']): WorkflowJson =>
	workflowInARow('Reads', [...transactionRows(count), readNode(credentials)]);

/** Refused requests that were sent when the first refusal had arrived. */
function sentMeanwhile(requests: LimitedRequest[]): number {
	const refused = requests.filter(({ accepted }) => !accepted);
	return refused.filter(({ at }) => at > refused[0].at + answerMs + ON_THE_WAY_MS).length;
}

async function measure(n8n: RunningN8n, { limiter, hint, status, make, ...of }: Case) {
	await using service = await startLimitedService(make(), { status, answerMs });
	const credentials = await saveCredential(n8n, service.url, `${limiter} ${hint} ${status}`);
	const stored = await Promise.all(
		Array.from({ length: workflows }, async () =>
			n8n.api.workflows.save(workflow(of.reads / workflows, credentials)),
		),
	);
	const executions = await Promise.all(
		stored.map(async ({ id }) => await n8n.api.executions.runToEnd(id, TIMEOUT_MS)),
	);
	const { requests } = service;
	const seconds = ((requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0)) / 1000;
	const refused = requests.filter(({ accepted }) => !accepted).length;
	const share = ((100 * refused) / requests.length).toFixed(1);
	const failed = executions.filter((execution) => execution.status !== 'success');
	const outcome = failed.map((execution) => ` (${failureReason(execution)})`).join('');
	const meanwhile = limiter === 'quota' ? ` (${sentMeanwhile(requests)} sent meanwhile)` : '';
	return `| ${limiter} | ${status}, ${hint} | ${seconds.toFixed(1)} s | ${refused}${meanwhile} | ${share} % |${outcome}`;
}

await inTemporaryFolder(async (userFolder) => {
	const n8n = await startN8n({ userFolder, tarball: join(RUN_DIR, 'package.tgz') });
	try {
		process.stdout.write(
			`${reads} reads at ${perSecond} a second, as ${workflows} workflow(s): at least ${reads / perSecond} s\n` +
				'| Limiter | Refusals | Time | Refused | Share |\n| --- | --- | --- | --- | --- |\n',
		);
		for (const entry of CASES)
			if (
				(values.only ?? entry.limiter) === entry.limiter &&
				(values.hint ?? entry.hint) === entry.hint &&
				(values.status ?? String(entry.status)) === String(entry.status)
			)
				process.stdout.write(`${await measure(n8n, entry)}\n`);
	} finally {
		await n8n.stop();
	}
});
