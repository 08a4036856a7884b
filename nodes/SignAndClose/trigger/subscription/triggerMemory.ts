import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { copyJson } from '../../values/json';
import type { SubscriptionMemory } from './memory';

/* Where a trigger keeps what it knows, and how its roles work on that one after the other. */

type Context = Pick<
	IHookFunctions | ITriggerFunctions,
	'getMode' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** The node's static data, which n8n stores. */
const storedMemory = (context: Context) =>
	context.getWorkflowStaticData('node') as SubscriptionMemory;

/**
 * Whether this is about "Listen for test event". n8n ends a test in the same mode in which it
 * unpublishes a workflow, so that the test's own memory has to say it.
 */
export const isTest = (context: Context) =>
	context.getMode() === 'manual' || storedMemory(context).test === true;

/**
 * What each trigger knows. n8n gives its roles copies of the static data, saves them after some roles
 * only, and loses them when a node is renamed. So this process keeps a copy, too, and the newer of the
 * two counts, whoever wrote it.
 */
class TriggerMemory {
	private readonly known = new Map<string, SubscriptionMemory>();

	/** The last work on each subscription. */
	private readonly turns = new Map<string, Promise<unknown>>();

	/** What is known of a trigger, to read. */
	read(context: Context): Readonly<SubscriptionMemory> {
		const [known, stored] = [this.known.get(keyOf(context)), storedMemory(context)];
		return known !== undefined && timeOf(known) >= timeOf(stored) ? known : stored;
	}

	/** Changes what is known of a trigger, in this process and in n8n's static data. */
	update<T>(context: Context, change: (memory: SubscriptionMemory) => T): T {
		const { memory, save } = this.open(context);
		try {
			return change(memory);
		} finally {
			save();
		}
	}

	/**
	 * Works on a subscription after all work that was started on it before, so that two roles can't
	 * create two webhooks. What has changed is kept, also when the work fails halfway.
	 */
	async inTurn<T>(context: Context, work: (memory: SubscriptionMemory) => Promise<T>): Promise<T> {
		const key = keyOf(context);
		const inTime = async () => {
			const { memory, save } = this.open(context);
			return await work(memory).finally(save);
		};
		const next = (this.turns.get(key) ?? Promise.resolve()).then(inTime, inTime);
		const settled = next.catch(() => undefined);
		this.turns.set(key, settled);
		try {
			return await next;
		} finally {
			if (this.turns.get(key) === settled) this.turns.delete(key);
		}
	}

	/** Forgets what this process knows, as a restart of n8n does. */
	forget(): void {
		this.known.clear();
	}

	/** The one object that all work of this process changes, brought up to date. */
	private open(context: Context): { memory: SubscriptionMemory; save: () => void } {
		const key = keyOf(context);
		const memory = this.known.get(key) ?? {};
		const newest = this.read(context);
		if (newest !== memory) replace(memory, newest);
		this.known.set(key, memory);
		const before = JSON.stringify(memory);
		const save = () => {
			if (isTest(context)) memory.test = true;
			// What hasn't changed here isn't newer than what another process may have stored meanwhile.
			if (JSON.stringify(memory) !== before)
				memory.savedAt = Math.max(Date.now(), timeOf(memory) + 1);
			const stored = storedMemory(context);
			if (timeOf(memory) > timeOf(stored)) replace(stored, memory);
		};
		return { memory, save };
	}
}

/** Names a node, and whether it is tested. */
function keyOf(context: Context): string {
	const kind = isTest(context) ? 'test' : 'production';
	return `${context.getWorkflow().id}:${context.getNode().id}:${kind}`;
}

const timeOf = ({ savedAt = 0 }: Readonly<SubscriptionMemory>) => savedAt;

function replace(old: SubscriptionMemory, { ...newer }: Readonly<SubscriptionMemory>): void {
	for (const name of Object.keys(old)) if (!(name in newer)) delete old[name];
	Object.assign(old, copyJson(newer));
}

/** State of this process; docs/architecture.md lists all of it. */
export const triggerMemory = new TriggerMemory();
