import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { eventLogSignal } from '../../../nodes/SignAndClose/trigger/eventLog.ts';
import { REMOVAL } from '../../../nodes/SignAndClose/trigger/webhookMethods.ts';
import {
	triggerMemory,
	type SubscriptionMemory,
} from '../../../nodes/SignAndClose/trigger/memory.ts';
import {
	removeUnused,
	subscribe,
	unsubscribe,
} from '../../../nodes/SignAndClose/trigger/subscription.ts';
import { listening, nextNumber } from '../../support/delivery.mts';
import { hookContext } from '../../support/engine.mts';
import { liveRecord, liveWebhook } from '../../support/live/answers.mts';
import type { AskedFor } from '../../support/live/service.mts';
import {
	ADDRESS,
	ELSEWHERE,
	EVENTS,
	WANTED,
	known,
	ours,
	playing,
	storedMemory,
	type Played,
} from '../../support/live/webhooks.mts';
import { until } from './until.mts';

/** How a subscription begins and ends: what is asked of the service, and what is remembered. */

describe('a webhook that is created', () => {
	test('is found by its new identifier where the answer is empty and the list has no URLs', async () => {
		const hooks = [liveWebhook({ id: 'other' })];
		await playing({ hooks, documented: true }, async ({ service }) => {
			const memory: SubscriptionMemory = {};
			await subscribe(service, memory, WANTED);
			expect(memory.webhookId).toBe('new');
		});
	});
	test('is found by its URL when the answer was lost', async () => {
		const instead = ({ method, body }: AskedFor, hooks: IDataObject[]) => {
			if (method !== 'POST') return undefined;
			hooks.push(liveWebhook({ ...(body as IDataObject), id: 'new' }));
			return { respond: (response: { destroy(): void }) => response.destroy() };
		};
		const hooks = [liveWebhook({ id: 'other' })];
		await playing({ hooks, instead }, async ({ service }) => {
			const memory: SubscriptionMemory = {};
			await subscribe(service, memory, WANTED);
			expect(memory.webhookId).toBe('new');
		});
	});
	test('a refusal is told, and the list is not asked for a webhook that can not be there', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'POST' ? { status: 422, body: { errors: ['Invalid subscription'] } } : undefined;
		await playing({ instead }, async ({ service, asked }) => {
			const memory: SubscriptionMemory = {};
			await expect(subscribe(service, memory, WANTED)).rejects.toMatchObject({
				flags: { httpStatus: 422 },
			});
			expect(asked()).toEqual(['GET list', 'POST list']);
			expect(memory.webhookId).toBeUndefined();
		});
	});
	test('for a URL that was not asked for is a failure that says what to do', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'POST' ? { body: liveWebhook({ id: 'new', url: ELSEWHERE }) } : undefined;
		await playing({ instead }, async ({ service }) => {
			await expect(subscribe(service, {}, WANTED)).rejects.toMatchObject({
				message: 'The service created a webhook for a different URL than requested',
				remedy: "Check 'Base URL' in the credential, and delete the webhook in the service",
			});
		});
	});
});

describe('a webhook of a workflow that was unpublished', () => {
	const kept: string[] = [];
	const keep = async (id: string) => void (await Promise.resolve(kept.push(id)));
	beforeEach(() => void kept.splice(0));
	test.each<[string, IDataObject, number]>([
		['is removed while it stands as it was, once its events are kept', {}, 0],
		['stays if it was published again, by whatever process', { url: `${ADDRESS}?key=new` }, 1],
		['stays if it points elsewhere', { url: ELSEWHERE }, 1],
	])('%s', async (_what, changed, left) => {
		await playing({ hooks: [ours(changed)] }, async ({ service, hooks }) => {
			expect(await removeUnused(service, known(), keep)).toBe(true);
			expect([hooks.length, kept.length]).toEqual([left, 1 - left]);
		});
	});
	test('stays where nobody can see whether it is used', async () => {
		await playing({ hooks: [ours()], documented: true }, async ({ service, hooks }) => {
			expect(await removeUnused(service, known(), keep)).toBe(false);
			expect(hooks).toHaveLength(1);
		});
	});
	test('is gone already', async () => {
		await playing({}, async ({ service, asked }) => {
			expect(await removeUnused(service, known(), keep)).toBe(true);
			expect(asked()).toEqual(['GET list']);
		});
	});
	test('that the service does not remove stays', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 404, body: { errors: ['Not Found'] } } : undefined;
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			expect(await removeUnused(service, known(), keep)).toBe(false);
		});
	});
	test('whose removal is refused stays, which is told', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 401, body: { errors: ['no'] } } : undefined;
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			await expect(removeUnused(service, known(), keep)).rejects.toMatchObject({
				flags: { httpStatus: 401 },
			});
		});
	});
	test.each([false, true])('of a test goes at once (identifiers only: %s)', async (documented) => {
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented }, async ({ service }) => {
			await unsubscribe(service, known(), ADDRESS);
			expect(hooks.map(({ id }) => id)).toEqual(['other']);
		});
	});
});

describe('publishing and unpublishing', () => {
	/** A node that is about to be published at the service of the scene. */
	const node = (own: Played, mode = 'trigger') => {
		const id = `node-${nextNumber()}`;
		const options = {
			credential: own.credential,
			parameters: listening({ events: EVENTS }),
			node: { id },
		};
		const { context, methods } = hookContext(options, id);
		Object.assign(context, { mode });
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		const warned = () => warn.mock.calls.map(([text]) => text);
		const heard: string[] = [];
		const stop = eventLogSignal.listen(context, () => heard.push('look'));
		return { options, context, methods, warned, heard, stop };
	};
	/** Waits until a removal is over, whose last answer is read after the service has removed the webhook. */
	const removed = async ({ hooks }: Played, { context }: ReturnType<typeof node>) => {
		await until(() => hooks.length === 0);
		await triggerMemory.inTurn(context, async () => await Promise.resolve());
	};
	/** An event log with one event that hasn't arrived. */
	const missed = () => {
		const payload = { event: EVENTS[0], data: { transaction_id: 'ot_1', date_occurred: 'now' } };
		const delivered = new Date().toISOString();
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/events')
				? { body: [liveRecord(EVENTS[0], payload, { code: 500, delivered })] }
				: undefined;
		return { delivered, instead };
	};
	beforeAll(() => void (REMOVAL.pauseMs = 50));
	afterEach(() => void jest.restoreAllMocks());
	test('a webhook that is registered, or found again, starts a check; one that is missing does not', async () => {
		await playing({}, async (own) => {
			const { context, methods, heard, warned, stop } = node(own);
			expect([await methods.checkExists.call(context), heard]).toEqual([false, []]);
			expect([await methods.create.call(context), heard]).toEqual([true, ['look']]);
			expect([await methods.checkExists.call(context), heard]).toEqual([true, ['look', 'look']]);
			expect(warned()).toEqual([]);
			stop();
		});
	});
	test('unpublishing keeps the events that have not arrived', async () => {
		const { delivered, instead } = missed();
		await playing({ instead }, async (own) => {
			const published = node(own);
			const { options, context, methods, warned, stop } = published;
			await methods.create.call(context);
			expect(await methods.delete.call(context)).toBe(true);
			expect(storedMemory(context).undelivered).toEqual([
				expect.objectContaining({ at: delivered, arrived: false }),
			]);
			// A renamed node, for which n8n has stored nothing.
			const again = hookContext(options, 'a').context;
			expect(triggerMemory.read(again)).toMatchObject(storedMemory(context));
			await removed(own, published);
			expect(warned()).toEqual([]);
			stop();
		});
	});
	test('the end of a test, which n8n tells like unpublishing, leaves what is known of the published node', async () => {
		const { instead } = missed();
		await playing({ instead }, async (own) => {
			const published = node(own);
			const { options, context, methods, stop } = published;
			await methods.create.call(context);
			await methods.delete.call(context);
			await removed(own, published);
			const kept = storedMemory(context).undelivered;
			// n8n keeps the static data of tests apart.
			const tested = hookContext(options, 'test').context;
			Object.assign(tested, { mode: 'manual' });
			await methods.checkExists.call(tested);
			await methods.create.call(tested);
			expect(own.hooks).toHaveLength(1);
			Object.assign(tested, { mode: 'internal' });
			expect(await methods.delete.call(tested)).toBe(true);
			expect(own.hooks).toHaveLength(0);
			expect(storedMemory(tested)).not.toHaveProperty('undelivered');
			// Published again: what was missed then, and nothing of the test.
			const again = hookContext(
				{ ...options, staticData: { 'node:Tested': { ...storedMemory(context) } } },
				'a',
			).context;
			triggerMemory.forget();
			expect(triggerMemory.read(again).undelivered).toEqual(kept);
			stop();
		});
	});
	test('a webhook that the service can not remove is named in the log', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 404, body: { errors: ['Not Found'] } } : undefined;
		await playing({ documented: true, instead }, async (own) => {
			const { context, methods, warned, stop } = node(own);
			await methods.create.call(context);
			expect(await methods.delete.call(context)).toBe(true);
			await until(() => warned().length > 0);
			expect(warned()).toEqual([
				"Sign and Close Trigger: this service doesn't offer deleting webhooks. new stays until you delete it in the service, and is used again when you publish the workflow",
			]);
			stop();
		});
	});
});
