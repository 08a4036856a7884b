import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { emitMissedCompletions } from '../../../nodes/SignAndClose/trigger/missed/completions.ts';
import { parseTriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { listWebhooks } from '../../../nodes/SignAndClose/resources/webhook/api.ts';
import {
	recordGap,
	recordCheck,
	type TriggerState,
	triggerMemory,
} from '../../../nodes/SignAndClose/trigger/memory.ts';
import { checkSubscription } from '../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { STATES } from '../../../sandbox/domain/states.mts';
import { move } from '../../../sandbox/domain/transitions.mts';
import { createClosing } from '../../support/closing.mts';
import { event, nextNumber, recordUndelivered, runOf } from '../../support/delivery.mts';
import { hookContext, triggerContext } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transactions that were completed while there was no webhook that could tell it. */

useSandbox();

/** What n8n is given to settle when an execution has ended. */
type Done = { resolve(run: IRun): void };

/** A published trigger with a webhook. */
async function published(parameters: IDataObject = {}, id = `missed-${nextNumber()}`) {
	const options = {
		type: 'signAndCloseTrigger' as const,
		credential: credential(),
		parameters: { events: ['group:finished'], ...parameters },
		node: { id },
	};
	const { context, methods, workflow } = hookContext(options, options.node.id);
	await methods.create.call(context);
	const stored = workflow.getStaticData('node', workflow.getNode('Tested')!);
	const trigger = triggerContext({ ...options, staticData: { 'node:Tested': stored } });
	const emitted: IDataObject[] = [];
	trigger.emit = ([[{ json }]]: INodeExecutionData[][], _response: unknown, done?: Done) => {
		emitted.push(json);
		done?.resolve({} as IRun);
	};
	const lookWith = async (service: ServiceClient, underWayMs?: number) => {
		const settings = parseTriggerParameters(trigger);
		const look = { context: trigger, settings, service, handled: new Set<string>() };
		await emitMissedCompletions({ ...look, isClosed: () => false }, underWayMs);
	};
	/** Looks at what is unknown, without a gap of its own. */
	const emitUnseen = async () => await lookWith(await createService(trigger));
	/** Looks at the last minute, for which nobody knows what was missed. */
	const look = async (underWayMs = 10, changed: TriggerState = {}) => {
		const before = emitted.length;
		const since = sandbox.clock.now() - 60_000;
		triggerMemory.update(trigger, (known) => {
			Object.assign(known, { seenUntil: since, ...changed });
			recordGap(known);
		});
		const service = await createService(trigger);
		// An answer tells the service's clock.
		await listWebhooks(service);
		await lookWith(service, underWayMs);
		return emitted.length - before;
	};
	const memory = () => triggerMemory.readState(trigger);
	return { trigger, emitted, look, emitUnseen, memory, methods, context };
}
/** Completes a closing without telling any webhook. */
async function completedUnheard(): Promise<string> {
	const id = await createClosing(credential());
	move(sandbox.world, sandbox.world.transactions.get(id)!, STATES.completed, 'by the test');
	return id;
}

const record = (transactionId: string) =>
	recordUndelivered([...sandbox.world.webhooks.values()].at(-1)!, {
		transaction_id: transactionId,
	});

describe('a completion of which the webhook never heard', () => {
	test('is passed on as recovered', async () => {
		const { look, emitted } = await published();
		const id = await completedUnheard();
		await createClosing(credential());
		expect(await look()).toBe(1);
		expect(emitted).toMatchObject([
			{
				event: 'transaction.completed',
				transaction_id: id,
				status: 'completed',
				confirmed: true,
				delivery: { by: 'recovery' },
			},
		]);
	});
	test('is one that an older record of the event log shows, although it was changed meanwhile', async () => {
		const { look, emitted } = await published();
		const [changed, old] = [await completedUnheard(), await completedUnheard()];
		const aWeekAgo = new Date(sandbox.clock.now() - 7 * 24 * 3_600_000).toISOString();
		for (const id of [changed, old]) sandbox.world.transactions.get(id)!.created = aWeekAgo;
		const webhook = [...sandbox.world.webhooks.values()].at(-1)!;
		recordUndelivered(webhook, { transaction_id: changed }, aWeekAgo);
		// Completed before the trigger was published.
		sandbox.world.transactions.get(old)!.updated = aWeekAgo;
		await look(10, { seenUntil: 0 });
		const ids = emitted.map(({ transaction_id: own }) => own);
		expect([ids.includes(changed), ids.includes(old)]).toEqual([false, false]);
	});
	test.each(['the look', 'the delivery'])('is passed once if %s comes first', async (first) => {
		const { look, emitted } = await published();
		const id = await completedUnheard();
		await look();
		const seen = { json: emitted.find(({ transaction_id: own }) => own === id)! };
		const delivered = {
			json: {
				...event({ transaction_id: id }),
				transaction_id: id,
				confirmed: true,
				delivery_key: `delivered-${nextNumber()}`,
			},
		};
		const items = first === 'the look' ? [seen, delivered] : [delivered, seen];
		const passed = [];
		for (const item of items) passed.push((await runOf([item])).items.length);
		expect(passed).toEqual([1, 0]);
	});
	test('is left to the event log if it has a record of it, delivered or not', async () => {
		const { look, emitted } = await published();
		const id = await completedUnheard();
		record(id);
		await look();
		expect(emitted.map(({ transaction_id: own }) => own)).not.toContain(id);
	});
	test('is left to its delivery if that is under way', async () => {
		const { look, emitted } = await published();
		const own = [await completedUnheard(), await completedUnheard()];
		const looking = look(1_000, { beganAt: 0 });
		record(own[0]);
		await looking;
		const passedOn = own.filter((id) => emitted.some((item) => item.transaction_id === id));
		expect(passedOn).toEqual([own[1]]);
	});
	test('completions from before they were selected are not passed on when they are', async () => {
		const node = `gap-${nextNumber()}`;
		const first = await published({ events: ['transaction.sent'] }, node);
		const id = await completedUnheard();
		await first.methods.delete.call(first.context);
		const { emitUnseen, emitted } = await published({ events: ['transaction.completed'] }, node);
		await emitUnseen();
		expect(emitted.map(({ transaction_id: own }) => own)).not.toContain(id);
	});
	test.each([
		['for events that no state shows', { events: ['group:documents'] }],
		['for events that are no completions', { events: ['transaction.updated'] }],
	])('is not looked for %s', async (_name, parameters) => {
		const { look } = await published(parameters);
		await completedUnheard();
		expect(await look()).toBe(0);
	});
});

describe('a platform that refuses the look', () => {
	/** Refuses the lists of a platform from now on. */
	const refuse = (path: RegExp) =>
		sandbox.faults.add({
			method: 'GET',
			path,
			status: 403,
			body: { errors: ['No'] },
			times: Infinity,
		});
	const LISTS = {
		realEstate: /^\/mortgage\/v\d\/transactions(\?|$)/,
		business: /^(\/v\d)?\/transactions(\?|$)/,
	};

	test('is an outage if it answered when the workflow was published: nothing is lost', async () => {
		const { look, emitted, memory } = await published();
		const id = await completedUnheard();
		refuse(LISTS.realEstate);
		await expect(look()).rejects.toMatchObject({ flags: { httpStatus: 403 } });
		expect(emitted).toEqual([]);
		expect(memory().unseen).toEqual(expect.any(Number));
		sandbox.faults.clear();
		await look();
		expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
		expect(memory().unseen).toBeUndefined();
	});
	// n8n deletes an execution that hasn't started when another one with its key is stored.
	test('lets the other one be looked at again, but no execution start twice', async () => {
		const { look, trigger, memory } = await published();
		const id = await completedUnheard();
		const started: Array<() => void> = [];
		trigger.emit = ([[{ json }]]: INodeExecutionData[][], _response: unknown, done?: Done) => {
			const end = () => done!.resolve({} as IRun);
			if (json.transaction_id === id) started.push(end);
			else end();
		};
		refuse(LISTS.business);
		await expect(look()).rejects.toMatchObject({ flags: { httpStatus: 403 } });
		await expect(look()).rejects.toMatchObject({ flags: { httpStatus: 403 } });
		expect(started).toHaveLength(1);
		sandbox.faults.clear();
		await look();
		expect([started.length, memory().unseen]).toEqual([1, expect.any(Number)]);
		started[0]();
		await look();
		expect([started.length, memory().unseen]).toEqual([2, undefined]);
	});
	test("isn't the account's if it refused then, and the other one is looked at", async () => {
		refuse(LISTS.business);
		const { look, emitted, memory } = await published();
		expect(memory().answered).toEqual(['realEstate']);
		const id = await completedUnheard();
		await look();
		expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
		expect(memory().unseen).toBeUndefined();
	});
});

test('a service whose clock is an hour behind shows what was completed in the gap', async () => {
	const { look, emitted } = await published();
	const id = await completedUnheard();
	const anHourAgo = sandbox.clock.now() - 3_600_000;
	sandbox.world.transactions.get(id)!.updated = new Date(anHourAgo).toISOString();
	sandbox.faults.add({
		method: 'GET',
		path: '/webhooks',
		status: 200,
		body: [],
		headers: { date: new Date(anHourAgo).toUTCString() },
		times: 1,
	});
	const since = anHourAgo - 60_000;
	await look(10, { beganAt: since, seenUntil: since });
	expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
});

describe('what may have been missed', () => {
	test('began with the check before the one that had to repair the webhook', () => {
		const memory: TriggerState = {};
		recordGap(memory);
		expect(memory.unseen).toBeUndefined();
		recordCheck(memory, 1_000);
		recordGap(memory);
		recordCheck(memory, 2_000);
		expect(memory.seenUntil).toBe(1_000);
		// Once it has been looked at, checks go on.
		delete memory.unseen;
		recordCheck(memory, 3_000);
		expect(memory.seenUntil).toBe(3_000);
	});
	test.each<[string, (memory: TriggerState) => void, boolean]>([
		['n8n has started', (memory) => delete memory.unpublishedAt, true],
		['a changed trigger was published', () => undefined, true],
		['it was published two hours later', (memory) => (memory.unpublishedAt! -= 7_200_000), false],
		['nothing is known of a check', (memory) => delete memory.seenUntil, false],
	])('is looked for after %s: %#', async (_what, change, isLookedFor) => {
		const seen = Date.now() - 900_000;
		const { methods, context } = await published();
		await methods.delete.call(context);
		triggerMemory.update(context, (memory) => {
			memory.seenUntil = seen;
			change(memory);
		});
		await methods.create.call(context);
		const { seenUntil, unseen } = triggerMemory.readState(context);
		expect([seenUntil === seen, unseen !== undefined]).toEqual([isLookedFor, isLookedFor]);
	});
	test.each<[string, (webhook: IDataObject, id: string) => void]>([
		['disabled', (webhook) => (webhook.enabled = false)],
		['changed', (webhook) => (webhook.subscriptions = ['transaction.sent'])],
		['deleted', (_webhook, id) => void sandbox.world.webhooks.delete(id)],
	])('is looked for after a check that finds the webhook %s', async (_what, harm) => {
		const { trigger, memory } = await published();
		const seen = Date.now() - 900_000;
		const forget = () => triggerMemory.update(trigger, (known) => (known.seenUntil = seen));
		forget();
		const settings = parseTriggerParameters(trigger);
		await checkSubscription(trigger, settings);
		expect(memory().seenUntil).toBeGreaterThan(seen);
		forget();
		const id = String(memory().webhookId);
		harm(sandbox.world.webhooks.get(id) as unknown as IDataObject, id);
		await checkSubscription(trigger, settings);
		expect(memory()).toMatchObject({ seenUntil: seen, unseen: expect.any(Number) });
	});
	test('is not seen to be nothing by a look during which a check finds the webhook missing', async () => {
		const { look, trigger, memory } = await published();
		await completedUnheard();
		const { emit } = trigger as { emit: (...given: never[]) => void };
		trigger.emit = (...given: never[]) => {
			triggerMemory.update(trigger, recordGap);
			emit(...given);
		};
		await look();
		expect(memory().unseen).toEqual(expect.any(Number));
	});
});
