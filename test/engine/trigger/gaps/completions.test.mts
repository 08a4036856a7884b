import { describe, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { emitMissedCompletions } from '../../../../nodes/SignAndClose/trigger/gaps/completions.ts';
import { noteCheck } from '../../../../nodes/SignAndClose/trigger/gaps/gap.ts';
import { readTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import type { SubscriptionMemory } from '../../../../nodes/SignAndClose/trigger/subscription/memory.ts';
import { subscriptionStore } from '../../../../nodes/SignAndClose/trigger/subscription/subscriptionStore.ts';
import { STATES } from '../../../../sandbox/domain/states.mts';
import { move } from '../../../../sandbox/domain/transitions.mts';
import { createClosing } from '../../../support/closing.mts';
import { event, nextNumber, recordUndelivered, runOf } from '../../../support/delivery.mts';
import { hookContext, triggerContext } from '../../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { until } from '../until.mts';

/** Transactions that were completed while there was no webhook that could tell it. */

useSandbox();

/** A published trigger with a webhook. */
async function published(parameters: IDataObject = {}) {
	const options = {
		type: 'signAndCloseTrigger' as const,
		credential: credential(),
		parameters: { events: ['group:finished'], ...parameters },
		node: { id: `missed-${nextNumber()}` },
	};
	const { context, methods, workflow } = hookContext(options, options.node.id);
	await methods.create.call(context);
	const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
	const trigger = triggerContext({ ...options, staticData: { 'node:Tested': memory } });
	const emitted: IDataObject[] = [];
	trigger.emit = (
		[[{ json }]]: INodeExecutionData[][],
		_response: unknown,
		done?: { resolve(run: IRun): void },
	) => {
		emitted.push(json);
		done?.resolve({} as IRun);
	};
	const look = async (underWayMs = 10) =>
		await emitMissedCompletions(trigger, readTriggerParameters(trigger), {
			since: sandbox.clock.now() - 60_000,
			now: sandbox.clock.now(),
			underWayMs,
		});
	return { trigger, emitted, look, memory, methods, context };
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
		expect(await look()).toEqual({ emitted: 1, isDone: true });
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
		const before = await completedUnheard();
		const halfAMinuteAgo = new Date(sandbox.clock.now() - 30_000).toISOString();
		sandbox.world.transactions.get(before)!.updated = halfAMinuteAgo;
		const [delivered, lost] = [await completedUnheard(), await completedUnheard()];
		const own = [before, delivered, lost];
		const passedOn = () => own.filter((id) => emitted.some((item) => item.transaction_id === id));
		const looking = look(2_000);
		await until(() => passedOn().length > 0);
		expect(passedOn()).toEqual([before]);
		record(delivered);
		await looking;
		expect(passedOn()).toEqual([before, lost]);
	});
	test.each([
		['for events that no state shows', { events: ['group:documents'] }],
		['for events that are no completions', { events: ['transaction.updated'] }],
	])('is not looked for %s', async (_name, parameters) => {
		const { look } = await published(parameters);
		await completedUnheard();
		expect(await look()).toEqual({ emitted: 0, isDone: true });
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
		const { look, emitted } = await published();
		const id = await completedUnheard();
		refuse(LISTS.realEstate);
		await expect(look()).rejects.toMatchObject({ flags: { httpStatus: 403 } });
		expect(emitted).toEqual([]);
		sandbox.faults.clear();
		await look();
		expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
	});
	test('is an outage also while n8n starts', async () => {
		const { methods, context, memory } = await published();
		refuse(LISTS.realEstate);
		subscriptionStore.forget(context);
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(memory.notOurs).toEqual([]);
	});
	test("isn't the account's if it refused then, and the other one is looked at", async () => {
		refuse(LISTS.business);
		const { look, emitted, memory } = await published();
		expect(memory.notOurs).toEqual(['business']);
		const id = await completedUnheard();
		await look();
		expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
	});
});

test('a service whose clock is an hour behind shows what was completed in the gap', async () => {
	const { look, emitted } = await published();
	const id = await completedUnheard();
	sandbox.world.transactions.get(id)!.updated = new Date(
		sandbox.clock.now() - 3_600_000,
	).toISOString();
	sandbox.faults.add({
		method: 'GET',
		path: '/webhooks',
		status: 200,
		body: [],
		headers: { date: new Date(sandbox.clock.now() - 3_600_000).toUTCString() },
		times: 1,
	});
	await look();
	expect(emitted.map(({ transaction_id: own }) => own)).toContain(id);
});

describe('a gap', () => {
	test('begins with the check before the one that had to repair the webhook', () => {
		const memory: SubscriptionMemory = {};
		const now = jest.spyOn(Date, 'now');
		for (const time of [1_000, 2_000, 3_000]) {
			now.mockReturnValue(time);
			noteCheck(memory, true);
			expect(memory.gapSince).toBe(time === 1_000 ? undefined : 1_000);
		}
		now.mockRestore();
	});
	test.each([
		['a moment ago begins then', 60_000, true],
		['longer ago was meant, and begins none', 2 * 3_600_000, false],
	])('of a workflow that was unpublished %s', async (_name, ago, isGap) => {
		const { methods, context, memory } = await published();
		await methods.delete.call(context);
		expect(memory.unpublishedAt).toEqual(expect.any(Number));
		memory.unpublishedAt = Date.now() - ago;
		const { unpublishedAt } = memory;
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(memory.unpublishedAt).toBeUndefined();
		expect(memory.gapSince).toBe(isGap ? unpublishedAt : undefined);
	});
	test.each([
		['the last check that n8n has stored', { checkedAt: -7_200_000 }, -7_200_000],
		['47 hours ago if that is longer ago', { checkedAt: -99 * 3_600_000 }, -47 * 3_600_000],
		['an earlier gap', { checkedAt: -1_000, gapSince: -7_200_000 }, -7_200_000],
		['not with one that is too old', { checkedAt: -1_000, gapSince: -48 * 3_600_000 }, -1_000],
		['publishing, if n8n has stored no later check', {}, 0],
	])(
		'in which somebody deleted the webhook while n8n was down begins with %s',
		async (_name, ago: Record<string, number>, begins) => {
			const publishedAt = Date.now();
			const { methods, context, memory } = await published();
			for (const [name, age] of Object.entries(ago)) memory[name] = Date.now() + age;
			sandbox.world.webhooks.delete(String(memory.webhookId));
			subscriptionStore.forget(context);
			expect(await methods.checkExists.call(context)).toBe(false);
			await methods.create.call(context);
			expect(Number(memory.gapSince)).toBeGreaterThanOrEqual(publishedAt + begins);
			expect(Number(memory.gapSince)).toBeLessThanOrEqual(Date.now() + begins);
			expect(sandbox.world.webhooks.has(String(memory.webhookId))).toBe(true);
		},
	);
	test.each<[string, (webhook: IDataObject) => void]>([
		['disabled', (webhook) => (webhook.enabled = false)],
		['changed', (webhook) => (webhook.subscriptions = ['transaction.sent'])],
	])('in which somebody has %s the webhook while n8n was down begins, too', async (_what, harm) => {
		const { methods, context, memory } = await published();
		const checkedAt = Date.now() - 7_200_000;
		memory.checkedAt = checkedAt;
		harm(sandbox.world.webhooks.get(String(memory.webhookId)) as unknown as IDataObject);
		subscriptionStore.forget(context);
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(memory.gapSince).toBe(checkedAt);
	});
	test('does not begin where n8n starts and finds the webhook as it was', async () => {
		const { methods, context, memory } = await published();
		subscriptionStore.forget(context);
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(memory.gapSince).toBeUndefined();
	});
	test('does not begin where nothing is known of a check', async () => {
		const { methods, context, memory } = await published();
		delete memory.checkedAt;
		sandbox.world.webhooks.delete(String(memory.webhookId));
		subscriptionStore.forget(context);
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(memory.gapSince).toBeUndefined();
	});
});
