import { describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { secretsOf, type SubscriptionMemory } from '../../../nodes/SignAndClose/trigger/memory.ts';
import type { Wanted } from '../../../nodes/SignAndClose/trigger/registration.ts';
import {
	adopt,
	removeUnused,
	repair,
	subscribe,
	checkAccount,
} from '../../../nodes/SignAndClose/trigger/subscription.ts';
import { liveWebhook } from '../../support/live/answers.mts';
import type { AskedFor } from '../../support/live/service.mts';
import {
	ADDRESS,
	CALLBACK,
	ELSEWHERE,
	EVENTS,
	GRACE_MS,
	OWNER,
	SECRET,
	SIGNING_KEY,
	WANTED,
	known,
	ours,
	playing,
	written,
} from '../../support/live/webhooks.mts';

/** A subscription that exists, in every state that the service and what n8n stores can be in. */

describe('a webhook that may be there already', () => {
	test.each(['webhookId', 'secret', 'callback'])(
		'is found at its URL while its %s is not known, and kept with its event records',
		async (name) => {
			await playing({ hooks: [ours()] }, async ({ service, hooks, asked }) => {
				const memory = known({ signatureHeader: 'x-older' });
				delete memory[name];
				expect(await adopt(service, memory, WANTED)).toBeDefined();
				expect(asked()).not.toContain('DELETE ours');
				expect(hooks).toHaveLength(1);
				expect(memory).toMatchObject({ webhookId: 'ours', signatureHeader: 'x-signature' });
				expect(hooks[0].url).toBe(memory.callback);
			});
		},
	);
	test('is found at its URL, with a new secret and key, when nothing is known', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks, bodies }) => {
			const memory: SubscriptionMemory = {};
			expect(await adopt(service, memory, WANTED)).toBeDefined();
			expect(memory.secret).toMatch(/^[\w-]{43}$/);
			expect(memory.secret).not.toBe(memory.signingKey);
			expect(hooks).toMatchObject([{ id: 'ours', url: `${ADDRESS}?key=${memory.secret}` }]);
			expect(bodies('PUT')).toMatchObject([{ signing_key: memory.signingKey }]);
		});
	});
	test('is the one with our secret if several stand at our URL; the others are removed, with their events kept', async () => {
		const hooks = [ours({ url: `${ADDRESS}?key=older` }), ours()];
		hooks[0].id = 'older';
		const kept: string[] = [];
		const keep = async (id: string) => void (await Promise.resolve(kept.push(id)));
		await playing({ hooks }, async ({ service }) => {
			const memory = known({ webhookId: 'gone' });
			expect(await adopt(service, memory, { ...WANTED, keep })).toBeDefined();
			expect([memory.webhookId, hooks.map(({ id }) => id), kept]).toEqual([
				'ours',
				['ours'],
				['older'],
			]);
		});
	});
	test('leaves a webhook at another URL alone, which is not ours', async () => {
		const hooks = [liveWebhook({ id: 'theirs', url: ELSEWHERE }), ours()];
		await playing({ hooks }, async ({ service }) => {
			await adopt(service, known(), WANTED);
			expect(hooks.map(({ id }) => id)).toEqual(['theirs', 'ours']);
		});
	});
	test('is left as it is when it is as wanted, whatever the order of its events', async () => {
		const events = ['transaction.sent', 'transaction.updated', 'transaction.created'];
		const stored = ['transaction.updated', 'transaction.sent', 'transaction.created'];
		await playing({ hooks: [ours({ subscriptions: stored })] }, async ({ service, asked }) => {
			const memory = known({ events });
			expect(await adopt(service, memory, { ...WANTED, events })).toBe('intact');
			expect(asked()).toEqual(['GET list']);
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
			expect(asked()).toEqual(['GET list', 'PUT ours', 'GET list']);
			const signingKey = 'signingKey' in more ? more.signingKey! : SIGNING_KEY;
			expect(bodies('PUT')).toEqual([
				{
					url: CALLBACK,
					subscriptions: EVENTS,
					signing_key: signingKey,
					request_id_header_name: 'X-Request-Id',
				},
			]);
			expect(memory).toStrictEqual(
				known({
					written: written(signingKey),
					requestIdHeader: 'x-request-id',
				}),
			);
		});
	});
	test.each([
		['that is gone', []],
		['that points elsewhere', [ours({ url: ELSEWHERE })]],
	])('one %s is none, and its ID is forgotten', async (_name, hooks) => {
		await playing({ hooks }, async ({ service, bodies }) => {
			const memory = known();
			expect(await adopt(service, memory, WANTED)).toBeUndefined();
			expect(Object.keys(memory)).not.toContain('webhookId');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('one that the service may not show now is not taken for gone', async () => {
		const instead = () => ({ status: 401, body: { errors: ['no'] } });
		await playing({ hooks: [ours()], instead }, async ({ service }) => {
			const memory = known();
			await expect(adopt(service, memory, WANTED)).rejects.toMatchObject({
				flags: { httpStatus: 401 },
			});
			expect(memory.webhookId).toBe('ours');
		});
	});
	test('gets a new secret where it is published; the ones before are accepted for 48 hours', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks }) => {
			const memory = known();
			const secrets = [SECRET];
			for (let round = 0; round < 3; round++) {
				expect(await adopt(service, memory, { ...WANTED, renew: true })).toBe('updated');
				secrets.unshift(memory.secret!);
			}
			expect(new Set(secrets).size).toBe(4);
			expect(hooks).toMatchObject([{ id: 'ours', url: memory.callback }]);
			expect(secretsOf(memory).sort()).toEqual([...secrets].sort());
			const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + GRACE_MS + 1);
			expect(secretsOf(memory)).toEqual([memory.secret]);
			now.mockRestore();
		});
	});
	test('another one there whose events can not be kept stays', async () => {
		const hooks = [ours({ url: `${ADDRESS}?key=older` }), ours()];
		hooks[0].id = 'older';
		const keep = async () => await Promise.reject(new Error('not now'));
		await playing({ hooks }, async ({ service }) => {
			expect(await adopt(service, known(), { ...WANTED, keep })).toBe('intact');
			expect(hooks).toHaveLength(2);
		});
	});
	test.each([
		['with the same address and events', {}, {}, true],
		['for another address', {}, { address: 'https://new.example.com/webhook/a' }, false],
		['for other events', {}, { events: ['transaction.sent'] }, false],
	])('where the list has identifiers only, one %s', async (_name, stored, more, there) => {
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented: true }, async ({ service, bodies }) => {
			const memory = known(stored);
			expect((await adopt(service, memory, { ...WANTED, ...more })) !== undefined).toBe(there);
			if (there) expect(memory.webhookId).toBe('ours');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('where the list has identifiers only, one that is not in it is gone', async () => {
		const hooks = [liveWebhook({ id: 'other' })];
		await playing({ hooks, documented: true }, async ({ service }) => {
			expect(await adopt(service, known(), WANTED)).toBeUndefined();
		});
	});
});

describe('a published webhook that is looked after', () => {
	test('is intact when it is as wanted; another one at its address is removed', async () => {
		const hooks = [ours({ id: 'left behind', url: `${ADDRESS}?key=older` }), ours()];
		hooks[0].id = 'left-behind';
		await playing({ hooks }, async ({ service, asked }) => {
			expect(await repair(service, known(), WANTED)).toBe('intact');
			expect(asked()).toEqual(['GET list', 'DELETE left-behind']);
			expect(service.redact(SECRET)).not.toBe(SECRET);
		});
	});
	test('is intact where the service shows no more than that it is there', async () => {
		await playing({ hooks: [ours()], documented: true }, async ({ service, bodies }) => {
			expect(await repair(service, known(), WANTED)).toBe('intact');
			expect(bodies('PUT')).toEqual([]);
		});
	});
	test('is created anew with the same URL when its ID is not known', async () => {
		await playing({}, async ({ service, asked, bodies }) => {
			const memory = known({ webhookId: undefined });
			expect(await repair(service, memory, WANTED)).toBe('created');
			expect(asked()).toEqual(['GET list', 'GET list', 'POST list']);
			expect(bodies('POST')).toEqual([
				{ url: CALLBACK, subscriptions: EVENTS, signing_key: SIGNING_KEY },
			]);
			expect(memory).toStrictEqual(
				known({
					webhookId: 'new',
					requestIdHeader: 'x-request-id',
				}),
			);
		});
	});
});

describe('a service that does not take an update as it is', () => {
	/** Looks until nothing is changed any more, and gives what was done. */
	const looks = async (service: ServiceClient, memory: SubscriptionMemory, wanted: Wanted) => {
		const done = [];
		for (let round = 0; round < 3; round++) done.push(await repair(service, memory, wanted));
		return done;
	};
	test('a disabled webhook is enabled by the update', async () => {
		await playing({ hooks: [ours({ enabled: false })] }, async ({ service, hooks, bodies }) => {
			expect(await looks(service, known(), WANTED)).toEqual(['updated', 'intact', 'intact']);
			expect(bodies('PUT')).toMatchObject([{ enabled: true }]);
			expect(hooks).toMatchObject([{ id: 'ours', enabled: true }]);
		});
	});
	test('one that stays disabled is replaced, once its events are kept', async () => {
		const instead = ({ method, body }: AskedFor) => {
			delete (body as IDataObject).enabled;
			return method === 'PUT' ? { body: { updated: true } } : undefined;
		};
		const kept: string[] = [];
		const keep = async (id: string) => void (await Promise.resolve(kept.push(id)));
		const hooks = [ours({ enabled: false })];
		await playing({ hooks, instead }, async ({ service, asked }) => {
			const memory = known();
			expect(await looks(service, memory, { ...WANTED, keep })).toEqual([
				'created',
				'intact',
				'intact',
			]);
			expect([memory.webhookId, kept]).toEqual(['new', ['ours']]);
			expect(asked().filter((request) => !request.startsWith('GET'))).toEqual([
				'PUT ours',
				'DELETE ours',
				'POST list',
			]);
		});
	});
	test('one that stays disabled stays until its events can be kept', async () => {
		const instead = ({ method, body }: AskedFor) => {
			delete (body as IDataObject).enabled;
			return method === 'PUT' ? { body: { updated: true } } : undefined;
		};
		let isReadable = false;
		const keep = async () => await (isReadable ? Promise.resolve() : Promise.reject(new Error()));
		await playing({ hooks: [ours({ enabled: false })], instead }, async ({ service, hooks }) => {
			const memory = known();
			expect(await repair(service, memory, { ...WANTED, keep })).toBe('updated');
			expect(await repair(service, memory, { ...WANTED, keep })).toBe('updated');
			expect(hooks.map(({ id }) => id)).toEqual(['ours']);
			isReadable = true;
			expect(await repair(service, memory, { ...WANTED, keep })).toBe('created');
			expect(hooks.map(({ id }) => id)).toEqual(['new']);
		});
	});
	test('one that is never enabled is told once, not replaced at every look', async () => {
		const instead = ({ method, body }: AskedFor, hooks: IDataObject[]) => {
			if (method === 'POST') hooks.push(liveWebhook({ ...(body as IDataObject), id: 'new' }));
			for (const hook of hooks) hook.enabled = false;
			return method === 'POST' ? { body: hooks.at(-1) } : undefined;
		};
		const said: string[] = [];
		const warn = (text: string) => void said.push(text);
		await playing({ hooks: [ours()], instead }, async ({ service, asked }) => {
			expect((await looks(service, known(), { ...WANTED, warn })).slice(1)).toEqual([
				'intact',
				'intact',
			]);
			expect(asked().filter((request) => request === 'POST list')).toHaveLength(1);
			expect(said).toEqual(['the service keeps the webhook disabled, so it delivers no events']);
		});
	});
	test.each([
		['names every event instead of *', ['*'], { subscriptions: [...EVENTS, 'notary.created'] }],
		['adds a slash to the URL', EVENTS, { url: `${ADDRESS}/?key=${SECRET}` }],
		[
			'writes an event in the older way',
			['transaction.completed_with_rejections'],
			{
				subscriptions: ['transaction.completed_with_rejection'],
			},
		],
	])('one that %s is left alone after the first look', async (_what, events, written) => {
		const instead = ({ method }: AskedFor, hooks: IDataObject[]) => {
			if (method !== 'PUT') return undefined;
			Object.assign(hooks[0], written);
			return { body: { updated: true } };
		};
		const hooks = [ours(written)];
		await playing({ hooks, instead }, async ({ service, bodies }) => {
			const memory = known({ events });
			const done = await looks(service, memory, { ...WANTED, events });
			expect(done.slice(1)).toEqual(['intact', 'intact']);
			expect(bodies('PUT').length).toBeLessThanOrEqual(1);
			expect(hooks).toHaveLength(1);
		});
	});
	test('one that does not take new events is replaced', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'PUT' ? { body: { updated: true } } : undefined;
		const hooks = [ours({ subscriptions: ['transaction.sent'] })];
		await playing({ hooks, instead }, async ({ service }) => {
			expect(await looks(service, known(), WANTED)).toEqual(['created', 'intact', 'intact']);
			expect(hooks).toMatchObject([{ id: 'new', subscriptions: EVENTS }]);
		});
	});
});

describe('a webhook at another address than that of n8n', () => {
	const address = 'https://new.example.com/webhook/a/webhook';
	const moved = { ...WANTED, address };
	test("stays there, and the log names it: n8n has moved, or it is the one of a clone's original", async () => {
		const said: string[] = [];
		const warn = (text: string) => void said.push(text);
		await playing({ hooks: [ours()] }, async ({ service, hooks, bodies }) => {
			const memory = known();
			expect(await adopt(service, memory, { ...moved, warn })).toBeUndefined();
			await subscribe(service, memory, { ...moved, warn });
			expect(hooks.map(({ id, url }) => [id, String(url).split('?')[0]])).toEqual([
				['ours', ADDRESS],
				['new', address],
			]);
			expect(bodies('PUT')).toEqual([]);
			expect(said).toEqual([
				expect.stringMatching(/The webhook ours stays at .*Get Missed Events/),
			]);
			expect(await repair(service, memory, { ...moved, warn })).toBe('intact');
			expect(said).toHaveLength(1);
		});
	});
	test.each([
		['another workflow', { ...OWNER, workflowId: 'a copy' }],
		['another instance', { ...OWNER, instanceId: 'another' }],
	])('is not the one of %s that has a copy of what is stored', async (_whose, owner) => {
		await playing({ hooks: [ours()] }, async ({ service, hooks }) => {
			const undelivered = [
				{ delivery: { event: 'x', data: {}, key: 'k' }, at: '', arrived: false },
			];
			const memory = known({ undelivered });
			const wanted = { ...moved, owner };
			expect(await adopt(service, memory, wanted)).toBeUndefined();
			await subscribe(service, memory, wanted);
			expect(hooks.map(({ id }) => id)).toEqual(['ours', 'new']);
			expect(memory).not.toHaveProperty('undelivered');
			expect(JSON.stringify(memory)).not.toContain(SECRET);
		});
	});
});

describe('the account', () => {
	const ORGANIZATION = { id: 'or_harbor', name: 'Harbor' };
	const answering = (body: IDataObject | undefined) => ({
		instead: ({ path }: AskedFor) =>
			path.endsWith('/organization')
				? body === undefined
					? { status: 403 }
					: { body }
				: undefined,
	});
	const scene = async (
		organization: IDataObject | undefined,
		stored: SubscriptionMemory,
		work: (memory: SubscriptionMemory, isOurs: boolean, said: string[]) => void,
	) => {
		const said: string[] = [];
		await playing(answering(organization), async ({ service }) => {
			const { origin } = service.settings;
			const account = { key: 'an older key', organization: `${origin} orharbor` };
			const memory = known({ account, ...stored });
			const warn = (text: string) => void said.push(text);
			work(memory, await checkAccount(service, memory, warn), said);
			// What can't be read now is asked for again.
			const isKnown = memory.account?.key === service.settings.account;
			expect(isKnown).toBe(organization !== undefined);
		});
	};
	test.each(['or_harbor', 'orharbor'])('is the same with another key (%s)', async (id) => {
		await scene({ ...ORGANIZATION, id }, {}, (memory, isOurs, said) => {
			expect([isOurs, memory.webhookId, said]).toEqual([true, 'ours', []]);
		});
	});
	test('of another organization makes the trigger begin anew', async () => {
		const undelivered = [{ delivery: { event: 'x', data: {}, key: 'k' }, at: '', arrived: false }];
		await scene({ ...ORGANIZATION, id: 'or_bay' }, { undelivered }, (memory, isOurs, said) => {
			expect(isOurs).toBe(false);
			expect(Object.keys(memory)).toEqual(['account']);
			expect(said).toEqual([expect.stringMatching(/another organization.*ours and 1 events/)]);
		});
	});
	test('that the service does not tell is kept, and the log says so', async () => {
		await scene(undefined, {}, (memory, isOurs, said) => {
			expect([isOurs, memory.webhookId]).toEqual([true, 'ours']);
			expect(said).toEqual([expect.stringMatching(/doesn't tell to which organization/)]);
		});
	});
	test('is not asked for with the same key', async () => {
		await playing({}, async ({ service }) => {
			const memory = known({ account: { key: service.settings.account, organization: 'x' } });
			const asked = jest.spyOn(service, 'json');
			expect(await checkAccount(service, memory, () => undefined)).toBe(true);
			expect(asked.mock.calls).toEqual([]);
		});
	});
});

describe('a service that lags, or shows little', () => {
	test('a documented-only service whose list is a moment behind gets one webhook', async () => {
		let visible: IDataObject[] = [];
		const made: IDataObject[] = [];
		const instead = ({ method, path, body }: AskedFor) => {
			if (method === 'POST') {
				made.push(body as IDataObject);
				return { body: '' };
			}
			return /\/webhooks\/?$/.test(path) ? { body: visible.map((_, at) => `wh_${at}`) } : undefined;
		};
		await playing({ instead, documented: true }, async ({ service }) => {
			const memory = known({ webhookId: undefined });
			for (let check = 0; check < 4; check++) {
				await repair(service, memory, WANTED);
				// The list has caught up by the next check.
				visible = [...made];
			}
			expect(made).toHaveLength(1);
		});
	});
	test('a webhook that the service disables, which its answer to the creation does not say, is replaced once', async () => {
		const hooks = [ours({ enabled: false })];
		let count = 0;
		const instead = ({ method, path, body }: AskedFor, all: IDataObject[]) => {
			if (path.endsWith('/events')) return { body: [] };
			if (method === 'PUT') return { body: { updated: true } };
			if (method !== 'POST') return undefined;
			const id = `new-${++count}`;
			all.push(liveWebhook({ ...(body as IDataObject), id, enabled: false }));
			const { url, subscriptions } = body as IDataObject;
			return { body: { id, url, subscriptions } };
		};
		await playing({ hooks, instead }, async ({ service }) => {
			const memory = known();
			for (let check = 0; check < 4; check++) await repair(service, memory, WANTED);
			expect(count).toBe(1);
		});
	});
	test('where the service only documents its webhooks, a changed signing secret of the credential does not make the node reject all deliveries', async () => {
		const hooks = [ours()];
		await playing({ hooks, documented: true }, async ({ service }) => {
			const memory = known();
			await adopt(service, memory, { ...WANTED, signingKey: 'secret-of-the-credential-1' });
			const before = memory.written;
			const done = await adopt(service, memory, {
				...WANTED,
				signingKey: 'secret-of-the-credential-2',
				renew: true,
			});
			// Either a new webhook, or the key that it signs with is known still.
			expect([done, before === memory.written]).not.toEqual(['intact', true]);
		});
	});
	test('a webhook that is published again while its events are being kept is not removed', async () => {
		const hooks = [ours()];
		await playing({ hooks }, async ({ service }) => {
			const keep = async () => {
				// Another process publishes.
				hooks[0].url = `${ADDRESS}?key=renewed`;
				await Promise.resolve();
			};
			await removeUnused(service, known(), keep);
			expect(hooks).toHaveLength(1);
		});
	});
});
