import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import type { FaultSpec } from '../../sandbox/http/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { seededRandom } from '../seededRandom.mts';
import { alarmingLines, connectionsTo, heapSlope, takeSample, type Sample } from './report.mts';
import {
	closingWorkflow,
	draftWorkflow,
	eventWorkflow,
	readingWorkflow,
	type SoakSetting,
} from './workflows.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';

/**
 * An hour of mixed load in a real n8n: closings, drafts, lists, and events with their documents,
 * while one request of ten meets a fault. Reports how n8n's memory grows, which sockets stay open,
 * what its log complains of, and whether anything was done twice or lost. Run: node bench/soak/soak.mts
 * [--minutes 60] [--seed 1], after npm start has installed everything.
 */

/** How often each workflow is started, in milliseconds. */
const EVERY = { 'soak-closing': 4000, 'soak-draft': 5000, 'soak-reading': 7000 };
const REQUESTS_PER_FAULT = 10;
const POLL_MS = 200;
const SAMPLE_MS = 5000;
const WINDOW_MS = 120_000;
/** Until then n8n still compiles and fills its caches. */
const WARM_UP_SHARE = 1 / 6;
const IDLE_POLLS = 10;
const IDLE_TIMEOUT_MS = 900_000;
/** n8n keeps a connection that nobody uses for less than this. */
const QUIET_MS = 30_000;

/** What a service, or the network before it, does on a bad day; some of it more often. */
const FAULTS: FaultSpec[] = [
	{ status: 503 },
	{ status: 503, headers: { 'retry-after': '1' } },
	{ status: 500 },
	{ status: 502, body: '<html>Bad gateway</html>' },
	{ status: 429, headers: { 'retry-after': '1' } },
	{ kind: 'respondAfter', status: 504 },
	{ kind: 'respondAfter', status: 500 },
	{ kind: 'notJson' },
	{ kind: 'cutBefore' },
	{ kind: 'cutAfter' },
	{ kind: 'cutMidBody' },
	{ delayMs: 3000 },
	{ kind: 'stall' },
];

/** What workflows have reported, by kind. */
type Reports = Map<string, string[]>;

async function startCollector(reports: Reports) {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { kind, id } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
		reports.set(kind, [...(reports.get(kind) ?? []), id]);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** How many requests there were. The log itself keeps the latest only. */
const requestsOf = (sandbox: Sandbox) => sandbox.requests.at(-1)?.id ?? 0;

/** One fault for every so many requests. Returns how many there were when it is told to stop. */
function injectFaults(sandbox: Sandbox, seed: number) {
	const random = seededRandom(seed);
	let [injected, seen] = [0, requestsOf(sandbox)];
	const timer = setInterval(() => {
		if (requestsOf(sandbox) - seen < REQUESTS_PER_FAULT) return;
		seen = requestsOf(sandbox);
		injected += 1;
		sandbox.faults.add(FAULTS[Math.floor(random() * FAULTS.length)]);
	}, POLL_MS);
	return {
		stop: () => {
			clearInterval(timer);
			sandbox.faults.clear();
			return injected;
		},
	};
}

/** Starts each workflow in its rhythm. Returns how often each was started. */
async function load(n8n: RunningN8n, untilMs: number): Promise<Record<string, number>> {
	const started: Record<string, number> = {};
	const drive = async (path: string, everyMs: number) => {
		for (started[path] = 0; Date.now() < untilMs; await sleep(everyMs)) {
			const key = `${path}-${started[path]}`;
			const { status } = await fetch(`${n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ key }),
			});
			// Its database isn't ready at the moment. Nothing was started.
			if (status === 503) continue;
			if (status !== 200) throw new Error(`n8n answered ${status} to a call that starts ${path}`);
			started[path] += 1;
		}
	};
	await Promise.all(Object.entries(EVERY).map(async ([path, ms]) => await drive(path, ms)));
	return started;
}

/** Completes each closing soon after it was sent, as its signers would. */
async function complete(sandbox: Sandbox, reports: Reports, isOver: () => boolean): Promise<void> {
	for (let next = 0; !isOver();) {
		const id = reports.get('sent')?.[next];
		if (id === undefined) await sleep(POLL_MS);
		else {
			await sandbox.act.complete(id);
			next += 1;
		}
	}
}

async function waitUntilIdle(n8n: RunningN8n, isDone: () => boolean): Promise<void> {
	const until = Date.now() + IDLE_TIMEOUT_MS;
	for (let idle = 0; idle < IDLE_POLLS && Date.now() < until; await sleep(1000)) {
		const running = await n8n.api.executions.list(undefined, ['running', 'new', 'waiting']);
		idle = running.length === 0 && isDone() ? idle + 1 : 0;
	}
}

/** External IDs of which the service has more than one transaction, and documents added twice. */
function doneTwice(sandbox: Sandbox): string[] {
	const transactions = [...sandbox.world.transactions.values()];
	const byKey = Map.groupBy(transactions, ({ fields }) => String(fields.external_id));
	const twice = [...byKey].filter(([, some]) => some.length > 1).map(([key]) => key);
	const documents = transactions
		.filter(({ documents: all }) => all.filter(({ name }) => name === 'Deed of Trust').length > 1)
		.map(({ id }) => `documents of ${id}`);
	return [...twice, ...documents];
}

async function statusesOf(n8n: RunningN8n, workflowId: string): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const { status } of await n8n.api.executions.listAll(workflowId))
		counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** Runs a soak in a fresh n8n with a sandbox. */
async function soak(userFolder: string, minutes: number, seed: number) {
	const sandbox = await startSandbox({ webhookRetryScheduleSeconds: Array(40).fill(10) });
	const reports: Reports = new Map();
	const collector = await startCollector(reports);
	const n8n = await startN8n({
		userFolder,
		tarball: join(RUN_DIR, 'package.tgz'),
		env: { N8N_METRICS: 'true', EXECUTIONS_DATA_PRUNE: 'false' },
	});
	try {
		const { api } = n8n;
		const settings = sandboxCredential(sandbox);
		const credential = await api.credentials.save('Sandbox', CREDENTIAL_TYPE, settings);
		const setting: SoakSetting = {
			credentials: { [CREDENTIAL_TYPE]: credential },
			pdfUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
			reportUrl: collector.url,
		};
		const ids: Record<string, string> = {};
		for (const workflow of [closingWorkflow, draftWorkflow, readingWorkflow, eventWorkflow]) {
			const saved = await api.workflows.save(workflow(setting));
			await api.workflows.publish(saved.id);
			ids[saved.name] = saved.id;
		}
		const began = Date.now();
		const until = began + minutes * 60_000;
		const samples: Sample[] = [];
		const sampling = setInterval(
			() => void takeSample(n8n.url).then((sample) => samples.push(sample)),
			SAMPLE_MS,
		);
		const faults = injectFaults(sandbox, seed);
		let isOver = false;
		const completing = complete(sandbox, reports, () => isOver);
		const started = await load(n8n, until);
		clearInterval(sampling);
		const injected = faults.stop();
		const arrived = () => new Set(reports.get('completed')).size;
		await waitUntilIdle(n8n, () => arrived() === new Set(reports.get('sent')).size);
		isOver = true;
		await completing;
		await sleep(QUIET_MS);
		const warm = samples.filter(({ atMs }) => atMs - began > minutes * 60_000 * WARM_UP_SHARE);
		const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
		const executions: Record<string, Record<string, number>> = {};
		for (const [name, id] of Object.entries(ids)) executions[name] = await statusesOf(n8n, id);
		const completed = reports.get('completed') ?? [];
		return {
			minutes,
			started,
			requests: requestsOf(sandbox),
			faults: injected,
			executions,
			closingsSent: reports.get('sent')?.length ?? 0,
			closingsCompleted: completed.length,
			completedNotPassed: (reports.get('sent') ?? []).filter((id) => !completed.includes(id)),
			completedPassedTwice: completed.filter((id, index) => completed.indexOf(id) !== index),
			doneTwice: doneTwice(sandbox),
			heapMegabytes: [warm[0], warm.at(-1)!].map(({ heapBytes }) => megabytes(heapBytes)),
			heapSlopeMegabytesPerHour: Number(heapSlope(warm, WINDOW_MS).toFixed(1)),
			mostResidentMegabytes: megabytes(
				Math.max(...samples.map(({ residentBytes }) => residentBytes)),
			),
			residentMegabytes: [warm[0], warm.at(-1)!].map(({ residentBytes }) =>
				megabytes(residentBytes),
			),
			openFiles: [warm[0], warm.at(-1)!, await takeSample(n8n.url)].map(
				({ openFiles }) => openFiles,
			),
			socketsLeft: connectionsTo(sandbox.port),
			alarmingLines: alarmingLines(n8n.log()),
			problems: sandbox.problems.length,
		};
	} finally {
		await n8n.stop();
		collector.server.close();
		await sandbox.close();
	}
}

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '60' },
		seed: { type: 'string', default: '1' },
	},
});
const result = await inTemporaryFolder(
	async (folder) => await soak(folder, Number(values.minutes), Number(values.seed)),
);
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
const wrong =
	result.completedNotPassed.length +
	result.completedPassedTwice.length +
	result.doneTwice.length +
	result.socketsLeft +
	result.alarmingLines.length;
process.exit(wrong === 0 ? 0 : 1);
