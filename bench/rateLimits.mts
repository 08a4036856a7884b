import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { failureReason } from '../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE, PACKAGE_NAME } from '../host/clients/n8n/names.mts';
import type { WorkflowJson } from '../host/clients/n8n/types.mts';
import { startN8n, type RunningN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startLimitedService } from './limitedService.mts';
import { LIMITERS, type Hint } from './limiters.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures how long many reads take at services with rate limits, and how many requests they refuse.
 * The workflow runs in a real n8n, once for each limiter. Run: node bench/rateLimits.mts [--reads
 * 1000] [--perSecond 20] [--answerMs 50] [--only noBurst] [--hint none], after npm start has installed everything.
 */

const { values } = parseArgs({
	options: {
		reads: { type: 'string', default: '1000' },
		perSecond: { type: 'string', default: '20' },
		answerMs: { type: 'string', default: '50' },
		only: { type: 'string' },
		hint: { type: 'string' },
	},
});
const reads = Number(values.reads);
const perSecond = Number(values.perSecond);
const POLL_MS = 500;
const FINAL = new Set(['success', 'error', 'crashed', 'canceled']);

interface Case {
	limiter: keyof typeof LIMITERS;
	hint: Hint;
	status: 429 | 503;
}

const CASES: Case[] = [
	...(Object.keys(LIMITERS) as Array<keyof typeof LIMITERS>).flatMap((limiter) =>
		(['none', 'retryAfter', 'zero', 'past', 'usedUp'] as const).map((hint): Case => ({
			limiter,
			hint,
			status: 429,
		})),
	),
	{ limiter: 'noBurst', hint: 'none', status: 503 },
];

const connectTo = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

function workflow(credentials: WorkflowJson['nodes'][number]['credentials']): WorkflowJson {
	const ids = Array.from({ length: reads }, (_, index) => `or_${index}`);
	const node = (
		name: string,
		type: string,
		typeVersion: number,
		parameters: Record<string, unknown>,
		x: number,
	) => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [x, 0] as [number, number],
		parameters,
	});
	return {
		name: 'Reads',
		nodes: [
			node('Run', 'n8n-nodes-base.manualTrigger', 1, {}, 0),
			node(
				'IDs',
				'n8n-nodes-base.set',
				3.4,
				{ mode: 'raw', jsonOutput: JSON.stringify({ ids }) },
				200,
			),
			node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'ids', options: {} }, 400),
			{
				...node(
					'Read',
					`${PACKAGE_NAME}.signAndClose`,
					1,
					{
						resource: 'transaction',
						operation: 'get',
						platform: 'business',
						transactionId: { __rl: true, mode: 'id', value: '={{ $json.ids }}' },
						simplify: true,
					},
					600,
				),
				credentials,
			},
		],
		connections: { Run: connectTo('IDs'), IDs: connectTo('Split'), Split: connectTo('Read') },
		settings: { executionOrder: 'v1' },
	};
}

async function measure(n8n: RunningN8n, { limiter, hint, status }: Case): Promise<string> {
	await using service = await startLimitedService(
		LIMITERS[limiter]({ count: perSecond, windowMs: 1000, hint }),
		{ status, answerMs: Number(values.answerMs) },
	);
	const credential = await n8n.api.credentials.save(
		`${limiter} ${hint} ${status}`,
		CREDENTIAL_TYPE,
		{
			baseUrl: service.url,
			apiKey: 'key-of-the-bench',
			organizationId: '',
			pathLayout: 'documented',
		},
	);
	const { id } = await n8n.api.workflows.save(workflow({ [CREDENTIAL_TYPE]: credential }));
	const executionId = await n8n.api.executions.run(id);
	let execution = await n8n.api.executions.get(executionId!);
	while (!FINAL.has(execution.status)) {
		await sleep(POLL_MS);
		execution = await n8n.api.executions.get(executionId!);
	}
	const { requests } = service;
	const seconds = ((requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0)) / 1000;
	const refused = requests.filter(({ accepted }) => !accepted).length;
	const outcome = execution.status === 'success' ? '' : ` (${failureReason(execution)})`;
	return `| ${limiter} | ${status}, ${hint} | ${seconds.toFixed(0)} s | ${refused} |${outcome}`;
}

await inTemporaryFolder(async (userFolder) => {
	const n8n = await startN8n({ userFolder, tarball: join(RUN_DIR, 'package.tgz') });
	try {
		process.stdout.write(
			`${reads} reads at ${perSecond} a second: at least ${reads / perSecond} s\n` +
				'| Limiter | Refusals | Time | Refused |\n| --- | --- | --- | --- |\n',
		);
		for (const entry of CASES)
			if (
				(values.only ?? entry.limiter) === entry.limiter &&
				(values.hint ?? entry.hint) === entry.hint
			)
				process.stdout.write(`${await measure(n8n, entry)}\n`);
	} finally {
		await n8n.stop();
	}
});
