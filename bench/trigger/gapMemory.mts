import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { triggerNode } from '../../host/clients/n8n/nodes.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import type { MadeUp, Told } from './madeUpService.mts';
import { publish } from './publish.mts';

/**
 * Measures what a look at many transactions adds to n8n's memory, and how long publishing a changed
 * trigger takes when its webhook has many event records. Publishing makes the trigger look at what
 * was completed meanwhile; the service, a process of its own, then lists all closings. Run: node
 * bench/trigger/gapMemory.mts [--closings 10000] [--kilobytes 50] [--every 100] [--records 20000]
 * [--answer 300], after npm start has installed everything. Every hundredth closing is completed, so
 * that n8n starts an execution for it: more of them show n8n's memory rather than the look's.
 */

const { values } = parseArgs({
	options: {
		closings: { type: 'string', default: '10000' },
		kilobytes: { type: 'string', default: '50' },
		every: { type: 'string', default: '100' },
		records: { type: 'string', default: '20000' },
		answer: { type: 'string', default: '300' },
	},
});
const [closings, kilobytes, every, records, recordsMs] = [
	values.closings,
	values.kilobytes,
	values.every,
	values.records,
	values.answer,
].map(Number);

/** What n8n's memory has grown by at most, in bytes, and the trigger's hooks that n8n has called. */
interface Watched {
	heap: number;
	resident: number;
	hooks: Array<{ name: string; seconds: number }>;
}

const WARM_UP_CLOSINGS = 500;
const POLL_MS = 1_000;
/** The look is over when the service wasn't asked for that long. */
const QUIET_POLLS = 8;
const PUBLISH_TIMEOUT_MS = 600_000;
const PLAIN: MadeUp = {
	closings: 0,
	completedEvery: every,
	closingBytes: kilobytes * 1024,
	records: 0,
	recordsMs: 0,
	enables: true,
};
const print = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;
const service = fork(join(import.meta.dirname, 'madeUpService.mts'));
const [{ url }] = (await once(service, 'message')) as [Told];
const watchPort = await freePort();

/** Tells the service what it has. Returns how many requests it has answered since the last time. */
async function setService(made: MadeUp): Promise<number> {
	service.send(made);
	const [{ requests }] = (await once(service, 'message')) as [Told];
	return requests;
}

const watch = async (path: string): Promise<Watched> =>
	(await (await fetch(`http://127.0.0.1:${watchPort}/${path}`)).json()) as Watched;

/** Publishes a workflow with the trigger. Returns its ID. */
async function publishTrigger({ api }: RunningN8n, name: string): Promise<string> {
	const credential = await api.credentials.save('Made up', CREDENTIAL_TYPE, {
		baseUrl: url,
		apiKey: 'any-key',
		organizationId: '',
		pathLayout: 'documented',
	});
	const credentials = { [CREDENTIAL_TYPE]: credential };
	return await publish(api, name, [triggerNode({ credentials }, { events: ['group:finished'] })]);
}

/** Publishes the workflow with another output of the trigger. Returns the seconds until n8n was done. */
async function publishChanged({ api }: RunningN8n, id: string): Promise<number> {
	const { name, nodes, connections, settings, versionId } = await api.workflows.get(id);
	const [{ parameters }] = nodes;
	parameters.output = parameters.output === 'raw' ? 'simple' : 'raw';
	const body = { name, nodes, connections, settings, versionId };
	await api.session.send('PATCH', `/rest/workflows/${id}`, body);
	const start = performance.now();
	await api.workflows.publish(id, PUBLISH_TIMEOUT_MS);
	return (performance.now() - start) / 1000;
}

/** Waits until the service isn't asked any more. Returns the number of requests until then. */
async function untilQuiet(made: MadeUp): Promise<number> {
	let all = 0;
	for (let quiet = 0; quiet < QUIET_POLLS;) {
		await sleep(POLL_MS);
		const requests = await setService(made);
		all += requests;
		quiet = requests === 0 ? quiet + 1 : 0;
	}
	return all;
}

/** Watches n8n while the trigger looks at `count` closings. */
async function look(n8n: RunningN8n, id: string, count: number, watching: string) {
	const made = { ...PLAIN, closings: count };
	await untilQuiet(PLAIN);
	await setService(made);
	await watch(watching);
	const start = performance.now();
	await publishChanged(n8n, id);
	const requests = await untilQuiet(made);
	const seconds = (performance.now() - start - QUIET_POLLS * POLL_MS) / 1000;
	return { ...(await watch('end')), requests, seconds };
}

async function measureLook(n8n: RunningN8n): Promise<void> {
	await setService(PLAIN);
	const id = await publishTrigger(n8n, 'Look');
	// n8n has loaded everything, and has its usual size, before it's measured.
	await look(n8n, id, WARM_UP_CLOSINGS, 'begin');
	const plain = await look(n8n, id, closings, 'begin');
	const held = await look(n8n, id, closings, 'begin?collect');
	const seconds = `${plain.seconds.toFixed(0)} s, ${plain.requests} requests`;
	print(
		`A look at ${closings} closings of ${kilobytes} KB, ${Math.ceil(closings / every)} of them completed (${seconds}):`,
	);
	print(`  held at most, with the garbage collected: ${megabytes(held.heap)} (target: below 40)`);
	print(`  heap and buffers at most, garbage included: ${megabytes(plain.heap)}`);
	print(`  resident memory: ${megabytes(plain.resident)} more at most`);
	await n8n.api.workflows.unpublish(id);
}

/** Publishes a changed trigger whose webhook has many event records. */
async function measurePublishing(n8n: RunningN8n, what: string, made: Partial<MadeUp>) {
	await setService(PLAIN);
	const id = await publishTrigger(n8n, what);
	await untilQuiet({ ...PLAIN, records, recordsMs, ...made });
	await watch('begin');
	const took = await publishChanged(n8n, id).then(
		(seconds) => `${seconds.toFixed(1)} s`,
		(thrown: Error) => `failed. ${thrown.message}`,
	);
	const { hooks } = await watch('end');
	const each = hooks.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`);
	print(`  ${what}: ${took} (hooks that have ended: ${each.join(', ')})`);
}

await inTemporaryFolder(async (userFolder) => {
	const n8n = await startN8n({
		userFolder,
		tarball: join(RUN_DIR, 'package.tgz'),
		env: {
			NODE_OPTIONS: `--require ${join(import.meta.dirname, 'gapWatch.cjs')}`,
			GAP_WATCH_PORT: String(watchPort),
			N8N_LOG_LEVEL: 'warn',
		},
	});
	try {
		await measureLook(n8n);
		print(
			`Publishing a changed trigger with ${records} event records behind it, a page in ${recordsMs} ms (target: within 60 s):`,
		);
		await measurePublishing(n8n, 'its webhook stands', {});
		await measurePublishing(n8n, "its webhook was disabled, and the service doesn't enable it", {
			disable: true,
			enables: false,
		});
	} finally {
		await n8n.stop();
		service.disconnect();
	}
});
