import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { triggerNode } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { publish } from '../trigger/publish.mts';
import { CallingService, type Answer } from './callingService.mts';
import { planDisturbances, publishChanged, type Counts, type Storm } from './disturbances.mts';
import { planStorm, type PlannedDelivery } from './plan.mts';
import { readStormOutcome, type StormOutcome } from './outcome.mts';

/**
 * A storm of deliveries: some are repeated, out of order, forged or refused at first, many are of the
 * same second. Meanwhile, n8n is killed and restarted, the key is refused, the service is gone, and
 * the workflow is published with changes. The bench sends each delivery until n8n answers 200 and
 * records each attempt, as the service does, and then reads from n8n's database what became of every
 * event. Run: node bench/storm/storm.mts [--deliveries 10000] [--kills 5] [--refusals 2] [--outages 2]
 * [--publishings 10] [--lasts 20] [--seed 1], after npm start has installed everything.
 */

interface StormOptions extends Counts {
	deliveries: number;
	/** How long a refusal or an outage lasts, in milliseconds. */
	lastsMs: number;
	seed?: number;
	tarball?: string;
	/** Receives a line for each disturbance. */
	log?: (line: string) => void;
}

interface StormResult extends StormOutcome, Counts {
	deliveries: number;
	repeated: number;
	reordered: number;
	forged: number;
	/** Forged calls that were accepted. */
	forgedAccepted: number;
	/** Events of which a delivery was answered 503, because the service couldn't be asked. */
	refusedAtFirst: number;
	/**
	 * Deliveries that n8n answered with 200 while it started, before it knew any workflow. Their events
	 * have to be found in the event records.
	 */
	answeredAtStart: number;
	/** For how long n8n had no URL during a publishing, in milliseconds. */
	gapsMs: number[];
	seconds: number;
}

const SENDERS = 16;
const RETRY_DELAY_MS = 400;
const PROGRESS_POLL_MS = 20;
const IDLE_POLL_MS = 500;
/** How often in a row n8n must be found idle. */
const IDLE_POLLS = 10;
/** The trigger reads the event records a second and a half after it's published. */
const LAST_LOOK_MS = 10_000;

/** What the sender has counted so far. */
interface Tally {
	/** Events answered 200. */
	answered: Set<number>;
	/** Events answered 503. */
	refused: Set<number>;
	forgedAccepted: number;
	answeredAtStart: number;
	/** Deliveries that need no further attempt. */
	done: number;
}

/** Runs a storm in a fresh n8n with a sandbox. */
export async function storm({
	deliveries,
	lastsMs,
	seed = 1,
	tarball = join(RUN_DIR, 'package.tgz'),
	log = () => undefined,
	...counts
}: StormOptions): Promise<StormResult> {
	return await inTemporaryFolder(async (userFolder) => {
		const port = await freePort();
		const sandbox = await startSandbox();
		// The outcome is read from the executions, and n8n would prune those beyond 10,000.
		const env = { EXECUTIONS_DATA_PRUNE: 'false', N8N_LOG_LEVEL: 'warn' };
		const start = async () => await startN8n({ userFolder, tarball, port, env });
		let n8n = await start();
		const startTime = Date.now();
		let started = startTime;
		const seconds = () => Math.round((Date.now() - startTime) / 1000);
		try {
			const plan = planStorm({ deliveries, seed });
			const transactions = await createTransactions(sandbox, plan);
			const workflowId = await publishTrigger(n8n, sandbox);
			const service = new CallingService(sandbox);
			const gapsMs: number[] = [];
			const setting: Storm = {
				sandbox,
				service,
				workflowId,
				lastsMs,
				n8n: () => n8n,
				restart: async () => {
					await n8n.kill();
					started = Date.now();
					n8n = await start();
				},
				noteGap: (ms) => gapsMs.push(ms),
			};
			const tally = newTally();
			const sending = sendAll(
				plan,
				tally,
				async (delivery) => await service.deliver(delivery, transactions[delivery.event]),
			);
			for (const { name, after, run } of planDisturbances(setting, counts)) {
				while (tally.done < plan.length * after) await sleep(PROGRESS_POLL_MS);
				log(`${name} after ${tally.done} deliveries, ${seconds()} s`);
				await run();
			}
			await sending;
			await lookOnceMore(setting);
			await waitUntilIdle(n8n, started);
			await n8n.stop();
			const database = join(userFolder, '.n8n', 'database.sqlite');
			return {
				...readStormOutcome(database, tally.answered),
				...counts,
				deliveries: plan.length,
				repeated: plan.filter(({ repeat }) => repeat).length,
				reordered: plan.filter(({ reordered }) => reordered).length,
				forged: plan.filter(({ forgery }) => forgery !== undefined).length,
				forgedAccepted: tally.forgedAccepted,
				refusedAtFirst: tally.refused.size,
				answeredAtStart: tally.answeredAtStart,
				gapsMs: gapsMs.slice(0, counts.publishings),
				seconds: seconds(),
			};
		} finally {
			await n8n.stop();
			await sandbox.close();
		}
	});
}

/** Publishes a workflow with the trigger. */
async function publishTrigger(n8n: RunningN8n, sandbox: Sandbox): Promise<string> {
	const credential = await n8n.api.credentials.save(
		'Sandbox',
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const trigger = triggerNode(
		{ credentials: { [CREDENTIAL_TYPE]: credential } },
		{ events: ['transaction.*'], output: 'simple' },
	);
	return await publish(n8n.api, 'Storm', [trigger]);
}

/**
 * Creates a closing for each event that is refused at first, and one for all others.
 * @returns the closing's ID by event
 */
async function createTransactions(
	sandbox: Sandbox,
	plan: PlannedDelivery[],
): Promise<Record<number, string>> {
	const shared = await createDraftClosing(sandbox);
	const idByEvent: Record<number, string> = {};
	for (const { event, refused } of plan) {
		if (idByEvent[event] !== undefined) continue;
		idByEvent[event] = refused ? await createDraftClosing(sandbox) : shared;
		// The trigger asks twice before it answers 503. The connection is cut, because the node takes
		// many 503s for a limit, and asks more slowly.
		if (refused)
			sandbox.faults.add({
				method: 'GET',
				path: `/mortgage/v1/transactions/${idByEvent[event]}`,
				kind: 'cutBefore',
				times: 2,
			});
	}
	return idByEvent;
}

const newTally = (): Tally => ({
	answered: new Set(),
	refused: new Set(),
	forgedAccepted: 0,
	answeredAtStart: 0,
	done: 0,
});

async function sendAll(
	plan: PlannedDelivery[],
	tally: Tally,
	sendOne: (delivery: PlannedDelivery) => Promise<Answer>,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < plan.length; index = next++) {
			const delivery = plan[index];
			await sendUntilAnswered(delivery, tally, sendOne);
			tally.done += 1;
		}
	};
	await Promise.all(Array.from({ length: SENDERS }, worker));
}

/**
 * Sends a delivery until n8n accepts or rejects it. While n8n is down, starting or publishing, the
 * delivery is sent again.
 */
async function sendUntilAnswered(
	delivery: PlannedDelivery,
	tally: Tally,
	sendOne: (delivery: PlannedDelivery) => Promise<Answer>,
): Promise<void> {
	for (;;) {
		const { status, atStart } = await sendOne(delivery);
		if (delivery.forgery !== undefined) {
			// What is made up can't be told from an event that is ahead of the service's answer.
			const rejection = delivery.forgery === 'made up' ? 503 : 401;
			if (status === rejection) return;
			if (status === 200 && !atStart) {
				tally.forgedAccepted += 1;
				return;
			}
		} else {
			if (atStart) tally.answeredAtStart += 1;
			if (status === 200) {
				tally.answered.add(delivery.event);
				return;
			}
			if (status === 503) tally.refused.add(delivery.event);
		}
		await sleep(RETRY_DELAY_MS);
	}
}

/** Has the trigger read the event records, in which the last deliveries may have gone wrong. */
async function lookOnceMore(setting: Storm): Promise<void> {
	const { requests } = setting.sandbox;
	await publishChanged(setting);
	requests.clear();
	const deadline = Date.now() + LAST_LOOK_MS;
	const hasRead = () => requests.some(({ path }) => /\/webhooks\/[^/]+\/events/.test(path));
	while (!hasRead() && Date.now() < deadline) await sleep(IDLE_POLL_MS);
}

/**
 * Waits until no execution is running.
 * @param started when n8n was started last. It may call one that a kill has cut off running for ever
 */
async function waitUntilIdle(n8n: RunningN8n, started: number): Promise<void> {
	for (let idlePolls = 0; idlePolls < IDLE_POLLS;) {
		const listed = await n8n.api.executions.list(undefined, ['running', 'new']);
		const running = listed.filter(({ startedAt }) => !(Date.parse(startedAt ?? '') < started));
		idlePolls = running.length === 0 ? idlePolls + 1 : 0;
		await sleep(IDLE_POLL_MS);
	}
}

if (import.meta.url === `file://${process.argv[1]}`) {
	const { values } = parseArgs({
		options: {
			deliveries: { type: 'string', default: '10000' },
			kills: { type: 'string', default: '5' },
			refusals: { type: 'string', default: '2' },
			outages: { type: 'string', default: '2' },
			publishings: { type: 'string', default: '10' },
			lasts: { type: 'string', default: '20' },
			seed: { type: 'string', default: '1' },
		},
	});
	const printLine = (line: string) => void process.stdout.write(`${line}\n`);
	const result = await storm({
		deliveries: Number(values.deliveries),
		kills: Number(values.kills),
		refusals: Number(values.refusals),
		outages: Number(values.outages),
		publishings: Number(values.publishings),
		lastsMs: 1000 * Number(values.lasts),
		seed: Number(values.seed),
		log: printLine,
	});
	printLine(JSON.stringify(result, null, 2));
	const failures =
		result.lost.length +
		result.doubled.length +
		result.forgedPassed +
		result.forgedAccepted +
		result.notStored.length;
	process.exit(failures === 0 ? 0 : 1);
}
