import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE, PACKAGE } from '../host/clients/n8nApi.mts';
import { makeClosing, sandboxCredential } from '../host/demo/setUp.mts';
import { startN8n, type RunningN8n } from '../host/run/n8n.mts';
import { freePort } from '../host/run/ports.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { planStorm, type PlannedDelivery } from './stormPlan.mts';
import { judgeStorm, type Verdict } from './stormVerdict.mts';

/**
 * Deliveries as they come on a bad day: repeated, out of order, forged, refused at first, and n8n
 * killed and started in between. A sender of our own delivers each until it is answered 200, as the
 * service does; what n8n has stored tells afterwards what became of every event. Run: node
 * bench/storm.mts [--deliveries 10000] [--kills 5] [--seed 1], after npm start has installed
 * everything.
 */

export interface StormOptions {
	deliveries: number;
	kills: number;
	seed?: number;
	tarball?: string;
	/** Told how it goes on. */
	say?: (line: string) => void;
}

export interface StormResult extends Verdict {
	deliveries: number;
	repeated: number;
	moved: number;
	forged: number;
	/** Forged calls that were answered with anything but 401. */
	forgedBelieved: number;
	/** Events whose first delivery was answered 503, because the service could not be asked. */
	refusedAtFirst: number;
	kills: number;
	seconds: number;
}

const SENDERS = 16;
const GIVE_UP_MS = 30_000;
const PAUSE_MS = 400;

interface Tally {
	answered: Set<number>;
	refused: Set<number>;
	forgedBelieved: number;
	done: number;
}

export async function storm({
	deliveries,
	kills,
	seed = 1,
	tarball = join(RUN_DIR, 'package.tgz'),
	say = () => undefined,
}: StormOptions): Promise<StormResult> {
	const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	const port = await freePort();
	const sandbox = await startSandbox();
	// All of it is looked at afterwards; n8n would take away what exceeds 10,000.
	const start = async (): Promise<RunningN8n> =>
		await startN8n({
			userFolder: place,
			tarball,
			port,
			env: { EXECUTIONS_DATA_PRUNE: 'false', N8N_LOG_LEVEL: 'warn' },
		});
	let n8n = await start();
	const began = Date.now();
	try {
		const hook = await publish(n8n, sandbox);
		const plan = planStorm({ deliveries, seed });
		const transactions = await makeTransactions(sandbox, plan);
		const tally: Tally = { answered: new Set(), refused: new Set(), forgedBelieved: 0, done: 0 };
		const sending = sendAll(
			plan,
			tally,
			async (delivery) => await send(hook, delivery, transactions[delivery.event]),
		);
		for (let count = 1; count <= kills; count++) {
			while (tally.done < (plan.length * count) / (kills + 1)) await wait(20);
			await n8n.kill();
			say(`killed after ${tally.done} deliveries, ${Math.round((Date.now() - began) / 1000)} s`);
			n8n = await start();
		}
		await sending;
		await idle(n8n);
		await n8n.stop();
		const verdict = judgeStorm(join(place, '.n8n', 'database.sqlite'), tally.answered);
		return {
			...verdict,
			deliveries: plan.length,
			repeated: plan.filter(({ repeat }) => repeat).length,
			moved: plan.filter(({ moved }) => moved).length,
			forged: plan.filter(({ forged }) => forged !== undefined).length,
			forgedBelieved: tally.forgedBelieved,
			refusedAtFirst: tally.refused.size,
			kills,
			seconds: Math.round((Date.now() - began) / 1000),
		};
	} finally {
		await n8n.stop();
		await sandbox.close();
		rmSync(place, { recursive: true, force: true });
	}
}

interface Hook {
	url: string;
	key: string;
}

/** The flow that listens, published; and what the service knows of its webhook. */
async function publish(n8n: RunningN8n, sandbox: Sandbox): Promise<Hook> {
	const credential = await n8n.api.saveCredential(
		'Sandbox',
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const { id } = await n8n.api.saveWorkflow({
		name: 'Storm',
		nodes: [
			{
				id: 'a',
				name: 'Events',
				type: `${PACKAGE}.signAndCloseTrigger`,
				typeVersion: 1,
				position: [0, 0],
				webhookId: '7f3c0d0e-0000-4000-8000-000000000001',
				parameters: { events: ['transaction.*'], retrieveTransaction: false },
				credentials: { [CREDENTIAL_TYPE]: credential },
			} as never,
			{
				id: 'b',
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { Events: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await n8n.api.publish(id);
	const [{ url, signingKey, id: webhookId }] = [...sandbox.world.webhooks.values()];
	// Only our own sender delivers.
	sandbox.world.webhooks.get(webhookId)!.subscriptions = ['transaction.*'];
	return { url, key: signingKey! };
}

/**
 * A closing for each event that is refused at first, one for all others. @returns the closing of
 * each event
 */
async function makeTransactions(
	sandbox: Sandbox,
	plan: PlannedDelivery[],
): Promise<Record<number, string>> {
	for (const hook of sandbox.world.webhooks.values()) hook.enabled = false;
	const common = await makeClosing(sandbox);
	const found: Record<number, string> = {};
	for (const { event, refused } of plan) {
		if (found[event] !== undefined) continue;
		found[event] = refused ? await makeClosing(sandbox) : common;
		// The trigger asks twice before it answers 503.
		if (refused)
			sandbox.faults.add({
				method: 'GET',
				path: `/mortgage/v1/transactions/${found[event]}`,
				status: 503,
				times: 2,
			});
	}
	for (const hook of sandbox.world.webhooks.values()) hook.enabled = true;
	return found;
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
			await settle(delivery, tally, sendOne);
			tally.done += 1;
		}
	};
	await Promise.all(Array.from({ length: SENDERS }, worker));
}

/**
 * Delivers until it is answered: 200 for a genuine one, a refusal for a forged one. What is down,
 * or starting, is tried again.
 */
async function settle(
	delivery: PlannedDelivery,
	tally: Tally,
	sendOne: (delivery: PlannedDelivery) => Promise<number>,
): Promise<void> {
	for (;;) {
		const status = await sendOne(delivery);
		if (delivery.forged !== undefined && (status === 401 || status === 200)) {
			if (status !== 401) tally.forgedBelieved += 1;
			return;
		}
		if (delivery.forged === undefined && status === 200) {
			tally.answered.add(delivery.event);
			return;
		}
		if (status === 503) tally.refused.add(delivery.event);
		await wait(PAUSE_MS);
	}
}

/** @returns the status; 0 when there was no answer */
async function send(
	{ url, key }: Hook,
	{ event, forged, payloadOf }: PlannedDelivery,
	transactionId: string,
): Promise<number> {
	const body = JSON.stringify(payloadOf(transactionId));
	const target = new URL(url);
	if (forged === 'no secret') target.search = '';
	if (forged === 'wrong secret') target.searchParams.set('key', 'x'.repeat(43));
	const signed = forged === 'changed body' ? `${body} ` : body;
	const signature = createHmac('sha256', forged === 'wrong signature' ? `not ${key}` : key)
		.update(signed)
		.digest('hex');
	try {
		const answer = await fetch(target, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-signature': signature,
				'x-event': String(event),
			},
			body,
			signal: AbortSignal.timeout(GIVE_UP_MS),
		});
		await answer.arrayBuffer();
		return answer.status;
	} catch {
		return 0;
	}
}

/** Waits until n8n has nothing under way. */
async function idle(n8n: RunningN8n): Promise<void> {
	for (let quiet = 0; quiet < 3;) {
		const busy = await n8n.api.executions(undefined, ['running', 'new']);
		quiet = busy.length === 0 ? quiet + 1 : 0;
		await wait(500);
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
	const say = (line: string) => void process.stdout.write(`${line}\n`);
	const result = await storm({
		deliveries: Number(values.deliveries),
		kills: Number(values.kills),
		seed: Number(values.seed),
		say,
	});
	say(JSON.stringify(result, null, 2));
	process.exit(
		result.lost.length +
			result.doubled.length +
			result.forgedPassed +
			result.forgedBelieved +
			result.withoutRecord.length ===
			0
			? 0
			: 1,
	);
}
