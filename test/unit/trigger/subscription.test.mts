import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { listSecrets, type TriggerState } from '../../../nodes/SignAndClose/trigger/memory.ts';
import { checkTriggerAccount } from '../../../nodes/SignAndClose/trigger/subscription/check.ts';
import {
	removeUnused,
	subscribe,
	unsubscribe,
} from '../../../nodes/SignAndClose/trigger/subscription/subscription.ts';
import type { WebhookSpec } from '../../../nodes/SignAndClose/trigger/subscription/webhookWrites.ts';
import { forEachCase } from '../../support/forEachCase.mts';
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

/** A subscription in every state that the service and what n8n stores can be in. */

/** An event that hasn't arrived. */
const UNDELIVERED = [{ delivery: { event: 'x', data: {}, key: 'k' }, at: '', arrived: false }];
/** Another webhook at our URL. */
const older = () => ({ ...ours({ url: `${ADDRESS}?key=older` }), id: 'older' });
/** Notes the webhooks whose events were kept. */
const keeping = () => {
	const kept: string[] = [];
	return { kept, keep: async (id: string) => void (await Promise.resolve(kept.push(id))) };
};
const idsOf = (hooks: IDataObject[]) => hooks.map(({ id }) => id);
/** Answers requests of one method instead of the service. */
const answering =
	(method: string, answer: object) =>
	(request: AskedFor): object | undefined =>
		request.method === method ? answer : undefined;
const REFUSED = { status: 401, body: { errors: ['no'] } };

describe('a webhook that stands', () => {
	test.each(['webhookId', 'secret', 'callback'])(
		'is found at its URL while its %s is not known, and kept with its event records',
		async (name) => {
			await playing({ hooks: [ours()] }, async ({ service, hooks, asked }) => {
				const memory = known({ signatureHeader: 'x-older' });
				delete memory[name];
				expect(await subscribe(service, memory, WANTED)).not.toBe('created');
				expect(asked()).not.toContain('DELETE ours');
				expect(memory).toMatchObject({ webhookId: 'ours', signatureHeader: 'x-signature' });
				expect(hooks).toMatchObject([{ id: 'ours', url: memory.callback }]);
			});
		},
	);
	test('is found at its URL, with a new secret and key, when nothing is known', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks, bodies }) => {
			const memory: TriggerState = {};
			expect(await subscribe(service, memory, WANTED)).toBe('updated');
			expect(memory.secret).toMatch(/^[\w-]{43}$/);
			expect(memory.secret).not.toBe(memory.signingKey);
			expect(hooks).toMatchObject([{ id: 'ours', url: `${ADDRESS}?key=${memory.secret}` }]);
			expect(bodies('PUT')).toMatchObject([{ signing_key: memory.signingKey }]);
		});
	});
	test('is the one with our secret of several; others are removed with their events kept, those elsewhere are not ours', async () => {
		const hooks = [older(), liveWebhook({ id: 'theirs', url: ELSEWHERE }), ours()];
		const { kept, keep } = keeping();
		await playing({ hooks }, async ({ service }) => {
			const memory = known({ webhookId: 'gone' });
			expect(await subscribe(service, memory, { ...WANTED, keep })).toBe('intact');
			expect([memory.webhookId, idsOf(hooks), kept]).toEqual([
				'ours',
				['theirs', 'ours'],
				['older'],
			]);
		});
	});
	test('another one there whose events can not be kept stays', async () => {
		const hooks = [older(), ours()];
		const keep = async () => await Promise.reject(new Error('not now'));
		await playing({ hooks }, async ({ service }) => {
			expect(await subscribe(service, known(), { ...WANTED, keep })).toBe('intact');
			expect(hooks).toHaveLength(2);
		});
	});
	test('is left as it is when it is as wanted, whatever the order of its events', async () => {
		const events = ['transaction.sent', 'transaction.updated', 'transaction.created'];
		const stored = ['transaction.updated', 'transaction.sent', 'transaction.created'];
		await playing({ hooks: [ours({ subscriptions: stored })] }, async ({ service, asked }) => {
			const memory = known({ events });
			expect(await subscribe(service, memory, { ...WANTED, events })).toBe('intact');
			expect(asked()).toEqual(['GET list']);
			expect(memory).toStrictEqual(known({ events }));
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
			expect(await subscribe(service, memory, { ...WANTED, ...more })).toBe('updated');
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
			expect(memory).toStrictEqual(known({ written: written(signingKey) }));
		});
	});
	test('that the service may not show now is not taken for gone', async () => {
		await playing({ hooks: [ours()], instead: () => REFUSED }, async ({ service }) => {
			const memory = known();
			await expect(subscribe(service, memory, WANTED)).rejects.toMatchObject({
				flags: { httpStatus: 401 },
			});
			expect(memory.webhookId).toBe('ours');
		});
	});
	test('gets a new secret where it is published; the ones before are accepted for 48 hours', async () => {
		await playing({ hooks: [ours()] }, async ({ service, hooks }) => {
			const memory = known();
			const secrets = [SECRET];
			await forEachCase(Array(3).keys(), async () => {
				expect(await subscribe(service, memory, { ...WANTED, renew: true })).toBe('updated');
				secrets.unshift(memory.secret!);
			});
			expect(new Set(secrets).size).toBe(4);
			expect(hooks).toMatchObject([{ id: 'ours', url: memory.callback }]);
			expect(listSecrets(memory).sort()).toEqual([...secrets].sort());
			const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + GRACE_MS + 1);
			expect(listSecrets(memory)).toEqual([memory.secret]);
			now.mockRestore();
		});
	});
	test.each([
		['with the same address and events is ours', {}, 'intact'],
		['for another address', { address: 'https://new.example.com/webhook/a' }, 'created'],
		['for other events', { events: ['transaction.sent'] }, 'created'],
		[
			'with a new signing secret of the credential',
			{ signingKey: 'changed', renew: true },
			'created',
		],
	])('where the list has identifiers only, one %s: %s', async (_name, more, done) => {
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented: true }, async ({ service, bodies }) => {
			const memory = known();
			expect(await subscribe(service, memory, { ...WANTED, ...more })).toBe(done);
			expect(memory.webhookId).toBe(done === 'intact' ? 'ours' : 'new');
			expect(bodies('PUT')).toEqual([]);
		});
	});
});

describe('a webhook that is missing', () => {
	test.each([
		['is not known', [], undefined],
		['is gone', [], 'ours'],
		['points elsewhere', [ours({ url: ELSEWHERE })], 'ours'],
	])('since it %s, is created anew with the same URL', async (_what, hooks, webhookId) => {
		await playing({ hooks }, async ({ service, asked, bodies }) => {
			const memory = known({ webhookId });
			expect(await subscribe(service, memory, WANTED)).toBe('created');
			expect(asked()).toEqual(['GET list', 'GET list', 'POST list']);
			expect(bodies('POST')).toEqual([
				{ url: CALLBACK, subscriptions: EVENTS, signing_key: SIGNING_KEY },
			]);
			expect(memory).toStrictEqual(known({ webhookId: 'new' }));
		});
	});
	test('is found by its new identifier where the answer is empty and the list has no URLs', async () => {
		const hooks = [liveWebhook({ id: 'other' })];
		await playing({ hooks, documented: true }, async ({ service }) => {
			const memory = known();
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
		await playing({ hooks: [liveWebhook({ id: 'other' })], instead }, async ({ service }) => {
			const memory: TriggerState = {};
			await subscribe(service, memory, WANTED);
			expect(memory.webhookId).toBe('new');
		});
	});
	test('and refused is told, and the list is not asked for a webhook that can not be there', async () => {
		const instead = answering('POST', { status: 422, body: { errors: ['Invalid subscription'] } });
		await playing({ instead }, async ({ service, asked }) => {
			const memory: TriggerState = {};
			await expect(subscribe(service, memory, WANTED)).rejects.toMatchObject({
				flags: { httpStatus: 422 },
			});
			expect(asked()).toEqual(['GET list', 'GET list', 'POST list']);
			expect(memory.webhookId).toBeUndefined();
		});
	});
	test('and created for a URL that was not asked for is a failure that says what to do', async () => {
		const instead = answering('POST', { body: liveWebhook({ id: 'new', url: ELSEWHERE }) });
		await playing({ instead }, async ({ service }) => {
			await expect(subscribe(service, {}, WANTED)).rejects.toMatchObject({
				message: expect.stringMatching(/different URL/),
				remedy: expect.stringMatching(/'Base URL'.*delete the webhook/),
			});
		});
	});
	test('is created once by a documented-only service whose list is a moment behind', async () => {
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
				await subscribe(service, memory, WANTED);
				// The list has caught up by the next check.
				visible = [...made];
			}
			expect(made).toHaveLength(1);
		});
	});
});

describe('a service that does not take an update as it is', () => {
	/** Checks until nothing is changed any more, and gives what was done. */
	const checks = async (service: ServiceClient, memory: TriggerState, wanted: WebhookSpec) => {
		const done = [];
		for (let round = 0; round < 3; round++) done.push(await subscribe(service, memory, wanted));
		return done;
	};
	const ignoring = answering('PUT', { body: { updated: true } });
	test('a disabled webhook is enabled by the update', async () => {
		await playing({ hooks: [ours({ enabled: false })] }, async ({ service, hooks, bodies }) => {
			expect(await checks(service, known(), WANTED)).toEqual(['updated', 'intact', 'intact']);
			expect(bodies('PUT')).toMatchObject([{ enabled: true }]);
			expect(hooks).toMatchObject([{ id: 'ours', enabled: true }]);
		});
	});
	test('one that stays disabled is replaced, once its events can be kept', async () => {
		let isReadable = false;
		const keep = async () => await (isReadable ? Promise.resolve() : Promise.reject(new Error()));
		const hooks = [ours({ enabled: false })];
		await playing({ hooks, instead: ignoring }, async ({ service, asked }) => {
			const [memory, wanted] = [known(), { ...WANTED, keep }];
			expect(await subscribe(service, memory, wanted)).toBe('updated');
			expect(idsOf(hooks)).toEqual(['ours']);
			isReadable = true;
			expect(await checks(service, memory, wanted)).toEqual(['created', 'intact', 'intact']);
			expect(memory.webhookId).toBe('new');
			expect(asked().filter((request) => /DELETE|POST/.test(request))).toEqual([
				'DELETE ours',
				'POST list',
			]);
		});
	});
	test.each([true, false])(
		'one that is never enabled is replaced once (its creation shows that: %s)',
		async (isShown) => {
			const instead = ({ method, body }: AskedFor, hooks: IDataObject[]) => {
				if (method === 'POST') hooks.push(liveWebhook({ ...(body as IDataObject), id: 'new' }));
				for (const hook of hooks) hook.enabled = false;
				if (method === 'PUT') return { body: { updated: true } };
				const { enabled, ...others } = hooks.at(-1) ?? {};
				return method === 'POST' ? { body: { ...others, ...(isShown && { enabled }) } } : undefined;
			};
			const said: string[] = [];
			const warn = (text: string) => void said.push(text);
			await playing({ hooks: [ours()], instead }, async ({ service, asked }) => {
				const done = await checks(service, known(), { ...WANTED, warn });
				expect(done).toEqual(['created', 'intact', 'intact']);
				expect(asked().filter((request) => request === 'POST list')).toHaveLength(1);
				expect(said).toEqual(isShown ? [expect.stringMatching(/keeps the webhook disabled/)] : []);
			});
		},
	);
	test.each([
		['names every event instead of *', ['*'], { subscriptions: [...EVENTS, 'notary.created'] }],
		['adds a slash to the URL', EVENTS, { url: `${ADDRESS}/?key=${SECRET}` }],
		[
			'writes an event in the older way',
			['transaction.completed_with_rejections'],
			{ subscriptions: ['transaction.completed_with_rejection'] },
		],
	])('one that %s is left alone', async (_what, events, shown) => {
		await playing(
			{ hooks: [ours(shown)], instead: ignoring },
			async ({ service, hooks, bodies }) => {
				const done = await checks(service, known({ events }), { ...WANTED, events });
				expect(done.slice(1)).toEqual(['intact', 'intact']);
				expect(bodies('PUT').length).toBeLessThanOrEqual(1);
				expect(hooks).toHaveLength(1);
			},
		);
	});
	test('one that does not take new events is replaced', async () => {
		const hooks = [ours({ subscriptions: ['transaction.sent'] })];
		await playing({ hooks, instead: ignoring }, async ({ service }) => {
			expect(await checks(service, known(), WANTED)).toEqual(['created', 'intact', 'intact']);
			expect(hooks).toMatchObject([{ id: 'new', subscriptions: EVENTS }]);
		});
	});
});

describe('a webhook at another address than that of n8n', () => {
	const address = 'https://new.example.com/webhook/a/webhook';
	test("stays there, and the log names it: n8n has moved, or it is the one of a clone's original", async () => {
		const said: string[] = [];
		const wanted = { ...WANTED, address, warn: (text: string) => void said.push(text) };
		await playing({ hooks: [ours()] }, async ({ service, hooks, bodies }) => {
			const memory = known();
			expect(await subscribe(service, memory, wanted)).toBe('created');
			expect(hooks.map(({ id, url }) => [id, String(url).split('?')[0]])).toEqual([
				['ours', ADDRESS],
				['new', address],
			]);
			expect(bodies('PUT')).toEqual([]);
			expect(await subscribe(service, memory, wanted)).toBe('intact');
			expect(said).toEqual([
				expect.stringMatching(/The webhook ours stays at .*Get Missed Events/),
			]);
		});
	});
	test.each([
		['another workflow', { ...OWNER, workflowId: 'a copy' }],
		['another instance', { ...OWNER, instanceId: 'another' }],
	])('is not the one of %s that has a copy of what is stored', async (_whose, owner) => {
		await playing({ hooks: [ours()] }, async ({ service, hooks }) => {
			const memory = known({ undelivered: UNDELIVERED });
			expect(await subscribe(service, memory, { ...WANTED, address, owner })).toBe('created');
			expect(idsOf(hooks)).toEqual(['ours', 'new']);
			expect(memory).not.toHaveProperty('undelivered');
			expect(JSON.stringify(memory)).not.toContain(SECRET);
		});
	});
});

describe('the account', () => {
	/** Checks the account of a known webhook with another key than before. */
	const check = async (id: string | undefined, stored: TriggerState = {}) => {
		const said: string[] = [];
		const memory = known(stored);
		let isOurs: boolean | undefined;
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/organization')
				? id === undefined
					? { status: 403 }
					: { body: { id, name: 'Harbor' } }
				: undefined;
		await playing({ instead }, async ({ service }) => {
			const { origin, account } = service.settings;
			memory.account = { key: 'an older key', organization: `${origin} orharbor` };
			isOurs = await checkTriggerAccount(service, memory, (text) => void said.push(text));
			// What can't be read now is asked for again.
			expect(memory.account?.key === account).toBe(id !== undefined);
		});
		return { memory, isOurs, said };
	};
	test.each(['or_harbor', 'orharbor'])('is the same with another key (%s)', async (id) => {
		const { memory, isOurs, said } = await check(id);
		expect([isOurs, memory.webhookId, said]).toEqual([true, 'ours', []]);
	});
	test('of another organization makes the trigger begin anew', async () => {
		const { memory, isOurs, said } = await check('or_bay', { undelivered: UNDELIVERED });
		expect([isOurs, Object.keys(memory)]).toEqual([false, ['account']]);
		expect(said).toEqual([expect.stringMatching(/another organization.*ours and 1 events/)]);
	});
	test('that the service does not tell is kept, and the log says so', async () => {
		const { memory, isOurs, said } = await check(undefined);
		expect([isOurs, memory.webhookId]).toEqual([true, 'ours']);
		expect(said).toEqual([expect.stringMatching(/doesn't tell to which organization/)]);
	});
	test('is not asked for with the same key', async () => {
		await playing({}, async ({ service }) => {
			const memory = known({ account: { key: service.settings.account, organization: 'x' } });
			const asked = jest.spyOn(service, 'json');
			expect(await checkTriggerAccount(service, memory, () => undefined)).toBe(true);
			expect(asked.mock.calls).toEqual([]);
		});
	});
});

describe('a webhook of a workflow that was unpublished', () => {
	test.each<[string, IDataObject, number]>([
		['is removed while it stands as it was, once its events are kept', {}, 0],
		['stays if it was published again, by whatever process', { url: `${ADDRESS}?key=new` }, 1],
		['stays if it points elsewhere', { url: ELSEWHERE }, 1],
	])('%s', async (_what, changed, left) => {
		const { kept, keep } = keeping();
		await playing({ hooks: [ours(changed)] }, async ({ service, hooks }) => {
			expect(await removeUnused(service, known(), keep)).toBe(true);
			expect([hooks.length, kept.length]).toEqual([left, 1 - left]);
		});
	});
	test('stays if it is published again while its events are being kept', async () => {
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
	test.each([
		['where nobody can see whether it is used', { documented: true }],
		[
			'if the service does not remove it',
			{ instead: answering('DELETE', { status: 404, body: { errors: ['Not Found'] } }) },
		],
	])('stays %s, which is told', async (_where, scene) => {
		await playing({ hooks: [ours()], ...scene }, async ({ service, hooks }) => {
			expect(await removeUnused(service, known(), keeping().keep)).toBe(false);
			expect(hooks).toHaveLength(1);
		});
	});
	test('may be gone already, and a refusal of its removal is a failure', async () => {
		await playing({}, async ({ service, asked }) => {
			expect(await removeUnused(service, known(), keeping().keep)).toBe(true);
			expect(asked()).toEqual(['GET list']);
		});
		await playing(
			{ hooks: [ours()], instead: answering('DELETE', REFUSED) },
			async ({ service }) => {
				await expect(removeUnused(service, known(), keeping().keep)).rejects.toMatchObject({
					flags: { httpStatus: 401 },
				});
			},
		);
	});
	test.each([false, true])('of a test goes at once (identifiers only: %s)', async (documented) => {
		const hooks = [liveWebhook({ id: 'other' }), ours()];
		await playing({ hooks, documented }, async ({ service }) => {
			await unsubscribe(service, known(), ADDRESS);
			expect(idsOf(hooks)).toEqual(['other']);
		});
	});
});
