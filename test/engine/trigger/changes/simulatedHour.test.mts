import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ChangeWatcher } from '../../../../nodes/SignAndClose/trigger/changes/changeWatcher.ts';
import { LookPace } from '../../../../nodes/SignAndClose/trigger/changes/lookPace.ts';
import { lookOnce } from '../../../../nodes/SignAndClose/trigger/changes/watching.ts';
import { STATES, type State } from '../../../../sandbox/domain/states.mts';
import { move } from '../../../../sandbox/domain/transitions.mts';
import type { Transaction } from '../../../../sandbox/world/world.mts';
import { createClosing } from '../../../support/closing.mts';
import { runNode } from '../../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { KeptByN8n } from './watchedTrigger.mts';

/**
 * An hour of the sandbox's time in which 1,000 transactions change, while n8n is restarted twice, and
 * an hour in which nothing does. The time is simulated: the looks come when their pace says so.
 */

useSandbox();

const TRANSACTIONS = 1_000;
/** Of them, these come into being while the trigger watches. */
const NEW = 200;
const HOUR = 3_600;
/** When n8n is killed, in seconds, and how long it's down. */
const KILLS = [1_300, 2_600];
const DOWN = 240;

/** The ways that transactions take, from one state to the next. */
const WAYS: State[][] = [
	[STATES.sentToSigner, STATES.viewed, STATES.completed],
	[STATES.sentToSigner, STATES.viewed, STATES.partiallySigned, STATES.completed],
	[STATES.sentToSigner, STATES.rejected],
	[STATES.sentToSigner, STATES.expired],
	[STATES.sentToSigner, STATES.viewed, STATES.declined],
	[STATES.orderPlaced, STATES.sentToSigner, STATES.inMeeting, STATES.completed],
];
const FINAL = new Set([
	'transaction.completed',
	'transaction.completed_with_rejections',
	'transaction.expired',
	'transaction.declined',
]);

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((state / 2_147_483_648) * below);
	};
}

/** A draft on each platform, of which the others are copies. */
async function drafts(): Promise<Transaction[]> {
	const closing = await createClosing(credential());
	const { items, error } = await runNode({
		credential: credential(),
		parameters: {
			resource: 'transaction',
			operation: 'create',
			transactionName: 'Power of attorney',
			signers: { row: [{ email: 'jane@example.com', external_id: 's1' }] },
			documents: { row: [] },
			draft: true,
			additionalFields: {},
		},
	});
	if (error) throw error;
	return [closing, String(items[0].json.transaction_id)].map((id) =>
		sandbox.world.transactions.get(id)!,
	);
}

function copy(from: Transaction, number: number): Transaction {
	const stamp = sandbox.clock.stamp();
	const id = `ot_${String(number).padStart(7, '0')}`;
	const made = { ...structuredClone(from), id, created: stamp, updated: stamp };
	sandbox.world.transactions.set(id, made);
	return made;
}

/** What happens in which second. */
function schedule(models: Transaction[]): Map<number, Array<() => void>> {
	const random = createRandom(7);
	const work = new Map<number, Array<() => void>>();
	const at = (second: number, task: () => void) =>
		work.set(second, [...(work.get(second) ?? []), task]);
	for (let number = 0; number < TRANSACTIONS; number++) {
		const model = models[number % models.length];
		let transaction: Transaction | undefined;
		let second = random(HOUR / 2);
		const make = () => (transaction = copy(model, number));
		if (number < TRANSACTIONS - NEW) make();
		else at(second, () => void make());
		for (const state of WAYS[random(WAYS.length)]) {
			second += 1 + random(HOUR / 8);
			at(second, () => move(sandbox.world, transaction!, state, 'simulated'));
		}
		// Something else changes afterwards, e.g. a recording is ready.
		at(second + 1 + random(120), () => (transaction!.updated = sandbox.clock.stamp()));
	}
	return work;
}

/** n8n's process: it looks when it's time, and can be killed. */
class Process {
	private readonly watcher = new ChangeWatcher();

	private readonly pace = new LookPace();

	private readonly published;

	private next = 0;

	constructor(kept: KeptByN8n) {
		this.published = kept.start();
	}

	/** Lets a second pass. */
	async second(now: number): Promise<void> {
		if (now < this.next) return;
		const { context, settings } = this.published;
		const { moved } = await lookOnce(context, settings, this.watcher, {
			now: sandbox.clock.now(),
		});
		this.next = now + this.pace.next(moved) / 1_000;
	}
}

test('every final status passes once, and an idle hour takes at most 60 requests', async () => {
	const tasks = schedule(await drafts());
	await sandbox.clock.advance(600_000);
	const kept = new KeptByN8n({ events: ['transaction.*'], options: { eventSource: 'changes' } });
	await kept.publish();
	let process: Process | undefined = new Process(kept);
	// A process that is killed may have emitted what n8n hasn't stored yet.
	const kill = () => {
		kept.executions.splice(-3);
		process = undefined;
	};
	const last = Math.max(...tasks.keys());
	for (let now = 0; now <= last + 400; now++) {
		await sandbox.clock.advance(1_000);
		for (const task of tasks.get(now) ?? []) task();
		if (KILLS.includes(now)) kill();
		if (KILLS.includes(now - DOWN)) {
			await kept.publish();
			process = new Process(kept);
		}
		await process?.second(now);
	}
	const finals = kept.executions.filter(({ json }) => FINAL.has(String(json.event)));
	const passed = finals.map(({ json }) => `${String(json.transaction_id)} ${String(json.event)}`);
	const wanted = [...sandbox.world.transactions.values()]
		.filter(({ id }) => /^ot_\d{7}$/.test(id))
		.map(
			({ id, status, detailedStatus }) =>
				`${id} transaction.${detailedStatus === 'declined' ? 'declined' : status}`,
		);
	expect(wanted).toHaveLength(TRANSACTIONS);
	expect(passed.sort()).toEqual(wanted.sort());
	// Between two looks, nearly all other changes are seen, too, with the state before.
	const known = kept.executions.filter(({ json }) => json.previous_status !== null);
	expect(known.length).toBeGreaterThan(2 * TRANSACTIONS);
	const same = kept.executions.filter(({ json }) => {
		const { previous_status: previous, status } = json.data as IDataObject;
		return previous === status;
	});
	expect(same).toEqual([]);

	// The hour after it: nothing changes.
	sandbox.requests.clear();
	const before = kept.executions.length;
	for (let now = last + 401; now <= last + 401 + HOUR; now++) {
		await sandbox.clock.advance(1_000);
		await process!.second(now);
	}
	expect(kept.executions).toHaveLength(before);
	expect(sandbox.requests.length).toBeGreaterThan(30);
	expect(sandbox.requests.length).toBeLessThanOrEqual(60);
}, 600_000);
