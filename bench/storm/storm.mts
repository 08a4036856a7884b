import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { startSandbox } from '../../sandbox/index.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { separateAccounts } from './accounts.mts';
import { CallingService } from './callingService.mts';
import { planDisturbances, type Counts } from './disturbances.mts';
import { lookOnceMore, waitUntilIdle } from './ending.mts';
import { Ledger } from './ledger.mts';
import { failuresOf, readStormOutcome, type StormOutcome } from './outcome.mts';
import { planStorm } from './plan.mts';
import { waitUntilPublished } from './publishing.mts';
import { completeBefore, createTransactions, publishTrigger, saveCredentials } from './scene.mts';
import { Sender } from './sending.mts';
import type { Sizes, Storm } from './setting.mts';

/**
 * A storm of deliveries: some are repeated, out of order, forged or refused at first, many are of the
 * same second. Meanwhile, n8n is killed and restarted, the key is refused, the service is gone, the
 * workflow is published with changes, another source of events or another account, the webhook is
 * disabled, a platform refuses to list its transactions, and events can't be delivered for long. The
 * bench sends each delivery until n8n answers 200 and records each attempt, as the service does, and
 * then reads from n8n's database what became of every event. Run: node bench/storm/storm.mts, after
 * npm start has installed everything. The options and their defaults are at the end of this file.
 */

interface StormOptions extends Counts, Sizes {
	deliveries: number;
	seed?: number;
	tarball?: string;
	/** Receives a line for each disturbance. */
	log?: (line: string) => void;
	/** Where n8n keeps its database and its log. By default, a folder that is deleted. */
	folder?: string;
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

const PROGRESS_POLL_MS = 20;

const inFolder = async <T,>(folder: string | undefined, work: (folder: string) => Promise<T>) =>
	folder === undefined ? await inTemporaryFolder(work) : await work(folder);

/** Runs a storm in a fresh n8n with a sandbox. */
export async function storm({
	deliveries,
	lastsMs,
	platformLastsMs,
	undelivered,
	seed = 1,
	tarball = join(RUN_DIR, 'package.tgz'),
	log = () => undefined,
	folder,
	...counts
}: StormOptions): Promise<StormResult> {
	return await inFolder(folder, async (userFolder) => {
		const port = await freePort();
		const sandbox = await startSandbox();
		separateAccounts(sandbox);
		// The outcome is read from the executions, and n8n would prune those beyond 10,000.
		const env = { EXECUTIONS_DATA_PRUNE: 'false' };
		const start = async () => await startN8n({ userFolder, tarball, port, env });
		const plan = planStorm({ deliveries, seed });
		const ledger = new Ledger(plan);
		await completeBefore(sandbox, ledger);
		let n8n: RunningN8n = await start();
		const startTime = Date.now();
		let started = startTime;
		const seconds = () => Math.round((Date.now() - startTime) / 1000);
		try {
			const { shared, transactionOf } = await createTransactions(sandbox, plan, ledger);
			const credentials = await saveCredentials(n8n, sandbox);
			const workflowId = await publishTrigger(n8n, credentials.first);
			const service = new CallingService(sandbox);
			const sender = new Sender(service, ledger, transactionOf);
			const gapsMs: number[] = [];
			const database = join(userFolder, '.n8n', 'database.sqlite');
			const setting: Storm = {
				sandbox,
				service,
				ledger,
				sender,
				planned: plan.length,
				workflowId,
				database,
				credentials,
				transactionId: shared,
				lastsMs,
				platformLastsMs,
				undelivered,
				n8n: () => n8n,
				restart: async (meanwhile) => {
					await n8n.kill();
					await meanwhile?.();
					started = Date.now();
					n8n = await start();
					await service.waitForUrl();
					await waitUntilPublished(n8n, workflowId);
				},
				noteGap: (ms) => gapsMs.push(ms),
			};
			const sending = sender.sendAll(plan);
			const disturbances = planDisturbances(setting, counts);
			for (const [index, { name, after, run }] of disturbances.entries()) {
				// The deliveries don't run ahead, so that some are left for each disturbance.
				sender.limit = plan.length * after;
				while (sender.done < sender.limit) await sleep(PROGRESS_POLL_MS);
				sender.limit = plan.length * (disturbances[index + 1]?.after ?? 1);
				log(`${name} after ${sender.done} deliveries, ${seconds()} s`);
				await run();
			}
			sender.limit = plan.length;
			await sending;
			log(`all deliveries are done, ${seconds()} s`);
			await lookOnceMore(setting);
			await waitUntilIdle(setting, started);
			await n8n.stop();
			return {
				...readStormOutcome(database, ledger),
				...counts,
				deliveries: plan.length,
				repeated: plan.filter(({ repeat }) => repeat).length,
				reordered: plan.filter(({ reordered }) => reordered).length,
				forged: ledger.forged.size,
				forgedAccepted: sender.forgedAccepted,
				refusedAtFirst: sender.refused.size,
				answeredAtStart: sender.answeredAtStart,
				gapsMs,
				seconds: seconds(),
			};
		} finally {
			await n8n.stop();
			await sandbox.close();
		}
	});
}

if (import.meta.url === `file://${process.argv[1]}`) {
	const { values } = parseArgs({
		options: {
			deliveries: { type: 'string', default: '10000' },
			kills: { type: 'string', default: '5' },
			refusals: { type: 'string', default: '2' },
			outages: { type: 'string', default: '2' },
			publishings: { type: 'string', default: '10' },
			disablings: { type: 'string', default: '2' },
			'platform-refusals': { type: 'string', default: '2' },
			'source-changes': { type: 'string', default: '2' },
			'account-changes': { type: 'string', default: '2' },
			backlogs: { type: 'string', default: '1' },
			/** How many events a backlog has. */
			undelivered: { type: 'string', default: '5000' },
			/** Seconds of a refusal, an outage and the use of another account. */
			lasts: { type: 'string', default: '20' },
			/** Seconds for which a platform refuses its list. */
			'platform-lasts': { type: 'string', default: '600' },
			seed: { type: 'string', default: '1' },
			/** Where n8n keeps its database and its log, to look at them afterwards. */
			folder: { type: 'string' },
		},
	});
	const printLine = (line: string) => void process.stdout.write(`${line}\n`);
	const result = await storm({
		deliveries: Number(values.deliveries),
		kills: Number(values.kills),
		refusals: Number(values.refusals),
		outages: Number(values.outages),
		publishings: Number(values.publishings),
		disablings: Number(values.disablings),
		platformRefusals: Number(values['platform-refusals']),
		sourceChanges: Number(values['source-changes']),
		accountChanges: Number(values['account-changes']),
		backlogs: Number(values.backlogs),
		undelivered: Number(values.undelivered),
		lastsMs: 1000 * Number(values.lasts),
		platformLastsMs: 1000 * Number(values['platform-lasts']),
		seed: Number(values.seed),
		folder: values.folder,
		log: printLine,
	});
	printLine(JSON.stringify(result, null, 2));
	process.exit(failuresOf(result) + result.forgedAccepted === 0 ? 0 : 1);
}
