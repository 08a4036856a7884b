import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { checkSubscription } from '../../../nodes/SignAndClose/trigger/webhookMethods.ts';
import {
	credentialFor,
	hookContext,
	triggerContext,
	useBinaryMode,
} from '../../support/engine.mts';
import { liveWebhook } from '../../support/live/answers.mts';
import { withService, type Script } from '../../support/live/service.mts';

let sandbox: Sandbox;
const credential = () => credentialFor(sandbox.url);
const EVENTS = {
	events: ['transaction.completed', 'transaction.completed_with_rejections'],
	retrieveTransaction: true,
	simplify: true,
};
const options = (parameters: IDataObject = EVENTS) => ({
	type: 'signAndCloseTrigger' as const,
	credential: credential(),
	parameters,
});
const hooks = () => [...sandbox.world.webhooks.values()];
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	sandbox.world.webhooks.clear();
	sandbox.faults.clear();
});

describe('life cycle', () => {
	test('publishing registers one webhook with a secret in its address, unpublishing removes it', async () => {
		const { context, workflow, methods } = hookContext(options(), 'production');
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(await methods.create.call(context)).toBe(true);
		const [hook] = hooks();
		expect(hook.subscriptions).toEqual(EVENTS.events);
		expect(new URL(hook.url).searchParams.get('key')).toMatch(/^[\w-]{43}$/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
			webhookId: hook.id,
			callback: hook.url,
		});
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(await methods.delete.call(context)).toBe(true);
		expect(hooks()).toEqual([]);
		// Deliveries that were under way are still believed for a while.
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toEqual({
			previous: { secret: expect.any(String), until: expect.any(Number) },
		});
	});

	test('two workflows do not touch each other, nor a webhook that is not ours', async () => {
		await fetch(`${sandbox.url}/v2/webhooks/`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify({ url: 'https://other.example.com/hook', subscriptions: ['*'] }),
		});
		const [one, two] = [hookContext(options(), 'one'), hookContext(options(), 'two')];
		await one.methods.create.call(one.context);
		await two.methods.create.call(two.context);
		await one.methods.delete.call(one.context);
		expect(hooks().map(({ url }) => url.split('?')[0])).toEqual([
			'https://other.example.com/hook',
			expect.stringMatching(/two/),
		]);
	});

	test('what an earlier life left behind at this address is removed first', async () => {
		const first = hookContext(options(), 'again');
		await first.methods.create.call(first.context);
		// n8n lost its static data: the new one knows nothing of the old webhook.
		const second = hookContext(options(), 'again');
		expect(await second.methods.checkExists.call(second.context)).toBe(false);
		await second.methods.create.call(second.context);
		expect(hooks()).toHaveLength(1);
	});

	test('other events or a disabled webhook are mended by an update', async () => {
		const { context, methods } = hookContext(options(), 'changed');
		await methods.create.call(context);
		const [hook] = hooks();
		for (const change of [{ subscriptions: ['transaction.sent'] }, { enabled: false }]) {
			Object.assign(hook, change);
			expect(await methods.checkExists.call(context)).toBe(true);
			expect(hooks()).toEqual([hook]);
			expect(hook).toMatchObject({ enabled: true, subscriptions: EVENTS.events });
		}
	});

	test('one that somebody has pointed elsewhere is not ours any more: left alone, and another is made', async () => {
		const { context, methods } = hookContext(options(), 'pointed');
		await methods.create.call(context);
		const [hook] = hooks();
		hook.url = 'https://other.example.com/';
		expect(await methods.checkExists.call(context)).toBe(false);
		await methods.create.call(context);
		expect(hooks().map(({ url }) => url.split('?')[0])).toEqual([
			'https://other.example.com/',
			expect.stringMatching(/pointed/),
		]);
		await methods.delete.call(context);
		expect(hooks()).toEqual([hook]);
	});

	test('an answer that was lost leaves one webhook, found again by its address', async () => {
		const { context, methods } = hookContext(options(), 'lost');
		sandbox.faults.add({ method: 'POST', path: '/v2/webhooks/', kind: 'cutAfter' });
		await methods.create.call(context);
		expect(hooks()).toHaveLength(1);
		expect(await methods.checkExists.call(context)).toBe(true);
	});

	test('an address that the service can not call is refused with the remedy', async () => {
		const { context, methods } = hookContext(
			{ ...options(), credential: credentialFor('https://api.example.com') },
			'local',
		);
		await expect(methods.create.call(context)).rejects.toMatchObject({
			message: expect.stringMatching(
				/can't reach this workflow: 127\.0\.0\.1 is only reachable from this machine/,
			),
			description: expect.stringMatching(/WEBHOOK_URL/),
		});
	});

	test('the secret is handed over as signing key, the key of the credential wins', async () => {
		const { context, methods } = hookContext(options(), 'key');
		await methods.create.call(context);
		expect(hooks()[0].signingKey).toBe(new URL(hooks()[0].url).searchParams.get('key'));
		const own = hookContext(
			{
				...options(),
				credential: credentialFor(sandbox.url, { webhookSigningSecret: 'a key of our own' }),
			},
			'own',
		);
		await own.methods.create.call(own.context);
		expect(hooks()[1].signingKey).toBe('a key of our own');
	});

	test('a webhook that is gone already counts as removed; when the service can not be asked nothing is forgotten', async () => {
		const { context, workflow, methods } = hookContext(options(), 'gone');
		await methods.create.call(context);
		sandbox.faults.add({
			method: 'GET',
			path: '/v2/webhooks',
			status: 401,
			body: { error: 'no' },
			times: Infinity,
		});
		await expect(methods.delete.call(context)).rejects.toThrow(/API key/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toHaveProperty('webhookId');
		sandbox.faults.clear();
		sandbox.world.webhooks.clear();
		expect(await methods.delete.call(context)).toBe(true);
	});

	test('works on the documented interface alone: identifiers in the list, an empty answer to the creation', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { context, workflow, methods } = hookContext(
			{ ...options(), credential: credentialFor(documented.url) },
			'documented',
		);
		await methods.create.call(context);
		const [hook] = [...documented.world.webhooks.values()];
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
			webhookId: hook.id,
		});
		expect(await methods.checkExists.call(context)).toBe(true);
		// Nothing can be removed there: what stays is known again, so that it is not doubled.
		expect(await methods.delete.call(context)).toBe(true);
		expect(documented.world.webhooks.size).toBe(1);
		expect(await methods.checkExists.call(context)).toBe(true);
		await documented.close();
	});

	test('the header of the request ID is the one that the service names, and an update keeps it and the headers', async () => {
		const kept = { headers: ['X-Team:closings'], request_id_header_name: 'X-Trace' };
		let hook: IDataObject | undefined;
		await withService(
			({ method, path, body }) => {
				if (method === 'POST') hook = liveWebhook({ ...(body as IDataObject), ...kept });
				if (path.endsWith('/webhooks')) return { body: hook === undefined ? [] : [hook] };
				return { body: method === 'PUT' ? { updated: true } : hook };
			},
			async ({ credential: own, bodies }) => {
				const { context, workflow, methods } = hookContext(
					{ ...options(), credential: own },
					'traced',
				);
				await methods.create.call(context);
				expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
					requestIdHeader: 'x-trace',
				});
				hook = { ...hook, enabled: false };
				expect(await methods.checkExists.call(context)).toBe(true);
				expect(bodies('PUT')).toEqual([{ ...bodies('POST')[0], ...kept }]);
			},
		);
	});

	describe('transaction.canceled, which earlier versions offered and no service takes', () => {
		const script: Script = ({ method, path, body }) => {
			const wanted = body as IDataObject;
			if (method === 'POST' && String(wanted.subscriptions).includes('transaction.canceled'))
				return { status: 422, body: { errors: ['Invalid subscription passed'] } };
			if (method === 'POST') return { body: liveWebhook(wanted) };
			return path.endsWith('/webhooks') ? { body: [] } : undefined;
		};
		test('is left out of the webhook, and the log says so', async () => {
			await withService(script, async ({ credential: own, bodies }) => {
				const stored = ['transaction.completed', 'transaction.canceled'];
				const { context, methods } = hookContext(
					{ ...options({ ...EVENTS, events: stored }), credential: own },
					'canceled',
				);
				const warn = jest.spyOn(context.logger, 'warn');
				await methods.create.call(context);
				expect(bodies('POST')).toMatchObject([{ subscriptions: ['transaction.completed'] }]);
				expect(warn).toHaveBeenCalledWith(expect.stringMatching(/transaction\.canceled.*left out/));
				warn.mockRestore();
			});
		});
		test('alone can not be published, and nothing is sent', async () => {
			await withService(script, async ({ credential: own, requests }) => {
				const { context, methods } = hookContext(
					{ ...options({ ...EVENTS, events: ['transaction.canceled'] }), credential: own },
					'only-canceled',
				);
				await expect(methods.create.call(context)).rejects.toMatchObject({
					message: expect.stringMatching(/'Event Names or IDs'.*transaction\.canceled/),
				});
				expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
			});
		});
	});

	test('an event the service does not offer is told with the remedy', async () => {
		const { context, methods } = hookContext(
			options({ ...EVENTS, events: ['transaction.renamed'] }),
			'unknown',
		);
		await expect(methods.create.call(context)).rejects.toMatchObject({
			description: expect.stringMatching(/'Event Names or IDs'/),
		});
	});
});

describe('looking after a published webhook', () => {
	const published = async () => {
		const { context, workflow, methods } = hookContext(options(), 'tended');
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		return triggerContext({ ...options(), staticData: { 'node:Tested': { ...memory } } });
	};
	test('leaves an intact one alone', async () => {
		const context = await published();
		const before = sandbox.requests.length;
		await checkSubscription(context, EVENTS);
		expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
		expect(sandbox.requests.length).toBeGreaterThan(before);
	});
	test('brings back one that was changed at the service, under the same address and secret', async () => {
		const context = await published();
		const [hook] = hooks();
		const { url } = hook;
		Object.assign(hook, { enabled: false, subscriptions: ['transaction.sent'] });
		await checkSubscription(context, EVENTS);
		expect(hooks()).toHaveLength(1);
		expect(hooks()[0]).toMatchObject({ url, enabled: true, subscriptions: EVENTS.events });
	});
	test('creates one that was removed at the service anew, once', async () => {
		const context = await published();
		const [{ url }] = hooks();
		sandbox.world.webhooks.clear();
		await checkSubscription(context, EVENTS);
		await checkSubscription(context, EVENTS);
		expect(hooks().map((hook) => hook.url)).toEqual([url]);
	});
	test('a service that can not be asked harms nothing', async () => {
		const context = await published();
		sandbox.faults.add({ path: '/v2/webhooks', status: 401, times: 5, body: { error: 'no' } });
		await expect(checkSubscription(context, EVENTS)).resolves.toBeUndefined();
		expect(hooks()).toHaveLength(1);
	});
});
