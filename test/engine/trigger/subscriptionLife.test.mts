import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { eventLogSignal } from '../../../nodes/SignAndClose/trigger/events/eventLogSignal.ts';
import { pendingRemovals } from '../../../nodes/SignAndClose/trigger/subscription/pendingRemovals.ts';
import {
	storedMemory,
	subscriptionStore,
} from '../../../nodes/SignAndClose/trigger/subscription/subscriptionStore.ts';
import {
	subscribe,
	unsubscribe,
	type SubscriptionMemory,
} from '../../../nodes/SignAndClose/trigger/subscription/subscription.ts';
import { listening, nextNumber } from '../../support/delivery.mts';
import { hookContext } from '../../support/engine.mts';
import { liveRecord, liveWebhook } from '../../support/live/answers.mts';
import type { AskedFor } from '../../support/live/service.mts';
import {
	ADDRESS,
	ELSEWHERE,
	EVENTS,
	GRACE_MS,
	SECRET,
	SIGNING_KEY,
	WANTED,
	known,
	ours,
	playing,
	type Played,
} from '../../support/live/webhooks.mts';
import { until } from './until.mts';

/** How a subscription begins and ends: what is asked of the service, and what is remembered. */

describe('a webhook that is created', () => {
	test('has a new secret; the one before is believed for the 48 hours of repeats', async () => {
		await playing({}, async ({ service }) => {
			const memory = known();
			const before = Date.now();
			await subscribe(service, memory, WANTED);
			expect(memory.previous).toEqual({
				secret: SECRET,
				until: expect.any(Number),
			});
			const { until } = memory.previous!;
			expect(until >= before + GRACE_MS && until <= Date.now() + GRACE_MS).toBe(true);
			expect(memory.secret).toMatch(/^[\w-]{43}$/);
			expect(memory.callback).toBe(`${ADDRESS}?key=${memory.secret}`);
			expect(service.redact(memory.secret!)).not.toBe(memory.secret);
		});
	});
	test('the first time has no secret before', async () => {
		await playing({}, async ({ service }) => {
			const memory: SubscriptionMemory = {};
			await subscribe(service, memory, WANTED);
			expect(Object.keys(memory).sort()).toEqual([
				'callback',
				'events',
				'keyMark',
				'owner',
				'requestIdHeader',
				'secret',
				'shown',
				'signatureHeader',
				'signingKey',
				'webhookId',
			]);
		});
	});
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
			expect(asked()).toEqual(['GET list', 'GET list', 'POST list']);
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

describe('a webhook that is removed', () => {
	/** What is left of a memory, with the time of the grace as its distance from now. */
	const left = ({ previous, formerKeys = [], ...rest }: SubscriptionMemory) => ({
		...rest,
		keys: formerKeys.map(({ key }) => key),
		...(previous && {
			secret: previous.secret,
			grace: Math.round((previous.until - Date.now()) / 60_000) * 60_000,
		}),
	});
	test('leaves only its secret, for the 48 hours of repeats', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks, asked }) => {
			const memory = known();
			expect(await unsubscribe(service, memory, ADDRESS)).toBe(true);
			expect(left(memory)).toStrictEqual({
				keys: [SIGNING_KEY],
				secret: SECRET,
				grace: GRACE_MS,
			});
			expect(hooks).toEqual([]);
			expect(asked().slice(0, 3)).toEqual(['GET list', 'DELETE ours', 'GET ours']);
			expect(service.redact(SECRET)).not.toBe(SECRET);
		});
	});
	test('leaves what was not passed on yet for the next publishing', async () => {
		const kept = {
			undelivered: [],
			changes: { since: '2026-11-22T10:00:00.000Z', states: {} },
			gapSince: 1,
			unpublishedAt: 2,
		};
		await playing({ hooks: [ours()] }, async ({ service }) => {
			const memory = known(kept);
			await unsubscribe(service, memory, ADDRESS);
			expect(left(memory)).toMatchObject(kept);
		});
	});
	test('one that was never there asks for no webhook and leaves nothing', async () => {
		await playing({}, async ({ service, asked }) => {
			const secrets = [...service.settings.secrets];
			const memory: SubscriptionMemory = {};
			expect(await unsubscribe(service, memory, ADDRESS)).toBe(true);
			expect(memory).toStrictEqual({});
			expect(asked()).toEqual(['GET list']);
			expect(service.settings.secrets).toEqual(secrets);
		});
	});
	test('without a secret of its own, the one before stays as it was', async () => {
		await playing({}, async ({ service }) => {
			const previous = { secret: 'the one before', until: 1 };
			const memory: SubscriptionMemory = { previous };
			expect(await unsubscribe(service, memory, ADDRESS)).toBe(true);
			expect(memory).toStrictEqual({ previous });
		});
	});
	test('one that points elsewhere stays at the service', async () => {
		const hooks = [ours({ url: ELSEWHERE })];
		await playing({ hooks }, async ({ service }) => {
			expect(await unsubscribe(service, known(), ADDRESS)).toBe(true);
			expect(hooks).toHaveLength(1);
		});
	});
	test.each([
		['alone', []],
		['beside another one', [liveWebhook({ id: 'other' })]],
	])('%s, where the list has identifiers only, is removed by its own', async (_name, others) => {
		const hooks = [...others, ours()];
		await playing({ hooks, documented: true }, async ({ service, asked }) => {
			const memory = known();
			expect(await unsubscribe(service, memory, ADDRESS)).toBe(true);
			expect(hooks).toEqual(others);
			expect(asked()).toContain('DELETE ours');
			expect(left(memory)).toStrictEqual({
				keys: [SIGNING_KEY],
				secret: SECRET,
				grace: GRACE_MS,
			});
		});
	});
	test('one that the service does not remove stays, and is remembered', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 404, body: { errors: ['Not Found'] } } : undefined;
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented: true, instead }, async ({ service }) => {
			const memory = known();
			expect(await unsubscribe(service, memory, ADDRESS)).toBe(false);
			expect(memory).toStrictEqual(known());
		});
	});
	test('a refusal is told, and nothing is forgotten', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 401, body: { errors: ['no'] } } : undefined;
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			const memory = known();
			await expect(unsubscribe(service, memory, ADDRESS)).rejects.toMatchObject({
				flags: { httpStatus: 401 },
			});
			expect(memory).toStrictEqual(known());
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
	beforeAll(() => void Object.assign(pendingRemovals, { pauseMs: 50, retryMs: 20 }));
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
	test('unpublishing forgets what the process knew, and keeps the events that have not arrived', async () => {
		const { delivered, instead } = missed();
		await playing({ instead }, async (own) => {
			const { options, context, methods, warned, stop } = node(own);
			await methods.create.call(context);
			expect(await methods.delete.call(context)).toBe(true);
			expect(storedMemory(context).undelivered).toEqual([
				expect.objectContaining({ at: delivered, arrived: false }),
			]);
			const again = hookContext(options, 'a').context;
			expect(subscriptionStore.get(again)).toBe(storedMemory(again));
			await until(() => own.hooks.length === 0);
			expect(warned()).toEqual([]);
			stop();
		});
	});
	test('the end of a test, which n8n tells like unpublishing, leaves what is known of the published node', async () => {
		const { instead } = missed();
		await playing({ instead }, async (own) => {
			const { options, context, methods, stop } = node(own);
			await methods.create.call(context);
			await methods.delete.call(context);
			await until(() => own.hooks.length === 0);
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
			expect(subscriptionStore.register(again).undelivered).toEqual(kept);
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
