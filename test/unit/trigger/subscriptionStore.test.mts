import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { eventLogSignal } from '../../../nodes/SignAndClose/trigger/events/eventLogSignal.ts';
import {
	storedMemory,
	subscriptionStore,
} from '../../../nodes/SignAndClose/trigger/subscription/subscriptionStore.ts';
import { nextNumber } from '../../support/delivery.mts';
import { hookContext } from '../../support/engine.mts';

/** What the roles of a trigger share in one process: what they know, their turns, their signal. */

const newId = () => `node-${nextNumber()}`;

/** A context of a node; each has its own copy of what n8n stores. */
function contextOf(id: string, { mode = 'trigger', stored = {} as IDataObject } = {}) {
	const { context } = hookContext(
		{
			credential: {},
			parameters: {},
			node: { id },
			staticData: { 'node:Tested': { ...stored } },
		},
		'a',
	);
	return Object.assign(context, { mode }) as typeof context;
}

const recorded = (key: string) => ({
	delivery: { event: 'transaction.sent', data: {}, key },
	at: '2026-01-02T03:04:05Z',
	arrived: false,
});

test('what a hook has registered is known to the node until it is forgotten, then what is stored', () => {
	const id = newId();
	const hook = contextOf(id, { stored: { webhookId: 'registered' } });
	const trigger = contextOf(id, { stored: { webhookId: 'stored' } });
	expect(subscriptionStore.get(trigger)).toBe(storedMemory(trigger));
	expect(subscriptionStore.register(hook)).toBe(storedMemory(hook));
	expect(subscriptionStore.get(trigger)).toBe(storedMemory(hook));
	subscriptionStore.forget(trigger);
	expect(subscriptionStore.get(trigger)).toBe(storedMemory(trigger));
});

test('another node, and the test of the same node, know nothing of it', () => {
	const id = newId();
	subscriptionStore.register(contextOf(id));
	for (const other of [contextOf(newId()), contextOf(id, { mode: 'manual' })])
		expect(subscriptionStore.get(other)).toBe(storedMemory(other));
	const tested = contextOf(id, { mode: 'manual' });
	subscriptionStore.register(tested);
	expect(subscriptionStore.get(contextOf(id, { mode: 'manual' }))).toBe(storedMemory(tested));
	expect(subscriptionStore.get(contextOf(id))).not.toBe(storedMemory(tested));
});

test('every mode but the manual one is that of a published workflow', () => {
	const id = newId();
	const published = contextOf(id);
	subscriptionStore.register(published);
	for (const mode of ['webhook', 'internal'])
		expect(subscriptionStore.get(contextOf(id, { mode }))).toBe(storedMemory(published));
});

test('registering adds nothing to what is stored', () => {
	expect(subscriptionStore.register(contextOf(newId()))).toStrictEqual({});
});

test('undelivered events are stored, and are there for the next registration alone', () => {
	const id = newId();
	const hook = contextOf(id);
	const undelivered = [recorded('a')];
	subscriptionStore.keepUndelivered(hook, undelivered);
	expect(storedMemory(hook)).toStrictEqual({ undelivered });
	// n8n reads what it had stored before.
	expect(subscriptionStore.register(contextOf(newId()))).toStrictEqual({});
	expect(subscriptionStore.register(contextOf(id))).toStrictEqual({ undelivered });
	expect(subscriptionStore.register(contextOf(id))).toStrictEqual({});
});

test('no undelivered events leave what is stored as it is', () => {
	const hook = contextOf(newId());
	subscriptionStore.keepUndelivered(hook, []);
	expect(storedMemory(hook)).toStrictEqual({});
});

test('work on a subscription begins when all work before it has ended, also with a failure', async () => {
	const id = newId();
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const began: string[] = [];
	const work = async (name: string, until?: Promise<void>) =>
		await subscriptionStore.inTurn(contextOf(id), async () => {
			began.push(name);
			await until;
			return name;
		});
	const one = work('first', first.promise);
	const two = work('second', second.promise);
	await new Promise((wake) => setImmediate(wake));
	expect(began).toEqual(['first']);
	first.reject(new Error('refused'));
	await expect(one).rejects.toThrow('refused');
	// The end of the first must not let the third pass by the second.
	const three = work('third');
	await new Promise((wake) => setImmediate(wake));
	expect(began).toEqual(['first', 'second']);
	second.resolve();
	expect(await Promise.all([two, three])).toEqual(['second', 'third']);
	expect(began).toEqual(['first', 'second', 'third']);
});

test('work on another subscription waits for nothing', async () => {
	const held = Promise.withResolvers<void>();
	const one = subscriptionStore.inTurn(contextOf(newId()), async () => await held.promise);
	expect(await subscriptionStore.inTurn(contextOf(newId()), async () => 'done')).toBe('done');
	held.resolve();
	await one;
});

test('a signal reaches the listener of its node, until that one stops', () => {
	const [id, other] = [newId(), newId()];
	const heard: string[] = [];
	const stop = eventLogSignal.listen(contextOf(id), () => heard.push('one'));
	const stopOther = eventLogSignal.listen(contextOf(other), () => heard.push('other'));
	eventLogSignal.send(contextOf(id));
	expect(heard).toEqual(['one']);
	stop();
	eventLogSignal.send(contextOf(id));
	expect(heard).toEqual(['one']);
	eventLogSignal.send(contextOf(other));
	expect(heard).toEqual(['one', 'other']);
	stopOther();
});

test('a listener that stops late leaves the one that came after it', () => {
	const id = newId();
	const heard: string[] = [];
	const stopFirst = eventLogSignal.listen(contextOf(id), () => heard.push('first'));
	const stopSecond = eventLogSignal.listen(contextOf(id), () => heard.push('second'));
	stopFirst();
	eventLogSignal.send(contextOf(id));
	expect(heard).toEqual(['second']);
	stopSecond();
	eventLogSignal.send(contextOf(id));
	expect(heard).toEqual(['second']);
});
