import { describe, expect, test } from '@jest/globals';

import { fingerprint } from '../../../nodes/SignAndClose/trigger/authenticity/callbackSecret.ts';
import { adopt, repair } from '../../../nodes/SignAndClose/trigger/subscription/subscription.ts';
import { liveWebhook } from '../../support/live/answers.mts';
import type { AskedFor } from '../../support/live/service.mts';
import {
	ADDRESS,
	CALLBACK,
	ELSEWHERE,
	EVENTS,
	SECRET,
	WANTED,
	known,
	ours,
	playing,
} from '../../support/live/webhooks.mts';

/** A subscription that exists, in every state that the service and what n8n stores can be in. */

describe('a webhook that may be there already', () => {
	test.each(['webhookId', 'secret', 'callback'])(
		'is not asked for while its %s is not known',
		async (name) => {
			await playing({ hooks: [ours()] }, async ({ service, asked }) => {
				const memory = known({ signatureHeader: 'x-older' });
				delete memory[name];
				const before = { ...memory };
				expect(await adopt(service, memory, WANTED)).toBe(false);
				expect(memory).toStrictEqual(before);
				expect(asked()).toEqual([]);
			});
		},
	);
	test('is left as it is when it is as wanted, whatever the order of its events', async () => {
		const events = ['transaction.sent', 'transaction.updated', 'transaction.created'];
		const stored = ['transaction.updated', 'transaction.sent', 'transaction.created'];
		await playing({ hooks: [ours({ subscriptions: stored })] }, async ({ service, asked }) => {
			const memory = known({ events });
			expect(await adopt(service, memory, { ...WANTED, events })).toBe(true);
			expect(asked()).toEqual(['GET ours']);
			expect(memory).toStrictEqual({ ...known({ events }), requestIdHeader: 'x-request-id' });
			expect(service.redact(`it is ${SECRET}`)).not.toContain(SECRET);
		});
	});
	test.each([
		['another secret in its URL', { url: `${ADDRESS}?key=another` }, {}],
		['one event less', { subscriptions: ['transaction.sent'] }, {}],
		['another signing key', {}, { signingKey: 'a key of our own' }],
	])('%s is brought to what is wanted', async (_name, changed, more) => {
		await playing({ hooks: [ours(changed)] }, async ({ service, asked, bodies }) => {
			const memory = known({ events: ['transaction.sent'] });
			expect(await repair(service, memory, { ...WANTED, ...more })).toBe('updated');
			expect(asked()).toEqual(['GET ours', 'GET list', 'PUT ours']);
			const signingKey = 'signingKey' in more ? more.signingKey! : SECRET;
			expect(bodies('PUT')).toEqual([
				{
					url: CALLBACK,
					subscriptions: EVENTS,
					signing_key: signingKey,
					request_id_header_name: 'X-Request-Id',
				},
			]);
			expect(memory).toStrictEqual(
				known({ keyMark: fingerprint(signingKey), requestIdHeader: 'x-request-id' }),
			);
		});
	});
	test('moves with n8n to a new address', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks, asked }) => {
			const memory = known();
			const address = 'https://new.example.com/webhook/a/webhook';
			expect(await adopt(service, memory, { ...WANTED, address })).toBe(true);
			expect(asked()).toEqual(['GET ours', 'PUT ours']);
			expect([hooks[0].url, memory.callback]).toEqual([
				`${address}?key=${SECRET}`,
				`${address}?key=${SECRET}`,
			]);
		});
	});
	test.each([
		['that is gone', []],
		['that points elsewhere', [ours({ url: ELSEWHERE })]],
	])('one %s is none, and its ID is forgotten', async (_name, hooks) => {
		await playing({ hooks }, async ({ service, bodies }) => {
			const memory = known();
			expect(await adopt(service, memory, WANTED)).toBe(false);
			expect(Object.keys(memory)).not.toContain('webhookId');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('one that the service may not show now is not taken for gone', async () => {
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/ours') ? { status: 401, body: { errors: ['no'] } } : undefined;
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			const memory = known();
			await expect(adopt(service, memory, WANTED)).rejects.toMatchObject({
				flags: { httpStatus: 401 },
			});
			expect(memory.webhookId).toBe('ours');
		});
	});
	test.each([
		['with the same address and events', {}, {}, true],
		['for another address', {}, { address: 'https://new.example.com/webhook/a' }, false],
		['for other events', {}, { events: ['transaction.sent'] }, false],
		['whose events are not known', { events: undefined }, {}, false],
	])('where the list has identifiers only, one %s', async (_name, stored, more, there) => {
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented: true }, async ({ service, bodies }) => {
			const memory = known(stored);
			expect(await adopt(service, memory, { ...WANTED, ...more })).toBe(there);
			expect(memory.webhookId).toBe('ours');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('where the list has identifiers only, one that is not in it is gone', async () => {
		const hooks = [liveWebhook({ id: 'other' })];
		await playing({ hooks, documented: true }, async ({ service }) => {
			expect(await adopt(service, known(), WANTED)).toBe(false);
		});
	});
	test('one that the list shows with its URL, but that can not be read, is gone', async () => {
		const instead = ({ method, path }: AskedFor) =>
			method === 'GET' && path.endsWith('/ours')
				? { status: 404, body: { errors: ['Not Found'] } }
				: undefined;
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			expect(await adopt(service, known(), WANTED)).toBe(false);
		});
	});
});

describe('a published webhook that is looked after', () => {
	test.each(['callback', 'secret'])('is left alone while its %s is not known', async (name) => {
		await playing({ hooks: [ours()] }, async ({ service, asked }) => {
			const memory = known();
			delete memory[name];
			expect(await repair(service, memory, WANTED)).toBe('intact');
			expect(asked()).toEqual([]);
		});
	});
	test('is intact when it is as wanted; another one at its address is removed', async () => {
		const hooks = [ours({ id: 'left behind', url: `${ADDRESS}?key=older` }), ours()];
		hooks[0].id = 'left-behind';
		await playing({ hooks }, async ({ service, asked }) => {
			expect(await repair(service, known(), WANTED)).toBe('intact');
			expect(asked()).toEqual(['GET ours', 'GET list', 'DELETE left-behind']);
			expect(service.redact(SECRET)).not.toBe(SECRET);
		});
	});
	test('is intact where the service shows no more than that it is there', async () => {
		await playing({ hooks: [ours()], documented: true }, async ({ service, bodies }) => {
			expect(await repair(service, known(), { ...WANTED, events: ['*'] })).toBe('intact');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('is created anew with the same URL when its ID is not known', async () => {
		await playing({}, async ({ service, asked, bodies }) => {
			const memory = known({ webhookId: undefined });
			expect(await repair(service, memory, WANTED)).toBe('created');
			expect(asked()).toEqual(['GET list', 'GET list', 'POST list']);
			expect(bodies('POST')).toEqual([
				{ url: CALLBACK, subscriptions: EVENTS, signing_key: SECRET },
			]);
			expect(memory).toStrictEqual(known({ webhookId: 'new', requestIdHeader: 'x-request-id' }));
		});
	});
});
