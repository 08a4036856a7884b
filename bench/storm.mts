import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../host/clients/n8n/names.mts';
import { builtInNode, inARow, triggerNode } from '../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../host/run/n8n.mts';
import { freePort } from '../host/run/ports.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { planStorm, type PlannedDelivery } from './stormPlan.mts';
import { readStormOutcome, type StormOutcome } from './stormOutcome.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * A storm of deliveries: some are repeated, out of order, forged or refused at first, and n8n is
 * killed and restarted in between. The bench sends each delivery until n8n answers 200, as the
 * service does, and then reads from n8n's database what became of every event. Run: node
 * bench/storm.mts [--deliveries 10000] [--kills 5] [--seed 1], after npm start has installed
 * everything.
 */

interface StormOptions {
	deliveries: number;
	kills: number;
	seed?: number;
	tarball?: string;
	/** Receives a line for each kill. */
	log?: (line: string) => void;
}

interface StormResult extends StormOutcome {
	deliveries: number;
	repeated: number;
	reordered: number;
	forged: number;
	/** Forged calls that were answered with anything but 401. */
	forgedAccepted: number;
	/** Events whose first delivery was answered 503, because the service didn't answer. */
	refusedAtFirst: number;
	/** Calls that n8n answered with 200 while it started, before it knew any workflow. */
	answeredAtStart: number;
	kills: number;
	seconds: number;
}

const SENDERS = 16;
const CALL_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 400;
const PROGRESS_POLL_MS = 20;
const IDLE_POLL_MS = 500;
/**
 * Stands for the 200 that n8n answers before it knows any workflow. The service would take it for
 * success, and the trigger would find the event in the service's event log, which this bench doesn't
 * have. So the bench sends the delivery again.
 */
const AT_START = -1;
/** How often in a row n8n must be found idle. */
const IDLE_POLLS = 3;

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

/** The webhook that the published workflow has registered. */
interface RegisteredWebhook {
	url: string;
	signingKey: string;
}

/** Runs a storm in a fresh n8n with a sandbox. */
export async function storm({
	deliveries,
	kills,
	seed = 1,
	tarball = join(RUN_DIR, 'package.tgz'),
	log = () => undefined,
}: StormOptions): Promise<StormResult> {
	return await inTemporaryFolder(async (userFolder) => {
		const port = await freePort();
		const sandbox = await startSandbox();
		// The outcome is read from the executions, and n8n would prune those beyond 10,000.
		const env = { EXECUTIONS_DATA_PRUNE: 'false', N8N_LOG_LEVEL: 'warn' };
		const start = async () => await startN8n({ userFolder, tarball, port, env });
		let n8n = await start();
		const startTime = Date.now();
		const seconds = () => Math.round((Date.now() - startTime) / 1000);
		try {
			const webhook = await publishTrigger(n8n, sandbox);
			const plan = planStorm({ deliveries, seed });
			const transactions = await createTransactions(sandbox, plan);
			const tally: Tally = {
				answered: new Set(),
				refused: new Set(),
				forgedAccepted: 0,
				answeredAtStart: 0,
				done: 0,
			};
			const sending = sendAll(
				plan,
				tally,
				async (delivery) => await send(webhook, delivery, transactions[delivery.event]),
			);
			for (let count = 1; count <= kills; count++) {
				while (tally.done < (plan.length * count) / (kills + 1)) await sleep(PROGRESS_POLL_MS);
				await n8n.kill();
				log(`killed after ${tally.done} deliveries, ${seconds()} s`);
				n8n = await start();
			}
			await sending;
			await waitUntilIdle(n8n);
			await n8n.stop();
			const database = join(userFolder, '.n8n', 'database.sqlite');
			return {
				...readStormOutcome(database, tally.answered),
				deliveries: plan.length,
				repeated: plan.filter(({ repeat }) => repeat).length,
				reordered: plan.filter(({ reordered }) => reordered).length,
				forged: plan.filter(({ forgery }) => forgery !== undefined).length,
				forgedAccepted: tally.forgedAccepted,
				refusedAtFirst: tally.refused.size,
				answeredAtStart: tally.answeredAtStart,
				kills,
				seconds: seconds(),
			};
		} finally {
			await n8n.stop();
			await sandbox.close();
		}
	});
}

/** Publishes a workflow with the trigger. */
async function publishTrigger(n8n: RunningN8n, sandbox: Sandbox): Promise<RegisteredWebhook> {
	const credential = await n8n.api.credentials.save(
		'Sandbox',
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const { id } = await n8n.api.workflows.save(
		inARow('Storm', [
			triggerNode(
				{ credentials: { [CREDENTIAL_TYPE]: credential } },
				{ events: ['transaction.*'], retrieveTransaction: false },
			),
			builtInNode('Done', 'noOp', 1),
		]),
	);
	await n8n.api.workflows.publish(id);
	const [{ url, signingKey, id: webhookId }] = [...sandbox.world.webhooks.values()];
	// Events that the sandbox itself creates must not be delivered.
	sandbox.world.webhooks.get(webhookId)!.subscriptions = ['transaction.*'];
	return { url, signingKey: signingKey! };
}

/**
 * Creates a closing for each event that is refused at first, and one for all others.
 * @returns the closing's ID by event
 */
async function createTransactions(
	sandbox: Sandbox,
	plan: PlannedDelivery[],
): Promise<Record<number, string>> {
	for (const webhook of sandbox.world.webhooks.values()) webhook.enabled = false;
	const shared = await createDraftClosing(sandbox);
	const idByEvent: Record<number, string> = {};
	for (const { event, refused } of plan) {
		if (idByEvent[event] !== undefined) continue;
		idByEvent[event] = refused ? await createDraftClosing(sandbox) : shared;
		// The trigger asks twice before it answers 503.
		if (refused)
			sandbox.faults.add({
				method: 'GET',
				path: `/mortgage/v1/transactions/${idByEvent[event]}`,
				status: 503,
				times: 2,
			});
	}
	for (const webhook of sandbox.world.webhooks.values()) webhook.enabled = true;
	return idByEvent;
}

async function sendAll(
	plan: PlannedDelivery[],
	tally: Tally,
	sendOne: (delivery: PlannedDelivery) => Promise<number>,
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
 * Sends a delivery until n8n accepts or rejects it. While n8n is down or starting, the delivery is
 * sent again.
 */
async function sendUntilAnswered(
	delivery: PlannedDelivery,
	tally: Tally,
	sendOne: (delivery: PlannedDelivery) => Promise<number>,
): Promise<void> {
	for (;;) {
		const status = await sendOne(delivery);
		if (status === AT_START) tally.answeredAtStart += 1;
		if (delivery.forgery !== undefined && (status === 401 || status === 200)) {
			if (status !== 401) tally.forgedAccepted += 1;
			return;
		}
		if (delivery.forgery === undefined && status === 200) {
			tally.answered.add(delivery.event);
			return;
		}
		if (status === 503) tally.refused.add(delivery.event);
		await sleep(RETRY_DELAY_MS);
	}
}

/**
 * @returns the status, 0 when there was no answer, or AT_START when n8n answered 200 while it
 *   started
 */
async function send(
	{ url, signingKey }: RegisteredWebhook,
	{ event, forgery, makePayload }: PlannedDelivery,
	transactionId: string,
): Promise<number> {
	const body = JSON.stringify(makePayload(transactionId));
	const target = new URL(url);
	if (forgery === 'no secret') target.search = '';
	if (forgery === 'wrong secret') target.searchParams.set('key', 'x'.repeat(43));
	const signedText = forgery === 'changed body' ? `${body} ` : body;
	const signature = createHmac(
		'sha256',
		forgery === 'wrong signature' ? `not ${signingKey}` : signingKey,
	)
		.update(signedText)
		.digest('hex');
	try {
		const response = await fetch(target, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-signature': signature,
				'x-event': String(event),
			},
			body,
			signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
		});
		return (await response.text()).startsWith('n8n is starting up') ? AT_START : response.status;
	} catch {
		return 0;
	}
}

/** Waits until no execution is running. */
async function waitUntilIdle(n8n: RunningN8n): Promise<void> {
	for (let idlePolls = 0; idlePolls < IDLE_POLLS;) {
		const running = await n8n.api.executions.list(undefined, ['running', 'new']);
		idlePolls = running.length === 0 ? idlePolls + 1 : 0;
		await sleep(IDLE_POLL_MS);
	}
}

if (import.meta.url === `file://${process.argv[1]}`) {
	const { values } = parseArgs({
		options: {
			deliveries: { type: 'string', default: '10000' },
			kills: { type: 'string', default: '5' },
			seed: { type: 'string', default: '1' },
		},
	});
	const printLine = (line: string) => void process.stdout.write(`${line}\n`);
	const result = await storm({
		deliveries: Number(values.deliveries),
		kills: Number(values.kills),
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
