import type { IDataObject } from 'n8n-workflow';

import {
	eventLogSignal,
	isTest,
	triggerMemory,
} from '../../../nodes/SignAndClose/trigger/memory.ts';
import { nextNumber } from '../../support/delivery.mts';
import { hookContext } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';

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

const staticData = (context: ReturnType<typeof contextOf>) => context.getWorkflowStaticData('node');

test('what a role has written is known to the others, although n8n gives them older copies', () => {
	const id = newId();
	const [hook, trigger] = [contextOf(id), contextOf(id, { stored: { webhookId: 'older' } })];
	expect(triggerMemory.readState(trigger)).toEqual({ webhookId: 'older' });
	triggerMemory.update(hook, (memory) => (memory.webhookId = 'newer'));
	expect(triggerMemory.readState(trigger).webhookId).toBe('newer');
	// The next change of the other role brings its copy up to date.
	triggerMemory.update(trigger, (memory) => (memory.recordsUntil = 'now'));
	expect(staticData(trigger)).toMatchObject({ webhookId: 'newer', recordsUntil: 'now' });
	expect(triggerMemory.readState(hook)).toMatchObject({ webhookId: 'newer', recordsUntil: 'now' });
});

test('what n8n has stored later counts, e.g. from another process', () => {
	const id = newId();
	triggerMemory.update(contextOf(id), (memory) => (memory.webhookId = 'of this process'));
	const stored = { webhookId: 'of another', savedAt: Date.now() + 1_000 };
	const later = contextOf(id, { stored });
	expect(triggerMemory.readState(later)).toEqual(stored);
	triggerMemory.update(later, (memory) => (memory.recordsUntil = 'now'));
	expect(staticData(later)).toMatchObject({ webhookId: 'of another', recordsUntil: 'now' });
	expect(Number(staticData(later).savedAt)).toBeGreaterThan(stored.savedAt);
});

test('what has changed nothing is not newer than what another process stores', async () => {
	const id = newId();
	const hook = contextOf(id);
	triggerMemory.update(hook, (memory) => (memory.webhookId = 'ours'));
	const { savedAt } = staticData(hook);
	await triggerMemory.runInTurn(hook, async () => await Promise.resolve());
	expect(staticData(hook).savedAt).toBe(savedAt);
});

test('what is done by halves is kept, also when the rest fails', async () => {
	const hook = contextOf(newId());
	const work = triggerMemory.runInTurn(hook, async (memory) => {
		memory.webhookId = 'made';
		return await Promise.reject(new Error('refused'));
	});
	await expect(work).rejects.toThrow('refused');
	expect(staticData(hook)).toMatchObject({ webhookId: 'made' });
});

test('what is stored and what is known share no object, and a value that is gone stays gone', () => {
	const hook = contextOf(newId());
	triggerMemory.update(hook, (memory) => Object.assign(memory, { events: ['a'], webhookId: 'x' }));
	(staticData(hook).events as string[]).push('b');
	expect(triggerMemory.readState(hook).events).toEqual(['a']);
	triggerMemory.update(hook, (memory) => delete memory.webhookId);
	expect(Object.keys(staticData(hook)).sort()).toEqual(['events', 'savedAt']);
});

test('another node, and the test of the same node, know nothing of it', () => {
	const id = newId();
	triggerMemory.update(contextOf(id), (memory) => (memory.webhookId = 'ours'));
	forEachCase([contextOf(newId()), contextOf(id, { mode: 'manual' })], (other) =>
		expect(triggerMemory.readState(other)).toEqual({}),
	);
	forEachCase(['webhook', 'internal'], (mode) =>
		expect(triggerMemory.readState(contextOf(id, { mode })).webhookId).toBe('ours'),
	);
});

test('the end of a test, which n8n tells like unpublishing, is known by what the test has stored', () => {
	const id = newId();
	const tested = contextOf(id, { mode: 'manual' });
	triggerMemory.update(tested, (memory) => (memory.webhookId = 'of the test'));
	const ending = contextOf(id, { mode: 'internal', stored: staticData(tested) });
	expect(triggerMemory.readState(ending).webhookId).toBe('of the test');
	expect(isTest(ending)).toBe(true);
	expect(triggerMemory.readState(contextOf(id))).toEqual({});
});

test('work on a subscription begins when all work before it has ended, also with a failure', async () => {
	const id = newId();
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const began: string[] = [];
	const work = async (name: string, until?: Promise<void>) =>
		await triggerMemory.runInTurn(contextOf(id), async () => {
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
